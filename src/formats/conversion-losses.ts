import type { Cue } from "../core/cue.ts";
import {
  equalRates,
  type FrameRate,
  framesFromSeconds,
  framesPerSecond,
  secondsFromFrames,
} from "../core/frame-rate.ts";
import type { FrameGrid } from "../core/settings.ts";
import { ROUNDING_ERROR_SECONDS, toThousandth } from "../core/time-range.ts";
import type { Format } from "./format.ts";
import type { ReadDocument } from "./read-document.ts";

/** Something of a document that the target could not hold, or holds changed. */
export interface ConversionLoss {
  readonly code: "extra" | "rate" | "identifiers" | "language" | "rounded" | "overlap";
  readonly count: number;
  /** A sentence for people, without full stop. */
  readonly message: string;
}

/** What of a document is looked at. */
type CuesToLose = Pick<ReadDocument, "cues" | "extras" | "language">;

/** What of a format says what it holds. */
export type CueHolder = Pick<Format, "lacks" | "countsFrames" | "statedRate">;

/** What of a document's cues a format cannot hold, or holds rounded. */
export function cueLosses(document: CuesToLose, target: CueHolder, grid: FrameGrid | undefined): ConversionLoss[] {
  const { cues } = document;
  const { lacks, countsFrames } = target;
  const losses = document.extras.map(extraLoss);
  const add = (code: ConversionLoss["code"], count: number, message: string) => {
    if (count > 0) losses.push({ code, count, message });
  };
  const named = cues.filter((cue) => !/^cue-\d+$/.test(cue.id)).length;
  if (lacks?.ids) add("identifiers", named, "identifiers have no place in the format");
  if (lacks?.language && document.language !== undefined) {
    add("language", 1, `the language (${document.language}) has no place in the format`);
  }
  if (grid !== undefined) losses.push(...rateLosses(target, grid.rate));
  const onGrid = countsFrames !== undefined && grid !== undefined ? grid : null;
  const shifts = cues.map((cue) => roundingOf(cue, onGrid));
  const largest = shifts.reduce((most, shift) => Math.max(most, shift), 0);
  const rounded = shifts.filter((shift) => shift > ROUNDING_ERROR_SECONDS).length;
  const unit = onGrid === null ? "millisecond" : "frame";
  add("rounded", rounded, `times were rounded to the ${unit}, by ${(largest * 1000).toFixed(1)} ms at most`);
  if (lacks?.overlaps !== undefined) add("overlap", overlapsOf(cues), lacks.overlaps);
  return losses;
}

/** What is changed where a format cannot state the rate of a timeline. */
export function rateLosses({ statedRate }: CueHolder, rate: FrameRate): ConversionLoss[] {
  const written = statedRate?.(rate) ?? rate;
  if (equalRates(rate, written)) return [];
  const shown = Number(framesPerSecond(rate).toFixed(3));
  const message = `the format does not know ${shown} frames a second: it counts ${framesPerSecond(written)}, at the same times`;
  return [{ code: "rate", count: 1, message }];
}

function roundingOf(cue: Cue, grid: FrameGrid | null): number {
  const rounded = (seconds: number) =>
    grid === null ? toThousandth(seconds) : secondsFromFrames(framesFromSeconds(seconds, grid.rate), grid.rate);
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
