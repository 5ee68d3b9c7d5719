/** An element of an XML text, with where it stands, so that a text can be changed in one place and kept everywhere else. */
export interface XmlElement {
  /** Name as written, prefix included. */
  readonly name: string;
  /** Values by name as written, references replaced. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Elements and character data in order; references replaced, comments and instructions left out. */
  readonly content: readonly (XmlElement | string)[];
  /** Offset of its `<`. */
  readonly start: number;
  /** Offset behind its start tag; equals `innerEnd` when it is empty. */
  readonly innerStart: number;
  /** Offset of its end tag. */
  readonly innerEnd: number;
  /** Offset behind its last `>`. */
  readonly end: number;
  /** Whether it is written `<name/>`. */
  readonly isSelfClosing: boolean;
}

/** Name of an element or attribute without its prefix. */
export function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** An attribute by its name without prefix. */
export function attributeOf(element: XmlElement, name: string): string | undefined {
  const plain = element.attributes.get(name);
  if (plain !== undefined) return plain;
  for (const [key, value] of element.attributes) if (localName(key) === name) return value;
  return undefined;
}

/** The elements directly inside an element. */
export function childElements(element: XmlElement): XmlElement[] {
  return element.content.filter((one) => typeof one !== "string");
}

/** The elements of a name directly inside an element. */
export function childrenNamed(element: XmlElement, name: string): XmlElement[] {
  return childElements(element).filter((child) => child.name === name);
}

/** The first element at a path of names below an element. */
export function childAt(element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined {
  let found = element;
  for (const name of path) found = found === undefined ? undefined : childrenNamed(found, name)[0];
  return found;
}

/** The character data directly inside the element at a path, trimmed; empty when there is none. */
export function textAt(element: XmlElement | undefined, ...path: readonly string[]): string {
  const found = childAt(element, ...path);
  return found === undefined ? "" : ownText(found).trim();
}

/** The number at a path; `null` when there is none. */
export function numberAt(element: XmlElement | undefined, ...path: readonly string[]): number | null {
  const text = textAt(element, ...path);
  const value = Number(text);
  return text === "" || !Number.isFinite(value) ? null : value;
}

/** The character data directly inside an element. */
export function ownText(element: XmlElement): string {
  return element.content.filter((one) => typeof one === "string").join("");
}

/** Every element of a name at any depth below an element, in document order. */
export function* descendantsNamed(element: XmlElement, name: string): Iterable<XmlElement> {
  for (const child of childElements(element)) {
    if (child.name === name) yield child;
    yield* descendantsNamed(child, name);
  }
}
