/** A text in ASCII, one byte a character; others than printable ones are written as `?`. */
export function asciiBytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => {
    const code = character.charCodeAt(0);
    return code >= 0x20 && code < 0x7f ? code : 0x3f;
  });
}

/** The text of a field that zeros fill up, without spaces around it. Bytes beyond ASCII are read as Latin-1. */
export function asciiText(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  let text = "";
  for (const byte of end < 0 ? bytes : bytes.subarray(0, end)) text += String.fromCharCode(byte);
  return text.trim();
}
