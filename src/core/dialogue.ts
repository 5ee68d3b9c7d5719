import { captionWords, isSung } from "./caption-words.ts";
import type { HeardRange } from "./gap.ts";
import { defined } from "./objects.ts";
import { estimateSpeakingSeconds } from "./speaking-time.ts";
import { foldedWords } from "./text.ts";
import {
  clipRanges,
  mergeRanges,
  overlapWithRanges,
  rangeDuration,
  type TimeRange,
  totalDuration,
} from "./time-range.ts";

/** One word as it is spoken, with the signs written at it. Seconds on the programme clock. */
export interface SpokenWord extends TimeRange {
  readonly text: string;
}

/** A line of what is said, as a list shows it. Seconds on the programme clock. */
export type DialogueLine = Omit<TranscriptLine, "words">;

/** A line of what is said: a caption, a subtitle, or a sentence that a machine heard. Seconds on the programme clock. */
export interface TranscriptLine extends TimeRange {
  readonly text: string;
  /** Who says it, where the source tells: a name, or a label such as `A`. */
  readonly speaker?: string;
  /** Its words in order, where the source has their times. */
  readonly words?: readonly SpokenWord[];
}

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
 * their times are known. So does one that is sung or lies over music, heard or not. Captions of sounds (`[squawk]`, `（ドアの音）`) are not speech. What was heard without
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
    if (isSung(line.text) || overlapWithRanges(line, musical) >= OVER_MUSIC_SHARE * rangeDuration(line)) return true;
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
  const sung = captions.filter(({ text }) => isSung(text) && captionWords(text) !== "");
  return songsOf(sung.map(({ start, end }) => ({ start, end })));
}

/** The songs that sung lines or stretches make up, in order: those near each other together. */
export function songsOf(sung: readonly TimeRange[]): TimeRange[] {
  return mergeRanges(sung, BETWEEN_LINES);
}

/** Most lines that are listed: a film of two hours has some two thousand. */
export const MOST_DIALOGUE_LINES = 10_000;

/** Longest text of a line that is listed, in characters: a caption has a tenth of it. */
const MOST_CHARACTERS = 1_000;

/**
 * What is said in a programme as a list shows it: in order of time, without sounds in brackets and without times of words, no
 * more than {@link MOST_DIALOGUE_LINES}.
 *
 * @returns `undefined` where nothing tells what is said.
 */
export function dialogueLines(lines: readonly TranscriptLine[]): readonly DialogueLine[] | undefined {
  const spoken = lines.filter(({ text }) => captionWords(text) !== "").sort((a, b) => a.start - b.start);
  if (spoken.length === 0) return undefined;
  return spoken.slice(0, MOST_DIALOGUE_LINES).map(({ start, end, text, speaker }) => {
    const words = foldedWords(text).slice(0, MOST_CHARACTERS);
    return { start, end, text: words, ...defined({ speaker }) };
  });
}

/** What is said last before a description: whoever speaks it waits for these words. */
export interface DialogueInCue {
  /** The last words of the line, at most {@link MOST_WORDS}; "…" stands for what is left out before them. */
  readonly text: string;
  readonly speaker?: string;
  /** Seconds from the line's end to the description, 0 where the description begins in the line. */
  readonly secondsBefore: number;
}

/** Words of an in-cue: as many as a speaker takes in at a glance. */
const MOST_WORDS = 8;

/**
 * The dialogue in-cue of each description, in their order; `null` where nobody speaks between the description before it and
 * itself: it follows on that one.
 *
 * @param cues Descriptions in order of time.
 * @param dialogue What is said, in order of time.
 */
export function dialogueInCues(
  cues: readonly TimeRange[],
  dialogue: readonly DialogueLine[],
): readonly (DialogueInCue | null)[] {
  let next = 0;
  return cues.map(({ start }, index) => {
    while ((dialogue[next]?.start ?? Number.POSITIVE_INFINITY) < start) next += 1;
    const line = dialogue[next - 1];
    const before = cues[index - 1];
    if (line === undefined || (before !== undefined && line.end <= before.start)) return null;
    const words = line.text.split(/\s+/).filter((word) => word !== "");
    const text = `${words.length > MOST_WORDS ? "… " : ""}${words.slice(-MOST_WORDS).join(" ")}`;
    const speaker = line.speaker === undefined ? {} : { speaker: line.speaker };
    return { text, ...speaker, secondsBefore: Math.max(0, start - line.end) };
  });
}

/** Signs that end a sentence or a part of one, and what may close behind them. */
const PHRASE_END = /[.!?…,;:–—。！？、，；：؟،।][\p{Pe}\p{Pf}"'”’]*$/u;

/** Pause in seconds between two words in which a programme can be held without cutting into speech. */
const LEAST_PAUSE = 0.15;

/** Seconds after a word by which its phrase is over in any case. */
const LATEST = 0.5;

/**
 * Instants between words at which a phrase ends, in seconds on the programme clock, in order: a sign says so, and a pause
 * follows. The instant is the middle of the pause, but never later than {@link LATEST} after the word. A line without times of words tells of
 * its end alone.
 *
 * @param transcript In any order.
 */
export function phraseEnds(transcript: readonly TranscriptLine[]): number[] {
  const words = transcript
    .flatMap((line) => line.words ?? (captionWords(line.text) === "" ? [] : [line]))
    .sort((a, b) => a.start - b.start || a.end - b.end);
  const ends: number[] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const [index, word] of words.entries()) {
    end = Math.max(end, word.end);
    const next = words[index + 1]?.start ?? Number.POSITIVE_INFINITY;
    if (next - end >= LEAST_PAUSE && PHRASE_END.test(word.text.trim()))
      ends.push(Math.min((end + next) / 2, end + LATEST));
  }
  return ends;
}
