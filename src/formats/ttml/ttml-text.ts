import { foldWhiteSpace } from "../plain-markup.ts";
import { attributeOf, localName, type XmlElement } from "../xml/xml-element.ts";

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
