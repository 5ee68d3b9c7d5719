import { hostErrorFrom } from "../../host/headless/system-error.ts";
import { makeFolder } from "../../service/storage/make-folder.ts";

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
