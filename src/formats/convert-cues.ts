import { defined } from "../core/objects.ts";
import type { FrameGrid } from "../core/settings.ts";
import type { Timeline } from "../core/timeline.ts";
import { type ConversionLoss, cueLosses, extraLoss, rateLosses } from "./conversion-losses.ts";
import type { Format } from "./format.ts";
import { parseTimeline, type ReadDocument, readDocument } from "./read-document.ts";
import { FORMATS, type WritableFormat } from "./registry.ts";
import { timelineLosses } from "./timeline-document.ts";

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
  const row: Format = FORMATS[format];
  const grid = target.grid ?? document.grid;
  if (grid === undefined && needsGrid(format)) throw new TypeError(`convertCues: the format ${format} needs a grid`);
  if (row.writeTimeline !== undefined && grid !== undefined) return convertTimeline(document, format, grid);
  const { cues, title, language } = document;
  const text = row.write?.({ cues, ...defined({ title, language }) }, grid) ?? "";
  const changed = row.lacks?.ids ? 0 : changedIds(document, text, format, grid);
  const message = "identifiers are written otherwise, as the format asks";
  const losses = changed > 0 ? [{ code: "identifiers", count: changed, message } as const] : [];
  return { text, losses: [...cueLosses(document, row, grid), ...losses] };
}

/** Whether a format counts frames, so that writing it needs a rate. */
export function needsGrid(format: WritableFormat): boolean {
  const { countsFrames }: Format = FORMATS[format];
  return countsFrames === "always";
}

function convertTimeline(document: ReadDocument, format: WritableFormat, grid: FrameGrid): Conversion {
  const row: Format = FORMATS[format];
  const write = (timeline: Timeline) => row.writeTimeline?.(timeline) ?? "";
  if (document.timeline === undefined) {
    return { text: write(markersOnly(document, grid)), losses: cueLosses(document, row, grid) };
  }
  const { timeline } = document;
  const text = write(timeline);
  const written = parseTimeline(text, `x.${row.endings[0]}`).timeline;
  const losses = written === null ? [] : timelineLosses(timeline, written).map(extraLoss);
  return { text, losses: [...losses, ...rateLosses(row, timeline.rate)] };
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
