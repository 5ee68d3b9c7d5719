import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { isPlanName, itemsOf, readBatch, readPlan, writeBatch } from "../../../../src/cli/commands/batch/batch-plan.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

let folder = "";
beforeEach(async () => {
  folder = await temporaryFolder();
});

async function planOf(rows: unknown, name = "plan.json", defaults = {}) {
  const path = join(folder, name);
  await writeFile(path, typeof rows === "string" ? rows : JSON.stringify(rows));
  return readPlan(path, defaults);
}
const foldersOf = async (...rows: object[]) => (await planOf(rows)).map(({ out }) => out);

describe("a plan", () => {
  test("names its files from its own folder, wherever they are named", async () => {
    const [item] = await planOf([
      { media: "a.mp4", captions: "c.srt", script: "sub/s.vtt", bible: "b.md", timing: "t.vtt", language: "de-DE" },
    ]);
    expect(item).toEqual({
      media: join(folder, "a.mp4"),
      out: join("a", "de-DE"),
      timing: join(folder, "t.vtt"),
      options: {
        captions: join(folder, "c.srt"),
        script: join(folder, "sub/s.vtt"),
        bible: join(folder, "b.md"),
        language: "de-DE",
      },
    });
  });

  test("has defaults of its own, which a row changes, over those of the call", async () => {
    const plan = {
      defaults: { language: "de-DE", voice: "Kore" },
      items: [{ media: "a" }, { media: "b", voice: "Puck" }],
    };
    const items = await planOf(plan, "plan.json", { voice: "Achernar", category: "Film" });
    expect(items.map(({ options }) => options)).toEqual([
      { language: "de-DE", voice: "Kore", category: "Film" },
      { language: "de-DE", voice: "Puck", category: "Film" },
    ]);
  });

  test("as a table has one of two separators, empty cells that say nothing, and switches that say no", async () => {
    for (const separator of [",", ";"]) {
      const rows = [
        ["media", " language ", "no-auto-fit", ""],
        ["a.mp4", "fr-FR", "yes", "ignored"],
        ["b.mp4", "", "no", ""],
      ];
      const items = await planOf(rows.map((row) => row.join(separator)).join("\n"), "plan.csv");
      expect(items.map(({ options }) => options)).toEqual([{ language: "fr-FR", "no-auto-fit": true }, {}]);
    }
  });

  test.each([
    [[], "has no row"],
    [{ items: {} }, "neither a list"],
    ["{", "is no JSON"],
    [[{ media: "a" }, { media: "" }], 'row 2 of the plan: "media" names no file'],
    [[{ media: "a", out: 5 }], '"out" is no name'],
    [[{ media: "a", colour: "red" }], '"colour" is no option'],
    [[{ media: "a", server: "https://x" }], '"server" is no option'],
    [[{ media: "a", voice: {} }], '"voice" has no value'],
  ])("%j is refused, and says where it is wrong", async (rows, sentence) => {
    await expect(planOf(rows)).rejects.toThrow(sentence);
  });
});

describe("folders of the items", () => {
  test("are each item's own, however two of them are written", async () => {
    expect(await foldersOf({ media: "a.mp4" }, { media: "sub/A.mov" }, { media: "a.mp4", out: "a" })).toEqual([
      "a",
      "A-2",
      "a-3",
    ]);
    const same = await foldersOf(...["x", "./x", "x/", "y/../x"].map((out) => ({ media: "a", out })));
    expect(new Set(same.map((out) => out.toLowerCase())).size).toBe(4);
    expect(same).toEqual(["x", "x-2", "x-3", "x-4"]);
  });

  test.each(["..", "../x", "a/../../x", "/x", "./../x"])(
    "%s leaves the batch's folder, and is refused",
    async (out) => {
      await expect(foldersOf({ media: "a", out })).rejects.toThrow(/leaves the folder of the batch/);
    },
  );
});

test("media that are matched are each taken once, in order, each in every language with its own script beside it", async () => {
  for (const name of ["b.mp4", "a.mp4", "a.de-DE.srt", "a.de-DE.vtt", "b.fr-FR.txt"])
    await writeFile(join(folder, name), "");
  await mkdir(join(folder, "[x]"));
  await writeFile(join(folder, "[x]", "c.mp4"), "");
  const items = await itemsOf([join(folder, "*.mp4"), join(folder, "a.mp4")], ["de-DE", "fr-FR"], {});
  expect(items.map(({ out, options }) => [out, options["script"]])).toEqual([
    [join("a", "de-DE"), join(folder, "a.de-DE.vtt")],
    [join("a", "fr-FR"), undefined],
    [join("b", "de-DE"), undefined],
    [join("b", "fr-FR"), join(folder, "b.fr-FR.txt")],
  ]);
  // A file is a file, whatever signs its name has.
  expect((await itemsOf([join(folder, "[x]", "c.mp4")], [""], {}))[0]?.out).toBe("c");
  await expect(itemsOf([join(folder, "*.mxf")], [""], {})).rejects.toThrow(/matches no file/);
});

test("the state of a batch is read as it was written, and what is no batch of ours is none", async () => {
  const item = { media: "a.mp4", language: "", out: "a", state: "done", key: "k" } as const;
  await writeBatch(folder, [item]);
  expect(await readBatch(folder)).toEqual(new Map([["a", item]]));
  await writeFile(join(folder, "batch.json"), JSON.stringify({ generator: "another", items: [item] }));
  expect((await readBatch(folder)).size).toBe(0);
  expect((await readBatch(join(folder, "none"))).size).toBe(0);
  expect([isPlanName("a.JSON"), isPlanName("a.csv"), isPlanName("a.mp4")]).toEqual([true, true, false]);
});
