import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { wordingsFor } from "../../../../src/engine/describe/vision/wordings.ts";
import { ANALYSIS_VERSION } from "../../../../src/engine/programme-analysis.ts";
import type { WordingsOrder } from "../../../../src/engine/tasks/tasks.ts";
import {
  PICTURE_HEAD,
  type StageAnswer,
  type StageRules,
  startDescribingModel,
} from "../../../fakes/describing-model.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { keyFramesAt, shot } from "../describe-request.ts";

const { signal } = new AbortController();
const SHOTS = [shot(0, 6), shot(6, 20)];

/** The folder of a media of which an earlier job kept pictures of these times. */
async function mediaWith(times: readonly number[]): Promise<string> {
  const mediaFolder = await temporaryFolder();
  const folder = join(mediaFolder, `analysis-${ANALYSIS_VERSION}`);
  await mkdir(folder);
  const keyFrames = keyFramesAt(times, SHOTS);
  for (const { file } of keyFrames)
    await writeFile(join(folder, file), Buffer.concat([PICTURE_HEAD, Buffer.from(file)]));
  const analysis = { version: ANALYSIS_VERSION, durationSeconds: 20, heard: {}, levels: [], lettering: [] };
  const whole = { ...analysis, hasVisiblePicture: true, shots: SHOTS, keyFrames };
  await writeFile(join(folder, "analysis.json"), JSON.stringify(whole));
  return mediaFolder;
}

const PAUSE = {
  ...{ kind: "suggest", start: 5, end: 7, seconds: 2, text: "", before: [], after: [], notes: "" },
  ...{ language: "en-US", instructions: "", category: "Auto" },
} as const satisfies Omit<WordingsOrder, "mediaFolder">;

/** Asks for wordings of a moment of a film with pictures of these times. */
async function asked(
  order: Partial<WordingsOrder> = {},
  wordings: NonNullable<StageRules["wordings"]> = () => ({ wordings: ["Anna waits."] }),
  times: readonly number[] = [4, 6],
) {
  const model = await startDescribingModel([], { wordings });
  const environment = { ASIDE_VISION_URL: model.url, ASIDE_VISION_MODEL: "seer" };
  const mediaFolder = await mediaWith(times);
  const ask = () => wordingsFor({ ...PAUSE, mediaFolder, ...order }, { signal, environment });
  return { model, mediaFolder, ask, questions: () => model.of("wordings") };
}

const saying =
  (...wordings: readonly string[]): (() => StageAnswer) =>
  () => ({ wordings });

describe("what is asked about a moment", () => {
  test("shows each picture from a second before it to a second behind it, with its number, its shot and its time", async () => {
    const { ask, questions } = await asked({}, undefined, [0, 3.9, 4, 6, 7.9, 8, 11]);
    await ask();
    expect(questions()[0]?.pictures.map(({ label, file }) => [label, file])).toEqual([
      ["Picture 1, shot 1, 4.0 s:", "4.000.jpg"],
      ["Picture 2, shot 2, 6.0 s:", "6.000.jpg"],
      ["Picture 3, shot 2, 7.9 s:", "7.900.jpg"],
    ]);
    expect(questions()[0]?.prompt).toContain("The moment is from 5.0 s to 7.0 s.");
    expect(questions()[0]?.prompt).toContain("3 pictures follow");
  });

  test("shows four pictures at the most, however many there are of it", async () => {
    const { ask, questions } = await asked(
      {},
      undefined,
      Array.from({ length: 40 }, (_, index) => index / 2),
    );
    await ask();
    const shown = questions()[0]?.pictures.map(({ at }) => at) ?? [];
    expect(shown).toHaveLength(4);
    expect([shown[0], shown.at(-1)]).toEqual([4, 7.5]);
  });

  test("tells all of the film notes and all of the lines before and behind it", async () => {
    const { ask, questions } = await asked({
      ...{ notes: "# People\n\nAnna: in red\nTom: in blue", before: ["A boat leaves.", "A gull cries."] },
      after: ["Night falls.", "A lamp burns."],
    });
    await ask();
    for (const block of [
      "Film notes: <<<\n  # People\n  Anna: in red\n  Tom: in blue\n>>>",
      "Described before it: <<<\n  A boat leaves.\n  A gull cries.\n>>>",
      "Described after it: <<<\n  Night falls.\n  A lamp burns.\n>>>",
    ])
      expect(questions()[0]?.prompt).toContain(block);
    expect(questions()[0]?.prompt).not.toContain("The line:");
  });

  test.each([
    ["suggest", 2, "three different descriptions", 5],
    ["shorten", 4, "Say the same in fewer words", 11],
    ["other", 0.1, "in three other ways", 2],
  ] as const)(
    "to %s in %d s, names the words that are said in that time, two at the least",
    async (kind, seconds, what, words) => {
      const { ask, questions } = await asked({ kind, seconds, text: kind === "suggest" ? "" : "Anna waits for Tom." });
      await ask();
      expect(questions()[0]?.system).toContain(what);
      expect(questions()[0]?.system).toContain(`at most ${words} words`);
      expect(questions()[0]?.prompt.includes("The line: <<<\n  Anna waits for Tom.\n>>>")).toBe(kind !== "suggest");
    },
  );

  test("names the language, what comes first in the category, and the editor's instructions", async () => {
    const { ask, questions } = await asked({ category: "News", instructions: "Call it a skiff." });
    await ask();
    for (const rule of [
      "Write in American English (en-US).",
      "This is news.",
      "The editor's instructions, which come before all of the above: Call it a skiff.",
    ])
      expect(questions()[0]?.system).toContain(rule);
  });
});

describe("what is given of an answer", () => {
  test("three wordings at the most, each a sentence and once, with its seconds, and never the line itself", async () => {
    const said = saying(
      "anna waits",
      "Anna waits.",
      "Anna waits for Tom.",
      " ",
      "Tom comes",
      "The boat leaves.",
      "Rain falls.",
    );
    const { ask } = await asked({ kind: "other", text: "Anna waits for Tom." }, said);
    const seconds = (words: number) => expect.closeTo((words * 60) / 165, 6);
    expect(await ask()).toEqual({
      kind: "made",
      model: "seer",
      wordings: [
        { text: "Anna waits.", seconds: seconds(2) },
        { text: "Tom comes.", seconds: seconds(2) },
        { text: "The boat leaves.", seconds: seconds(3) },
      ],
    });
  });

  test("the same question is answered from what is kept", async () => {
    const { ask, questions } = await asked();
    expect(await ask()).toEqual(await ask());
    expect(questions()).toHaveLength(1);
  });

  test("a wording in another language, whichever it is, is asked for again, and not given", async () => {
    const { ask, questions } = await asked({ seconds: 9 }, saying("Anna waits.", "Она ждёт у моря.", "Tom comes."));
    expect(await ask()).toMatchObject({ wordings: [{ text: "Anna waits." }, { text: "Tom comes." }] });
    expect(questions()[1]?.askedBack[0]).toMatch(/Она ждёт у моря\..* is not in American English/);
  });

  test.each([
    ["one of them fits", ["Anna turns to Tom and looks out at the sea.", "Anna waits."], 1],
    ["none is longer by more than a quarter", ["Anna turns to Tom at sea."], 1],
    ["one that is empty stands before one that fits", ["...", "Anna waits."], 1],
    ["all are longer by more", ["Anna turns to Tom at the sea.", "Anna looks at Tom and the sea."], 2],
  ])("of five words, where %s", async (_name, wordings, times) => {
    const { ask, questions } = await asked({}, saying(...wordings));
    await ask();
    const askedBack = questions().flatMap((question) => question.askedBack);
    expect(askedBack).toEqual(times === 1 ? [] : [expect.stringContaining("None of them has 5 words or less.")]);
  });

  test.each([
    ["refuses", (): StageAnswer => "I'm sorry, but I can't help with that.", "content_blocked"],
    ["gives no wording at all", saying("...", ""), "model_unusable"],
    ["gives nothing but the line itself", saying("Anna waits"), "model_unusable"],
    [
      "takes no such key",
      (): StageAnswer => ({ reply: { status: 401, body: { error: { message: "no" } } } }),
      "model_refused",
    ],
  ] as const)("where the model %s, it fails with the reason", async (_name, wordings, code) => {
    const { ask } = await asked({ kind: "other", text: "Anna waits." }, wordings);
    await expect(ask()).rejects.toMatchObject({ name: "JobFailure", code });
  });

  test("without a model, and without pictures, it says which of them is missing", async () => {
    const none = { signal, environment: {}, findModels: async () => [] };
    expect(await wordingsFor({ ...PAUSE, mediaFolder: await mediaWith([4]) }, none)).toEqual({ kind: "no-model" });
    const { ask, mediaFolder, questions } = await asked();
    await rm(join(mediaFolder, `analysis-${ANALYSIS_VERSION}`, "6.000.jpg"));
    expect(await ask()).toEqual({ kind: "pictures-gone" });
    expect(await (await asked({}, undefined, [])).ask()).toEqual({ kind: "pictures-gone" });
    await rm(mediaFolder, { recursive: true });
    expect(await ask()).toEqual({ kind: "pictures-gone" });
    expect(questions()).toEqual([]);
  });
});
