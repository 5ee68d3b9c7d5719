import type { PanelElement, PanelEvent } from "../document/dom.ts";
import { type ElementNode, element } from "../document/element.ts";
import { STRIP_COLUMNS, type StripPiece } from "../state/strip.ts";

/** What lies in a lane: where in the strip it stands, its name, its pieces. */
type StripRow = readonly [place: "speech" | "cue", name: string, pieces: readonly StripPiece[]];

/**
 * A programme from left to right, in two lanes.
 *
 * @param jump Called with where along the strip a click came, 0 to 1.
 */
export function programmeStrip(
  label: string,
  lanes: readonly [upper: StripRow, lower: StripRow],
  jump: (share: number) => void,
): ElementNode {
  return element(
    "div",
    { class: "strip", id: "strip", role: "img", "aria-label": label },
    lanes.map((one) => lane(...one)),
    element("div", {
      key: "face",
      class: "strip-face",
      "data-action": "jump",
      onclick: (event: PanelEvent) => jump(clickedShare(event)),
    }),
  );
}

function lane(...[id, name, pieces]: StripRow): ElementNode {
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
