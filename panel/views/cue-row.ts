import type { Cue } from "../../src/core/cue.ts";
import type { Finding } from "../../src/core/finding.ts";
import { pauseRoom } from "../../src/core/pause-to-write.ts";
import { wordsPerMinute } from "../../src/core/speaking-time.ts";
import { staleIn } from "../../src/result/stale.ts";
import type { Actions } from "../controllers/actions.ts";
import type { ReviewController } from "../controllers/review/review-controller.ts";
import type { PanelEvent } from "../document/dom.ts";
import { type ElementNode, element } from "../document/element.ts";
import {
  deleteSelected,
  editCue,
  mergeSelectedWithNext,
  type NudgedPart,
  nudgeSelected,
  pauseOf,
  type ReviewState,
  splitSelected,
  timecodeOf,
  toggleAccepted,
  toggleMuted,
} from "../state/review-state.ts";
import { secondsText } from "../words/numbers.ts";
import { words } from "../words/words.ts";
import { button, labelled, textField, typedText } from "./controls.ts";
import { signOf } from "./finding-sign.ts";
import { stalePart } from "./stale-part.ts";

/** Name of the field that takes the keys of the list. */
export const CUE_KEYS = "cue-keys";

/** What a row shows. */
export interface RowContent {
  readonly state: ReviewState;
  readonly cue: Cue;
  /** Place in the list, from 1. */
  readonly number: number;
  readonly findings: readonly Finding[];
  readonly isAccepted: boolean;
  readonly isHeard: boolean;
  readonly actions: Pick<Actions, "reviewController" | "auditionController" | "session">;
}

/** A cue of the list: one line and its words; open, everything about it can be changed. */
export function cueRow(row: RowContent): ElementNode {
  const { state, cue, number, findings, isAccepted, actions } = row;
  const { reviewController } = actions;
  const pause = pauseOf(state, cue.id);
  const isSelected = state.selectedId === cue.id;
  const isOpen = isSelected && state.isOpen;
  const isMuted = state.result.mutedIds?.includes(cue.id) === true;
  return element(
    "div",
    {
      key: cue.id,
      class: `cue${isSelected ? " selected" : ""}${isOpen ? " open" : ""}${isMuted ? " muted" : ""}`,
      id: `row-${cue.id}`,
      role: "row",
      "aria-selected": String(isSelected),
      "aria-rowindex": number,
      "data-cue": cue.id,
    },
    element(
      "div",
      {
        class: "cue-face",
        role: "gridcell",
        "data-action": "select-cue",
        onclick: () => {
          reviewController.pick(cue.id);
          actions.session.environment.document.getElementById(CUE_KEYS)?.focus();
        },
      },
      element(
        "div",
        { class: "cue-facts" },
        // The signs stand first: in a narrow panel the rest of the line is cut off.
        findings.length === 0
          ? null
          : element("span", { class: "warning" }, [...new Set(findings.map(signOf))].join("")),
        element("span", { class: "time" }, `${timecodeOf(state, cue.start)} – ${timecodeOf(state, cue.end)}`),
        pause === undefined
          ? lengthOf(cue)
          : element("span", { class: "warning" }, words.toWrite({ room: pauseRoom(pause) })),
        staleIn(state.result).has(cue.id) ? element("span", { class: "warning" }, words.stale) : null,
        isAccepted ? element("span", { class: "hint" }, words.accepted) : null,
        isMuted ? element("span", { class: "hint" }, words.muted) : null,
        findings.length === 0
          ? null
          : element("span", { class: "warning" }, findings.map(({ message }) => message).join("; ")),
      ),
      isOpen ? null : element("div", { class: "cue-words" }, pause === undefined ? cue.text : pause.hints.join(", ")),
    ),
    isOpen ? (pause === undefined ? openRow(row) : openPause(row)) : null,
  );
}

function lengthOf({ start, end, text }: Cue): ElementNode[] {
  const seconds = end - start;
  return [
    element("span", { class: "hint" }, words.seconds({ seconds: secondsText(seconds) })),
    element("span", { class: "hint" }, words.pace({ wordsPerMinute: Math.round(wordsPerMinute(text, seconds)) })),
  ];
}

/** A pause that is open for its words; with them it is a cue like the others. */
function openPause(row: RowContent): ElementNode {
  const { state, cue, actions } = row;
  const { before, after } = pauseOf(state, cue.id) ?? {};
  return element(
    "div",
    { class: "cue-editor", role: "gridcell" },
    [before, after].map((line) => (line === undefined ? null : element("p", { class: "hint" }, `“${line}”`))),
    wordsField(row),
    element(
      "div",
      { class: "actions" },
      button("close-cue", words.close, () => actions.reviewController.select(cue.id, false)),
    ),
  );
}

/** The field for the words of an open row. */
function wordsField({ cue, actions: { reviewController } }: RowContent): ElementNode {
  return labelled(
    words.cueText,
    element("textarea", {
      id: "cue-text",
      class: "input words",
      "aria-label": words.cueText,
      value: reviewController.wordsOf(cue),
      oninput: (event: PanelEvent) => reviewController.typing(cue.id, typedText(event)),
      onchange: (event: PanelEvent) => {
        reviewController.typing(cue.id, typedText(event));
        reviewController.commit();
      },
      onkeyup: (event: PanelEvent) => reviewController.noteCursor(event),
      onclick: (event: PanelEvent) => reviewController.noteCursor(event),
    }),
  );
}

function openRow(row: RowContent): ElementNode {
  const { state, cue, findings, isAccepted, isHeard, actions } = row;
  const { reviewController, auditionController } = actions;
  const time = (id: string, label: string, edge: "start" | "end") =>
    element(
      "label",
      { class: "inline-field" },
      element("span", { class: "field-name" }, label),
      textField(id, label, timecodeOf(state, cue[edge]), {
        class: "input time-field",
        onchange: (event: PanelEvent) =>
          reviewController.retime((review, seconds) => editCue(review, cue.id, { [edge]: seconds }), typedText(event)),
      }),
    );
  return element(
    "div",
    { class: "cue-editor", role: "gridcell" },
    wordsField(row),
    element(
      "div",
      { class: "actions" },
      element("span", { class: "nudges" }, time("cue-in", words.cueIn, "start"), nudges(reviewController, "start")),
      element("span", { class: "nudges" }, time("cue-out", words.cueOut, "end"), nudges(reviewController, "end")),
      element(
        "span",
        { class: "nudges" },
        element("span", { class: "field-name" }, words.nudged.both),
        nudges(reviewController, "both"),
      ),
    ),
    element(
      "div",
      { class: "actions" },
      button("accept-cue", isAccepted ? words.unaccept : words.accept, () =>
        reviewController.change((review) => toggleAccepted(review, cue.id)),
      ),
      button("mute-cue", state.result.mutedIds?.includes(cue.id) === true ? words.unmuteCue : words.muteCue, () =>
        reviewController.change((review) => toggleMuted(review, cue.id)),
      ),
      button("listen", isHeard ? words.stop : words.listen, () =>
        actions.session.run(() => auditionController.toggle(cue)),
      ),
      button("split-cue", words.split, () =>
        reviewController.change((review) => splitSelected(review, reviewController.cursor)),
      ),
      button("merge-cue", words.merge, () => reviewController.change(mergeSelectedWithNext)),
      button("delete-cue", words.delete, () => reviewController.change(deleteSelected)),
      button("close-cue", words.close, () => reviewController.select(cue.id, false)),
    ),
    stalePart(state, cue, reviewController),
    findings.map((finding) =>
      element("p", { class: "hint", key: finding.rule }, `${signOf(finding)} ${limitText(finding)}`),
    ),
  );
}

function nudges(reviewing: ReviewController, part: NudgedPart): ElementNode[] {
  const nudge = (frames: number, sign: string, said: string) =>
    button(`nudge-${part}${frames}`, sign, () => reviewing.change((review) => nudgeSelected(review, part, frames)), {
      class: "button small",
      "data-action": "nudge",
      "aria-label": `${words.nudged[part]} ${said}`,
    });
  return [nudge(-1, "−1", words.earlier), nudge(1, "+1", words.later)];
}

function limitText({ message, limit, unit, source }: Finding): string {
  const bound = limit === undefined ? "" : ` (${words.limit({ limit: `${limit} ${unit ?? ""}`.trim() })})`;
  return `${message}${bound}${source === undefined ? "" : ` · ${source}`}`;
}
