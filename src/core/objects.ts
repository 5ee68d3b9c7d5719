/** Whether a value is what JSON calls an object: names with values of any kind, and no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What a text says as JSON; `null` for one that is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
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
