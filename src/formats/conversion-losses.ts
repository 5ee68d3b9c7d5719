import type { Cue } from "../core/cue.ts";
import {
  equalRates,
  type FrameRate,
  framesFromSeconds,
  framesPerSecond,
  secondsFromFrames,
} from "../core/frame-rate.ts";
import type { FrameGrid } from "../core/settings.ts";
import { ROUNDING_ERROR_SECONDS } from "../core/tolerance.ts";
import { writtenRate } from "./fcp7-xml/fcp7-time.ts";
import { OFFICE_FORMATS, type OfficeFormat } from "./office/office-format.ts";
import type { ReadDocument } from "./read-document.ts";

/** Formats that can be written. `ttml` is written as DAPT, `tsv` as Premiere's marker list. */
export const WRITABLE_FORMATS = [
  "vtt",
  "srt",
  "edl",
  "json",
  "sbv",
  "plaintext",
  "csv",
  "tsv",
  "ttml",
  "otio",
  "fcp7-xml",
  "fcpxml",
  "avid-markers",
] as const;

/** A format that can be written. */
export type WritableFormat = (typeof WRITABLE_FORMATS)[number];

/** Formats that count frames and need a grid. */
const ON_FRAMES: ReadonlySet<WritableFormat | OfficeFormat> = new Set<WritableFormat | OfficeFormat>([
  "edl",
  "tsv",
  "otio",
  "fcp7-xml",
  "fcpxml",
  "avid-markers",
]);

/** Formats that count frames where there is a grid. */
const COUNTS_FRAMES_IF_KNOWN: ReadonlySet<WritableFormat | OfficeFormat> = new Set(OFFICE_FORMATS);

/** Formats that have no place for an identifier. */
const WITHOUT_IDS: ReadonlySet<WritableFormat | OfficeFormat> = new Set<WritableFormat | OfficeFormat>([
  ...OFFICE_FORMATS,
  "srt",
  "sbv",
  "plaintext",
  "otio",
  "fcp7-xml",
  "fcpxml",
  "avid-markers",
]);

/** Formats that have no place for the language. */
const WITHOUT_LANGUAGE: ReadonlySet<WritableFormat | OfficeFormat> = new Set<WritableFormat | OfficeFormat>([
  "srt",
  "edl",
  "json",
  "sbv",
  "plaintext",
  "csv",
  "tsv",
  "otio",
  "fcp7-xml",
  "avid-markers",
]);

/** What becomes of cues that overlap, in formats that show one at a time. */
const OVERLAP: Readonly<Partial<Record<WritableFormat | OfficeFormat, string>>> = {
  edl: "cues overlap, which one track of an EDL cannot show",
  fcpxml: "cues overlap another: they are markers without a caption",
};

/** Whether a format counts frames, so that writing it needs a rate. */
export function needsGrid(format: WritableFormat | OfficeFormat): boolean {
  return ON_FRAMES.has(format);
}

/** Whether a format has a place for identifiers. */
export function hasIds(format: WritableFormat): boolean {
  return !WITHOUT_IDS.has(format);
}

/** Something of a document that the target could not hold, or holds changed. */
export interface ConversionLoss {
  readonly code: "extra" | "rate" | "identifiers" | "language" | "rounded" | "overlap";
  readonly count: number;
  /** A sentence for people, without full stop. */
  readonly message: string;
}

/** What of a document is looked at. */
type CuesToWrite = Pick<ReadDocument, "cues" | "extras" | "language">;

/** What of a document's cues a format cannot hold, or holds rounded. */
export function cueLosses(
  document: CuesToWrite,
  format: WritableFormat | OfficeFormat,
  grid: FrameGrid | undefined,
): ConversionLoss[] {
  const { cues } = document;
  const losses = document.extras.map(extraLoss);
  const add = (code: ConversionLoss["code"], count: number, message: string) => {
    if (count > 0) losses.push({ code, count, message });
  };
  const named = cues.filter((cue) => !/^cue-\d+$/.test(cue.id)).length;
  if (WITHOUT_IDS.has(format)) add("identifiers", named, "identifiers have no place in the format");
  if (WITHOUT_LANGUAGE.has(format) && document.language !== undefined) {
    add("language", 1, `the language (${document.language}) has no place in the format`);
  }
  if (format === "fcp7-xml" && grid !== undefined) losses.push(...rateLosses(grid.rate));
  const countsFrames = ON_FRAMES.has(format) || COUNTS_FRAMES_IF_KNOWN.has(format);
  const onGrid = countsFrames && grid !== undefined ? grid : null;
  const shifts = cues.map((cue) => roundingOf(cue, onGrid));
  const largest = shifts.reduce((most, shift) => Math.max(most, shift), 0);
  const rounded = shifts.filter((shift) => shift > ROUNDING_ERROR_SECONDS).length;
  const unit = onGrid === null ? "millisecond" : "frame";
  add("rounded", rounded, `times were rounded to the ${unit}, by ${(largest * 1000).toFixed(1)} ms at most`);
  const overlap = OVERLAP[format];
  if (overlap !== undefined) add("overlap", overlapsOf(cues), overlap);
  return losses;
}

/** What is changed where FCP 7 XML cannot state the rate of a timeline. */
export function rateLosses(rate: FrameRate): ConversionLoss[] {
  const written = writtenRate(rate);
  if (equalRates(rate, written)) return [];
  const shown = Number(framesPerSecond(rate).toFixed(3));
  const message = `the format does not know ${shown} frames a second: it counts ${framesPerSecond(written)}, at the same times`;
  return [{ code: "rate", count: 1, message }];
}

function roundingOf(cue: Cue, grid: FrameGrid | null): number {
  const rounded = (seconds: number) =>
    grid === null
      ? Math.round(seconds * 1000) / 1000
      : secondsFromFrames(framesFromSeconds(seconds, grid.rate), grid.rate);
  return Math.max(Math.abs(rounded(cue.start) - cue.start), Math.abs(rounded(cue.end) - cue.end));
}

function overlapsOf(cues: readonly Cue[]): number {
  let latest = Number.NEGATIVE_INFINITY;
  let overlaps = 0;
  for (const cue of cues) {
    if (cue.start < latest) overlaps += 1;
    latest = Math.max(latest, cue.end);
  }
  return overlaps;
}

/** What is left out of a document beside its cues. */
export function extraLoss({ name, count }: { readonly name: string; readonly count: number }): ConversionLoss {
  return { code: "extra", count, message: `${name} are not kept` };
}
