/** What is looked at of a node of Babel's syntax tree. */
interface Node {
  type: string;
  value?: unknown;
  quasis?: { value: { raw: string } }[];
  expressions?: Node[];
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

/** Leaves sentences as they are: how an error is worded is no law, and its code is mutated as all else. */
class Sentences {
  /**
   * @param path - A place in the syntax tree.
   * @returns Why nothing is changed there, if so.
   */
  shouldIgnore(path: { readonly node: Node }): string | undefined {
    return isSentence(path.node) ? "a sentence for people" : undefined;
  }
}

/** A plugin of Stryker's, of the kind that leaves out places, by its name in a configuration. */
export const strykerPlugins = [{ kind: "Ignore", name: "sentences", injectableClass: Sentences }];
