import ts from "typescript";
import type { Slip } from "./slips.ts";

/** What tells whether `npm run check` refuses a slip by its types: whoever makes it sees it underlined, and it needs no test. */
export interface RefusedSlips {
  /**
   * Whether a slip in a source is refused: by the compiler, of swapped arguments; by the rule that a promise is waited for, of
   * a missing `await`. Others are not asked about: nearly all of them compile.
   */
  has(path: string, slip: Slip): boolean;
}

/**
 * Reads the types of some sources, which takes seconds.
 *
 * @param root - Folder of the project.
 * @param paths - The sources, from there.
 */
export function refusedSlips(root: string, paths: readonly string[]): RefusedSlips {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const whole = (path: string) => `${root}${path}`;
  // What the panel's host provides is declared in files that nothing imports.
  const declared = ts.sys.readDirectory(`${root}src`, [".d.ts"]);
  const program = ts.createProgram([...paths.map(whole), ...declared], options);
  const checker = program.getTypeChecker();

  /** Whether what is waited for is a promise that nothing else looks after, in whichever way it may end. */
  const isUnwatched = (file: ts.SourceFile, start: number, end: number): boolean => {
    const expression = awaitedAt(file, start, end);
    if (expression === undefined) return false;
    const type = checker.getTypeAtLocation(expression);
    const isPromise = (type.isUnion() ? type.types : [type]).some((one) => one.getProperty("then") !== undefined);
    return isPromise && !isCaught(expression);
  };

  /** Whether arguments the other way round do not compile. */
  const isOfOtherTypes = (file: ts.SourceFile, start: number, end: number): boolean => {
    const call = callWith(file, start, end);
    const [first, second] = call?.arguments ?? [];
    const signature = call && checker.getResolvedSignature(call);
    const [one, other] = signature?.getParameters() ?? [];
    if (!(call && first && second && one && other)) return false;
    const isTaken = (argument: ts.Expression, parameter: ts.Symbol) =>
      checker.isTypeAssignableTo(
        checker.getTypeAtLocation(argument),
        checker.getTypeOfSymbolAtLocation(parameter, call),
      );
    return !(isTaken(second, one) && isTaken(first, other));
  };

  return {
    has(path, { kind, start, end }) {
      const file = program.getSourceFile(whole(path));
      if (file === undefined) return false;
      if (kind === "missing await") return isUnwatched(file, start, end);
      return kind === "swapped arguments" && isOfOtherTypes(file, start, end);
    },
  };
}

/** Whether a promise's failure is looked after: `.catch(…)`, or a second function of `.then(…)`. */
function isCaught(expression: ts.Expression): boolean {
  if (!ts.isCallExpression(expression) || !ts.isPropertyAccessExpression(expression.expression)) return false;
  const { name, expression: before } = expression.expression;
  if (name.text === "finally") return isCaught(before);
  return name.text === "catch" || (name.text === "then" && expression.arguments.length > 1);
}

/** What is waited for between two characters. */
function awaitedAt(node: ts.Node, start: number, end: number): ts.Expression | undefined {
  if (ts.isAwaitExpression(node) && node.getStart() === start && node.getEnd() === end) return node.expression;
  return ts.forEachChild(node, (child) =>
    child.getFullStart() <= start && child.getEnd() >= end ? awaitedAt(child, start, end) : undefined,
  );
}

/** The call whose first two arguments begin and end at some characters. */
function callWith(node: ts.Node, start: number, end: number): ts.CallExpression | undefined {
  if (ts.isCallExpression(node)) {
    const [first, second] = node.arguments;
    if (first?.getStart() === start && second?.getEnd() === end) return node;
  }
  return ts.forEachChild(node, (child) =>
    child.getFullStart() <= start && child.getEnd() >= end ? callWith(child, start, end) : undefined,
  );
}
