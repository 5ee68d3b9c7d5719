import { numberAt, textAt, type XmlElement } from "../xml/xml-element.ts";

/** A clip or transition of a track with its range in sequence frames. */
export interface PlacedItem {
  readonly kind: "clip" | "transition";
  readonly element: XmlElement;
  readonly start: number | null;
  readonly end: number | null;
  /** Sequence frames by which the clip's `in` lies before `start`: its part of the transition into it. */
  readonly lead: number;
  /** Sequence frames by which the clip's `out` lies behind `end`: its part of the transition out of it. */
  readonly tail: number;
}

/**
 * Gives the items of a track their ranges. A clip beside a transition states -1 there: it reaches to the cut, which lies
 * within the transition as its alignment says.
 */
export function placeItems(elements: readonly XmlElement[]): PlacedItem[] {
  const items = elements.filter((one) => isClip(one) || one.name === "transitionitem");
  const placed: PlacedItem[] = [];
  for (const [index, element] of items.entries()) {
    if (element.name === "transitionitem") {
      const start = stated(element, "start");
      placed.push({ kind: "transition", element, start, end: stated(element, "end"), lead: 0, tail: 0 });
    } else placed.push(placeClip(element, items[index - 1], items[index + 1], placed.at(-1)));
  }
  return placed;
}

function isClip(element: XmlElement): boolean {
  return element.name === "clipitem" || element.name === "generatoritem";
}

function placeClip(
  element: XmlElement,
  before: XmlElement | undefined,
  after: XmlElement | undefined,
  last: PlacedItem | undefined,
): PlacedItem {
  const opening = before?.name === "transitionitem" ? before : undefined;
  const closing = after?.name === "transitionitem" ? after : undefined;
  const start = stated(element, "start") ?? cutOf(opening) ?? last?.end ?? null;
  const openingStart = stated(opening, "start");
  const hasLead = stated(element, "start") === null && openingStart !== null && start !== null;
  const lead = hasLead ? start - openingStart : 0;
  const length = (numberAt(element, "out") ?? 0) - (numberAt(element, "in") ?? 0);
  const cut = stated(element, "end") === null ? cutOf(closing) : null;
  const end = stated(element, "end") ?? cut ?? (start === null ? null : start - lead + length);
  const closingEnd = stated(closing, "end");
  const tail = cut === null || closingEnd === null ? 0 : closingEnd - cut;
  return { kind: "clip", element, start, end, lead, tail };
}

/** A frame number that is stated: not missing and not -1. */
function stated(element: XmlElement | undefined, name: string): number | null {
  const frame = numberAt(element, name);
  return frame === null || frame < 0 ? null : frame;
}

/** The frame of the cut that a transition lies over. */
function cutOf(transition: XmlElement | undefined): number | null {
  const start = stated(transition, "start");
  const end = stated(transition, "end");
  if (start === null || end === null) return null;
  const alignment = textAt(transition, "alignment").toLowerCase();
  if (alignment.startsWith("start")) return start;
  if (alignment.startsWith("end")) return end;
  return start + Math.floor((end - start) / 2);
}
