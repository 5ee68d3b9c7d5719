/** `text` without a byte order mark and with every line end (CR LF, CR, LF) as LF. */
export function normalizeLineEnds(text: string): string {
  const bare = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  return bare.includes("\r") ? bare.replace(/\r\n?/g, "\n") : bare;
}

/** The lines of a text, without their ends. */
export function linesOf(text: string): string[] {
  return normalizeLineEnds(text).split("\n");
}
