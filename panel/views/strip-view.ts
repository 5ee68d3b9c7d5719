import type { ReviewActions } from "../review-part.ts";
import type { ReviewState } from "../review-state.ts";
import { cuePieces, STRIP_COLUMNS, type StripPiece, stripPieces } from "../strip.ts";
import type { PanelElement, PanelEvent } from "../view/dom.ts";
import type { ElementNode } from "../view/element.ts";
import { element } from "../view/element.ts";
import { words } from "../words.ts";

/** The programme from left to right: speech where it is known, cues below; cues with findings are taller. */
export function stripView({ review }: ReviewState, actions: ReviewActions): ElementNode {
  const { cues, findings, exported, speech } = review;
  const { durationSeconds } = exported;
  const flagged = new Set(findings.flatMap(({ cueIds }) => cueIds));
  return element(
    "div",
    {
      class: "strip",
      id: "strip",
      role: "img",
      "aria-label": words.stripLabel({
        cues: cues.length,
        speech: speech === null ? words.stripSpeechUnknown : words.stripSpeechKnown,
      }),
    },
    lane("speech", words.stripSpeech, speech === null ? [] : stripPieces(speech, durationSeconds)),
    lane("cue", words.stripCues, cuePieces(cues, durationSeconds, flagged)),
    element("div", {
      class: "strip-face",
      "data-action": "jump",
      onclick: (event: PanelEvent) => actions.reviewing.jump(clickedShare(event) * durationSeconds),
    }),
  );
}

function lane(id: string, name: string, pieces: readonly StripPiece[]): ElementNode {
  return element(
    "div",
    { class: `lane ${id}-lane`, key: id },
    pieces.map(({ from, count, level }) =>
      element("div", {
        key: from,
        class: level === 2 ? "piece flagged" : "piece",
        style: `left: ${share(from)}%; width: ${share(count)}%`,
      }),
    ),
    element("span", { class: "lane-name", key: "name" }, name),
  );
}

function share(columns: number): string {
  return ((columns / STRIP_COLUMNS) * 100).toFixed(2);
}

/** Where along the strip a click came, 0 to 1. */
function clickedShare({ currentTarget, offsetX }: PanelEvent): number {
  // The listener's own element: the face over the strip, which has no children.
  const { clientWidth } = currentTarget as PanelElement;
  return clientWidth > 0 ? Math.min(1, Math.max(0, (offsetX ?? 0) / clientWidth)) : 0;
}
