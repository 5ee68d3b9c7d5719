/** Characters XML 1.0 cannot hold, even as references: most control codes, halves of surrogate pairs, two noncharacters. */
const FORBIDDEN = /(?![\t\n\r\u007f-\u009f])\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu;

/** Text as it stands inside an element or an attribute. Characters XML cannot hold become U+FFFD. */
function escapeXml(text: string): string {
  return text
    .replace(FORBIDDEN, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** An element to be written: its name, attributes (in order) and content. */
export interface XmlNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** A text is written on the element's own line; elements each on their own. */
  readonly content: string | readonly XmlNode[];
}

/** Makes a node without attributes. */
export function xmlNode(name: string, content: string | number | readonly XmlNode[] = []): XmlNode {
  return { name, attributes: {}, content: typeof content === "number" ? String(content) : content };
}

/** Makes a node of its attributes, and its text or its elements. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string>> = {},
  content: string | readonly XmlNode[] = [],
): XmlNode {
  return { name, attributes, content };
}

/** How a document is written. */
interface XmlWriting {
  /** Name of the document's type; by default none is declared. */
  readonly doctype?: string;
  /** Default two blanks. */
  readonly indent?: string;
  /** Whether the declaration says that nothing outside belongs to it. Default: it says nothing. */
  readonly isStandalone?: boolean;
}

/** A whole document in UTF-8. */
export function xmlDocument(root: XmlNode, { doctype, indent = "  ", isStandalone = false }: XmlWriting = {}): string {
  const declaration = `<?xml version="1.0" encoding="UTF-8"${isStandalone ? ' standalone="yes"' : ""}?>`;
  const type = doctype === undefined ? [] : [`<!DOCTYPE ${doctype}>`];
  return `${[declaration, ...type, ...xmlLines(root, "", indent)].join("\n")}\n`;
}

/** Lines of a node, each behind `prefix`, children one `indent` deeper. An element without content closes itself. */
export function xmlLines(node: XmlNode, prefix: string, indent: string): string[] {
  const attributes = Object.entries(node.attributes).map(([name, value]) => ` ${name}="${escapeXml(value)}"`);
  const head = `${prefix}<${node.name}${attributes.join("")}`;
  if (node.content.length === 0) return [`${head}/>`];
  if (typeof node.content === "string") return [`${head}>${escapeXml(node.content)}</${node.name}>`];
  const inner = node.content.flatMap((child) => xmlLines(child, prefix + indent, indent));
  return [`${head}>`, ...inner, `${prefix}</${node.name}>`];
}
