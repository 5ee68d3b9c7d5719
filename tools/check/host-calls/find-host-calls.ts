import { relative, resolve } from "node:path";
import ts from "typescript";

/** A member of the host that the panel's code uses. */
export interface HostCall {
  /** As its owner declares it: `Project.importFiles`, `fs.read`, `event click`, `element button`. */
  readonly name: string;
  /** Files that use it, by their place in the project, sorted. */
  readonly files: readonly string[];
}

/** Whose code is walked: the adapters and the panel itself. */
const WALKED = /^(?:src\/host\/(?:premiere|uxp)|panel(?!\/(?:build|preview)\/))\/.*(?<!\.d)\.ts$/;

/** Where the host's members are declared: by the vendor, and in the types of our own that stand for its modules. */
const VENDOR = /node_modules\/@adobe\/(?:premierepro|cc-ext-uxp-types)\//;
const STAND_INS = /^(?:src\/host\/uxp\/runtime|panel\/document\/dom|panel\/ambient\.d)\.ts$/;

/** What an owner of {@link STAND_INS} is called by its host; those that are no part of the host have no name. */
const OWNERS: Readonly<Record<string, string | null>> = {
  UxpRuntime: null,
  // Put in by the build.
  PANEL_VERSION: null,
  PANEL_IS_DIRECT: null,
  premierepro: "",
  OS: "",
  uxp: "",
  EntryPoints: "entrypoints",
  Versions: "versions",
  Host: "host",
  Document: "document",
  UxpFs: "fs",
  UxpStorage: "localFileSystem",
  UxpEntry: "Entry",
  UxpFolder: "Folder",
  UxpShell: "shell",
  UxpSecureStorage: "secureStorage",
  UxpRequest: "XMLHttpRequest",
  UxpRequestConstructor: "XMLHttpRequest",
  UxpHost: "host",
  PanelDocument: "document",
  PanelNode: "Node",
  PanelElement: "Element",
  PanelEvent: "Event",
};

/**
 * Every member of Premiere, of UXP and of its document that the panel's code uses, by the compiler's own reading of it: what is
 * called, read, written, constructed or taken apart, the events that are listened to and the elements that are drawn.
 *
 * @param project The project's folder.
 */
export function findHostCalls(project: string): readonly HostCall[] {
  const { config } = ts.readConfigFile(resolve(project, "panel/tsconfig.json"), ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, resolve(project, "panel"));
  const program = ts.createProgram(fileNames, { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  const found = new Map<string, Set<string>>();
  for (const source of program.getSourceFiles()) {
    const file = relative(project, source.fileName).replaceAll("\\", "/");
    if (!WALKED.test(file)) continue;
    const visit = (node: ts.Node): void => {
      if (ts.isTypeNode(node)) return;
      for (const name of namesOf(node, checker, project)) found.set(name, (found.get(name) ?? new Set()).add(file));
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  // On the way to a member its owner is named too.
  const isOnTheWay = (name: string) => [...found.keys()].some((other) => other.startsWith(`${name}.`));
  return [...found]
    .filter(([name]) => !isOnTheWay(name))
    .map(([name, files]) => ({ name, files: [...files].sort() }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What of the host a node of the code uses. */
function namesOf(node: ts.Node, checker: ts.TypeChecker, project: string): string[] {
  const symbols = [...symbolsOf(node, checker)];
  return [...new Set([...symbols.flatMap((symbol) => memberNames(symbol, project)), ...spokenOf(node, checker)])];
}

function* symbolsOf(node: ts.Node, checker: ts.TypeChecker): Generator<ts.Symbol> {
  if (ts.isPropertyAccessExpression(node)) yield* known(checker.getSymbolAtLocation(node.name));
  else if (ts.isNewExpression(node)) {
    const signature = checker.getResolvedSignature(node);
    if (signature?.declaration !== undefined && ts.isConstructSignatureDeclaration(signature.declaration)) {
      yield* known(checker.getTypeAtLocation(signature.declaration.parent).getSymbol());
    }
  } else if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
    const name = node.propertyName ?? node.name;
    // What is taken out of a value, whatever the pattern says of its type.
    const { initializer } = ts.isVariableDeclaration(node.parent.parent) ? node.parent.parent : {};
    const types = [node.parent, ...(initializer === undefined ? [] : [initializer])].map((one) =>
      checker.getTypeAtLocation(one),
    );
    if (ts.isIdentifier(name)) yield* types.flatMap(partsOf).flatMap((part) => known(part.getProperty(name.text)));
  } else if (ts.isIdentifier(node) && isReference(node)) {
    const symbol = checker.getSymbolAtLocation(node);
    // A global, not a name of our own.
    if (symbol?.declarations?.some((one) => isGlobal(one)) === true) yield symbol;
  } else if (ts.isElementAccessExpression(node)) {
    // A member by one of several names: each counts.
    const keys = partsOf(checker.getTypeAtLocation(node.argumentExpression));
    const type = checker.getTypeAtLocation(node.expression);
    for (const key of keys) if (key.isStringLiteral()) yield* known(type.getProperty(key.value));
  }
}

function known(symbol: ts.Symbol | undefined): ts.Symbol[] {
  return symbol === undefined ? [] : [symbol];
}

function partsOf(type: ts.Type): readonly ts.Type[] {
  return type.isUnionOrIntersection() ? type.types : [type];
}

function isReference(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  return !ts.isDeclarationStatement(parent) && !ts.isTypeNode(parent) && !ts.isBindingElement(parent);
}

function isGlobal(declaration: ts.Declaration): boolean {
  const isValue =
    ts.isVariableDeclaration(declaration) ||
    ts.isFunctionDeclaration(declaration) ||
    ts.isClassDeclaration(declaration);
  return isValue && declaration.getSourceFile().isDeclarationFile;
}

/** A member by its owners' names; nothing for what is declared elsewhere. */
function memberNames(symbol: ts.Symbol, project: string): string[] {
  return (symbol.declarations ?? []).flatMap((declaration) => {
    if (!isOfHost(declaration, project)) return [];
    if (ts.isInterfaceDeclaration(declaration)) return [`new ${OWNERS[symbol.name] ?? symbol.name}`];
    const owner = OWNERS[symbol.name] === null ? null : ownerOf(declaration);
    if (owner === null) return [];
    return [owner === "" ? symbol.name : `${owner}.${symbol.name}`];
  });
}

function isOfHost(declaration: ts.Declaration, project: string): boolean {
  const path = declaration.getSourceFile().fileName.replaceAll("\\", "/");
  return VENDOR.test(path) || STAND_INS.test(relative(project, path).replaceAll("\\", "/"));
}

/** What holds a member, as its host calls it; "" for a global, `null` for what is no part of the host. */
function ownerOf(declaration: ts.Node): string | null {
  const names: string[] = [];
  for (let node = declaration.parent; node !== undefined && !ts.isSourceFile(node); node = node.parent) {
    if (ts.isTypeLiteralNode(node) || ts.isParameter(node)) continue;
    const name = (node as { readonly name?: ts.Node }).name
      ?.getText()
      .replace(/["']/g, "")
      .replace(/Static$/, "");
    if (name === undefined) continue;
    const called = name in OWNERS ? OWNERS[name] : name;
    if (called === null || called === undefined) return null;
    if (called !== "") names.unshift(called);
  }
  return names.join(".");
}

/** What is named by a text: events that are listened to, and elements that are drawn. */
function spokenOf(node: ts.Node, checker: ts.TypeChecker): string[] {
  if (ts.isCallExpression(node)) {
    const callee = ts.isPropertyAccessExpression(node.expression)
      ? node.expression.name.text
      : node.expression.getText();
    const kind =
      callee === "addEventListener" ? "event" : /^(?:element|createElement)$/.test(callee) ? "element" : null;
    const [first] = node.arguments;
    if (first === undefined || kind === null) return [];
    // One name, or one of several.
    const names = ts.isStringLiteral(first) ? [first.text] : partsOf(checker.getTypeAtLocation(first)).flatMap(textOf);
    return names.map((name) => `${kind} ${name}`);
  }
  if (!ts.isPropertyAssignment(node) || node.initializer.kind === ts.SyntaxKind.TrueKeyword) return [];
  const [, event] = /^on([a-z]+)$/.exec(node.name.getText()) ?? [];
  return event === undefined || !isOfElement(node) ? [] : [`event ${event}`];
}

function textOf(type: ts.Type): string[] {
  return type.isStringLiteral() ? [type.value] : [];
}

/** Whether a property is one of an element that is drawn. */
function isOfElement(node: ts.Node): boolean {
  for (let at: ts.Node | undefined = node.parent; at !== undefined; at = at.parent) {
    if (ts.isCallExpression(at)) return true;
    if (ts.isFunctionLike(at)) return false;
  }
  return false;
}
