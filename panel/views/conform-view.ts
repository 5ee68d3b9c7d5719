import { timecodeAt } from "../../src/core/timecode.ts";
import { CONFORM_REASONS } from "../../src/workflow/conform/conform-sequence.ts";
import type { Actions } from "../controllers/actions.ts";
import { type ElementNode, element } from "../document/element.ts";
import { type ConformState, countConform, cutKey, formForNew, newSeconds } from "../state/conform-state.ts";
import { forecastOf } from "../state/form.ts";
import type { PanelState } from "../state/panel-state.ts";
import { clockText, cutText, tenths, words } from "../words/words.ts";
import { button, primaryButton, text } from "./controls.ts";
import { placingProgress } from "./progress-view.ts";

/** Says on every view that the cut is no longer the one that was described; empty while it is. */
export function conformNotice(state: PanelState, actions: Actions): ElementNode[] {
  const { conform, view } = state;
  if (conform === null || view === "conform" || state.setAsideCut === cutKey(conform)) return [];
  return [
    element(
      "div",
      { class: "notice", key: "conform" },
      noticeWords(state, conform).map((line) => text(line, line === newLine(state, conform) ? "line" : "warning")),
      button("open-conform", words.openConform, () => actions.panelController.go("conform")),
      button("conform-later", words.conformLater, () => actions.conformController.putAside()),
    ),
  ];
}

/** What there is to say of a cut that changed, in sentences. */
export function noticeWords(state: PanelState, conform: ConformState): readonly string[] {
  const fresh = newLine(state, conform);
  return [
    ...(isFollowed(conform) ? [] : [cutText(words.cutChanged, countConform(conform))]),
    ...(fresh === null ? [] : [fresh]),
  ];
}

/** What the re-cut did to each cue, and the one button that takes them along. */
export function conformView(state: PanelState, actions: Actions): ElementNode[] {
  const { conform } = state;
  const again = button("conform-look", words.conformLook, () =>
    actions.session.run(() => actions.conformController.look()),
  );
  const takeBack = state.canTakeBack
    ? button("take-back", words.takeBack, () => actions.session.run(() => actions.applyController.takeBack()))
    : null;
  if (state.placing !== null) return [placingProgress(state.placing, actions)];
  if (conform === null) {
    return [text(words.conformNothing, "empty"), element("div", { class: "actions" }, again, takeBack)];
  }
  const fresh = newPart(state, conform, actions);
  if (isFollowed(conform)) return [...fresh, element("div", { class: "actions" }, again, takeBack)];
  const count = countConform(conform);
  return [
    text(cutText(words.cutChanged, count), "strong"),
    element(
      "div",
      { class: "rows", id: "conform-list", role: "list", "aria-label": words.conformList },
      conform.plan.descriptions.flatMap((description) =>
        description.state === "unchanged" ? [] : [row(conform, description, actions)],
      ),
    ),
    ...narrationWords(conform).map((line) => text(line, "hint")),
    element(
      "div",
      { class: "actions" },
      primaryButton("conform", words.conform, () => actions.session.run(() => actions.conformController.apply())),
      again,
      takeBack,
    ),
    text(`${words.conformDoes({ cues: count.moved + count.touched })} ${words.conformHint}`, "hint"),
    ...fresh,
  ];
}

/** What becomes of the narration on the timeline, beside moving. */
function narrationWords({ plan, toRecord }: ConformState): readonly string[] {
  if (toRecord === null) return plan.isStemStale ? [words.stemStale] : [];
  return [
    ...(plan.hasStem ? [words.conformCuts] : []),
    ...(toRecord > 0 ? [words.conformRecords({ count: toRecord })] : []),
  ];
}

/** Whether every cue is where it belongs: then there is picture to describe, and nothing to move. */
function isFollowed({ plan }: ConformState): boolean {
  return plan.descriptions.every(({ state }) => state === "unchanged");
}

/** One cue: where it belongs now, its words, what became of its picture. A click moves the playhead there. */
function row(
  { sequence }: ConformState,
  { cueId, state, reason, start, text: said, isWhereEditorPutIt }: ConformState["plan"]["descriptions"][number],
  { conformController }: Actions,
): ElementNode {
  const why = reason === undefined ? "" : ` ${CONFORM_REASONS[reason]}.`;
  return element(
    "div",
    { role: "listitem", key: cueId },
    element(
      "button",
      {
        class: "row",
        id: `conform-${cueId}`,
        "data-action": "conform-jump",
        "data-state": state,
        onclick: () => conformController.jump(start),
      },
      element(
        "span",
        { class: reason === undefined ? "hint" : "warning" },
        `${words.conformStates[state]} · ${timecodeAt(sequence, start)}.${why}${isWhereEditorPutIt ? ` ${words.staysPut}` : ""}`,
      ),
      " ",
      element("span", { class: "row-words" }, said),
    ),
  );
}

/** How much of the cut was never described, and what that would take; `null` where nothing is new. */
function newLine(state: PanelState, conform: ConformState): string | null {
  const count = conform.stretches.length;
  if (count === 0) return null;
  const seconds = newSeconds(conform);
  const { credits, isLocal } = forecastOf(seconds, formForNew(state, conform), state.service, state.presets);
  const price = isLocal ? words.noCharge : words.creditsAbout({ count: tenths(Math.max(0.1, credits)) });
  return words.newStretches({ count, time: clockText(Math.round(seconds) * 1000), credits: price });
}

/** The stretches that are new, where each is, and the button that has them described alone; nothing where nothing is new. */
function newPart(state: PanelState, conform: ConformState, actions: Actions): ElementNode[] {
  const line = newLine(state, conform);
  if (line === null) return [];
  const { descriptions } = conform.plan;
  const isFollowed = descriptions.every((description) => description.state === "unchanged");
  return [
    text(line, "strong"),
    element(
      "div",
      { class: "rows", id: "new-list", role: "list", "aria-label": words.newList },
      conform.stretches.map(({ inside }, index) => {
        const [start, end] = [inside[0]?.start ?? 0, inside.at(-1)?.end ?? 0];
        const [from, to] = [timecodeAt(conform.sequence, start), timecodeAt(conform.sequence, end)];
        const onclick = () => actions.conformController.jump(start);
        return element(
          "div",
          { role: "listitem", key: `${start}` },
          element(
            "button",
            { class: "row", id: `new-${index + 1}`, "data-action": "conform-jump", onclick },
            words.newAt({ start: from, end: to }),
          ),
        );
      }),
    ),
    element(
      "div",
      { class: "actions" },
      button("describe-new", words.describeNew, () => actions.session.run(() => describeNew(actions))),
      isFollowed
        ? button("leave-new", words.leaveNew, () => actions.session.run(() => actions.conformController.leaveNew()))
        : null,
    ),
    text(isFollowed ? words.newHint : `${words.newHint} ${words.newFollows}`, "hint"),
  ];
}

/** Has the cues follow the cut, and what is new in it described. */
async function describeNew({ conformController, jobQueue }: Actions): Promise<void> {
  const order = await conformController.orderNew();
  if (order !== null) await jobQueue.describeNew(order);
}
