import type { HeardRange } from "./heard.ts";
import { estimateSpeakingSeconds } from "./speaking-time.ts";
import { clipRanges, mergeRanges, overlapWithRanges, type TimeRange, totalDuration } from "./time-range.ts";
import type { TranscriptLine } from "./transcript.ts";

/**
 * Share of a caption's expected speaking time that must have been heard inside it before what was heard is trusted over
 * the caption's own times. Captions linger half a second to a second after the last word; a detector misses faint words.
 */
const HEARD_SHARE = 0.6;

/**
 * Confidence below which a heard range is not taken for speech: by itself, and where a transcript with times of words has none
 * in it. What is heard at 0.25 is a yawn or a flute; of ranges from 0.6 to 0.8, one in four holds no speech
 * (`docs/benchmarks.md`, "Hearing").
 */
export const DOUBTED_BELOW = { alone: 0.5, withoutWord: 0.8 };

/** Seconds on either side of a heard range in which a word still stands for it: times of words are off by as much. */
const WORD_TOLERANCE = 0.5;

/** Pauses between two words up to this many seconds belong to the speech. */
const WORD_PAUSE = 0.3;

/**
 * Ranges in which someone speaks, from what was heard and from what is known to be said together: ordered and disjoint.
 *
 * Captions refine and do not replace what was heard. Inside a caption whose words were heard, the heard ranges count and
 * the caption's lingering does not; a caption whose words were not heard (faint, or no sound track) counts whole, or by its words where
 * their times are known. Captions of sounds (`[squawk]`, `(door slams)`) are not speech. What was heard without
 * confidence and has no words counts for nothing, see {@link DOUBTED_BELOW}.
 *
 * @param isWhole Whether the captions are a transcript of all that is said, with times of words. Default `false`.
 */
export function speechFromCaptions(
  heard: readonly HeardRange[],
  captions: readonly TranscriptLine[],
  isWhole = false,
): TimeRange[] {
  const spoken = captions.filter(({ text }) => captionWords(text) !== "");
  const said = mergeRanges(spoken.flatMap((line): readonly TimeRange[] => line.words ?? [line]));
  const least = isWhole ? DOUBTED_BELOW.withoutWord : DOUBTED_BELOW.alone;
  const heardRanges = mergeRanges(
    heard.filter(({ start, end, confidence }) => {
      const around = { start: start - WORD_TOLERANCE, end: end + WORD_TOLERANCE };
      return confidence >= least || overlapWithRanges(around, said) > 0;
    }),
  );
  const unheard = spoken.filter((line) => {
    const heardInside = totalDuration(clipRanges(heardRanges, line));
    const expected = Math.min(estimateSpeakingSeconds(captionWords(line.text)), line.end - line.start);
    return heardInside < HEARD_SHARE * expected;
  });
  return mergeRanges([
    ...heardRanges,
    ...unheard.flatMap(({ start, end, words }) =>
      words === undefined ? [{ start, end }] : mergeRanges(words, WORD_PAUSE),
    ),
  ]);
}

/** What is spoken of a caption: descriptions of sounds in brackets, speaker names and music signs are taken out. */
export function captionWords(text: string): string {
  return text
    .replace(/\[[^\]]*\]|\([^)]*\)|（[^）]*）|【[^】]*】/g, " ")
    .replace(/[♪♫#*]+/g, " ")
    .replace(/^\s*(?:>>+|-)?\s*[\p{Lu}][\p{Lu}\s.'-]*:\s*/u, " ")
    .replace(/\s+/g, " ")
    .trim();
}
