import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { english } from "../../../panel/words/strings.ts";

/** The panel's code, without the strings themselves and the preview. */
async function code(): Promise<string> {
  const names = (await readdir("panel", { recursive: true })).filter((name) => !name.startsWith("preview"));
  const paths = names.filter((name) => name.endsWith(".ts") && !name.endsWith("strings.ts"));
  return (await Promise.all(paths.map((path) => readFile(join("panel", path), "utf8")))).join("\n");
}

test("every word is used somewhere", async () => {
  const sources = await code();
  const unused = Object.keys(english).filter((name) => !new RegExp(`words\\.${name}\\b`).test(sources));
  expect(unused).toEqual([]);
});

test("the words are data alone: a file of another language can hold the same", () => {
  expect(JSON.parse(JSON.stringify(english))).toEqual(english);
});
