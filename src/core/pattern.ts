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
