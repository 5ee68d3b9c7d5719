import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "../build/bundle.ts";

const PAGE = fileURLToPath(new URL("./page", import.meta.url));

/** Scripts of the preview's page: the window that stands for Premiere, and what the panel's document is given. */
const SCRIPTS = { "premiere.js": "premiere-page.ts", "uxp.js": "uxp-modules.ts" };

/** Builds the page that stands for Premiere into a folder. */
export async function buildPreviewPage(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [script, entry] of Object.entries(SCRIPTS)) {
    await bundle({ entryPoints: [join(PAGE, entry)], outfile: join(folder, script) });
  }
  for (const name of ["premiere.html", "premiere.css"]) await cp(join(PAGE, name), join(folder, name));
}
