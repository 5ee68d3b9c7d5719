import type { Cue } from "../core/cue.ts";
import { framesFromSeconds, secondsFromFrames } from "../core/frame-rate.ts";
import type { FrameGrid } from "../core/settings.ts";
import type { Timeline } from "../core/timeline.ts";
import { writeCmx3600 } from "./cmx3600/write-cmx3600.ts";
import { writeCueJson } from "./cue-json.ts";
import { writeCsv, writeMarkerList } from "./cue-table.ts";
import { writeFcp7Xml } from "./fcp7-xml/write-fcp7-xml.ts";
import { writeOtio } from "./otio/write-otio.ts";
import { writePlainText } from "./plain-text.ts";
import type { ReadDocument } from "./read-document.ts";
import { writeSbv } from "./sbv.ts";
import { writeSubRip } from "./subrip.ts";
import { writeDapt } from "./ttml/write-dapt.ts";
import { writeWebVtt } from "./webvtt/write-webvtt.ts";

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
] as const;

/** A format that can be written. */
export type WritableFormat = (typeof WRITABLE_FORMATS)[number];

/** Formats that count frames and need a grid. */
const ON_FRAMES: ReadonlySet<WritableFormat> = new Set<WritableFormat>(["edl", "tsv", "otio", "fcp7-xml"]);

/** Formats that have no place for an identifier. */
const WITHOUT_IDS: ReadonlySet<WritableFormat> = new Set<WritableFormat>([
  "srt",
  "sbv",
  "plaintext",
  "otio",
  "fcp7-xml",
]);

/** Formats that have no place for the language. */
const WITHOUT_LANGUAGE: ReadonlySet<WritableFormat> = new Set<WritableFormat>([
  "srt",
  "edl",
  "json",
  "sbv",
  "plaintext",
  "csv",
  "tsv",
  "otio",
  "fcp7-xml",
]);

/** Whether a format counts frames, so that writing it needs a rate. */
export function needsGrid(format: WritableFormat): boolean {
  return ON_FRAMES.has(format);
}

/** Something of a document that the target could not hold, or holds changed. */
export interface ConversionLoss {
  readonly code: "extra" | "identifiers" | "language" | "rounded" | "overlap";
  readonly count: number;
  /** A sentence for people, without full stop. */
  readonly message: string;
}

/** A document in another format, and what did not come along. */
export interface Conversion {
  readonly text: string;
  readonly losses: readonly ConversionLoss[];
}

/** What a conversion is told beside the document. */
export interface ConversionTarget {
  readonly format: WritableFormat;
  /** The frame grid to write on; default that of the document. */
  readonly grid?: FrameGrid;
}

/**
 * Writes a document in another format. A timeline becomes a timeline with its clips; cues become a timeline without clips,
 * as its markers; of anything else only the cues are kept.
 *
 * @throws TypeError when the target counts frames and neither the document nor the caller gives a grid.
 */
export function convertCues(document: ReadDocument, target: ConversionTarget): Conversion {
  const { format } = target;
  const grid = target.grid ?? document.grid;
  if (grid === undefined && needsGrid(format)) throw new TypeError(`convertCues: the format ${format} needs a grid`);
  if ((format === "otio" || format === "fcp7-xml") && grid !== undefined)
    return convertTimeline(document, format, grid);
  return { text: write(document, format, grid), losses: cueLosses(document, format, grid) };
}

function convertTimeline(document: ReadDocument, format: "otio" | "fcp7-xml", grid: FrameGrid): Conversion {
  const write = format === "otio" ? writeOtio : writeFcp7Xml;
  if (document.timeline === undefined) {
    return { text: write(markersOnly(document, grid)), losses: cueLosses(document, format, grid) };
  }
  const { timeline } = document;
  const effects = document.extras.filter((extra) => extra.name === "effects" || extra.name === "marker colours");
  const lost = effects.filter((extra) => (extra.name === "effects" ? true : format === "fcp7-xml"));
  return { text: write(timeline), losses: lost.map(extraLoss) };
}

function markersOnly(document: ReadDocument, grid: FrameGrid): Timeline {
  const markers = document.cues.map(({ start, end, text }, index) => ({
    start,
    end,
    name: `AD ${index + 1}`,
    comment: text,
  }));
  const { rate, isDropFrame, startFrame } = grid;
  return { name: document.title ?? "Audio description", rate, isDropFrame, startFrame, tracks: [], markers };
}

function write(document: ReadDocument, format: WritableFormat, grid: FrameGrid | undefined): string {
  const { cues, title, language } = document;
  const named = title === undefined ? {} : { title };
  const spoken = language === undefined ? {} : { language };
  switch (format) {
    case "srt":
      return writeSubRip(cues);
    case "json":
      return writeCueJson(cues);
    case "sbv":
      return writeSbv(cues);
    case "plaintext":
      return writePlainText(cues);
    case "csv":
      return writeCsv(cues);
    case "vtt":
      return writeWebVtt(cues, { ...named, ...spoken });
    case "ttml":
      return writeDapt(cues, { ...named, ...spoken, ...(grid === undefined ? {} : { grid }) });
    case "tsv":
      return grid === undefined ? "" : writeMarkerList(cues, grid);
    default:
      return grid === undefined ? "" : writeCmx3600(cues, { grid, ...named });
  }
}

function cueLosses(document: ReadDocument, format: WritableFormat, grid: FrameGrid | undefined): ConversionLoss[] {
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
  const onGrid = needsGrid(format) && grid !== undefined ? grid : null;
  const shifts = cues.map((cue) => roundingOf(cue, onGrid));
  const largest = shifts.reduce((most, shift) => Math.max(most, shift), 0);
  const rounded = shifts.filter((shift) => shift > UNNOTICED_SECONDS).length;
  const unit = onGrid === null ? "millisecond" : "frame";
  add("rounded", rounded, `times were rounded to the ${unit}, by ${(largest * 1000).toFixed(1)} ms at most`);
  add("overlap", format === "edl" ? overlapsOf(cues) : 0, "cues overlap, which one track of an EDL cannot show");
  return losses;
}

/** Below this a rounded time is the same time, computed another way. */
const UNNOTICED_SECONDS = 1e-6;

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

function extraLoss({ name, count }: { readonly name: string; readonly count: number }): ConversionLoss {
  return { code: "extra", count, message: `${name} are not kept` };
}
