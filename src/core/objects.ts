/** Whether a value is what JSON calls an object: names with values of any kind, and no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What a text says as JSON; `null` for one that is none, or nests deeper than {@link DEEPEST_JSON}. */
export function parsedJson(text: string): unknown {
  if (nestsTooDeep(text)) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** How deep JSON from elsewhere may nest, far beyond any that is asked for: deeper values take memory without end. */
export const DEEPEST_JSON = 64;

/**
 * Goes through the brackets of a text, outside of strings.
 *
 * @param from Where it begins, outside of a string.
 * @param visit Told how deep the text is behind a bracket, and where that stands; `false` ends it.
 */
export function eachBracket(text: string, from: number, visit: (depth: number, at: number) => boolean): void {
  let depth = 0;
  let isString = false;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (isString) {
      if (character === "\\") at++;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === "{" || character === "[") {
      if (!visit(++depth, at)) return;
    } else if ((character === "}" || character === "]") && !visit(--depth, at)) return;
  }
}

/** Whether brackets in a text, outside of strings, nest deeper than {@link DEEPEST_JSON}. */
export function nestsTooDeep(text: string): boolean {
  let isTooDeep = false;
  eachBracket(text, 0, (depth) => {
    isTooDeep = depth > DEEPEST_JSON;
    return !isTooDeep;
  });
  return isTooDeep;
}

/** An object without the properties that are undefined: those that may be are optional, and never undefined. */
export type Defined<Properties extends object> = {
  [Name in keyof Properties as undefined extends Properties[Name] ? never : Name]: Properties[Name];
} & {
  [Name in keyof Properties as undefined extends Properties[Name] ? Name : never]?: Exclude<
    Properties[Name],
    undefined
  >;
};

/** The same properties in the same order, but for those that are undefined: absent and undefined are not the same. */
export function defined<Properties extends object>(properties: Properties): Defined<Properties> {
  const entries = Object.entries(properties).filter(([, value]) => value !== undefined);
  // What is left out is what the type makes optional.
  return Object.fromEntries(entries) as Defined<Properties>;
}
