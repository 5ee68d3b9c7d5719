import { nominalFrameRate, type TimecodeFormat } from "../../core/timecode.ts";
import { type CueDocument, CueListBuilder } from "../cue-list.ts";
import { LabelClock, type LabelEvidence, type LabelReading } from "../label-clock.ts";
import { IssueList } from "../parse-issue.ts";
import { parsePlainText } from "../plain-text.ts";
import { isWording } from "./edl-comment.ts";
import { cuesOfEvents, type PlacedEvent, type PlacedMarker } from "./edl-cues.ts";
import { type EdlDocument, type EdlEdit, type EdlEvent, parseEdl } from "./parse-edl.ts";

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
export function parseCmx3600(text: string, reading: LabelReading = {}): Cmx3600Document {
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
  const startFrame = labels.startFrame(reading.durationSeconds);
  const builder = new CueListBuilder(issues);
  for (const cue of cuesOfEvents(events, markers, issues)) {
    const end = cue.end === null ? null : clock.seconds(cue.end, startFrame);
    builder.add(cue.id, clock.seconds(cue.start, startFrame), end, cue.text, cue.line);
  }
  return { cues: builder.finish(), issues: issues.finish(), title: document.title, events: document.events };
}

/** A title and perhaps the way frames are counted, and nothing else. */
const HEAD_ALONE = /^\s*TITLE:[^\n]*\n(?:FCM:[^\n]*)?\s*$/;

function withoutEvents(text: string, document: EdlDocument, reading: LabelReading, issues: IssueList): Cmx3600Document {
  const rows = parsePlainText(text, reading);
  // Lists of other programs have numbers in place of words.
  if (rows.cues.some((cue) => isWording(cue.text))) return { ...rows, title: document.title, events: [] };
  // A head alone is an edit list without events, as an empty list of cues is written.
  if (HEAD_ALONE.test(text)) issues.add("no-cues", 0);
  else issues.add("unknown-format", 0, text.slice(0, 200).trim(), "no event and no row with a time was found");
  return { cues: [], issues: issues.finish(), title: document.title, events: [] };
}

/** Reads the labels of one EDL, and keeps the range they span. */
class EdlLabels {
  readonly #clock: LabelClock;
  readonly #issues: IssueList;
  readonly #formats = new Map<boolean | null, TimecodeFormat>();
  /** As the EDL's head says it; `null` where it does not. */
  readonly #isDropFrame: boolean | null;
  #first = Number.POSITIVE_INFINITY;
  #last = 0;

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
    this.#first = Math.min(this.#first, start);
    this.#last = Math.max(this.#last, end);
    return [{ event, start, end, line: head.line, frameOf: (label, line) => this.frame(label, line) }];
  }

  startFrame(durationSeconds?: number): number {
    return this.#clock.startFrame(this.#first, this.#last, durationSeconds);
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
