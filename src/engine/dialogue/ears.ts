import type { SpokenWord, TranscriptLine } from "../../core/dialogue.ts";
import { foldedWords } from "../../core/text.ts";
import { hearPiece, MOST_HEARD_SECONDS } from "../local/ask-speech.ts";
import type { HeardWords } from "../local/speech-orders.ts";
import type { InstalledHearing } from "../local/speech-setup.ts";

/** Seconds of one piece for such a model, with room for what is kept around speech. */
export const EARS_PIECE_SECONDS = MOST_HEARD_SECONDS - 2;

/**
 * What is said in a piece of sound, by an installed model.
 *
 * @param samples One channel at 16 kHz, 16 bits, {@link EARS_PIECE_SECONDS} at the most.
 * @returns Lines in order, in seconds from the start of the piece.
 * @throws SpeechEngineError; the signal's reason when it aborts.
 */
export async function askEars(
  samples: Int16Array,
  { setup, model }: InstalledHearing,
  signal: AbortSignal,
): Promise<TranscriptLine[]> {
  const sound = Float32Array.from(samples, (sample) => sample / 32_768);
  const heard = await hearPiece(setup, { kind: "transcribe", model: model.id, samples: sound }, signal);
  return linesOf(heard, samples.length / 16_000);
}

/** Silence between two words after which another line begins, in seconds. */
const LINE_PAUSE = 1;

/** Words of a line at the most: a sentence that goes on is parted at a comma, or else anywhere. */
const MOST_LINE_WORDS = 24;

/** Longest that a word may sound where the model does not say how long it does, in seconds. */
const LONGEST_WORD = 0.6;

/** What was heard, as lines: sentences where the model tells times of words, else all of the piece. */
export function linesOf(heard: HeardWords, pieceSeconds: number): TranscriptLine[] {
  const words = wordsOf(heard, pieceSeconds);
  if (words.length === 0) {
    const text = foldedWords(heard.text);
    return text === "" ? [] : [{ start: 0, end: pieceSeconds, text }];
  }
  const lines: SpokenWord[][] = [[]];
  for (const word of words) {
    const line = lines.at(-1) ?? [];
    const last = line.at(-1);
    const isOver =
      last !== undefined &&
      (/[.?!…]["”’)]?$/.test(last.text) || word.start - last.end > LINE_PAUSE || line.length >= MOST_LINE_WORDS);
    if (isOver) lines.push([word]);
    else line.push(word);
  }
  return lines.map((line) => ({
    start: line[0]?.start ?? 0,
    end: line.at(-1)?.end ?? pieceSeconds,
    text: line.map(({ text }) => text).join(" "),
    words: line,
  }));
}

/** Tokens are parts of words: one that begins a word begins with a blank. */
function wordsOf({ tokens, starts, lengths }: HeardWords, pieceSeconds: number): SpokenWord[] {
  const words: SpokenWord[] = [];
  for (const [index, token] of tokens.entries()) {
    const start = Math.min(starts[index] ?? 0, pieceSeconds);
    const next = starts[index + 1] ?? pieceSeconds;
    const told = lengths[index] ?? Number.POSITIVE_INFINITY;
    const end = Math.min(pieceSeconds, start + Math.max(0.02, Math.min(told, next - start, LONGEST_WORD)));
    const last = words.at(-1);
    // Signs that stand by themselves belong to the word before.
    const begins = /^[ ▁]/.test(token) && token.trim() !== "▁";
    const text = token.replace(/^[ ▁]+/, "").trim();
    if (text === "" || /^<.*>$/.test(text)) continue;
    if (last === undefined || (begins && /[\p{L}\p{N}]/u.test(text))) words.push({ start, end, text });
    else words.splice(-1, 1, { start: last.start, end: Math.max(last.end, end), text: `${last.text}${text}` });
  }
  return words.filter((word) => word.end > word.start);
}
