/** A JSON value with where it stands, so that a text can be changed in one place and kept everywhere else. */
export type JsonSource = JsonObjectSource | JsonArray | JsonScalar;

/** An object; of members with the same name the last counts. */
export interface JsonObjectSource {
  readonly kind: "object";
  readonly members: ReadonlyMap<string, JsonSource>;
  readonly start: number;
  readonly end: number;
}

/** An array. */
interface JsonArray {
  readonly kind: "array";
  readonly items: readonly JsonSource[];
  readonly start: number;
  readonly end: number;
}

/** A text, number, truth value or null. */
interface JsonScalar {
  readonly kind: "scalar";
  readonly value: string | number | boolean | null;
  readonly start: number;
  readonly end: number;
}

/** A value read, or where reading failed and why. */
export type ParsedJson =
  | { readonly ok: true; readonly value: JsonSource }
  | { readonly ok: false; readonly offset: number; readonly message: string };

/** Values further inside each other than this make a text unreadable. */
const DEEPEST = 512;

/**
 * Reads JSON with offsets. `NaN`, `Infinity` and `Inf` count as numbers, as OpenTimelineIO writes them. Never throws.
 */
export function parseJsonSource(text: string): ParsedJson {
  const reader = new JsonReader(text);
  const value = reader.value(0);
  if (value !== null && reader.isAtEnd()) return { ok: true, value };
  return { ok: false, offset: reader.position, message: reader.message };
}

class JsonReader {
  readonly #text: string;
  position: number;
  message = "something stands behind the value";

  constructor(text: string) {
    this.#text = text;
    this.position = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  }

  isAtEnd(): boolean {
    this.#skipSpace();
    return this.position === this.#text.length;
  }

  value(depth: number): JsonSource | null {
    this.#skipSpace();
    if (depth > DEEPEST) return this.#fail("values are too deep inside each other");
    const start = this.position;
    switch (this.#text[start]) {
      case "{":
        return this.#object(depth);
      case "[":
        return this.#array(depth);
      case '"': {
        const value = this.#string();
        return value === null ? null : { kind: "scalar", value, start, end: this.position };
      }
      default:
        return this.#word();
    }
  }

  #object(depth: number): JsonObjectSource | null {
    const start = this.position;
    const members = new Map<string, JsonSource>();
    this.position += 1;
    if (this.#skip("}")) return { kind: "object", members, start, end: this.position };
    do {
      this.#skipSpace();
      const name = this.#text[this.position] === '"' ? this.#string() : this.#fail("a name is missing");
      if (name === null) return null;
      if (!this.#skip(":")) return this.#fail("a colon is missing");
      const value = this.value(depth + 1);
      if (value === null) return null;
      members.set(name, value);
    } while (this.#skip(","));
    return this.#skip("}") ? { kind: "object", members, start, end: this.position } : this.#fail("} is missing");
  }

  #array(depth: number): JsonArray | null {
    const start = this.position;
    const items: JsonSource[] = [];
    this.position += 1;
    if (this.#skip("]")) return { kind: "array", items, start, end: this.position };
    do {
      const value = this.value(depth + 1);
      if (value === null) return null;
      items.push(value);
    } while (this.#skip(","));
    return this.#skip("]") ? { kind: "array", items, start, end: this.position } : this.#fail("] is missing");
  }

  #string(): string | null {
    const start = this.position;
    let at = start + 1;
    for (; at < this.#text.length; at++) {
      const code = this.#text.charCodeAt(at);
      if (code === 0x22) break;
      if (code === 0x5c) at += 1;
    }
    if (at >= this.#text.length) return this.#fail("a text is not closed");
    this.position = at + 1;
    const raw = this.#text.slice(start, this.position);
    if (!raw.includes("\\")) return raw.slice(1, -1);
    try {
      return String(JSON.parse(raw));
    } catch {
      // The one thing left that can be wrong with a text is an escape.
      return this.#fail("a text holds an escape that means nothing");
    }
  }

  #word(): JsonScalar | null {
    WORD.lastIndex = this.position;
    const word = WORD.exec(this.#text)?.[0] ?? "";
    const value = WORDS.has(word) ? WORDS.get(word) : NUMBER.test(word) ? Number(word) : undefined;
    if (value === undefined) return this.#fail(word === "" ? "a value is missing" : "a word means nothing");
    const start = this.position;
    this.position += word.length;
    return { kind: "scalar", value, start, end: this.position };
  }

  #skip(mark: string): boolean {
    this.#skipSpace();
    if (this.#text[this.position] !== mark) return false;
    this.position += 1;
    return true;
  }

  #skipSpace(): void {
    while (SPACES.has(this.#text.charCodeAt(this.position))) this.position += 1;
  }

  #fail(message: string): null {
    this.message = message;
    return null;
  }
}

const SPACES: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const WORD = /[-+.\w]{1,400}/y;
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const WORDS: ReadonlyMap<string, number | boolean | null> = new Map<string, number | boolean | null>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
  ["Inf", Number.POSITIVE_INFINITY],
  ["-Inf", Number.NEGATIVE_INFINITY],
]);

/** The value of a member; `undefined` when there is none or `source` is no object. */
export function memberOf(source: JsonSource | undefined, name: string): JsonSource | undefined {
  return source?.kind === "object" ? source.members.get(name) : undefined;
}

/** The text of a member; empty when it is none. */
export function textOf(source: JsonSource | undefined, name: string): string {
  const value = memberOf(source, name);
  return value?.kind === "scalar" && typeof value.value === "string" ? value.value : "";
}

/** The number of a member; `null` when it is none or not finite. */
export function numberOf(source: JsonSource | undefined, name: string): number | null {
  const value = memberOf(source, name);
  return value?.kind === "scalar" && typeof value.value === "number" && Number.isFinite(value.value)
    ? value.value
    : null;
}

/** The items of a member; none when it is no array. */
export function itemsOf(source: JsonSource | undefined, name: string): readonly JsonSource[] {
  const value = memberOf(source, name);
  return value?.kind === "array" ? value.items : [];
}
