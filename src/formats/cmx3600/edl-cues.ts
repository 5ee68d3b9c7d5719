import { nominalFrameRate, type TimecodeFormat } from "../../core/timecode.ts";
import type { CueDocument } from "../cue-list.ts";
import type { FilmReading } from "../gate/film-reading.ts";
import { LabelClock, type LabelEvidence } from "../gate/label-clock.ts";
import { TextRows } from "../gate/text-rows.ts";
import { IssueList } from "../parse-issue.ts";
import { foldWhiteSpace } from "../plain-markup.ts";
import { parsePlainText } from "../plain-text.ts";
import { type EdlComment, isSentence, isWording, parseEdlLocator, parseResolveMarker } from "./edl-comment.ts";
import { type EdlDocument, type EdlEdit, type EdlEvent, type EdlTableMarker, parseEdl } from "./parse-edl.ts";

/** A cue in frames of the EDL's own labels. */
interface FrameCue {
  readonly id: string;
  readonly start: number;
  /** `null` where the EDL gives none. */
  readonly end: number | null;
  readonly text: string;
  readonly line: number;
}

/** An event with its record range in frames. */
interface PlacedEvent {
  readonly event: EdlEvent;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  /** The frame of a label in the event's way of counting. */
  frameOf(label: string, line: number): number | null;
}

/** A row of the marker table with its range in frames. */
interface PlacedMarker {
  readonly marker: EdlTableMarker;
  readonly start: number;
  readonly end: number | null;
}

/**
 * The cues an EDL carries. Each event gives the first of these it has: `COMMENT` lines (several are one text, parted by
 * blanks), the note, else the name, of a Resolve marker, locators, each at its own time. Where no event has any of them,
 * the whole EDL gives the first of these: the marker table, other comment lines, clip names that are sentences (reported, as they
 * are rarely meant to be read out). Names of files, reels and shots are no words; those that stand where words could are counted.
 */
function cuesOfEvents(events: readonly PlacedEvent[], markers: readonly PlacedMarker[], issues: IssueList): FrameCue[] {
  const stated = events.flatMap(statedCues);
  if (stated.length > 0) return withoutRepeats(stated);
  if (markers.length > 0) return markers.flatMap(tableCue);
  const free = wordings(events, (event) => joined(event, "free"), isWording, issues);
  if (free.length > 0) return withoutRepeats(free);
  const named = withoutRepeats(wordings(events, clipName, isSentence, issues));
  const first = named[0];
  if (first !== undefined) issues.add("text-from-clip-name", first.line, first.text);
  return named;
}

/** Cues of texts that may be words; the others are counted in an issue. */
function wordings(
  events: readonly PlacedEvent[],
  textOf: (event: EdlEvent) => string,
  isWords: (text: string) => boolean,
  issues: IssueList,
): ChannelCue[] {
  const found = events.flatMap((placed) => textCue(placed, textOf(placed.event)));
  const names = found.filter(({ text }) => !isWords(text));
  const first = names[0];
  if (first !== undefined) issues.add("name-not-words", first.line, first.text, `${names.length} in all`);
  return found.filter(({ text }) => isWords(text));
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
  const last = Math.max(placed.end, placed.start + marker.frames);
  // A marker of one frame is a point.
  const end = last - placed.start > 1 ? last : null;
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

/** What an EDL holds. */
export interface Cmx3600Document extends CueDocument {
  readonly title: string;
  /** Every event with its comments. */
  readonly events: readonly EdlEvent[];
}

/**
 * Reads a CMX 3600 EDL. A cue is an event that carries text, at its record in and out; `cuesOfEvents` says where the text
 * is looked for. A text without events is read as rows of times and text. Accepts any text.
 */
export function parseCmx3600(text: string, reading: FilmReading = {}): Cmx3600Document {
  const issues = new IssueList();
  const document = parseEdl(text, issues);
  if (document.events.length === 0) return withoutEvents(text, document, reading, issues);
  const clock = new LabelClock(reading, evidenceOf(document), issues);
  const labels = new EdlLabels(clock, issues, document.isDropFrame);
  const events = document.events.flatMap((event) => labels.placeEvent(event));
  const markers = document.markers.flatMap((marker): PlacedMarker[] => {
    const start = labels.frame(marker.label, marker.line);
    const end = marker.endLabel === "" ? null : labels.frame(marker.endLabel, marker.line);
    return start === null ? [] : [{ marker, start, end }];
  });
  const uneven = unevenEvents(document, nominalFrameRate(clock.grid.rate));
  if (uneven[0] !== undefined)
    issues.add("length-mismatch", uneven[0].line, uneven[0].number, `${uneven.length} in all`);
  const rows = new TextRows(issues, reading);
  const firstFrame = events.reduce((least, { start }) => Math.min(least, start), Number.POSITIVE_INFINITY);
  rows.clock = { counts: "frames", format: clock.grid, firstFrame };
  const found = cuesOfEvents(events, markers, issues);
  for (const { id, start, end, text, line } of found) rows.add(id, start, end, text, line);
  if (found.length === 0 && events.some(({ event }) => clipName(event) !== "")) rows.refuse(NAMES_ALONE);
  return { ...rows.document(), title: document.title, events: document.events };
}

/** Why an edit list without words is refused, and what to give in its place. */
const NAMES_ALONE =
  "it holds names of clips and no words: put the words into comments or markers, or give the list of descriptions";

/** A title and perhaps the way frames are counted, and nothing else. */
const HEAD_ALONE = /^\s*TITLE:[^\n]*\n(?:FCM:[^\n]*)?\s*$/;

function withoutEvents(text: string, document: EdlDocument, reading: FilmReading, issues: IssueList): Cmx3600Document {
  const rows = parsePlainText(text, reading);
  // Lists of other programs have numbers in place of words.
  if (rows.cues.some((cue) => isWording(cue.text))) return { ...rows, title: document.title, events: [] };
  // A head alone is an edit list without events, as an empty list of cues is written.
  if (HEAD_ALONE.test(text)) issues.add("no-cues", 0);
  else issues.add("unknown-format", 0, text.slice(0, 200).trim(), "no event and no row with a time was found");
  return { cues: [], issues: issues.finish(), title: document.title, events: [] };
}

/** Reads the labels of one EDL. */
class EdlLabels {
  readonly #clock: LabelClock;
  readonly #issues: IssueList;
  readonly #formats = new Map<boolean | null, TimecodeFormat>();
  /** As the EDL's head says it; `null` where it does not. */
  readonly #isDropFrame: boolean | null;

  constructor(clock: LabelClock, issues: IssueList, isDropFrame: boolean | null) {
    this.#clock = clock;
    this.#issues = issues;
    this.#isDropFrame = isDropFrame;
  }

  /** The frame of a label of the record side. */
  frame(label: string, line: number): number | null {
    const said = this.#isDropFrame ?? (label.includes(";") ? true : null);
    const format = this.#formats.get(said) ?? this.#clock.formatFor(said, line);
    this.#formats.set(said, format);
    return this.#clock.frame(label, format, line);
  }

  placeEvent(event: EdlEvent): PlacedEvent[] {
    const head = event.edits[0];
    const tail = event.edits.at(-1);
    if (head === undefined || tail === undefined) return [];
    // A marker of Resolve's list is an event of one frame, whose source is the timeline; the record side may be left over.
    const isMarker = event.edits.length === 1 && event.comments.some(({ kind }) => kind === "marker");
    const place =
      isMarker && isOneFrameElsewhere(head) ? [head.sourceIn, head.sourceOut] : [head.recordIn, tail.recordOut];
    const start = this.frame(place[0] ?? "", head.line);
    const end = this.frame(place[1] ?? "", tail.line);
    if (start === null || end === null) {
      this.#issues.add("bad-event", head.line, `${head.recordIn} ${tail.recordOut}`);
      return [];
    }
    return [{ event, start, end, line: head.line, frameOf: (label, line) => this.frame(label, line) }];
  }
}

/** Whether both sides of an edit last one frame, and lie at different times. */
function isOneFrameElsewhere({ sourceIn, sourceOut, recordIn, recordOut }: EdlEdit): boolean {
  const last = (label: string) => Number(/\d+$/.exec(label)?.[0]);
  const isNext = (from: string, to: string) => last(to) === last(from) + 1 || last(to) === 0;
  return isNext(sourceIn, sourceOut) && isNext(recordIn, recordOut) && sourceIn.slice(0, 8) !== recordIn.slice(0, 8);
}

/** Lines of events whose source is not as long as their place, though nothing changes their speed. Black has no length. */
function unevenEvents({ events }: EdlDocument, framesPerSecond: number): EdlEdit[] {
  const frames = (label: string) => {
    const [hours = 0, minutes = 0, seconds = 0, frame = 0] = label.split(/\D/).map(Number);
    return (hours * 3600 + minutes * 60 + seconds) * framesPerSecond + frame;
  };
  return events
    .filter(({ speedChanges }) => speedChanges === 0)
    .flatMap(({ edits }) => edits)
    .filter(({ reel, sourceIn, sourceOut, recordIn, recordOut }) => {
      const length = frames(recordOut) - frames(recordIn);
      // Drop-frame on one side alone leaves out two labels a minute.
      const slack = 1 + (2 * Math.abs(length)) / (60 * framesPerSecond);
      return !/^BL(?:ACK)?$/i.test(reel) && Math.abs(frames(sourceOut) - frames(sourceIn) - length) > slack;
    });
}

function evidenceOf(document: EdlDocument): LabelEvidence {
  let highestFrame = 0;
  let { isDropFrame } = document;
  for (const edit of document.events.flatMap((event) => event.edits)) {
    for (const label of [edit.recordIn, edit.recordOut]) {
      highestFrame = Math.max(highestFrame, Number(label.slice(label.search(/\d+$/))));
    }
    if (isDropFrame === null && edit.recordIn.includes(";")) isDropFrame = true;
  }
  return { highestFrame, isDropFrame };
}
