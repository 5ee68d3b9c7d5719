import { defined } from "../core/defined.ts";
import type { FrameGrid } from "../core/settings.ts";
import type { Timeline } from "../core/timeline.ts";
import { writeCmx3600 } from "./cmx3600/write-cmx3600.ts";
import {
  type ConversionLoss,
  cueLosses,
  extraLoss,
  hasIds,
  needsGrid,
  rateLosses,
  type WritableFormat,
} from "./conversion-losses.ts";
import { writeCueJson } from "./cue-json.ts";
import { writeCsv, writeMarkerList } from "./cue-table.ts";
import { writeFcp7Xml } from "./fcp7-xml/write-fcp7-xml.ts";
import { writeFcpxml } from "./fcpxml/write-fcpxml.ts";
import { writeOtio } from "./otio/write-otio.ts";
import { writePlainText } from "./plain-text.ts";
import { parseTimeline, type ReadDocument, readDocument } from "./read-document.ts";
import { writeSbv } from "./sbv.ts";
import { writeAvidMarkers } from "./sessions/avid-markers.ts";
import { writeSubRip } from "./subrip.ts";
import { timelineLosses } from "./timeline-losses.ts";
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
  const text = write(document, format, grid);
  const changed = hasIds(format) ? changedIds(document, text, format, grid) : 0;
  const message = "identifiers are written otherwise, as the format asks";
  const losses = changed > 0 ? [{ code: "identifiers", count: changed, message } as const] : [];
  return { text, losses: [...cueLosses(document, format, grid), ...losses] };
}

function convertTimeline(document: ReadDocument, format: "otio" | "fcp7-xml", grid: FrameGrid): Conversion {
  const write = format === "otio" ? writeOtio : writeFcp7Xml;
  if (document.timeline === undefined) {
    return { text: write(markersOnly(document, grid)), losses: cueLosses(document, format, grid) };
  }
  const { timeline } = document;
  const text = write(timeline);
  const written = parseTimeline(text, `x.${format}`).timeline;
  const losses = written === null ? [] : timelineLosses(timeline, written).map(extraLoss);
  return { text, losses: [...losses, ...(format === "fcp7-xml" ? rateLosses(timeline.rate) : [])] };
}

/** How many of a document's cues have another identifier in what was written of them. */
function changedIds(document: ReadDocument, text: string, format: WritableFormat, grid: FrameGrid | undefined): number {
  const written = readDocument(text, { format, ...defined({ grid }) }).cues;
  return written.length === document.cues.length
    ? document.cues.filter(({ id }, index) => written[index]?.id !== id).length
    : 0;
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
    case "fcpxml":
      return grid === undefined ? "" : writeFcpxml(cues, { grid, ...defined({ title, language }) });
    case "avid-markers":
      return grid === undefined ? "" : writeAvidMarkers(cues, grid);
    default:
      return grid === undefined ? "" : writeCmx3600(cues, defined({ grid, title }));
  }
}
