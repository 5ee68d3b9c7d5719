import { basename } from "node:path";
import { UsageError } from "../shell/usage-error.ts";
import { readTextFile } from "./text-file.ts";

/**
 * One of the product's profiles or presets by its name, or one of the user's by a JSON file.
 *
 * @param option The option that names it, for messages.
 * @param parse Reads a file; a sentence about what cannot be used, else.
 * @throws UsageError for a name that is not known, or a file that cannot be used.
 */
export async function namedOrOwn<Item extends { readonly name: string }>(
  option: string,
  name: string,
  known: readonly Item[],
  parse: (text: string) => Item | string,
): Promise<Item> {
  const found = known.find((item) => item.name === name);
  if (found !== undefined) return found;
  if (!name.endsWith(".json")) {
    const names = known.map((item) => item.name).join(", ");
    throw new UsageError(`--${option}: there is no "${name}"; give ${names} or a .json file`);
  }
  const own = parse(await readTextFile(name));
  if (typeof own === "string") throw new UsageError(`--${option} ${basename(name)}: ${own}`);
  return own;
}
