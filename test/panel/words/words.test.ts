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

test("no word is said in two of the files that make up the language", async () => {
  const files = (await readdir("panel/words")).filter((name) => name.endsWith("-strings.ts"));
  const modules = await Promise.all(
    files.map((name) => import(join(process.cwd(), "panel/words", name)) as Promise<object>),
  );
  const names = modules.flatMap((module) => Object.values(module)).flatMap((part) => Object.keys(part));
  const here = new Set(names);
  const shared = Object.keys(english).filter((name) => here.has(name));
  expect(names.length).toBeGreaterThan(500);
  expect(shared).toHaveLength(names.length);
});

test("no command of a terminal is told to an editor, in the panel or on the page", async () => {
  const command =
    /[“`"]aside |\baside (?:serve|keys|deliver|check|page|companion|settings|voices|describers|describe|jobs|doctor)\b|\bnpm \b/;
  const sentences = (value: unknown): string[] =>
    typeof value === "string"
      ? [value]
      : typeof value === "object" && value !== null
        ? Object.values(value).flatMap(sentences)
        : [];
  const page = (await readFile("page/page-words.ts", "utf8")).split("\n");
  const told = [...sentences(JSON.parse(JSON.stringify(english))), ...page];
  expect(told.length).toBeGreaterThan(500);
  expect(told.filter((sentence) => command.test(sentence))).toEqual([]);
});

test("the words are data alone: a file of another language can hold the same", () => {
  expect(JSON.parse(JSON.stringify(english))).toEqual(english);
});
