import type { HeardRange } from "./heard.ts";
import { estimateSpeakingSeconds } from "./speaking-time.ts";
import {
  clipRanges,
  mergeRanges,
  overlapWithRanges,
  rangeDuration,
  type TimeRange,
  totalDuration,
} from "./time-range.ts";
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

/** A caption of which this share lies over music keeps its own times: in singing, half of the words are heard as music. */
const OVER_MUSIC_SHARE = 0.5;

/** What marks a caption as sung. */
const SUNG = /[♪♫♬♩]/;

/** Lines of a song stand no further apart than this, in seconds. */
const BETWEEN_LINES = 15;

/** Seconds on either side of a heard range in which a word still stands for it: times of words are off by as much. */
const WORD_TOLERANCE = 0.5;

/** Pauses between two words up to this many seconds belong to the speech. */
const WORD_PAUSE = 0.3;

/**
 * Ranges in which someone speaks, from what was heard and from what is known to be said together: ordered and disjoint.
 *
 * Captions refine and do not replace what was heard. Inside a caption whose words were heard, the heard ranges count and
 * the caption's lingering does not; a caption whose words were not heard (faint, or no sound track) counts whole, or by its words where
 * their times are known. So does one that is sung or lies over music, heard or not. Captions of sounds (`[squawk]`, `(door slams)`) are not speech. What was heard without
 * confidence and has no words counts for nothing, see {@link DOUBTED_BELOW}.
 *
 * @param known `isWhole`: whether the captions are a transcript of all that is said, with times of words, default `false`. `music`: where
 * music is heard, any order, default nowhere.
 */
export function speechFromCaptions(
  heard: readonly HeardRange[],
  captions: readonly TranscriptLine[],
  { isWhole = false, music = [] }: { readonly isWhole?: boolean; readonly music?: readonly TimeRange[] } = {},
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
  const musical = mergeRanges(music);
  const kept = spoken.filter((line) => {
    if (SUNG.test(line.text) || overlapWithRanges(line, musical) >= OVER_MUSIC_SHARE * rangeDuration(line)) return true;
    const heardInside = totalDuration(clipRanges(heardRanges, line));
    const expected = Math.min(estimateSpeakingSeconds(captionWords(line.text)), line.end - line.start);
    return heardInside < HEARD_SHARE * expected;
  });
  return mergeRanges([
    ...heardRanges,
    ...kept.flatMap(({ start, end, words }) =>
      words === undefined ? [{ start, end }] : mergeRanges(words, WORD_PAUSE),
    ),
  ]);
}

/** The songs that captions tell of, in order: stretches of lines with a music sign, sung lines near each other together. */
export function sungRanges(captions: readonly Pick<TranscriptLine, "start" | "end" | "text">[]): TimeRange[] {
  const sung = captions.filter(({ text }) => SUNG.test(text) && captionWords(text) !== "");
  return mergeRanges(
    sung.map(({ start, end }) => ({ start, end })),
    BETWEEN_LINES,
  );
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
