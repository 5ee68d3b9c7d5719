import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

const PROJECT = new URL("../../../", import.meta.url);

/** The module that the page begins with. */
const ENTRY = new URL("page/main.ts", PROJECT);

/** Style sheets of the page: the panel's own, and what the page adds. */
const STYLES = ["panel/controls.css", "panel/views.css", "page/page.css"].map((path) => new URL(path, PROJECT));

/** What a module says of others, once its types are gone. */
const IMPORTS = /^((?:import|export)\b[^"';]*?\bfrom\s*|import\s*)"([^"]+)"(?:\s*with\s*\{[^}]*\})?/gm;

/** A file that the page loads, as it is sent. */
interface PageFile {
  readonly contentType: string;
  readonly text: string;
}

/** Everything that the page loads. */
export interface PageModules {
  /** Digest of all of it: part of its addresses, so that a browser may keep what it has. */
  readonly digest: string;
  /** By path below the project's folder. The entry comes first. */
  readonly files: ReadonlyMap<string, PageFile>;
}

let read: Promise<PageModules> | null = null;

/**
 * Reads the page's modules: the project's own TypeScript, its types taken away and nothing else changed, and the few modules
 * of packages that these import. Read once in the life of a process; no other file of the project is ever sent.
 */
export function pageModules(): Promise<PageModules> {
  read ??= readModules();
  read.catch(() => {
    read = null;
  });
  return read;
}

/** The style sheets, in the order in which they count. */
export const PAGE_STYLES: readonly string[] = STYLES.map(pathOf);

async function readModules(): Promise<PageModules> {
  const files = new Map<string, PageFile>();
  const waiting = [ENTRY];
  for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
    if (files.has(pathOf(url))) continue;
    const { text, imported } = moduleOf(url, await readFile(url, "utf8"));
    files.set(pathOf(url), { contentType: "text/javascript; charset=utf-8", text });
    waiting.push(...imported);
  }
  for (const url of STYLES) {
    files.set(pathOf(url), { contentType: "text/css; charset=utf-8", text: await readFile(url, "utf8") });
  }
  const hash = createHash("sha256");
  for (const [path, { text }] of [...files].sort()) hash.update(`${path}\0${text}\0`);
  return { digest: hash.digest("hex").slice(0, 16), files };
}

/** A module as a browser takes it: packages are imported by where they stand, and data is a module like any other. */
function moduleOf(url: URL, source: string): { readonly text: string; readonly imported: readonly URL[] } {
  if (url.pathname.endsWith(".json")) return { text: `export default ${source.trim()};\n`, imported: [] };
  const imported: URL[] = [];
  const plain = url.pathname.endsWith(".ts") ? withoutTypes(source) : source;
  const text = plain.replace(IMPORTS, (_all, before: string, name: string) => {
    const target = new URL(name.startsWith(".") ? new URL(name, url) : import.meta.resolve(name));
    imported.push(target);
    const from = relative(fileURLToPath(new URL(".", url)), fileURLToPath(target)).replaceAll("\\", "/");
    return `${before}"${from.startsWith(".") ? from : `./${from}`}"`;
  });
  return { text, imported };
}

/** Node warns once that this function may change; whoever runs the service can do nothing about it. */
function withoutTypes(source: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}

function pathOf(url: URL): string {
  return relative(fileURLToPath(PROJECT), fileURLToPath(url)).replaceAll("\\", "/");
}
