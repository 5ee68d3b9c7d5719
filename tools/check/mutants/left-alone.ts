/** What is looked at of a node of Babel's syntax tree. */
interface Node {
  type: string;
  value?: unknown;
  quasis?: { value: { raw: string } }[];
  expressions?: Node[];
  properties?: Node[];
  key?: { name?: string };
  callee?: { name?: string };
  arguments?: Node[];
}

/** Two words with a space between them. */
const WORDS = /[\p{L}\d}.,;:)"'][ ]+[\p{L}"'(]/u;

/** Text that only people read: two words and more in a row. In a template, only names may stand between them. */
function isSentence(node: Node): boolean {
  if (node.type === "StringLiteral") return WORDS.test(String(node.value));
  if (node.type !== "TemplateLiteral") return false;
  const isPlain = (node.expressions ?? []).every(({ type }) => type === "Identifier" || type === "MemberExpression");
  return isPlain && WORDS.test((node.quasis ?? []).map(({ value }) => value.raw).join("}"));
}

/** Names of attributes that only say what something looks like. */
const LOOKS = new Set(["class", "style"]);

/** Elements that say nothing of what is in them. */
const BARE = new Set<unknown>(["div", "span"]);

/** What something looks like, and nothing else. */
function isLook(node: Node, parent: Node | undefined): boolean {
  const names = (property: Node) => property.type === "ObjectProperty" && LOOKS.has(property.key?.name ?? "");
  const { properties = [] } = node;
  if (node.type === "ObjectExpression") return properties.length > 0 && properties.every(names);
  if (parent === undefined) return false;
  if (names(parent)) return true;
  if (parent.type !== "CallExpression" || node.type !== "StringLiteral") return false;
  const [first, second] = parent.arguments ?? [];
  if (parent.callee?.name === "text") return node === second;
  return parent.callee?.name === "element" && node === first && BARE.has(node.value);
}

/**
 * Leaves sentences as they are, since how an error is worded is no law, and its code is mutated as all else; and the looks of the
 * panel and the page, which pictures show.
 */
class LeftAlone {
  /**
   * @param path - A place in the syntax tree.
   * @returns Why nothing is changed there, if so.
   */
  shouldIgnore({ node, parent }: { readonly node: Node; readonly parent?: Node }): string | undefined {
    if (isSentence(node)) return "a sentence for people";
    return isLook(node, parent) ? "a look" : undefined;
  }
}

/** A plugin of Stryker's, of the kind that leaves out places, by its name in a configuration. */
export const strykerPlugins = [{ kind: "Ignore", name: "left-alone", injectableClass: LeftAlone }];
