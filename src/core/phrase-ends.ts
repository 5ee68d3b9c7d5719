import { captionWords } from "./caption-speech.ts";
import type { TranscriptLine } from "./transcript.ts";

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
