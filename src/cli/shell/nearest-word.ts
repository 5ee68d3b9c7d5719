/** Letters that may differ for a word to be meant: one in three, two at most. */
function mostDifferent(word: string): number {
  return Math.min(2, Math.ceil(word.length / 3));
}

/** ` Did you mean "describe"?`, with the nearest of the words that exist; empty where none is near. */
export function didYouMean(word: string, words: readonly string[]): string {
  const near = words
    .map((other) => ({ other, distance: editDistance(word.toLowerCase(), other.toLowerCase()) }))
    .filter(({ distance }) => distance <= mostDifferent(word))
    .sort((a, b) => a.distance - b.distance)[0];
  return near === undefined ? "" : ` Did you mean "${near.other}"?`;
}

/** How many letters have to be put in, taken out or changed to make one word another. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= b.length; column++) {
      const changed = (row[column - 1] ?? 0) + (b[column - 1] === letter ? 0 : 1);
      next.push(Math.min(changed, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
