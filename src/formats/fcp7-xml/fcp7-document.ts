import { childAt, childElements, childrenNamed, numberAt, textAt, type XmlElement } from "../xml/xml-element.ts";

/** Elements that are written out once and named by id everywhere else. */
export interface Fcp7Definitions {
  readonly files: ReadonlyMap<string, XmlElement>;
  readonly sequences: ReadonlyMap<string, XmlElement>;
}

/** Gathers the files and sequences of a document that are written out. */
export function definitionsOf(root: XmlElement): Fcp7Definitions {
  const files = new Map<string, XmlElement>();
  const sequences = new Map<string, XmlElement>();
  const visit = (element: XmlElement) => {
    const id = element.attributes.get("id");
    const kept = element.name === "file" ? files : element.name === "sequence" ? sequences : null;
    if (kept !== null && id !== undefined && childElements(element).length > 0 && !kept.has(id)) kept.set(id, element);
    for (const child of childElements(element)) visit(child);
  };
  visit(root);
  return { files, sequences };
}

/** The element with the content: the one itself, or the one of its id that is written out. */
export function resolved(
  element: XmlElement | undefined,
  definitions: ReadonlyMap<string, XmlElement>,
): XmlElement | undefined {
  if (element === undefined || childElements(element).length > 0) return element;
  return definitions.get(element.attributes.get("id") ?? "") ?? element;
}

/** Sequences that stand on their own, in order: at the top, in projects and bins; not those inside clips. */
function sequencesOf(root: XmlElement): XmlElement[] {
  const holders = new Set(["xmeml", "project", "bin", "children"]);
  return childElements(root).flatMap((child) => {
    if (child.name === "sequence") return [child];
    return holders.has(child.name) ? sequencesOf(child) : [];
  });
}

/** The sequence of a name, else the first. */
export function chosenSequence(root: XmlElement, name: string | undefined): XmlElement | null {
  const sequences = root.name === "sequence" ? [root] : sequencesOf(root);
  return sequences.find((one) => textAt(one, "name") === name) ?? sequences[0] ?? null;
}

/** Tracks of a kind, in order. */
export function tracksOf(sequence: XmlElement, kind: "video" | "audio"): XmlElement[] {
  const media = childAt(sequence, "media", kind);
  return media === undefined ? [] : childrenNamed(media, "track");
}

/**
 * Whether a track is the second or a later channel of the one before it: Premiere writes a stereo track as two, and counts
 * them in attributes.
 */
export function isFurtherChannel(track: XmlElement): boolean {
  return Number(track.attributes.get("currentExplodedTrackIndex") ?? 0) > 0;
}

/** Name of a track: Premiere writes an attribute, others an element. */
export function trackName(track: XmlElement): string {
  return track.attributes.get("MZ.TrackName") ?? textAt(track, "name");
}

/** Whether an element is switched on; one that does not say is. */
export function isEnabled(element: XmlElement): boolean {
  return textAt(element, "enabled").toUpperCase() !== "FALSE";
}

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
