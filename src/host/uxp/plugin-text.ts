import type { UxpStorage } from "./runtime.ts";
import type { UxpFiles } from "./uxp-files.ts";

/** Reads a text file of the plugin's own, by its path in the plugin's folder. @throws when it is not there, or unreadable. */
export async function readPluginText(storage: UxpStorage, files: UxpFiles, path: string): Promise<string> {
  const { nativePath } = await (await storage.getPluginFolder()).getEntry(path);
  return files.readText(nativePath);
}
