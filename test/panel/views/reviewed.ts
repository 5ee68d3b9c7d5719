import { openReview } from "../../../panel/state/opened-review.ts";
import type { ReviewState } from "../../../panel/state/review-state.ts";
import type { Cue } from "../../../src/core/cue.ts";
import type { Finding } from "../../../src/core/finding.ts";
import type { Result } from "../../../src/result/result.ts";
import { voicedCues } from "../../../src/result/stale.ts";
import { placedResult } from "../../fakes/placed-result.ts";
import { jobEntry } from "../session-in-memory.ts";

/** Four lines with room around each. */
export const LINES: readonly Cue[] = [
  { id: "a", start: 2, end: 4, text: "A woman sits." },
  { id: "b", start: 12, end: 13.5, text: "She opens a letter." },
  { id: "c", start: 22, end: 25, text: "Rain falls on the roof." },
  { id: "d", start: 32, end: 34, text: "The boat leaves." },
];

/** What was found of a line, or of the whole where no line is named. */
export function found(rule: string, cueIds: readonly string[], more: Partial<Finding> = {}): Finding {
  return { severity: "warn", rule, cueIds, message: `Found: ${rule}.`, ...more } as Finding;
}

/** A result under review, of {@link LINES} whose narration says their words. */
export function reviewed(change: Partial<Result> = {}, state: Partial<ReviewState> = {}): ReviewState {
  const cues = change.cues ?? LINES;
  const audio = { path: "/projects/harbour.wav", durationSeconds: 60, start: 0 } as unknown as NonNullable<Result["audio"]>; // biome-ignore format: one line
  const made = placedResult(cues, { audio, generated: null, ...change } as Partial<Result>);
  const voiced = change.voiced ?? voicedCues(cues, made.settings);
  return { ...openReview({ ...made, voiced }, jobEntry()), viewHeight: 2000, ...state };
}
