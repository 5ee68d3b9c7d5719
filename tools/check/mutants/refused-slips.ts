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
    const expression = nodeAt(file, start, end, awaitedFrom);
    if (expression === undefined) return false;
    const type = checker.getTypeAtLocation(expression);
    const isPromise = (type.isUnion() ? type.types : [type]).some((one) => one.getProperty("then") !== undefined);
    return isPromise && !isCaught(expression);
  };

  /** Whether arguments the other way round do not compile. */
  const isOfOtherTypes = (file: ts.SourceFile, start: number, end: number): boolean => {
    const call = nodeAt(file, start, end, callFrom);
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

/** What is found around two characters, looking from the outermost node inwards. */
function nodeAt<Found>(
  node: ts.Node,
  start: number,
  end: number,
  find: (node: ts.Node, start: number, end: number) => Found | undefined,
): Found | undefined {
  const inside = (child: ts.Node) =>
    child.getFullStart() <= start && child.getEnd() >= end ? nodeAt(child, start, end, find) : undefined;
  return find(node, start, end) ?? ts.forEachChild(node, inside);
}

/** What is waited for from one character to another. */
function awaitedFrom(node: ts.Node, start: number, end: number): ts.Expression | undefined {
  const isIt = ts.isAwaitExpression(node) && node.getStart() === start && node.getEnd() === end;
  return isIt ? node.expression : undefined;
}

/** The call whose first two arguments begin and end at some characters. */
function callFrom(node: ts.Node, start: number, end: number): ts.CallExpression | undefined {
  if (!ts.isCallExpression(node)) return undefined;
  const [first, second] = node.arguments;
  return first?.getStart() === start && second?.getEnd() === end ? node : undefined;
}
