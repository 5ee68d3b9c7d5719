import { defined } from "../core/defined.ts";
import type { FrameGrid } from "../core/settings.ts";
import type { Timeline } from "../core/timeline.ts";
import { writeCmx3600 } from "./cmx3600/write-cmx3600.ts";
import { type ConversionLoss, cueLosses, extraLoss, needsGrid, type WritableFormat } from "./conversion-losses.ts";
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
      return writeWebVtt(cues, defined({ title, language }));
    case "ttml":
      return writeDapt(cues, defined({ title, language, grid }));
    case "tsv":
      return grid === undefined ? "" : writeMarkerList(cues, grid);
    default:
      return grid === undefined ? "" : writeCmx3600(cues, defined({ grid, title }));
  }
}
