import { isObject } from "../../core/is-object.ts";
import { nodeFiles } from "../../host/headless/files.ts";

/** The JSON object in a file that we wrote earlier; an empty one where it is gone, damaged or none of ours. */
export async function readJsonObject(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const value: unknown = JSON.parse(await nodeFiles.readText(path));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
