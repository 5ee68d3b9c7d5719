import { timecodeAt } from "../../src/core/timecode.ts";
import { CONFORM_REASONS } from "../../src/workflow/conform/conform-sequence.ts";
import type { Actions } from "../controllers/actions.ts";
import { type ElementNode, element } from "../document/element.ts";
import { type ConformState, countConform, cutKey } from "../state/conform-state.ts";
import type { PanelState } from "../state/panel-state.ts";
import { words } from "../words/words.ts";
import { button, primaryButton, text } from "./controls.ts";
import { newLine, newPart } from "./new-part.ts";
import { placingProgress } from "./placing-progress.ts";

/** Says on every view that the cut is no longer the one that was described; empty while it is. */
export function conformNotice(state: PanelState, actions: Actions): ElementNode[] {
  const { conform, view } = state;
  if (conform === null || view === "conform" || state.setAsideCut === cutKey(conform)) return [];
  const fresh = newLine(state, conform);
  return [
    element(
      "div",
      { class: "notice", role: "status", key: "conform" },
      ...(isFollowed(conform) ? [] : [text(words.cutChanged(countConform(conform)), "warning")]),
      ...(fresh === null ? [] : [text(fresh, "line")]),
      button("open-conform", words.openConform, () => actions.panelController.go("conform")),
      button("conform-later", words.conformLater, () => actions.conformController.putAside()),
    ),
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
    text(words.cutChanged(count), "strong"),
    element(
      "div",
      { class: "rows", id: "conform-list", role: "list", "aria-label": words.conformList },
      conform.plan.descriptions.flatMap((description) =>
        description.state === "unchanged" ? [] : [row(conform, description, actions)],
      ),
    ),
    ...(conform.plan.isStemStale ? [text(words.stemStale, "hint")] : []),
    element(
      "div",
      { class: "actions" },
      primaryButton("conform", words.conform({ cues: count.moved + count.touched }), () =>
        actions.session.run(() => actions.conformController.apply()),
      ),
      again,
      takeBack,
    ),
    text(words.conformHint, "hint"),
    ...fresh,
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
      element("span", { class: "row-words" }, said),
    ),
  );
}
