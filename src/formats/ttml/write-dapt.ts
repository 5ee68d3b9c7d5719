import type { Cue } from "../../core/cue.ts";
import { type DuckGlide, glideLevel } from "../../core/duck-plan.ts";
import { gainFromDecibels } from "../../core/level.ts";
import type { FrameGrid } from "../../core/settings.ts";
import type { TimeRange } from "../../core/time-range.ts";
import { formatTimecode } from "../../core/timecode.ts";
import { millisecondsFrom } from "../clock-time.ts";
import { foldWhiteSpace } from "../plain-markup.ts";
import { type XmlNode, xmlDocument, xmlNode } from "../xml/write-xml.ts";

/** What stands in a DAPT document beside its cues. */
export interface DaptWriting {
  /** BCP-47 code of the texts; default `und`, undetermined. */
  readonly language?: string;
  readonly title?: string;
  /** `asRecorded` once the narration exists; default `preRecording`. */
  readonly scriptType?: "preRecording" | "asRecorded";
  /** The file that holds the narration of an `asRecorded` document, whole and on the cues' clock; by default none is referenced. */
  readonly recording?: {
    /** Name of a WAV file beside the document. */
    readonly name: string;
    /** Seconds from the file's first sample to time 0 of the cues. */
    readonly offsetSeconds: number;
  };
  /** How the programme is lowered for the narration, where that is known: in order of time, on the cues' clock. */
  readonly glides?: readonly DuckGlide[];
  /** The sequence's grid: its rate and the timecode of its start are noted where they can be, which is non-drop. */
  readonly grid?: FrameGrid;
}

const NAMESPACES = {
  xmlns: "http://www.w3.org/ns/ttml",
  "xmlns:ttp": "http://www.w3.org/ns/ttml#parameter",
  "xmlns:ttm": "http://www.w3.org/ns/ttml#metadata",
  "xmlns:tta": "http://www.w3.org/ns/ttml#audio",
  "xmlns:daptm": "http://www.w3.org/ns/ttml/profile/dapt#metadata",
} as const;

/**
 * Writes cues as a DAPT document (W3C Dubbing and Audio description Profiles of TTML2): one Script Event a cue, times in
 * seconds rounded to the millisecond, each at least one millisecond long. A recording is referenced by an Audio Recording of each
 * event, its stretch by `clipBegin` and `clipEnd`; fades of the programme are Mixing Instructions (`animate` with `tta:gain`), and the
 * event lasts as long as they do, with the words' time on their span. Sound is not embedded.
 */
export function writeDapt(cues: readonly Cue[], writing: DaptWriting = {}): string {
  const ids = new Set<string>();
  const grid = writing.grid?.isDropFrame === false ? writing.grid : undefined;
  // Fades of descriptions that lie over each other would add up.
  const isApart = cues.every(({ start }, index) => start >= (cues[index - 1]?.end ?? start));
  const events = writing.glides === undefined || !isApart ? [] : mixedEvents(cues, writing.glides);
  const document: XmlNode = {
    name: "tt",
    attributes: {
      ...NAMESPACES,
      "ttp:contentProfiles": "http://www.w3.org/ns/ttml/profile/dapt1.0/content",
      ...(grid === undefined ? {} : rateAttributes(grid)),
      "xml:lang": foldWhiteSpace(writing.language ?? "") || "und",
      // What is described is picture, which is in no language.
      "daptm:langSrc": "zxx",
      "daptm:scriptRepresents": "visual.nonText visual.text",
      "daptm:scriptType": writing.scriptType ?? "preRecording",
    },
    content: [
      ...headOf(foldWhiteSpace(writing.title ?? ""), grid),
      xmlNode(
        "body",
        cues.map((cue, index) => scriptEvent(cue, uniqueId(cue.id, ids), writing, events[index] ?? UNMIXED)),
      ),
    ],
  };
  return xmlDocument(document);
}

function rateAttributes({ rate }: FrameGrid): Record<string, string> {
  const isNtsc = rate.denominator === 1001 && rate.numerator % 1000 === 0;
  if (!isNtsc && rate.denominator !== 1) return {};
  const nominal = isNtsc ? rate.numerator / 1000 : rate.numerator;
  return {
    "ttp:frameRate": String(nominal),
    ...(isNtsc ? { "ttp:frameRateMultiplier": "1000 1001" } : {}),
  };
}

function headOf(title: string, grid: FrameGrid | undefined): XmlNode[] {
  const metadata = [
    ...(title === "" ? [] : [xmlNode("ttm:title", title)]),
    ...(grid === undefined ? [] : [xmlNode("daptm:daptOriginTimecode", formatTimecode(grid.startFrame, grid))]),
  ];
  return metadata.length === 0 ? [] : [xmlNode("head", [xmlNode("metadata", metadata)])];
}

/** An event without fades. */
const UNMIXED = { start: Number.POSITIVE_INFINITY, end: 0, instructions: [] };

function scriptEvent(cue: Cue, id: string, { recording }: DaptWriting, mixed: MixedEvent): XmlNode {
  const start = millisecondsFrom(cue.start);
  const end = Math.max(start + 1, millisecondsFrom(cue.end));
  // TTML knows no time before 0, where a description at the very beginning would have its fade.
  const from = Math.max(0, Math.min(start, millisecondsFrom(Math.max(0, mixed.start))));
  const to = Math.max(end, millisecondsFrom(mixed.end));
  const relative = (time: number) => seconds(Math.max(0, millisecondsFrom(time) - from));
  const fades = mixed.instructions.map(({ start: begin, end: until, gains }) => ({
    name: "animate",
    attributes: {
      begin: relative(begin),
      end: relative(until),
      "tta:gain": (gains.length === 1 ? [...gains, ...gains] : gains).join(";"),
      fill: "freeze",
    },
    content: [],
  }));
  const isWider = from < start || to > end;
  const time = isWider ? { begin: seconds(start - from), end: seconds(end - from) } : {};
  const sound = recording === undefined ? [] : [audioRecording(recording, start, end, time)];
  const words: XmlNode = { name: "span", attributes: time, content: foldWhiteSpace(cue.text) };
  return {
    name: "div",
    attributes: { "xml:id": id, begin: seconds(from), end: seconds(to), "daptm:represents": "visual.nonText" },
    content: [xmlNode("p", [...fades, ...sound, words])],
  };
}

/** The stretch of the narration's file that an event is, played as it is. */
function audioRecording(
  { name, offsetSeconds }: NonNullable<DaptWriting["recording"]>,
  start: number,
  end: number,
  time: Readonly<Record<string, string>>,
): XmlNode {
  const offset = millisecondsFrom(offsetSeconds);
  return {
    name: "audio",
    attributes: {
      ...time,
      src: encodeURIComponent(name),
      type: "audio/wave",
      clipBegin: seconds(offset + start),
      clipEnd: seconds(offset + end),
      "tta:gain": "1",
      "tta:pan": "0",
    },
    content: [],
  };
}

function seconds(milliseconds: number): string {
  return `${milliseconds / 1000}s`;
}

/** A cue's id as an XML name that no other event has. */
function uniqueId(id: string, taken: Set<string>): string {
  const name = id.replace(/[^\p{L}\p{N}._-]/gu, "_");
  const wanted = /^[\p{L}_]/u.test(name) ? name : `cue-${name}`;
  let unique = wanted;
  for (let number = taken.size + 1; taken.has(unique); number++) unique = `${wanted}-${number}`;
  taken.add(unique);
  return unique;
}

/** Values of an animated gain: TTML goes from one to the next in a straight line, a glide is a raised cosine in decibels. */
const VALUES_OF_GLIDE = 9;

/** A Mixing Instruction of a Script Event: the programme's gain from one time to another. */
interface MixingInstruction extends TimeRange {
  /** Factors of the programme's level, at equal distances over the range; the last one stays. */
  readonly gains: readonly number[];
}

/** A Script Event with its fades: it lasts as long as the programme is lowered for its description, or as the description does. */
export interface MixedEvent extends TimeRange {
  readonly instructions: readonly MixingInstruction[];
}

/**
 * Gives each glide of the programme to the description that it belongs to. Where the programme stays down between two descriptions,
 * the second one's event follows on the first.
 *
 * @param cues In order of time, none over another.
 * @param glides In order of time and disjoint, as `planDucking` makes them.
 * @returns An event for each cue, in their order.
 */
export function mixedEvents(cues: readonly Cue[], glides: readonly DuckGlide[]): MixedEvent[] {
  const lowered = loweredRanges(glides);
  return cues.map((cue, index) => {
    const range = lowered.find((one) => one.start < cue.end && one.end > cue.start);
    if (range === undefined) return { start: cue.start, end: cue.end, instructions: [] };
    const before = cues[index - 1];
    const after = cues[index + 1];
    const start = Math.min(cue.start, Math.max(range.start, before?.end ?? range.start));
    const isLast = after === undefined || after.start >= range.end;
    const end = isLast ? Math.max(cue.end, range.end) : cue.end;
    return { start, end, instructions: instructionsIn({ start, end }, glides) };
  });
}

/** Where the programme is lowered: from a glide that leaves 0 dB to one that comes back to it. */
function loweredRanges(glides: readonly DuckGlide[]): TimeRange[] {
  const ranges: TimeRange[] = [];
  let start: number | null = null;
  for (const glide of glides) {
    start ??= glide.start;
    if (glide.toDb !== 0) continue;
    ranges.push({ start, end: glide.end });
    start = null;
  }
  return ranges;
}

function instructionsIn(event: TimeRange, glides: readonly DuckGlide[]): MixingInstruction[] {
  const inside = glides.filter(({ start, end }) => start < event.end && end > event.start);
  const earlier = glides.filter(({ end }) => end <= event.start).at(-1)?.toDb ?? 0;
  const first = inside[0]?.start ?? event.end;
  const held =
    earlier === 0 || first <= event.start ? [] : [{ start: event.start, end: first, gains: [factor(earlier)] }];
  return [...held, ...inside.map((glide) => clipped(glide, event))];
}

/** The part of a glide that lies in an event. */
function clipped(glide: DuckGlide, event: TimeRange): MixingInstruction {
  const start = Math.max(glide.start, event.start);
  const end = Math.min(glide.end, event.end);
  const decibelsAt = (seconds: number) => glideLevel(glide, (seconds - glide.start) / (glide.end - glide.start));
  const gains = Array.from({ length: VALUES_OF_GLIDE }, (_, index) =>
    factor(decibelsAt(start + ((end - start) * index) / (VALUES_OF_GLIDE - 1))),
  );
  return { start, end, gains };
}

function factor(decibels: number): number {
  return Math.round(gainFromDecibels(decibels) * 10_000) / 10_000;
}
