import type { IssueList } from "../parse-issue.ts";
import { foldWhiteSpace } from "../plain-markup.ts";
import { type EdlComment, isWording, parseEdlLocator, parseResolveMarker } from "./edl-comment.ts";
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
 * meant to be read out). Names of files, reels and shots are no words; those that stand where words could are counted.
 */
export function cuesOfEvents(
  events: readonly PlacedEvent[],
  markers: readonly PlacedMarker[],
  issues: IssueList,
): FrameCue[] {
  const stated = events.flatMap(statedCues);
  if (stated.length > 0) return withoutRepeats(stated);
  if (markers.length > 0) return markers.flatMap(tableCue);
  const free = wordings(events, (event) => joined(event, "free"), issues);
  if (free.length > 0) return withoutRepeats(free);
  const named = withoutRepeats(wordings(events, clipName, issues));
  const first = named[0];
  if (first !== undefined) issues.add("text-from-clip-name", first.line, first.text);
  return named;
}

/** Cues of texts that may be words; the others are counted in an issue. */
function wordings(
  events: readonly PlacedEvent[],
  textOf: (event: EdlEvent) => string,
  issues: IssueList,
): ChannelCue[] {
  const found = events.flatMap((placed) => textCue(placed, textOf(placed.event)));
  const names = found.filter(({ text }) => !isWording(text));
  const first = names[0];
  if (first !== undefined) issues.add("name-not-words", first.line, first.text, `${names.length} in all`);
  return found.filter(({ text }) => isWording(text));
}

/** A cue, and the channels of the event that it is of. */
interface ChannelCue extends FrameCue {
  readonly channels: string;
}

function statedCues(placed: PlacedEvent): ChannelCue[] {
  const comment = joined(placed.event, "comment");
  if (comment !== "") return textCue(placed, comment, idFromClipName(placed.event));
  const markers = placed.event.comments.filter((one) => one.kind === "marker").flatMap((one) => markerCue(one, placed));
  return markers.length > 0 ? markers : locatorCues(placed);
}

function textCue(placed: PlacedEvent, text: string, id = ""): ChannelCue[] {
  const { start, end, line } = placed;
  return text === "" ? [] : [{ id, start, end, text, line, channels: channelsOf(placed) }];
}

function channelsOf({ event }: PlacedEvent): string {
  return event.edits[0]?.channels ?? "";
}

function joined(event: EdlEvent, kind: EdlComment["kind"]): string {
  const texts = event.comments.filter((one) => one.kind === kind).map((one) => one.text);
  return foldWhiteSpace(texts.join(" "));
}

/** A marker lasts as long as it says, or as its event where that is longer. */
function markerCue(comment: EdlComment, placed: PlacedEvent): ChannelCue[] {
  const marker = parseResolveMarker(comment.text);
  const text = foldWhiteSpace(marker.note === "" ? marker.name : marker.note);
  if (text === "") return [];
  const end = Math.max(placed.end, placed.start + marker.frames);
  return [{ id: "", start: placed.start, end, text, line: comment.line, channels: channelsOf(placed) }];
}

/** Locators of an event, each up to the next one or the event's end. */
function locatorCues(placed: PlacedEvent): ChannelCue[] {
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
    return { id: "", start, end: next > start ? next : null, text, line, channels: channelsOf(placed) };
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

/** The same text over the same frames on further channels is one cue; twice on the same channels it is two. */
function withoutRepeats(cues: readonly ChannelCue[]): FrameCue[] {
  const channelsOfFirst = new Map<string, string>();
  return cues.filter(({ start, end, text, channels }) => {
    const key = `${start} ${end} ${text}`;
    const first = channelsOfFirst.get(key) ?? channels;
    channelsOfFirst.set(key, first);
    return channels === first;
  });
}
