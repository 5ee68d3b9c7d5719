/** What a terminal obeys or a reader does not see: control codes but for tab and line feed, and marks that turn the order of letters. */
const HIDDEN = /(?![\t\n])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A text with nothing in it that a terminal obeys, and no letters in another order than they stand: such characters are written as `\u001b`. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (hidden) => `\\u${hidden.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
