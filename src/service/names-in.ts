import { readdir } from "node:fs/promises";
import { isMissing } from "../core/missing-file.ts";

/** Names of what is in a folder; none when there is no such folder. */
export async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
}
