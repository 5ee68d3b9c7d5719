import type { Cue } from "../../src/core/cue.ts";
import type { MergeConflict } from "../../src/core/merge-cues.ts";
import type { Actions } from "../controllers/actions.ts";
import type { PanelEvent } from "../document/dom.ts";
import { type ElementNode, element } from "../document/element.ts";
import type { MergePreview, PreviewLine } from "../state/merge-preview.ts";
import { type ReviewState, timecodeOf } from "../state/review-state.ts";
import { words } from "../words/words.ts";
import { button, primaryButton, radios, text } from "./controls.ts";

/** Most lines that are drawn of what needs no decision. */
const MOST_LINES = 100;

/** What placing will do to markers that were worked on, with a choice for each cue that both sides changed. */
export function mergeView(state: ReviewState, preview: MergePreview, actions: Actions): ElementNode[] {
  const { placeController } = actions;
  const disputed = preview.lines.filter(({ isDisputed }) => isDisputed);
  const settled = preview.lines.filter(({ isDisputed }) => !isDisputed);
  const all = (side: "mine" | "theirs", label: string) =>
    button(`all-${side}`, label, () =>
      placeController.choose(
        disputed.map(({ cueId }) => cueId),
        side,
      ),
    );
  return [
    element(
      "div",
      {
        class: "view-part",
        id: "merge",
        key: "merge",
        role: "region",
        "aria-label": words.mergeHeading,
        onkeydown: (event: PanelEvent) => mergeKey(event, actions),
      },
      element("p", { class: "strong", id: "merge-heading", tabindex: "0", takesFocus: true }, words.mergeHeading),
      element("p", { class: "line", id: "merge-counts" }, `${preview.counts}.`),
      preview.notices.map((notice) => text(notice, "hint")),
      disputed.length > 1
        ? element("div", { class: "actions" }, all("mine", words.allMine), all("theirs", words.allNew))
        : null,
      disputed.map((line) => disputedLine(state, line, actions)),
      element(
        "div",
        { role: "list", "aria-label": words.mergeList, class: "rows" },
        settled
          .slice(0, MOST_LINES)
          .map(({ cueId, message }) => element("p", { role: "listitem", key: cueId, class: "line" }, message)),
      ),
      settled.length > MOST_LINES ? text(words.andMore({ count: settled.length - MOST_LINES }), "hint") : null,
    ),
    element(
      "div",
      { class: "actions foot", key: "merge-foot" },
      primaryButton("merge-place", words.mergePlace, () => actions.session.run(() => placeController.markers())),
      button("merge-cancel", words.mergeCancel, () => placeController.closePreview()),
    ),
  ];
}

function disputedLine(state: ReviewState, line: PreviewLine, { placeController }: Actions): ElementNode {
  const { cueId, message, conflicts } = line;
  const options = [
    ["mine", `${words.keepMine}: ${version(state, line.mine, words.deletedHere, conflicts)}`],
    ["theirs", `${words.takeNew}: ${version(state, line.theirs, words.leftOut, conflicts)}`],
  ] as const;
  return element(
    "div",
    { key: cueId, class: "dispute" },
    radios(`choice-${cueId}`, message, state.choices[cueId] ?? "mine", options, (side) =>
      placeController.choose([cueId], side),
    ),
  );
}

function version(
  state: ReviewState,
  cue: Cue | undefined,
  absent: string,
  conflicts: readonly MergeConflict[],
): string {
  if (cue === undefined) return absent;
  const when = conflicts.includes("timing") ? `${timecodeOf(state, cue.start)} – ${timecodeOf(state, cue.end)} ` : "";
  return `${when}“${cue.text}”`;
}

/** Escape leaves everything as it is. */
function mergeKey(event: PanelEvent, { placeController }: Actions): void {
  if (event.key !== "Escape") return;
  placeController.closePreview();
  event.preventDefault();
}
