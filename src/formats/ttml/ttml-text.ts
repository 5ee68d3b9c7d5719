import { foldWhiteSpace } from "../plain-markup.ts";
import type { XmlElement } from "../xml/xml-element.ts";

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

/** Elements inside text that hold none to be spoken: metadata, animation, sound. */
const SILENT: ReadonlySet<string> = new Set(["metadata", "desc", "title", "animate", "set", "audio", "image", "data"]);

/** The words of an element and of what it holds; `br` parts them, ruby readings are left out. */
export function spokenText(element: XmlElement): string {
  return foldWhiteSpace(rawText(element));
}

function rawText(element: XmlElement): string {
  return element.content
    .map((one) => {
      if (typeof one === "string") return one;
      const name = localName(one.name);
      if (name === "br") return " ";
      const isReading = attributeOf(one, "ruby") === "text";
      return SILENT.has(name) || isReading ? "" : rawText(one);
    })
    .join("");
}
