import type { Cue } from "../core/cue.ts";
import type { FrameRate } from "../core/frame-rate.ts";
import type { FrameGrid } from "../core/settings.ts";
import type { Timeline } from "../core/timeline.ts";
import type { CueDocument } from "./cue-list.ts";
import type { FilmReading } from "./gate/film-reading.ts";
import { parseRowHead } from "./row-head.ts";
import { linesOf } from "./text-lines.ts";
import type { DocumentExtra, TimelineChoice, TimelineDocument } from "./timeline-document.ts";

/** A reader of one format. Never throws on a text. */
type FormatReader = (text: string, reading: FilmReading) => CueDocument & { readonly language?: string };

/** What a writer is given. */
interface CuesToWrite {
  /** Written in the order given; times round to the format's millisecond or frame. */
  readonly cues: readonly Cue[];
  readonly title?: string | undefined;
  /** BCP-47 code. */
  readonly language?: string | undefined;
}

/** What a text holds beside its cues. */
export interface DocumentDetails {
  readonly title?: string;
  /** BCP-47 code where the text states one. */
  readonly language?: string;
  /** The frame grid the text states. */
  readonly grid?: FrameGrid;
  /** What is lost where only cues are kept. */
  readonly extras: readonly DocumentExtra[];
}

/** All that the program knows about one format of text. Adding a format is its file, its row in the registry and its test. */
export interface Format {
  /** As people call it. */
  readonly title: string;
  /** Endings of its file names, in small letters; the first is the usual one. */
  readonly endings: readonly string[];
  /** What is said of it in the list of formats, where its title says too little. */
  readonly note?: string;
  /**
   * How sure a text is in this format, 0 to 1: 1 is a signature that no other format has, 0.5 an even guess.
   *
   * @param isOther - Whether a format before it in the registry is likelier than not.
   */
  readonly shows: (probe: FormatProbe, isOther: boolean) => number;
  /** Reads cues. Absent where the format carries a sequence. */
  readonly read?: FormatReader;
  /** Reads a sequence; its markers are the cues. */
  readonly readTimeline?: (text: string, choice: TimelineChoice) => TimelineDocument;
  /** What else a text holds, where that is looked at. */
  readonly details?: (text: string, reading: FilmReading) => DocumentDetails;
  /** Absent where the format is read alone. A format that counts frames is always given a grid. */
  readonly write?: (document: CuesToWrite, grid: FrameGrid | undefined) => string;
  /** Writes a sequence with its clips. */
  readonly writeTimeline?: (timeline: Timeline) => string;
  /** The rate that it states for a timeline's, where it knows fewer. */
  readonly statedRate?: (rate: FrameRate) => FrameRate;
  /** Whether it counts frames: always, so that writing it needs a rate, or where there is a grid. */
  readonly countsFrames?: "always" | "on a grid";
  /** What it has no place for. */
  readonly lacks?: {
    readonly ids?: true;
    readonly language?: true;
    /** What becomes of cues that overlap, in a format that shows one at a time. */
    readonly overlaps?: string;
  };
}

/** The format a text is in, with how sure that is. */
export interface Detected<Name extends string> {
  readonly format: Name;
  /** 0 to 1: 1 is a signature no other format has, 0.5 an even guess. */
  readonly confidence: number;
}

/** How much of a text is looked at, in characters; formats show themselves early. */
const PROBE_LENGTH = 64 * 1024;

/** What a matching name adds to a finding. */
const NAME_WEIGHT = 0.2;

/** How sure a name alone makes. */
const NAME_ONLY = 0.1;

/** The beginning of a text, as detection looks at it: what several formats ask is worked out once. */
export class FormatProbe {
  /** The beginning as it stands. */
  readonly text: string;
  /** The same from its first sign on, without a byte order mark. */
  readonly head: string;
  /** Name of the outermost element without prefix, in small letters; empty where it is no XML. */
  readonly xmlRoot: string;
  #lines: readonly string[] | null = null;

  constructor(text: string) {
    this.text = text.slice(0, PROBE_LENGTH);
    this.head = this.text.replace(/^\ufeff/, "").trimStart();
    this.xmlRoot = this.head.startsWith("<") ? rootName(this.head) : "";
  }

  /** Whether it begins as JSON does, and not as a row with its time in brackets. */
  get isLikeJson(): boolean {
    return /^[[{]\s*(?:["{[\]}\d-]|$)/.test(this.head) && parseRowHead(this.head.slice(0, 200)) === null;
  }

  /** Lines of a text that shows itself by its lines: none where it is JSON, or empty. */
  get lines(): readonly string[] {
    this.#lines ??= this.head === "" || this.isLikeJson ? [] : linesOf(this.text);
    return this.#lines;
  }

  /** Lines with an arrow between two times. */
  get arrowLines(): readonly string[] {
    return this.lines.filter((line) => ARROW_LINE.test(line));
  }

  /** Lines that hold something, without those with an arrow. */
  get otherLines(): readonly string[] {
    return this.lines.filter((line) => line.trim() !== "" && !ARROW_LINE.test(line));
  }

  /** What the lines with an arrow say: a comma in their times, a number above the first; `null` where there is none. */
  get arrows(): { readonly hasComma: boolean; readonly isNumbered: boolean } | null {
    const first = this.lines.findIndex((line) => ARROW_LINE.test(line));
    if (first === -1) return null;
    const hasComma = this.arrowLines.some((line) => /\d,\d{1,3}\s*-{1,3}>/.test(line));
    return { hasComma, isNumbered: /^\s*\d+\s*$/.test(this.lines[first - 1] ?? "") };
  }
}

const ARROW_LINE = /\d\s*-{1,3}>\s*\d/;

/** Name of the outermost element; comments, instructions and the document type are passed over. */
function rootName(text: string): string {
  let at = 0;
  for (;;) {
    const close = text.startsWith("<!--", at) ? "-->" : /^<[?!]/.test(text.slice(at, at + 2)) ? ">" : null;
    if (close === null) break;
    const end = text.indexOf(close, at);
    if (end === -1) return "";
    at = text.indexOf("<", end + close.length);
    if (at === -1) return "";
  }
  return /^<(?:[\w.-]+:)?([A-Za-z_][\w.-]*)/.exec(text.slice(at, at + 200))?.[1]?.toLowerCase() ?? "";
}

/** Names the formats of a table that a text shows itself to be in, in the table's order; one with a signature stands alone. */
export function candidatesAmong<Name extends string>(
  formats: Readonly<Record<Name, Format>>,
  text: string,
): readonly Detected<Name>[] {
  const probe = new FormatProbe(text);
  const found: Detected<Name>[] = [];
  let isOther = false;
  for (const [format, { shows }] of rowsOf(formats)) {
    const confidence = shows(probe, isOther);
    if (confidence === 1) return [{ format, confidence }];
    if (confidence > 0) found.push({ format, confidence });
    // Rows of times and words are what every other format also holds.
    isOther ||= confidence > 0.5 && format !== "plaintext";
  }
  return found;
}

/**
 * Names the format of a text, or `null` when nothing in it can be read. The text counts more than the name: a name decides
 * only where the text leaves it open.
 */
export function detectAmong<Name extends string>(
  formats: Readonly<Record<Name, Format>>,
  text: string,
  filename?: string,
): Detected<Name> | null {
  const named = formatOfEnding(formats, filename);
  const best = candidatesAmong(formats, text).reduce<Detected<Name> | null>((best, one) => {
    const confidence = Math.min(1, one.confidence + (one.format === named ? NAME_WEIGHT : 0));
    return best === null || confidence > best.confidence ? { format: one.format, confidence } : best;
  }, null);
  if (best !== null || named === undefined || text.trim() === "") return best;
  return { format: named, confidence: NAME_ONLY };
}

/** A file name's ending in small letters, without its dot; empty when it has none. */
export function endingOf(filename: string): string {
  return /\.([^.]*)$/.exec(filename)?.[1]?.trim().toLowerCase() ?? "";
}

/** The format a file name's ending stands for. */
export function formatOfEnding<Name extends string>(
  formats: Readonly<Record<Name, Format>>,
  filename = "",
): Name | undefined {
  const ending = endingOf(filename);
  return rowsOf(formats).find(([, { endings }]) => endings.includes(ending))?.[0];
}

/** A table of formats as rows. */
export function rowsOf<Name extends string>(
  formats: Readonly<Record<Name, Format>>,
): readonly (readonly [Name, Format])[] {
  // The keys are the names, which Object.entries forgets.
  return Object.entries(formats) as unknown as readonly (readonly [Name, Format])[];
}
