import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PROJECT = fileURLToPath(new URL("../../../", import.meta.url));

/** Where packages have the page ready, and `npm run build` puts it. */
const BUILT = "dist/page";

/** What makes a page of its sources, where these are there. */
const BUILDER = "tools/build/build.ts";

/** What the page is made of, in a checkout. */
const SOURCES = ["page", "panel", "src", "webpack.config.js"];

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".map": "application/json; charset=utf-8",
};

/** A file that the page loads. */
interface PageFile {
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** The page, and all that it loads: nothing else of the program is ever sent. */
export interface BuiltPage {
  readonly html: string;
  /** By name. Each holds a digest of what is in it, so that a browser may keep it for good. */
  readonly files: ReadonlyMap<string, PageFile>;
}

let held: { readonly project: string; readonly newestMs: number; readonly page: Promise<BuiltPage> } | null = null;

/**
 * The page as it is sent. A package has it built. A checkout builds it when it is first asked for, and again when a source
 * has changed since: a second or two, or half of one where webpack kept what it compiled.
 *
 * @param say - Takes a sentence about what takes its time.
 * @param project - Where the program is; another one in tests.
 * @throws Error with webpack's words where it cannot be built, or a sentence where it is missing.
 */
export async function builtPage(say: (sentence: string) => void, project = PROJECT): Promise<BuiltPage> {
  const isCheckout = await isThere(join(project, "page/index.html"));
  const newestMs = isCheckout ? await newestOf(SOURCES.map((path) => join(project, path))) : 0;
  if (held?.newestMs !== newestMs || held.project !== project) {
    const page = isCheckout ? buildPage(say, project) : readPage(join(project, BUILT));
    const made = { project, newestMs, page };
    held = made;
    page.catch(() => {
      if (held === made) held = null;
    });
  }
  return held.page;
}

async function buildPage(say: (sentence: string) => void, project: string): Promise<BuiltPage> {
  say("Building Aside's page. This takes a few seconds after its sources have changed.");
  const folder = await mkdtemp(join(tmpdir(), "aside-page-"));
  try {
    // A process of its own: webpack's memory goes with it.
    const builder = spawn(process.execPath, [join(project, BUILDER), "page", "--plain", "--out", folder], {
      cwd: project,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    builder.stderr.on("data", (part: Buffer) => {
      said = (said + part.toString("utf8")).slice(-4_000);
    });
    const [code] = await once(builder, "close");
    if (code !== 0) throw new Error(`Aside's page could not be built. Run "npm ci" in the project's folder.\n${said}`);
    return await readPage(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readPage(folder: string): Promise<BuiltPage> {
  const below = join(folder, "home/files");
  try {
    const files = (await readdir(below)).map(async (name): Promise<[string, PageFile]> => {
      const contentType = TYPES[extname(name)] ?? "application/octet-stream";
      return [name, { contentType, bytes: await readFile(join(below, name)) }];
    });
    return { html: await readFile(join(folder, "index.html"), "utf8"), files: new Map(await Promise.all(files)) };
  } catch (error) {
    throw new Error("Aside's page is missing from this installation. Install Aside again.", { cause: error });
  }
}

/** When the newest of some files and folders was changed, in milliseconds. */
async function newestOf(paths: readonly string[]): Promise<number> {
  const times = paths.map(async (path) => {
    const about = await stat(path);
    if (!about.isDirectory()) return about.mtimeMs;
    const below = (await readdir(path, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    const stats = await Promise.all(below.map((entry) => stat(join(entry.parentPath, entry.name)).catch(() => null)));
    return stats.reduce((newest, one) => Math.max(newest, one?.mtimeMs ?? 0), about.mtimeMs);
  });
  return Math.max(...(await Promise.all(times)));
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
