import type { Cue } from "./cue.ts";
import type { HeardRange } from "./heard.ts";
import { estimateSpeakingSeconds } from "./speaking-time.ts";
import { clipRanges, mergeRanges, type TimeRange, totalDuration } from "./time-range.ts";

/**
 * Share of a caption's expected speaking time that must have been heard inside it before what was heard is trusted over
 * the caption's own times. Captions linger half a second to a second after the last word; a detector misses faint words.
 */
const HEARD_SHARE = 0.6;

/**
 * Ranges in which someone speaks, from what was heard and from captions together: ordered and disjoint.
 *
 * Captions refine and never replace what was heard. Inside a caption whose words were heard, the heard ranges count and
 * the caption's lingering does not; a caption whose words were not heard (faint, or no sound track) counts whole.
 * Captions of sounds (`[squawk]`, `(door slams)`) are not speech.
 */
export function speechFromCaptions(heard: readonly HeardRange[], captions: readonly Cue[]): TimeRange[] {
  const heardRanges = mergeRanges(heard);
  const unheard = captions.filter((caption) => {
    const words = spokenWords(caption.text);
    if (words === "") return false;
    const heardInside = totalDuration(clipRanges(heardRanges, caption));
    const expected = Math.min(estimateSpeakingSeconds(words), caption.end - caption.start);
    return heardInside < HEARD_SHARE * expected;
  });
  return mergeRanges([...heardRanges, ...unheard]);
}

/** What is spoken of a caption: descriptions of sounds in brackets, speaker names and music signs are taken out. */
export function spokenWords(text: string): string {
  return text
    .replace(/\[[^\]]*\]|\([^)]*\)|（[^）]*）|【[^】]*】/g, " ")
    .replace(/[♪♫#*]+/g, " ")
    .replace(/^\s*(?:>>+|-)?\s*[\p{Lu}][\p{Lu}\s.'-]*:\s*/u, " ")
    .replace(/\s+/g, " ")
    .trim();
}
