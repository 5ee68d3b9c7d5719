import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/core/settings.ts";
import { boundedSchema } from "../../../src/engine/describe/vision/small-model.ts";
import { visionDescriber } from "../../../src/engine/describe/vision/vision.ts";
import { endEyes, engine } from "../../../src/engine/index.ts";
import { keptPace, tryEyes } from "../../../src/engine/local/eyes-pace.ts";
import { askedDirectly, Eyes } from "../../../src/engine/local/llama-server.ts";
import { VisionModel } from "../../../src/engine/models/ask-model.ts";
import { plainJpeg, probeOf } from "../../../src/engine/models/picture-count.ts";
import { HERE, SMALL } from "../../../src/engine/models/presets.ts";
import type { AnswerSchema, Question } from "../../../src/engine/models/question.ts";
import { type VisionSettings, visionConfiguration } from "../../../src/engine/models/vision-settings.ts";
import { startDescribingModel } from "../../fakes/describing-model.ts";
import { tinyModel } from "../../fakes/tiny-model.ts";
import { uniqueClip } from "../../service/clips.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { IS_THOROUGH, thoroughTest } from "../../thorough/thorough-test.ts";
import { filmRequest, SMALL_FILM, SMALL_FILM_SHOWS } from "../describe/describe-request.ts";
import { settingsAt } from "../describe/vision/asker-of.ts";
import { installEyes, type StoredEyes } from "./installed-eyes.ts";

const SERVER = fileURLToPath(new URL("../../fakes/real-llama-server.ts", import.meta.url));
const SAMPLE = fileURLToPath(new URL("../../../sample/aside-sample.mp4", import.meta.url));
const { signal } = new AbortController();

const object = (properties: Readonly<Record<string, unknown>>) => {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
};
const SENTENCE: AnswerSchema = {
  name: "sentence",
  strict: true,
  schema: object({ sentence: { type: "string", maxLength: 20 } }),
};

/** Whether there is a build of the engine for this system; npm brings none for others. */
function isBuiltForHere(): boolean {
  try {
    createRequire(import.meta.url).resolve("@fugood/node-llama-linux-x64");
    return true;
  } catch {
    return false;
  }
}

function settingsOf({ environment }: StoredEyes): VisionSettings {
  const configuration = visionConfiguration(environment);
  if (configuration.kind !== "configured") throw new TypeError(configuration.kind);
  return configuration.settings;
}

const modelOf = (store: StoredEyes, eyes: Eyes) =>
  new VisionModel(askedDirectly(settingsOf(store), store.environment, eyes));

function question(
  sizes: readonly (readonly [number, number])[],
  more: Partial<Question> & { words?: string } = {},
): Question {
  const { words = "What is there? As JSON.", ...rest } = more;
  const shown = sizes.flatMap(([width, height], index) => [
    { text: `Picture ${index + 1}:` },
    { jpeg: plainJpeg([40 + ((width + 20 * index) % 170), 120, 130], { width, height }) },
  ]);
  const turns = [{ from: "user", parts: [...shown, { text: words }] }] as const;
  return { system: "You describe.", turns, schema: SENTENCE, answerTokens: 400, ...rest };
}

/** Every shape that the stages of describing send, as a small model is sent it. */
async function stageSchemas(): Promise<AnswerSchema[]> {
  const model = await startDescribingModel(SMALL_FILM_SHOWS, {
    log: ({ pictures }) => ({
      events: pictures.map(({ label }, index) => {
        const shot = Number(/shot (\d+)/.exec(label)?.[1]);
        return { shot, picture: index + 1, what: `the woman in red lifts box number ${index} over the old fence` };
      }),
    }),
  });
  const describer = visionDescriber(
    settingsAt(model.url, 6, { preset: HERE }),
    join(await temporaryFolder(), "kept"),
    false,
  );
  await describer.describe(await filmRequest(SMALL_FILM), signal);
  const sent = model.asked.map(({ body }): AnswerSchema => body.response_format.json_schema);
  return [...new Map(sent.map((schema) => [schema.name, schema])).values()];
}

/** Shapes beside those of the stages: shorter wordings, wordings of a moment, the trial of the settings. */
const OTHERS = [
  {
    name: "shorter",
    schema: object({
      lines: {
        type: "array",
        items: object({ line: { type: "number" }, wordings: { type: "array", items: { type: "string" } } }),
      },
    }),
  },
  { name: "wordings-of-a-moment", schema: object({ wordings: { type: "array", items: { type: "string" } } }) },
].map(({ name, schema }) => boundedSchema({ name, strict: true, schema }, SMALL));

/** Pictures that take long, or stand between those that are asked by default. */
const MORE_PICTURES: [string, [number, number][]][] = [
  ["a small one", [[320, 184]]],
  ["a wide one", [[1024, 432]]],
  ["as many as one question has", Array.from({ length: HERE.picturesPerRequest }, () => [1024, 576])],
];

describe.runIf(isBuiltForHere())("llama.cpp with random weights", () => {
  const eyes = new Eyes({ startSeconds: 30 });
  let store: StoredEyes;
  let model: VisionModel;
  beforeAll(async () => {
    store = await installEyes(SERVER, tinyModel());
    model = modelOf(store, eyes);
  });
  afterAll(() => eyes.end());

  test("takes the shape of every answer that is asked for, and keeps to it", async () => {
    const schemas = [...(await stageSchemas()), ...OTHERS];
    expect(schemas.map(({ name }) => name).sort()).toEqual(
      ["bible", "changes", "lines", "log", "shorter", "verdicts", "wordings", "wordings-of-a-moment"].sort(),
    );
    for (const schema of schemas) {
      // Short texts and lists, so that nonsense comes to its end.
      const short = boundedSchema(schema, { ...SMALL, textCharacters: 6, listEntries: 1 });
      const { words } = await model.ask(question([], { schema: short, answerTokens: 1500 }), signal);
      const answer: unknown = JSON.parse(words);
      expect([schema.name, Object.keys(Object(answer)).sort()]).toEqual([
        schema.name,
        Object.keys(Object(schema.schema["properties"])).sort(),
      ]);
    }
  });

  test("takes those shapes with the bounds that are sent", async () => {
    for (const schema of [...(await stageSchemas()), ...OTHERS]) {
      const { words } = await model.ask(question([], { schema, answerTokens: 12 }), signal);
      expect([schema.name, words.trimStart()[0]]).toEqual([schema.name, "{"]);
    }
  });

  test.each([
    ["a key frame", [[1024, 576]]],
    ["an upright one", [[576, 1024]]],
    ["a square of one colour", [[64, 64]]],
    ...(IS_THOROUGH ? MORE_PICTURES : []),
  ] as [string, [number, number][]][])("sees %s", async (_what, sizes) => {
    const answer = await model.ask(question(sizes), signal);
    expect(JSON.parse(answer.words)).toEqual({ sentence: expect.any(String) });
    expect(answer.inputTokens).toBeGreaterThan(0);
  });

  test("its pictures are counted by the same question as everybody's", async () => {
    expect((await model.ask({ ...probeOf(2), answerTokens: 40 }, signal)).words).toContain("{");
  });

  test("a question that is longer than its context is refused, and the next one answered", async () => {
    const words = "A man walks along the quay. ".repeat(2_000);
    await expect(model.ask(question([], { words }), signal)).rejects.toMatchObject({ code: "vision_refused" });
    expect((await model.ask(question([]), signal)).words).toContain("{");
  });

  thoroughTest("a cancel in the middle of pictures lets the next question through", async () => {
    const cancel = new AbortController();
    const asked = model.ask(question(Array.from({ length: 6 }, () => [1024, 576] as const)), cancel.signal);
    setTimeout(() => cancel.abort(new Error("cancelled")), 30);
    await expect(asked).rejects.toThrow("cancelled");
    expect((await model.ask(question([[320, 184]]), signal)).words).toContain("{");
  });

  thoroughTest("a trial of one shot tells how quick it is here, and is kept", async () => {
    const pace = await tryEyes(settingsOf(store), store.environment, signal, eyes);
    expect(pace.secondsPerToken.asked).toBeGreaterThan(0);
    expect(pace.secondsPerToken.answered).toBeGreaterThan(0);
    expect(await keptPace(store.eyes)).toEqual(pace);
  });

  test("a damaged file ends its process alone, and that is said", async () => {
    const { model: whole, projector } = tinyModel();
    const broken = await installEyes(SERVER, { model: whole.slice(0, 30_000), projector });
    const own = new Eyes({ startSeconds: 30 });
    onTestFinished(() => own.end());
    await expect(modelOf(broken, own).ask(question([]), signal)).rejects.toMatchObject({
      code: "vision_engine_failed",
      message: expect.stringMatching(/Install Qwen3-VL 4B again/),
    });
  });

  /** Describes a film by the installed model, as a service does: in a process without a network. */
  async function describedBy(mediaPath: string) {
    onTestFinished(endEyes);
    const folder = await temporaryFolder();
    const order = {
      ...({ kind: "text", track: "ad_only", resolution: "Auto", mediaPath } as const),
      ...{ workFolder: folder, mediaFolder: folder, narrationFolder: folder },
      settings: { ...DEFAULT_SETTINGS, type: "extended" as const },
    };
    const environment = { ...process.env, ...store.environment, ASIDE_VISION_URL: "here" };
    return await engine.describe(order, { signal, environment });
  }

  thoroughTest("a job describes a clip by it, from the settings to the result", async () => {
    const path = join(await temporaryFolder(), "clip.mp4");
    await writeFile(path, await uniqueClip());
    const { report } = await describedBy(path);
    expect(report.describer).toBe("vision");
    expect(report.notes[0]).toMatch(/^Written by the vision model qwen3-vl-4b on this computer: [1-9]\d* requests?/);
  });

  thoroughTest("a job describes a whole film by it", { timeout: 400_000 }, async () => {
    const { report } = await describedBy(SAMPLE);
    expect(report.describer).toBe("vision");
    expect(report.notes[0]).toMatch(/^Written by the vision model qwen3-vl-4b on this computer: \d\d+ requests/);
  });
});
