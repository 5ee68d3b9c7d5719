import { nominalFrameRate, type TimecodeFormat } from "../../core/timecode.ts";
import { type LabelTime, labelTime } from "../clock-time.ts";
import type { CueDocument } from "../cue-list.ts";
import type { FilmReading } from "../gate/film-reading.ts";
import { TextRows } from "../gate/text-rows.ts";
import { addTimedRows, type TimedRow } from "../gate/timed-rows.ts";
import { type WordSource, wordedRows } from "../gate/wording.ts";
import { foldWhiteSpace } from "../plain-markup.ts";
import { parsePlainText } from "../plain-text.ts";
import { type EdlComment, parseEdlLocator, parseResolveMarker } from "./edl-comment.ts";
import { type EdlDocument, type EdlEdit, type EdlEvent, type EdlTableMarker, parseEdl } from "./parse-edl.ts";

/** What an EDL holds. */
export interface Cmx3600Document extends CueDocument {
  readonly title: string;
  /** Every event with its comments. */
  readonly events: readonly EdlEvent[];
}

/**
 * Reads a CMX 3600 EDL. A cue is an event that carries text, at its record in and out; {@link sourcesOf} says where the text
 * is looked for. A text without events is read as rows of times and text. Accepts any text.
 */
export function parseCmx3600(text: string, reading: FilmReading = {}): Cmx3600Document {
  const rows = new TextRows(reading);
  const document = parseEdl(text, rows.issues);
  const { title, events, isDropFrame } = document;
  if (events.length === 0) return withoutEvents(text, title, reading, rows);
  const places = events.map(placeOf);
  const words = wordedRows(sourcesOf(document, places), rows);
  const format = addTimedRows(words, rows, { isDropFrame, wordless: places });
  const uneven = format === null ? [] : unevenEdits(events, format);
  const [first] = uneven;
  if (first !== undefined) rows.issues.add("length-mismatch", first.line, first.number, `${uneven.length} in all`);
  return { ...rows.document(), title, events };
}

/** A title and perhaps the way frames are counted, and nothing else. */
const HEAD_ALONE = /^\s*TITLE:[^\n]*\n(?:FCM:[^\n]*)?\s*$/;

function withoutEvents(text: string, title: string, reading: FilmReading, { issues }: TextRows): Cmx3600Document {
  // Lists of other programs have numbers in place of words.
  const rows = parsePlainText(text, reading, "words, or names alone");
  if (rows.cues.length > 0) return { ...rows, title, events: [] };
  // A head alone is an edit list without events, as an empty list of cues is written.
  if (HEAD_ALONE.test(text)) issues.add("no-cues", 0);
  else issues.add("unknown-format", 0, text.slice(0, 200).trim(), "no event and no row with a time was found");
  return { cues: [], issues: issues.finish(), title, events: [] };
}

/** An event, and where it is recorded: a row without words. */
interface PlacedEvent extends TimedRow {
  readonly event: EdlEvent;
  readonly start: LabelTime;
  readonly end: LabelTime | null;
}

function placeOf(event: EdlEvent): PlacedEvent {
  const [head] = event.edits;
  const tail = event.edits.at(-1) ?? head;
  // A marker of Resolve's list is an event of one frame, whose source is the timeline; the record side may be left over.
  const isMarker = event.edits.length === 1 && event.comments.some(({ kind }) => kind === "marker");
  const [from, to] =
    isMarker && isOneFrameElsewhere(head) ? [head.sourceIn, head.sourceOut] : [head.recordIn, tail.recordOut];
  return { id: "", start: labelTime(from, head.line), end: labelTime(to, tail.line), text: "", line: head.line, event };
}

/** Whether both sides of an edit last one frame, and lie at different times. */
function isOneFrameElsewhere({ sourceIn, sourceOut, recordIn, recordOut }: EdlEdit): boolean {
  const last = (label: string) => Number(/\d+$/.exec(label)?.[0]);
  const isNext = (from: string, to: string) => last(to) === last(from) + 1 || last(to) === 0;
  return isNext(sourceIn, sourceOut) && isNext(recordIn, recordOut) && sourceIn.slice(0, 8) !== recordIn.slice(0, 8);
}

/**
 * Where the words of an EDL may stand. Each event gives the first of these it has: `COMMENT` lines (several are one text, parted by
 * blanks), the note, else the name, of a Resolve marker, locators, each at its own time. Where no event has any of them,
 * the whole EDL gives the first of these: the marker table, other comment lines, clip names that are sentences.
 */
function sourcesOf({ markers }: EdlDocument, places: readonly PlacedEvent[]): readonly WordSource[] {
  const clipName = (place: PlacedEvent) => joined(place, "to-clip-name") || joined(place, "from-clip-name");
  const each = (textOf: (place: PlacedEvent) => string) => () =>
    withoutRepeats(places.map((place) => ({ ...place, text: textOf(place) })));
  return [
    { holds: "words", rows: () => withoutRepeats(places.flatMap(statedRows)) },
    { holds: "words", rows: () => markers.map(tableRow) },
    { holds: "words among names", rows: each((place) => joined(place, "free")) },
    { holds: "sentences among names", areClipNames: true, rows: each(clipName) },
  ];
}

function statedRows(place: PlacedEvent): PlacedEvent[] {
  const comment = joined(place, "comment");
  if (comment !== "") return [{ ...place, text: comment, id: idFromClipName(place) }];
  const markers = place.event.comments.filter(({ kind }) => kind === "marker").map((one) => markerRow(one, place));
  const worded = markers.filter(({ text }) => text !== "");
  return worded.length > 0 ? worded : locatorRows(place);
}

function joined({ event }: PlacedEvent, kind: EdlComment["kind"]): string {
  const texts = event.comments.filter((one) => one.kind === kind).map((one) => one.text);
  return foldWhiteSpace(texts.join(" "));
}

/** What `writeCmx3600` names the clip of a cue. */
const OWN_CLIP_NAME = /^AD (\S+)$/;

function idFromClipName(place: PlacedEvent): string {
  return OWN_CLIP_NAME.exec(joined(place, "from-clip-name"))?.[1] ?? "";
}

/** A marker lasts as long as it says, or as its event where that is longer. */
function markerRow({ text, line }: EdlComment, place: PlacedEvent): PlacedEvent {
  const { note, name, frames } = parseResolveMarker(text);
  return { ...place, text: foldWhiteSpace(note === "" ? name : note), frames, line };
}

/** Locators of an event, each up to the next one or the event's end; one behind that has no end. */
function locatorRows(place: PlacedEvent): PlacedEvent[] {
  const found = place.event.comments
    .filter(({ kind }) => kind === "locator")
    .map(({ text, line }) => {
      const { label, text: words } = parseEdlLocator(text) ?? { label: "", text };
      return {
        ...place,
        start: label === "" ? place.start : labelTime(label, line),
        text: foldWhiteSpace(words),
        line,
      };
    })
    .filter(({ text }) => text !== "")
    .sort((a, b) => placeOnClock(a.start) - placeOnClock(b.start));
  return found.map((row, index) => {
    const end = found[index + 1]?.start ?? place.end;
    return { ...row, end: end !== null && placeOnClock(end) > placeOnClock(row.start) ? end : null };
  });
}

/** A number that grows with a label, at any rate. */
function placeOnClock({ label }: LabelTime): number {
  return label.split(/\D/).reduce((sum, part) => sum * 1000 + Number(part), 0);
}

function tableRow({ label, endLabel, name, comment, line }: EdlTableMarker): TimedRow {
  const text = foldWhiteSpace(comment === "" ? name : comment);
  return { id: "", start: labelTime(label), end: endLabel === "" ? null : labelTime(endLabel), text, line };
}

/** The same text over the same frames on further channels is one cue; twice on the same channels it is two. */
function withoutRepeats(rows: readonly PlacedEvent[]): PlacedEvent[] {
  const channelsOfFirst = new Map<string, string>();
  return rows.filter(({ start, end, text, event }) => {
    const channels = event.edits[0].channels;
    const key = `${start.label} ${end?.label} ${text}`;
    const first = channelsOfFirst.get(key) ?? channels;
    channelsOfFirst.set(key, first);
    return channels === first;
  });
}

/** Lines of events whose source is not as long as their place, though nothing changes their speed. Black has no length. */
function unevenEdits(events: readonly EdlEvent[], { rate }: TimecodeFormat): EdlEdit[] {
  const framesPerSecond = nominalFrameRate(rate);
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
