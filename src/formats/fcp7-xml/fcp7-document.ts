import { childAt, childElements, childrenNamed, textAt, type XmlElement } from "../xml/xml-element.ts";

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
