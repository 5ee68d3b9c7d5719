import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type BatchResult,
  itemsOf,
  readBatch,
  readPlan,
  resultOf,
  writeBatch,
} from "../../../../src/cli/commands/batch/batch-plan.ts";
import type { RunReport } from "../../../../src/workflow/deliver/run-report.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

// Several films, several languages, several scripts: what holds for the first of them holds for all.

let folder = "";
beforeAll(async () => {
  folder = await temporaryFolder();
  for (const name of ["a.mp4", "b.mp4", "c.mov", "b.de-DE.vtt", "b.fr-FR.txt", "b.fr-FR.srt", "a.fr-FR.json"]) {
    await writeFile(join(folder, name), "x");
  }
  await mkdir(join(folder, "sub"));
  await writeFile(join(folder, "sub", "a.mp4"), "x");
});
const at = (name: string) => join(folder, name);

describe("films that are named or matched", () => {
  test("are each in every language, with the script that is called like both, by its ending's order", async () => {
    const items = await itemsOf([at("*.mp4"), at("c.mov")], ["de-DE", "fr-FR"], { voice: "Kore" });
    expect(items.map(({ media, out, options }) => [media, out, options["language"], options["script"]])).toEqual([
      [at("a.mp4"), join("a", "de-DE"), "de-DE", undefined],
      [at("a.mp4"), join("a", "fr-FR"), "fr-FR", at("a.fr-FR.json")],
      [at("b.mp4"), join("b", "de-DE"), "de-DE", at("b.de-DE.vtt")],
      [at("b.mp4"), join("b", "fr-FR"), "fr-FR", at("b.fr-FR.srt")],
      [at("c.mov"), join("c", "de-DE"), "de-DE", undefined],
      [at("c.mov"), join("c", "fr-FR"), "fr-FR", undefined],
    ]);
    expect(items.every(({ options }) => options["voice"] === "Kore")).toBe(true);
  });

  test("without a language have no script, and no word of one", async () => {
    const items = await itemsOf([at("b.mp4")], [""], {});
    expect(items).toEqual([{ media: at("b.mp4"), out: "b", options: {} }]);
  });

  test("count once, however often they are matched, and each has a folder of its own", async () => {
    const items = await itemsOf([at("a.mp4"), at("*.mp4"), at("sub/a.mp4")], [""], {});
    expect(items.map(({ media, out }) => [media, out])).toEqual([
      [at("a.mp4"), "a"],
      [at("b.mp4"), "b"],
      [at("sub/a.mp4"), "a-2"],
    ]);
  });

  test("that are not there are told by the pattern that matches nothing", async () => {
    await expect(itemsOf([at("a.mp4"), at("*.avi")], [""], {})).rejects.toThrow('"*.avi" matches no file');
  });
});

describe("a plan", () => {
  const plan = async (name: string, text: string) => {
    await writeFile(at(name), text);
    return readPlan(at(name), { voice: "Kore" });
  };

  test("as a table has every row and every column of its head", async () => {
    const items = await plan(
      "p.csv",
      "media,language,script,out,no-auto-fit\na.mp4,de-DE,s.vtt,x,yes\nb.mp4,,t.vtt,,no\n",
    );
    expect(items).toEqual([
      {
        media: at("a.mp4"),
        out: "x",
        options: { voice: "Kore", language: "de-DE", script: at("s.vtt"), "no-auto-fit": true },
      },
      { media: at("b.mp4"), out: "b", options: { voice: "Kore", script: at("t.vtt") } },
    ]);
  });

  test("gives a third film of one name a third folder, whatever the case of its letters", async () => {
    const items = await plan("p.json", JSON.stringify(["a.mp4", "x/A.mp4", "y/a.mov"].map((media) => ({ media }))));
    expect(items.map(({ out }) => out)).toEqual(["a", "A-2", "a-3"]);
  });

  test.each([
    ["[]", 'the plan "p.json" has no row'],
    ["{", "is no JSON"],
    ["7", "is neither a list of objects"],
    ['[{"media": "a"}, 7]', "is neither a list of objects"],
    ['[{"media": "a"}, {"media": ""}]', 'row 2 of the plan: "media" names no file'],
    ['[{"media": "a", "out": 7}]', 'row 1 of the plan: "out" is no name of a folder'],
    [
      '[{"media": "a", "language": "de-DE", "force": true}]',
      'row 1 of the plan: "force" is no option of a description',
    ],
    ['[{"media": "a", "voice": {}}]', 'row 1 of the plan: "voice" has no value'],
    ['[{"media": "a", "out": "../x"}]', "leaves the folder of the batch"],
    ['[{"media": "a"}, {"media": "b", "out": "/x"}]', "leaves the folder of the batch"],
  ])("%s is refused by what is wrong with it", async (text, message) => {
    await expect(plan("p.json", text)).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining(message),
    });
  });
});

describe("the state of a batch", () => {
  const result = (out: string): BatchResult => ({
    media: `${out}.mp4`,
    language: "",
    out,
    state: "done",
    key: `k-${out}`,
  });

  test("is read as it was written, every item of it, when writing is over", async () => {
    const into = await temporaryFolder();
    await writeBatch(into, [result("a"), result("b")]);
    expect(await readBatch(into)).toEqual(
      new Map([
        ["a", result("a")],
        ["b", result("b")],
      ]),
    );
    expect(await readBatch(await temporaryFolder())).toEqual(new Map());
    await writeFile(join(into, "batch.json"), '{"generator": "other", "items": []}');
    expect(await readBatch(into)).toEqual(new Map());
  });

  test("says of a result what was found in it, in minutes and tenths of a second", () => {
    const findings = ["warn", "fail", "warn", "info"].map((severity) => ({ severity }));
    const report = {
      cues: [1, 2, 3],
      findings,
      notices: ["n"],
      step_seconds: { read: 1.26, wait: 2, fetch: undefined },
      programme: { duration_seconds: 100 },
      script: { counts: { left_out: 2 } },
    };
    expect(resultOf(report as unknown as RunReport)).toMatchObject({
      descriptions: 3,
      fails: 1,
      warnings: 2,
      left_out: 2,
      notes: 1,
      programme_minutes: 1.67,
      seconds: 3.3,
    });
  });
});
