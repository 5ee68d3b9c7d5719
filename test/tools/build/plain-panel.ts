import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { buildPanel } from "../../../tools/build/build-panel.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

let built: Promise<Readonly<Record<string, Uint8Array>>> | undefined;

/** The files of the panel by their names, as it is built but not made small, which takes most of the time; built once a process. */
export function plainPanel(): Promise<Readonly<Record<string, Uint8Array>>> {
  built ??= build();
  return built;
}

async function build(): Promise<Readonly<Record<string, Uint8Array>>> {
  const folder = await temporaryFolder();
  await buildPanel(folder, { minify: false });
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const files = paths.map(
    async (path) => [relative(folder, path).replaceAll("\\", "/"), await readFile(path)] as const,
  );
  return Object.fromEntries(await Promise.all(files));
}
