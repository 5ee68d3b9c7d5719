/** JSON as it was read, or the sentence that says why it is not taken. */
export type JsonOutcome = { readonly value: unknown } | { readonly fault: string };

/** Values of a request at most: the notes of the longest mix have some 30 000. More cost seconds to read and to look at. */
const MAXIMUM_VALUES = 100_000;

/** How deep values may stand inside each other; the interface needs 5. */
const MAXIMUM_DEPTH = 64;

/**
 * Reads JSON that a client sent, as UTF-8. Takes time in proportion to its length alone, some 10 ms per MB. An empty text
 * is `undefined`.
 *
 * @param part The part of a form that it is, for sentences; empty for the request's body.
 * @returns The value; or a fault where it is no JSON, has too many values, too deep ones, or texts that cannot be stored.
 */
export function readJson(bytes: Uint8Array, part: string): JsonOutcome {
  const what = part === "" ? "The request body" : `The part "${part}"`;
  const shape = shapeOf(bytes);
  if (shape.values > MAXIMUM_VALUES) return { fault: `${what} holds more than ${MAXIMUM_VALUES} values. Send fewer.` };
  if (shape.depth > MAXIMUM_DEPTH) {
    return {
      fault: `${what} is nested more than ${MAXIMUM_DEPTH} levels deep. Send it as the interface describes it.`,
    };
  }
  // Bytes that are no UTF-8 become U+FFFD; a byte order mark goes.
  const text = new TextDecoder().decode(bytes);
  if (text === "") return { value: undefined };
  try {
    const value: unknown = JSON.parse(text);
    const found = unstorable(value, part === "" ? [] : [part]);
    return found === null ? { value } : { fault: `${found.path === "" ? what : `"${found.path}"`} ${found.what}` };
  } catch {
    return { fault: `${what} is not valid JSON.` };
  }
}

/** How many values a text of JSON has at most, and how deep they stand, found before anything is made of them. */
function shapeOf(bytes: Uint8Array): { readonly values: number; readonly depth: number } {
  let [values, depth, deepest] = [1, 0, 0];
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) {
      isText = true;
    } else if (byte === COMMA) {
      values++;
    } else if (byte === BRACE || byte === BRACKET) {
      values++;
      depth++;
      if (depth > deepest) deepest = depth;
    } else if (byte === END_BRACE || byte === END_BRACKET) {
      depth--;
    }
  }
  return { values, depth: deepest };
}

const BACKSLASH = 0x5c;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BRACE = 0x7b;
const BRACKET = 0x5b;
const END_BRACE = 0x7d;
const END_BRACKET = 0x5d;

/** The first text that the records cannot hold, by its path; `null` when there is none. */
function unstorable(value: unknown, path: readonly string[]): { readonly path: string; readonly what: string } | null {
  if (typeof value === "string") {
    const what = value.includes("\0")
      ? "holds a NUL character (U+0000), which no text may have. Take it out."
      : value.isWellFormed()
        ? null
        : "holds half of a character (a lone surrogate). Send whole characters, as UTF-8.";
    return what === null ? null : { path: path.join("."), what };
  }
  if (typeof value !== "object" || value === null) return null;
  for (const [name, member] of Object.entries(value)) {
    const found = unstorable(member, [...path, name.slice(0, LONGEST_NAME).toWellFormed()]);
    if (found !== null) return found;
  }
  return null;
}

/** Characters of a member's name that are repeated in a sentence. */
const LONGEST_NAME = 100;
