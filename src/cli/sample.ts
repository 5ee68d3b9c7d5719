import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import truth from "../../sample/aside-sample.json" with { type: "json" };
import { mergeRanges, overlapWithRanges, type TimeRange } from "../core/time-range.ts";

/** Path of the sample clip that comes with the project: what it holds stands in the `README.md` beside it. */
export const SAMPLE_CLIP = fileURLToPath(new URL("../../sample/aside-sample.mp4", import.meta.url));

/** What is true of the sample, for whoever measures against it. Seconds on the programme clock. */
export const SAMPLE_TRUTH: {
  readonly durationSeconds: number;
  readonly speech: readonly (TimeRange & { readonly text: string })[];
} = truth;

/** Descriptions of the sample, as WebVTT, by those who drew it: what its scenes show is known without looking. */
export function sampleScript(): Promise<string> {
  return readFile(new URL("../../sample/aside-sample.vtt", import.meta.url), "utf8");
}

/** How descriptions of the sample stand against what is known of it, in a sentence. Seconds on the programme clock. */
export function sampleNote(cues: readonly TimeRange[]): string {
  const speech = mergeRanges(SAMPLE_TRUTH.speech);
  const over = cues.filter((cue) => overlapWithRanges(cue, speech) > 0);
  const lines = `The sample has ${speech.length} lines of dialogue at known times`;
  return over.length === 0
    ? `${lines}; no description lies over any of them.`
    : `${lines}; ${over.length} of ${cues.length} descriptions lie over one.`;
}
