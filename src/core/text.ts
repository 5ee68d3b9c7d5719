const NAMES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** A text as it stands in HTML, inside elements and quoted attributes alike. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => NAMES[character] ?? character);
}

/** What a terminal obeys or a reader does not see: control codes but for tab and line feed, and marks that turn the order of letters. */
const UNSEEN = /(?![\t\n])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A text with nothing in it that a terminal obeys, and no letters in another order than they stand: such characters are written as `\u001b`. */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, (hidden) => `\\u${hidden.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Stands where a secret was. */
export const HIDDEN = "[hidden]";

/** Keys of the hosted service and of ours by their form; any other is known by its value alone. */
const KEY_FORM = /\b(?:vsk_[A-Za-z0-9_-]{6,}|aside_[A-Za-z0-9_-]{8,})/g;

/** Query and user information of an address: both may hold a signature, a token or a password. */
const ADDRESS = /\b([a-z][a-z0-9+.-]{0,30}:\/\/)(?:[^\s/"'<>]*@)?([^\s?#"'<>]*)(\?[^\s"'<>]*)?/gi;

/** A text without API keys, credentials and queries of addresses: what every log line and error text passes through. */
export function hideSecrets(text: string): string {
  return text
    .replace(ADDRESS, (_whole, scheme: string, rest: string, query?: string) =>
      query === undefined ? `${scheme}${rest}` : `${scheme}${rest}?${HIDDEN}`,
    )
    .replace(KEY_FORM, HIDDEN);
}

/** The source of a pattern that matches a text as it stands, whatever signs are in it. */
export function literalPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

/**
 * The names of a pattern's places. A pattern is a sentence with places `{name}`, and with `{name:one|other}`, a choice of
 * words by the number in a place: `{cues} {cues:cue|cues}`.
 */
type PlaceOf<Pattern extends string> = Pattern extends `${string}{${infer Inside}}${infer Rest}`
  ? (Inside extends `${infer Name}:${string}` ? Name : Inside) | PlaceOf<Rest>
  : never;

/** Strings ready for use, in the shape they were given: a pattern has become a function of what stands in its places. */
export type Worded<Strings> = Strings extends string
  ? [PlaceOf<Strings>] extends [never]
    ? string
    : (places: Readonly<Record<PlaceOf<Strings>, string | number>>) => string
  : Strings extends object
    ? { readonly [Name in keyof Strings]: Worded<Strings[Name]> }
    : Strings;

/** Makes functions of all patterns in an object of strings; everything else stays as it is. */
export function worded<Strings>(strings: Strings): Worded<Strings> {
  // The type follows the same two cases.
  return ready(strings) as Worded<Strings>;
}

function ready(strings: unknown): unknown {
  if (typeof strings === "string") return strings.includes("{") ? filling(strings) : strings;
  if (typeof strings !== "object" || strings === null) return strings;
  if (Array.isArray(strings)) return strings.map(ready);
  return Object.fromEntries(Object.entries(strings).map(([name, value]) => [name, ready(value)]));
}

function filling(pattern: string) {
  return (places: Readonly<Record<string, string | number>>): string =>
    pattern.replace(/\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g, (_, name: string, one?: string, other?: string) => {
      const value = places[name] ?? "";
      if (one === undefined || other === undefined) return String(value);
      // English has two forms. UXP promises no `Intl.PluralRules`: a language with more forms brings its rule here.
      return Number(value) === 1 ? one : other;
    });
}

/** White space folded, as in every cue: hosts and people break lines as they like. */
export function foldedWords(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
