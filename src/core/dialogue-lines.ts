import { foldedWords } from "./align-cues.ts";
import { captionWords } from "./caption-speech.ts";
import { defined } from "./defined.ts";
import type { DialogueLine, TranscriptLine } from "./transcript.ts";

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
