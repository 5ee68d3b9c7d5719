import { childElements, type XmlElement } from "./xml-element.ts";

/** What is wrong with an XML text, and where. */
interface XmlFault {
  readonly offset: number;
  readonly message: string;
}

/** An XML text read. */
export interface XmlDocument {
  /** The outermost element; `null` when there is none. */
  readonly root: XmlElement | null;
  readonly faults: readonly XmlFault[];
}

/** Elements further inside each other than this are passed over; no format of ours comes near. */
const DEEPEST = 256;

/** Faults kept of one text. */
const MOST_FAULTS = 20;

interface OpenElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly content: (XmlElement | string)[];
  readonly start: number;
  readonly innerStart: number;
  innerEnd: number;
  end: number;
  readonly isSelfClosing: boolean;
}

/**
 * Reads XML without ever failing: tags that do not fit are reported and passed over, elements left open end with the text.
 * Entities other than the five of XML itself and character numbers are left as they stand, so nothing expands; a document
 * type is skipped.
 */
export function parseXml(text: string): XmlDocument {
  return new XmlParser(text).parse();
}

class XmlParser {
  readonly #text: string;
  readonly #faults: XmlFault[] = [];
  readonly #root: OpenElement;
  readonly #stack: OpenElement[];
  /** How many elements of a name are open. */
  readonly #open = new Map<string, number>();
  #position = 0;

  constructor(text: string) {
    this.#text = text;
    this.#root = openElement("", new Map(), 0, 0, false);
    this.#stack = [this.#root];
  }

  parse(): XmlDocument {
    while (this.#position < this.#text.length) {
      const tag = this.#text.indexOf("<", this.#position);
      this.#addText(tag === -1 ? this.#text.length : tag);
      if (tag !== -1) this.#readMarkup();
    }
    while (this.#stack.length > 1) {
      this.#fault(`<${this.#stack.at(-1)?.name ?? ""}> is not closed`);
      this.#close(this.#text.length, this.#text.length);
    }
    return { root: childElements(this.#root)[0] ?? null, faults: this.#faults };
  }

  #addText(end: number): void {
    if (end > this.#position) {
      const text = this.#text.slice(this.#position, end);
      this.#stack.at(-1)?.content.push(text.includes("&") ? decodeXml(text) : text);
    }
    this.#position = end;
  }

  #readMarkup(): void {
    const text = this.#text;
    const at = this.#position;
    if (text.startsWith("<!--", at)) this.#position = behind(text, "-->", at + 4);
    else if (text.startsWith("<![CDATA[", at)) {
      const end = text.indexOf("]]>", at + 9);
      this.#stack.at(-1)?.content.push(text.slice(at + 9, end === -1 ? text.length : end));
      this.#position = end === -1 ? text.length : end + 3;
    } else if (text.startsWith("<?", at)) this.#position = behind(text, "?>", at + 2);
    else if (text.startsWith("<!", at)) this.#skipDeclaration();
    else if (text.startsWith("</", at)) this.#readEndTag();
    else this.#readStartTag();
  }

  /** A document type, its internal subset in square brackets included. */
  #skipDeclaration(): void {
    const close = this.#text.indexOf(">", this.#position);
    const bracket = this.#text.indexOf("[", this.#position);
    const hasSubset = bracket !== -1 && (close === -1 || bracket < close);
    const from = hasSubset ? behind(this.#text, "]", bracket) : this.#position;
    this.#position = behind(this.#text, ">", from);
  }

  #readEndTag(): void {
    const start = this.#position;
    const end = behind(this.#text, ">", start);
    const name = this.#text
      .slice(start + 2, end)
      .replace(">", "")
      .trim();
    this.#position = end;
    // Asking the count first keeps this linear: the stack is only searched when something will be taken off it.
    if ((this.#open.get(name) ?? 0) === 0) {
      this.#fault(`</${name}> closes nothing`);
      return;
    }
    while (this.#stack.at(-1)?.name !== name) {
      this.#fault(`<${this.#stack.at(-1)?.name ?? ""}> is not closed`);
      this.#close(start, start);
    }
    this.#close(start, end);
  }

  #readStartTag(): void {
    const start = this.#position;
    NAME.lastIndex = start + 1;
    const name = NAME.exec(this.#text)?.[0];
    if (name === undefined) {
      this.#fault("a < begins no tag");
      this.#stack.at(-1)?.content.push("<");
      this.#position = start + 1;
      return;
    }
    this.#position = start + 1 + name.length;
    const attributes = this.#readAttributes();
    const isSelfClosing = this.#text.startsWith("/", this.#position);
    const end = behind(this.#text, ">", this.#position);
    this.#position = end;
    const element = openElement(name, attributes, start, end, isSelfClosing);
    if (this.#stack.length <= DEEPEST) this.#stack.at(-1)?.content.push(element);
    else this.#fault("elements are too deep inside each other");
    if (isSelfClosing) return;
    this.#stack.push(element);
    this.#open.set(name, (this.#open.get(name) ?? 0) + 1);
  }

  #readAttributes(): ReadonlyMap<string, string> {
    const attributes = new Map<string, string>();
    for (;;) {
      ATTRIBUTE.lastIndex = this.#position;
      const match = ATTRIBUTE.exec(this.#text);
      if (match?.[1] === undefined) break;
      this.#position += match[0].length;
      if (!attributes.has(match[1])) attributes.set(match[1], decodeXml(match[2] ?? match[3] ?? ""));
    }
    SPACE.lastIndex = this.#position;
    this.#position += SPACE.exec(this.#text)?.[0].length ?? 0;
    return attributes;
  }

  #close(innerEnd: number, end: number): void {
    const element = this.#stack.pop();
    if (element === undefined) return;
    this.#open.set(element.name, (this.#open.get(element.name) ?? 1) - 1);
    element.innerEnd = innerEnd;
    element.end = end;
  }

  #fault(message: string): void {
    if (this.#faults.length < MOST_FAULTS) this.#faults.push({ offset: this.#position, message });
  }
}

const NAME = /[^\s<>/=!?"'&][^\s<>/="'&]*/y;
const ATTRIBUTE = /\s*([^\s<>/="'&]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const SPACE = /\s*/y;

function openElement(
  name: string,
  attributes: ReadonlyMap<string, string>,
  start: number,
  innerStart: number,
  isSelfClosing: boolean,
): OpenElement {
  return { name, attributes, content: [], start, innerStart, innerEnd: innerStart, end: innerStart, isSelfClosing };
}

/** The offset behind the next `mark`; the end of the text when there is none. */
function behind(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? text.length : at + mark.length;
}

const REFERENCE = /&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));/g;
const CHARACTERS: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** Text with XML's own references replaced. */
function decodeXml(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(REFERENCE, (whole, name?: string, decimal?: string, hexadecimal?: string) => {
    if (name !== undefined) return CHARACTERS[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number.parseInt(decimal, 10);
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : "\ufffd";
  });
}
