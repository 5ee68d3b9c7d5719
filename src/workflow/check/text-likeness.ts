/** Letters and digits alone, in lower case and without accents: what is left of a text however it is set. */
export function bareText(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** Letters below which a text is in every other. */
const LEAST_LETTERS = 3;

/**
 * Whether one of two texts stands in the other but for some letters.
 *
 * @param a Bare text, see {@link bareText}; so is `b`.
 * @param tolerance Letters of the shorter text that may be wrong, missing or too many, as a share of it.
 */
export function isAlike(a: string, b: string, tolerance: number): boolean {
  const [part, whole] = a.length <= b.length ? [a, b] : [b, a];
  return part.length >= LEAST_LETTERS && editsWithin(part, whole) <= tolerance * part.length;
}

/** The least number of letters to change, add or take away for `part` to stand somewhere in `whole` (Sellers 1980). */
function editsWithin(part: string, whole: string): number {
  let before: number[] = Array(whole.length + 1).fill(0);
  for (const [row, letter] of [...part].entries()) {
    const now = [row + 1];
    for (let at = 0; at < whole.length; at++) {
      const change = (before[at] ?? 0) + (whole[at] === letter ? 0 : 1);
      now.push(Math.min(change, (before[at + 1] ?? 0) + 1, (now[at] ?? 0) + 1));
    }
    before = now;
  }
  return Math.min(...before);
}
