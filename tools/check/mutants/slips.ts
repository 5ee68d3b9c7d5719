import ts from "typescript";

/** What kind of mistake a slip is; each is one that the library of mutants lacks. */
export type SlipKind =
  | "clock"
  | "unit"
  | "boundary"
  | "first for any"
  | "clean-up"
  | "durability"
  | "identity"
  | "missing await"
  | "released lock"
  | "swapped arguments";

/** One mistake, as a tired developer makes it: a stretch of a source and what stands there instead. */
export interface Slip {
  readonly kind: SlipKind;
  /** Where the stretch begins and ends, in characters. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** Line of its begin, counted from 1. */
  readonly line: number;
}

/** Calls that put something away: without them something is left, or goes on. */
const PUTS_AWAY =
  /^(?:rm|rmdir|unlink|close|abort|clear\w*|dispose|release|end|destroy|remove\w*|delete\w*|off|unsubscribe|kill|stop|cancel|discard\w*|forget\w*)$/;

/** Calls after which what was written outlives a power cut. */
const KEEPS = /^(?:sync|fsync|datasync|flush|sync[A-Z]\w*|flush[A-Z]\w*)$/;

/** Calls that let one in at a time. */
const LOCKS = /(?:lock|exclusive|serial|oneAtATime|inTurn|transaction)/i;

/** Calls that hand each element to a function. */
const EACH = new Set(["map", "flatMap", "forEach"]);

/** What the last factor of a unit becomes when it is forgotten or taken for its neighbour. */
const UNITS: Readonly<Record<string, string>> = {
  "1000": "1",
  "1_000": "1",
  "60": "1",
  "24": "1",
  "3600": "60",
  "3_600": "60",
  "3_600_000": "60_000",
  "60_000": "1_000",
  "86_400": "3_600",
  "86_400_000": "3_600_000",
  "1024": "1",
  "1e3": "1",
  "1e6": "1e3",
};

/**
 * Every slip that a source has room for, in its order. What is only declared (types, imports) has none; text for people has none.
 *
 * @param source - A file of TypeScript.
 * @param isWanted - Whether a line, counted from 1, is of interest.
 */
export function slipsOf(source: string, isWanted: (line: number) => boolean = () => true): readonly Slip[] {
  const file = ts.createSourceFile("source.ts", source, ts.ScriptTarget.Latest, true);
  const slips: Slip[] = [];
  const add = (kind: SlipKind, node: { getStart(): number; getEnd(): number }, replacement: string) => {
    const start = node.getStart();
    const line = file.getLineAndCharacterOfPosition(start).line + 1;
    const isOther = source.slice(start, node.getEnd()) !== replacement;
    if (isOther && isWanted(line)) slips.push({ kind, start, end: node.getEnd(), replacement, line });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    if (ts.isTypeAliasDeclaration(node)) return;
    slip(node, add);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return slips;
}

type Add = (kind: SlipKind, node: { getStart(): number; getEnd(): number }, replacement: string) => void;

function slip(node: ts.Node, add: Add): void {
  if (ts.isNumericLiteral(node)) ofNumber(node, add);
  else if (ts.isCallExpression(node)) ofCall(node, add);
  else if (ts.isForOfStatement(node)) ofLoop(node, add);
  else if (ts.isAwaitExpression(node) && ts.isExpressionStatement(node.parent)) {
    add("missing await", node, node.expression.getText());
  } else if (ts.isTryStatement(node) && node.finallyBlock !== undefined) add("clean-up", node.finallyBlock, "{}");
  else if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) ofQuery(node, add);
}

/** A factor of a unit, else a limit that is one off. Numbers below 2 are indexes and signs, which the library's own slips concern. */
function ofNumber(node: ts.NumericLiteral, add: Add): void {
  const text = node.getText();
  const { parent } = node;
  const isFactor =
    ts.isBinaryExpression(parent) &&
    [ts.SyntaxKind.AsteriskToken, ts.SyntaxKind.SlashToken].includes(parent.operatorToken.kind);
  const unit = UNITS[text];
  if (unit !== undefined && (isFactor || text.includes("000"))) {
    add("unit", node, unit);
    return;
  }
  const value = Number(text.replaceAll("_", ""));
  const isStep = ts.isBinaryExpression(parent) || ts.isVariableDeclaration(parent);
  if (isStep && Number.isInteger(value) && value >= 2 && !isFactor) add("boundary", node, String(value + 1));
}

function ofCall(node: ts.CallExpression, add: Add): void {
  const { expression: called, arguments: given } = node;
  const name = ts.isPropertyAccessExpression(called) ? called.name.text : called.getText();
  const [first, second] = given;
  if (name === "now" && given.length === 0) add("clock", node, "0");
  if (name === "sleep" && first !== undefined) add("clock", first, "0");
  const isStatement =
    ts.isExpressionStatement(node.parent) ||
    (ts.isAwaitExpression(node.parent) && ts.isExpressionStatement(node.parent.parent));
  if (isStatement && KEEPS.test(name)) add("durability", node, "undefined");
  else if (isStatement && PUTS_AWAY.test(name)) add("clean-up", node, "undefined");
  if (ts.isPropertyAccessExpression(called)) {
    const list = called.expression.getText();
    if (EACH.has(name) && !/^(?:Object|Array|Promise|this)$/.test(list)) {
      add("first for any", called.expression, `[...${list}].slice(0, 1)`);
    }
    if (name === "find") add("first for any", node, `[...${list}][0]`);
    if (name === "filter" || name === "some") add("first for any", called.expression, `[...${list}].slice(0, 1)`);
  }
  const work = given.find((one) => ts.isArrowFunction(one) && one.parameters.length === 0);
  if (LOCKS.test(name) && work !== undefined) add("released lock", node, `(${work.getText()})()`);
  const isEitherWay = /^(?:Math\.(?:max|min)|isSame\w*)$/.test(called.getText());
  if (first !== undefined && second !== undefined && !isEitherWay && isPlain(first) && isPlain(second)) {
    const both = { getStart: () => first.getStart(), getEnd: () => second.getEnd() };
    add("swapped arguments", both, `${second.getText()}, ${first.getText()}`);
  }
}

/** A name, or a member of one: what is easily taken for its neighbour. */
function isPlain(node: ts.Node): boolean {
  return ts.isIdentifier(node) || (ts.isPropertyAccessExpression(node) && isPlain(node.expression));
}

/** A loop that ends with its first element. */
function ofLoop({ statement }: ts.ForOfStatement, add: Add): void {
  const body = statement.getText();
  add("first for any", statement, ts.isBlock(statement) ? `${body.slice(0, -1)};break;}` : `{${body};break;}`);
}

/** A condition of a query that holds for everybody. */
const OWNED = /\b(\w*(?:team|key|job|media|owner|state|status)\w*) = (\$\d+)/;

function ofQuery(node: ts.StringLiteralLike, add: Add): void {
  const text = node.getText();
  const found = /\b(?:WHERE|AND)\b/.test(text) ? OWNED.exec(text) : null;
  if (found === null) return;
  add("identity", node, text.replace(found[0], `(${found[0]} OR TRUE)`));
}

/** A source with one slip in it. */
export function slipped(source: string, { start, end, replacement }: Slip): string {
  return source.slice(0, start) + replacement + source.slice(end);
}
