import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";
import { english } from "../../panel/strings.ts";
import { type BuiltPanel, buildPanel, totalOf } from "../../scripts/build-panel.ts";
import { START_CEILING_BYTES, TOTAL_CEILING_BYTES } from "../../webpack.config.js";
import { temporaryFolder } from "../temporary-folder.ts";

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

let folder = "";

/** The panel's style sheets, in the order of its page. */
async function styles(): Promise<string> {
  const sheets = ["controls.css", "views.css"].map((name) => readFile(join(folder, name), "utf8"));
  return (await Promise.all(sheets)).join("\n");
}

/** The script that the page loads. */
let script = "";
/** All scripts in one text. */
let everything = "";
let sizes: BuiltPanel["scripts"] = {};
let trees: readonly ts.SourceFile[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
  ({ scripts: sizes } = await buildPanel(folder));
  const texts = await Promise.all(Object.keys(sizes).map((name) => readFile(join(folder, name), "utf8")));
  script = await readFile(join(folder, "index.js"), "utf8");
  everything = texts.join("\n");
  trees = texts.map((text) => ts.createSourceFile("a.js", text, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS));
}, 120_000);

function nodes(): ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node) => {
    found.push(node);
    ts.forEachChild(node, visit);
  };
  trees.forEach(visit);
  return found;
}

/** Names that stand for themselves: neither members of something nor keys of an object. */
function freeNames(): Set<string> {
  const names = nodes()
    .filter(ts.isIdentifier)
    .filter((node) => {
      const { parent } = node;
      if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
      if (ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent) || ts.isAccessor(parent))
        return parent.name !== node;
      return !(ts.isBindingElement(parent) && parent.propertyName === node);
    });
  return new Set(names.map((node) => node.text));
}

describe("the scripts", () => {
  test("are the one that the page loads and the one that it reads, within what the build accepts", () => {
    expect(Object.keys(sizes).sort()).toEqual(["index.js", "work.js"]);
    expect(sizes["index.js"]).toBeLessThanOrEqual(START_CEILING_BYTES);
    expect(totalOf(sizes)).toBeLessThanOrEqual(TOTAL_CEILING_BYTES);
  });

  test("hold readers of texts, the client and checks in the second, which the first view does not need", () => {
    for (const word of ["FCM", "multipart/form-data", "cue-overlap"]) {
      expect(everything).toContain(word);
      expect(script).not.toContain(word);
    }
  });

  test("hold none of the words that are read from their file", () => {
    const sentences = JSON.stringify(english).match(/(?<=":")[^"{]{40,}(?=")/g) ?? [];
    expect(sentences.length).toBeGreaterThan(100);
    expect(sentences.filter((sentence) => everything.includes(sentence))).toEqual([]);
  });

  test("use no global that UXP lacks, and compile no strings", () => {
    const used = [...freeNames()].filter((name) => GLOBALS_LACKING.has(name));
    expect(used).toEqual([]);
    expect(everything).not.toMatch(/\.subtle\b|\.innerHTML\b|\.outerHTML\b|document\.write/);
  });

  test("are in ECMAScript 2020, without its modules", () => {
    const newer = nodes().filter((node) => {
      if (ts.isPrivateIdentifier(node) || ts.isPropertyDeclaration(node) || ts.isClassStaticBlockDeclaration(node))
        return true;
      if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isMetaProperty(node))
        return node.getText() !== "new.target";
      const { QuestionQuestionEqualsToken, BarBarEqualsToken, AmpersandAmpersandEqualsToken } = ts.SyntaxKind;
      return [QuestionQuestionEqualsToken, BarBarEqualsToken, AmpersandAmpersandEqualsToken].includes(node.kind);
    });
    expect(newer.map((node) => node.getText().slice(0, 60))).toEqual([]);
    expect(nodes().some((node) => node.kind === ts.SyntaxKind.ImportKeyword)).toBe(false);
  });

  test("ask for no other modules than the host has, and one beside the first, by its path with its ending", () => {
    const asked = [...everything.matchAll(/(?<!\.)\brequire\(([^)]*)/g)].map(([, name = ""]) => name);
    const [own, ...hosts] = asked.sort();
    expect(hosts).toEqual(['"fs"', '"os"', '"premierepro"', '"uxp"']);
    // The bundler puts the name together: its number and what follows are all that is added.
    expect(own).toMatch(/^"\.\/"\+\w+\.u\(\w+$/);
    expect(script).toMatch(/\.u=\w+=>(?:"work\.js"|"work"\+"\.js"|\w+\+"\.js")/);
  });

  test("set the entry points up while the first is read, once, and raise nothing when the host fails them", async () => {
    const setups: { panels: Record<string, Record<string, (given: unknown) => unknown>> }[] = [];
    const root = { textContent: "", isConnected: true };
    const broken = new Proxy({}, { get: () => undefined });
    const modules: Record<string, unknown> = {
      uxp: { entrypoints: { setup: (entries: (typeof setups)[number]) => setups.push(entries) } },
    };
    const context = {
      require: (name: string) => modules[name] ?? broken,
      document: { getElementById: () => root },
      window: { addEventListener: () => undefined },
    };
    runInNewContext(script, context);
    expect(setups).toHaveLength(1);
    const hooks = setups[0]?.panels["aside"] ?? {};
    for (const name of ["create", "show", "show"]) hooks[name]?.({});
    await expect.poll(() => root.textContent).toMatch(/^Aside could not start/);
    for (const name of ["hide", "destroy"]) hooks[name]?.({});
  });

  test("say what to do when the words are not there", async () => {
    const root = { textContent: "", isConnected: true };
    const hooks: Record<string, (given: unknown) => unknown> = {};
    const setup = ({ panels }: { panels: { aside: object } }) => Object.assign(hooks, panels.aside);
    const uxp = { entrypoints: { setup }, storage: {}, versions: {}, host: {} };
    const readFile = () => Promise.reject(new Error("no such file"));
    const modules: Record<string, unknown> = {
      uxp,
      fs: { readFile },
      os: { platform: () => "darwin" },
      premierepro: {},
    };
    runInNewContext(script, {
      require: (name: string) => modules[name],
      document: { getElementById: () => root },
      window: { addEventListener: () => undefined },
      XMLHttpRequest: class {},
    });
    hooks["show"]?.({});
    await expect.poll(() => root.textContent).toMatch(/strings\/en\.json cannot be read\. Install Aside again\./);
  });
});

describe("the page", () => {
  test("holds only elements and attributes that UXP knows, and one script", async () => {
    const html = await readFile(join(folder, "index.html"), "utf8");
    const names = [...html.matchAll(/<([a-z][\w-]*)/g)].map(([, name]) => name ?? "");
    expect(names.filter((name) => !HTML_ELEMENTS.has(name))).toEqual([]);
    expect(html).not.toMatch(/\s(?:on\w+|hidden|style|type="module"|aria-\w+)\b/);
    expect(names.filter((name) => name === "script")).toHaveLength(1);
  });

  test("is styled with what UXP has", async () => {
    const css = (await styles()).replace(/\/\*[\s\S]*?\*\//g, "");
    expect(CSS_LACKS.filter((lack) => lack.test(css)).map(String)).toEqual([]);
    // A style's height of rows is also the script's.
    expect(css).toMatch(/\.cue \{\s*height: 44px/);
    expect(css).toMatch(/\.cue\.open \{\s*height: 268px/);
  });

  test("has text and ground of every theme at a contrast of 4.5 and more", async () => {
    const css = await styles();
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
