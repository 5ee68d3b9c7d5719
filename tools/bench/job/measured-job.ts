import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { measured, type Usage } from "./process-usage.ts";

/**
 * One run of `aside describe` with an embedded service of its own; nothing is left of an earlier job.
 *
 * @param args What is asked for beside the film.
 */
export async function measuredJob(film: string, args: readonly string[]): Promise<Usage> {
  const place = await mkdtemp(join(tmpdir(), "aside-bench-job-"));
  const aside = fileURLToPath(new URL("../../../bin/aside.mjs", import.meta.url));
  const folders = ["--out", join(place, "out"), "--data", join(place, "data")];
  try {
    return await measured([aside, "describe", film, ...args, ...folders, "--json"]);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}
