import { foldedWords } from "./align-cues.ts";

/**
 * Words of a text as they are heard: in lower case, without punctuation. Two descriptions with the same ones say the same.
 * Letters keep their marks: without vowel signs, different words of many scripts would look alike.
 */
export function spokenWords(text: string): string {
  return foldedWords(text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}'’-]+/gu, " "));
}
