import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { english } from "../../panel/strings.ts";

const FOLDERS = ["panel", "panel/views"];

/** The panel's code, without the strings themselves. */
async function code(): Promise<string> {
  const names = await Promise.all(
    FOLDERS.map(async (folder) => (await readdir(folder)).map((name) => join(folder, name))),
  );
  const paths = names.flat().filter((path) => path.endsWith(".ts") && !path.endsWith("strings.ts"));
  return (await Promise.all(paths.map((path) => readFile(path, "utf8")))).join("\n");
}

test("every word is used somewhere", async () => {
  const sources = await code();
  const unused = Object.keys(english).filter((name) => !new RegExp(`words\\.${name}\\b`).test(sources));
  expect(unused).toEqual([]);
});

test("the words are data alone: a file of another language can hold the same", () => {
  expect(JSON.parse(JSON.stringify(english))).toEqual(english);
});
