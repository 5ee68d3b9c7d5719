import type { IssueList } from "../parse-issue.ts";
import { foldWhiteSpace } from "../plain-markup.ts";
import { type EdlComment, parseEdlLocator, parseResolveMarker } from "./edl-comment.ts";
import type { EdlTableMarker } from "./edl-marker-table.ts";
import type { EdlEvent } from "./parse-edl.ts";

/** A cue in frames of the EDL's own labels. */
export interface FrameCue {
  readonly id: string;
  readonly start: number;
  /** `null` where the EDL gives none. */
  readonly end: number | null;
  readonly text: string;
  readonly line: number;
}

/** An event with its record range in frames. */
export interface PlacedEvent {
  readonly event: EdlEvent;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  /** The frame of a label in the event's way of counting. */
  frameOf(label: string, line: number): number | null;
}

/** A row of the marker table with its range in frames. */
export interface PlacedMarker {
  readonly marker: EdlTableMarker;
  readonly start: number;
  readonly end: number | null;
}

/**
 * The cues an EDL carries. Each event gives the first of these it has: `COMMENT` lines (several are one text, parted by
 * blanks), the note, else the name, of a Resolve marker, locators, each at its own time. Where no event has any of them,
 * the whole EDL gives the first of these: the marker table, other comment lines, clip names (reported, as they are rarely
 * meant to be read out).
 */
export function cuesOfEvents(
  events: readonly PlacedEvent[],
  markers: readonly PlacedMarker[],
  issues: IssueList,
): FrameCue[] {
  const stated = events.flatMap(statedCues);
  if (stated.length > 0) return withoutRepeats(stated);
  if (markers.length > 0) return markers.flatMap(tableCue);
  const free = events.flatMap((placed) => textCue(placed, joined(placed.event, "free")));
  if (free.length > 0) return withoutRepeats(free);
  const named = withoutRepeats(events.flatMap((placed) => textCue(placed, clipName(placed.event))));
  const first = named[0];
  if (first !== undefined) issues.add("text-from-clip-name", first.line, first.text);
  return named;
}

function statedCues(placed: PlacedEvent): FrameCue[] {
  const comment = joined(placed.event, "comment");
  if (comment !== "") return textCue(placed, comment, idFromClipName(placed.event));
  const markers = placed.event.comments.filter((one) => one.kind === "marker").flatMap((one) => markerCue(one, placed));
  return markers.length > 0 ? markers : locatorCues(placed);
}

function textCue({ start, end, line }: PlacedEvent, text: string, id = ""): FrameCue[] {
  return text === "" ? [] : [{ id, start, end, text, line }];
}

function joined(event: EdlEvent, kind: EdlComment["kind"]): string {
  const texts = event.comments.filter((one) => one.kind === kind).map((one) => one.text);
  return foldWhiteSpace(texts.join(" "));
}

/** A marker lasts as long as it says, or as its event where that is longer. */
function markerCue(comment: EdlComment, placed: PlacedEvent): FrameCue[] {
  const marker = parseResolveMarker(comment.text);
  const text = foldWhiteSpace(marker.note === "" ? marker.name : marker.note);
  if (text === "") return [];
  const end = Math.max(placed.end, placed.start + marker.frames);
  return [{ id: "", start: placed.start, end, text, line: comment.line }];
}

/** Locators of an event, each up to the next one or the event's end. */
function locatorCues(placed: PlacedEvent): FrameCue[] {
  const found = placed.event.comments
    .filter((one) => one.kind === "locator")
    .flatMap((one) => {
      const locator = parseEdlLocator(one.text);
      const text = foldWhiteSpace(locator?.text ?? one.text);
      const start = locator === null ? placed.start : (placed.frameOf(locator.label, one.line) ?? placed.start);
      return text === "" ? [] : [{ start, text, line: one.line }];
    })
    .sort((a, b) => a.start - b.start);
  return found.map(({ start, text, line }, index) => {
    const next = found[index + 1]?.start ?? placed.end;
    return { id: "", start, end: next > start ? next : null, text, line };
  });
}

function tableCue({ marker, start, end }: PlacedMarker): FrameCue[] {
  const text = foldWhiteSpace(marker.comment === "" ? marker.name : marker.comment);
  return text === "" ? [] : [{ id: "", start, end, text, line: marker.line }];
}

/** The name of the clip an event brings in. */
function clipName(event: EdlEvent): string {
  return joined(event, "to-clip-name") || joined(event, "from-clip-name");
}

/** What `writeCmx3600` names the clip of a cue. */
const OWN_CLIP_NAME = /^AD (\S+)$/;

function idFromClipName(event: EdlEvent): string {
  return OWN_CLIP_NAME.exec(joined(event, "from-clip-name"))?.[1] ?? "";
}

/** The same text over the same frames on several tracks is one cue. */
function withoutRepeats(cues: readonly FrameCue[]): FrameCue[] {
  const seen = new Set<string>();
  return cues.filter((cue) => {
    const key = `${cue.start} ${cue.end} ${cue.text}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
