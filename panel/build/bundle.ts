import { fileURLToPath } from "node:url";
import { type BuildOptions, build } from "esbuild";

/** The project's folder. */
export const PROJECT = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Makes one classic script of a module and all that it imports: types are stripped, what nobody uses is left out.
 *
 * @param options - In esbuild's words: `entryPoints`, `outfile`, and what differs from a script for a browser of today.
 * @returns The files whose code is in the script, by their paths in the project.
 * @throws esbuild's `BuildFailure` with its words when something does not compile.
 */
export async function bundle(options: BuildOptions): Promise<readonly string[]> {
  const { metafile } = await build({
    absWorkingDir: PROJECT,
    bundle: true,
    format: "iife",
    target: "es2022",
    logLevel: "silent",
    ...options,
    metafile: true,
  });
  return Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
}
