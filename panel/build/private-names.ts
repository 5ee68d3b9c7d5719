import ts from "typescript";

/** What a member is called by in place of its private name, for the minifier. */
export const PRIVATE_PREFIX = "_private_";

/**
 * A loader of webpack. Brought down to ECMAScript 2020, a private name becomes a map with a helper around every use, which is a
 * thirtieth of the whole script. Nobody but the type checker needs it private: it becomes a member with an ordinary name that the
 * minifier shortens.
 *
 * @param code A module of TypeScript.
 * @throws Error where a class with private names has a base, other than an error, that may have the same ones.
 */
// biome-ignore lint/style/noDefaultExport: webpack takes a loader by it
export default function withoutPrivateNames(code: string): string {
  const found: ts.PrivateIdentifier[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPrivateIdentifier(node)) {
      found.push(node);
      if (ts.isClassElement(node.parent)) refuseBase(node.parent.parent);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("module.ts", code, ts.ScriptTarget.ESNext, true));
  return found.reduceRight(
    (text, node) => text.slice(0, node.getStart()) + PRIVATE_PREFIX + node.text.slice(1) + text.slice(node.end),
    code,
  );
}

function refuseBase(parent: ts.Node): void {
  const clauses = ts.isClassLike(parent) ? (parent.heritageClauses ?? []) : [];
  const base = clauses.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword);
  if (base === undefined || /^extends \w*Error\b/.test(base.getText())) return;
  throw new Error(`A class with private names may share them with its base: ${base.getText()}.`);
}
