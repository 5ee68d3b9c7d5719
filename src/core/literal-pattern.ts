/** The source of a pattern that matches a text as it stands, whatever signs are in it. */
export function literalPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
