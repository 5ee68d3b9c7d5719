import type { Cue } from "../../src/core/cue.ts";
import type { ReviewState } from "./review-state.ts";
import { rowListOf, rowWindow, scriptRows } from "./script-rows.ts";

/** Pictures of the programme under review, as addresses of images, by {@link pictureKey}. */
export type Pictures = Readonly<Record<string, string>>;

/** Most pictures that are kept, some 4 kB each: those seen last. */
const MOST_PICTURES = 400;

/** What the picture of a cue is kept under: the time that it shows. */
export function pictureKey({ start }: Pick<Cue, "start">): string {
  return start.toFixed(2);
}

/** The times of the cues in sight that have no picture yet, in seconds on the programme clock. */
export function missingPictures(review: ReviewState, pictures: Pictures): readonly number[] {
  const rows = scriptRows(review);
  const { first, end } = rowWindow(rowListOf(review, rows));
  return rows
    .slice(first, end)
    .flatMap((row) => (row.kind === "cue" && pictures[pictureKey(row.cue)] === undefined ? [row.cue.start] : []));
}

/** Pictures with further ones; of too many the earliest go. */
export function withPictures(pictures: Pictures, more: readonly (readonly [at: number, address: string])[]): Pictures {
  const fresh = more.map(([at, address]) => [pictureKey({ start: at }), address] as const);
  const names = new Set(fresh.map(([name]) => name));
  const kept = Object.entries(pictures).filter(([name]) => !names.has(name));
  return Object.fromEntries([...kept.slice(Math.max(0, kept.length + fresh.length - MOST_PICTURES)), ...fresh]);
}
