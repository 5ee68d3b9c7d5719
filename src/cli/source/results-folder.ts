import { isObject } from "../../core/objects.ts";
import { nodeFiles } from "../../host/headless/files.ts";
import { hostErrorFrom } from "../../host/headless/system-error.ts";
import { makeFolder } from "../../service/storage/synced-folder.ts";

/**
 * Makes a folder for results, with those above it.
 *
 * @returns See {@link makeFolder}.
 * @throws HostError when it cannot be made.
 */
export async function makeResultsFolder(path: string): Promise<string | undefined> {
  try {
    return await makeFolder(path);
  } catch (error) {
    throw hostErrorFrom(error, path, "make the results folder", "nothing was changed");
  }
}

/** The JSON object in a file that we wrote earlier; an empty one where it is gone, damaged or none of ours. */
export async function readJsonObject(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const value: unknown = JSON.parse(await nodeFiles.readText(path));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
