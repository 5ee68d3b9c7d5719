import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Hidden folders and records of runs in a folder of results: what one leaves that was interrupted, or forgotten. */
export async function runsLeftIn(out: string): Promise<readonly string[]> {
  const hidden = await readdir(join(out, ".aside"), { withFileTypes: true });
  return hidden.filter((one) => one.isDirectory() || one.name.startsWith("run-")).map(({ name }) => name);
}
