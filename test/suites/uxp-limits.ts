import ts from "typescript";
import { describe, expect, test } from "vitest";
import { CUE_HEIGHTS, SAID_HEIGHT } from "../../panel/state/script-rows.ts";

/** Elements that UXP has a class for or draws as a box, as far as the page may use them (`premiere-uxp.md` 5.1). */
const HTML_ELEMENTS = new Set(["html", "head", "meta", "title", "link", "body", "div", "script"]);

/** What UXP lacks of CSS (`premiere-uxp.md` 5.1). */
const CSS_LACKS = [
  /\bgrid\b/,
  /\bfloat\s*:/,
  /(?:^|[\s;{])(?:row-|column-)?gap\s*:/,
  /\b(?:transition|animation)[\w-]*\s*:/,
  /@(?:keyframes|font-face|container|import|layer|supports)/,
  /position\s*:\s*(?:sticky|fixed)/,
  /(?:^|[\s;{])font\s*:/,
  /text-transform\s*:/,
  /:(?:focus-visible|focus-within|is|where|has)\b/,
  /prefers-(?:color-scheme|reduced-motion)/,
  /\binset\s*:/,
  /--uxp-host/,
];

/** Globals that UXP lacks, has in some builds only, or does not document (`premiere-uxp.md` 4.1). */
const GLOBALS_LACKING = new Set([
  "eval",
  "Function",
  "TextEncoder",
  "TextDecoder",
  "structuredClone",
  "queueMicrotask",
  "MutationObserver",
  "requestAnimationFrame",
  "requestIdleCallback",
  "matchMedia",
  "getComputedStyle",
  "performance",
  "btoa",
  "atob",
  "EventSource",
  "Worker",
  "indexedDB",
  "localStorage",
  "sessionStorage",
  "Buffer",
  "process",
  "URL",
  "WebAssembly",
  "alert",
  "confirm",
  "prompt",
]);

/** The scripts of the direct package, in the order of its page. */
const SCRIPTS = ["start.js", "index.js", "diagnostics.js"];

function nodesIn(code: string): readonly ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node) => {
    found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("a.js", code, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS));
  return found;
}

/** Names that stand for themselves: neither members of something nor keys of an object. */
function freeNames(nodes: readonly ts.Node[]): Set<string> {
  const names = nodes.filter(ts.isIdentifier).filter((node) => {
    const { parent } = node;
    if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
    if (ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent) || ts.isAccessor(parent))
      return parent.name !== node;
    return !(ts.isBindingElement(parent) && parent.propertyName === node);
  });
  return new Set(names.map((node) => node.text));
}

/**
 * What the panel that is handed out directly keeps to, because UXP is no browser.
 *
 * @param files Its files by their names, made small or not, complete when the tests begin.
 * @param unused Globals that stand in code which nobody calls, and which goes when it is made small.
 */
export function uxpLimitsSuite(files: Readonly<Record<string, Uint8Array>>, unused: readonly string[] = []): void {
  const textOf = (name: string) => Buffer.from(files[name] ?? []).toString();
  /** The panel's style sheets, in the order of its page. */
  const styles = () => ["controls.css", "views.css"].map(textOf).join("\n");
  /** Each script is parsed once. */
  const parsed = new Map<string, readonly ts.Node[]>();
  const nodesOf = (name: string) => {
    const nodes = parsed.get(name) ?? nodesIn(textOf(name));
    parsed.set(name, nodes);
    return nodes;
  };

  describe("the script", () => {
    test("is one, with a small one before it and one of tools behind it", () => {
      const scripts = Object.keys(files).filter((name) => name.endsWith(".js"));
      expect(scripts.sort()).toEqual([...SCRIPTS].sort());
    });

    test.each(SCRIPTS)("%s uses no global that UXP lacks, and compiles no strings", (name) => {
      const used = [...freeNames(nodesOf(name))].filter((global) => GLOBALS_LACKING.has(global));
      expect(used.filter((global) => !unused.includes(global))).toEqual([]);
      const code = textOf(name);
      expect(code).not.toMatch(/\.subtle\b|\.innerHTML\b|\.outerHTML\b|document\.write/);
    });

    test.each(SCRIPTS)("%s is in ECMAScript 2020, without its modules", (name) => {
      const nodes = nodesOf(name);
      const newer = nodes.filter((node) => {
        if (ts.isPrivateIdentifier(node) || ts.isPropertyDeclaration(node) || ts.isClassStaticBlockDeclaration(node))
          return true;
        if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isMetaProperty(node))
          return node.getText() !== "new.target";
        const { QuestionQuestionEqualsToken, BarBarEqualsToken, AmpersandAmpersandEqualsToken } = ts.SyntaxKind;
        return [QuestionQuestionEqualsToken, BarBarEqualsToken, AmpersandAmpersandEqualsToken].includes(node.kind);
      });
      expect(newer.map((node) => node.getText().slice(0, 60))).toEqual([]);
      expect(nodes.some((node) => node.kind === ts.SyntaxKind.ImportKeyword)).toBe(false);
    });

    test("asks for no other modules than the host has", () => {
      const asked = new Set(
        [...textOf("index.js").matchAll(/(?<!\.)\brequire\(([^)]*)/g)].map(([, name = ""]) => name),
      );
      expect([...asked].sort()).toEqual(['"fs"', '"os"', '"premierepro"', '"uxp"']);
    });
  });

  test("it asks for the permissions it needs and no others", () => {
    expect(Object.keys(JSON.parse(textOf("manifest.json")).requiredPermissions)).toEqual([
      "network",
      "localFileSystem",
      "clipboard",
      "launchProcess",
    ]);
  });

  test("it brings nothing that reads schemas: it takes constants of the contract alone", () => {
    expect(textOf("NOTICES.txt")).not.toMatch(/\bzod\b/i);
  });

  describe("the page", () => {
    test("holds only elements and attributes that UXP knows, and its scripts in order", () => {
      const html = textOf("index.html");
      const names = [...html.matchAll(/<([a-z][\w-]*)/g)].map(([, name]) => name ?? "");
      expect(names.filter((name) => !HTML_ELEMENTS.has(name))).toEqual([]);
      expect(html).not.toMatch(/\s(?:on\w+|hidden|style|type="module"|aria-\w+)\b/);
      expect([...html.matchAll(/<script src="([^"]+)">/g)].map(([, name]) => name)).toEqual(SCRIPTS);
      // Words are there before the large scripts are read, and the first script before all else.
      expect(html).toContain(">Aside is starting…</div>");
      expect(html.indexOf("start.js")).toBeLessThan(html.indexOf("<body"));
    });

    test("is styled with what UXP has", () => {
      const css = styles().replace(/\/\*[\s\S]*?\*\//g, "");
      expect(CSS_LACKS.filter((lack) => lack.test(css)).map(String)).toEqual([]);
      // A style's height of rows is also the script's.
      expect(css).toMatch(new RegExp(`\n\\.cue \\{[^}]*\\bheight: ${CUE_HEIGHTS.narrow}px`));
      for (const layout of ["wide", "slim"] as const)
        expect(css).toMatch(new RegExp(`\\.${layout} \\.cue \\{[^}]*\\bheight: ${CUE_HEIGHTS[layout]}px`));
      expect(css).toMatch(new RegExp(`\\.said \\{[^}]*\\bheight: ${SAID_HEIGHT}px`));
    });

    test("has text and ground of every theme at a contrast of 4.5 and more", () => {
      const css = styles();
      for (const [, theme, body] of css.matchAll(/\.theme-(\w+) \{([^}]*)\}/g)) {
        const colours = Object.fromEntries(
          [...(body ?? "").matchAll(/--([\w-]+): (#\w{6})/g)].map(([, name, value]) => [name, value]),
        );
        const pairs = [
          ...["text", "quiet", "warning", "fault"].flatMap((name) => [
            [name, "ground"],
            [name, "raised"],
          ]),
          ["text", "field"],
          ["accent-text", "accent"],
        ];
        for (const [front = "", back = ""] of pairs) {
          const ratio = contrast(colours[front] ?? "", colours[back] ?? "");
          expect(ratio, `${theme}: ${front} on ${back}`).toBeGreaterThanOrEqual(4.5);
        }
      }
    });
  });
}

/** Contrast of two colours, 1 to 21 (WCAG 2, 1.4.3). */
function contrast(a: string, b: string): number {
  const [bright = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (bright + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
