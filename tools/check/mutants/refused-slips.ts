import ts from "typescript";
import type { Slip } from "./slips.ts";

/** What tells whether the compiler refuses a slip: whoever makes it sees it underlined, and it needs no test. */
export interface RefusedSlips {
  /** Whether a slip in a source does not compile. Swapped arguments alone are asked about: of the others nearly all compile. */
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

  const has = (path: string, { kind, start, end }: Slip): boolean => {
    const file = program.getSourceFile(whole(path));
    if (kind !== "swapped arguments" || file === undefined) return false;
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
  return { has };
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
