import ts from "typescript";

/** How the names begin that are given here; nothing else in the panel is called so. */
const OWN_PREFIX = "$own$";

/** The names of properties that the minifier makes short: those that are given here, and no others. Two scripts share objects. */
export const SHORT_NAMES = /^\$own\$/;

/** What webpack hands to a loader, as far as it is read here. */
interface LoaderContext {
  readonly resourcePath: string;
}

/**
 * A loader of webpack that gives names which only the panel's own code reads a prefix, by which the minifier knows that it may
 * make them short: private members, and the keys of the panel's words.
 *
 * Private members (`#name`) become plain properties, under a name that no other file has: ECMAScript 2020 has none, and standing in
 * for them costs the script a tenth of its size. Types have checked by then that nobody reaches in.
 */
// biome-ignore lint/style/noDefaultExport: webpack takes a loader by its default export
export default function shortNames(this: LoaderContext, source: string): string {
  const { resourcePath } = this;
  const file = ts.createSourceFile(resourcePath, source, ts.ScriptTarget.ESNext, false, ts.ScriptKind.TS);
  const ofFile = `${OWN_PREFIX}${resourcePath.replace(/\W+/g, "_")}$`;
  const usesWords = /from "[./\w]*\/words\.ts"/.test(source);
  const edits: { readonly at: number; readonly removed: number; readonly prefix: string }[] = [];
  const visit = (node: ts.Node): void => {
    // The name goes on behind its #.
    if (ts.isPrivateIdentifier(node)) edits.push({ at: node.getStart(file), removed: 1, prefix: ofFile });
    else if (usesWords && isWord(node)) edits.push({ at: node.name.getStart(file), removed: 0, prefix: OWN_PREFIX });
    else {
      for (const { name } of englishWords(node)) {
        if (name !== undefined) edits.push({ at: name.getStart(file), removed: 0, prefix: OWN_PREFIX });
      }
    }
    node.forEachChild(visit);
  };
  visit(file);
  let text = "";
  let from = 0;
  for (const { at, removed, prefix } of edits.sort((a, b) => a.at - b.at)) {
    text += source.slice(from, at) + prefix;
    from = at + removed;
  }
  return text + source.slice(from);
}

/** `words.name`. */
function isWord(node: ts.Node): node is ts.PropertyAccessExpression {
  return ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "words";
}

/** The words of `const english = { ... } as const`; what lies inside one of them has names that are looked up. */
function englishWords(node: ts.Node): readonly ts.ObjectLiteralElementLike[] {
  if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name) || node.name.text !== "english") return [];
  const { initializer } = node;
  const value = initializer !== undefined && ts.isAsExpression(initializer) ? initializer.expression : initializer;
  return value !== undefined && ts.isObjectLiteralExpression(value) ? [...value.properties] : [];
}
