import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/core/settings.ts";
import { listDescribers } from "../../../src/engine/describe/choose-describer.ts";
import { endEyes, engine, RIGHTS } from "../../../src/engine/index.ts";
import { keptPace, secondsFor, tooWeak, tryEyes } from "../../../src/engine/local/eyes-pace.ts";
import { Eyes } from "../../../src/engine/local/llama-server.ts";
import { ModelBudget } from "../../../src/engine/models/model-budget.ts";
import { HERE_URL } from "../../../src/engine/models/presets.ts";
import { visionConfiguration } from "../../../src/engine/models/vision-settings.ts";
import type { Environment } from "../../../src/engine/outgoing/local-only.ts";
import { modelEstimate, settingChoices, wordingOffer } from "../../../src/service/settings/setting-choices.ts";
import { stateOfPart } from "../../../src/service/settings/state-of-part.ts";
import { trySettings } from "../../../src/service/settings/try-settings.ts";
import type { Queries } from "../../../src/service/storage/database.ts";
import type { LlamaServerBehaviour } from "../../fakes/llama-server.ts";
import { uniqueClip } from "../../service/clips.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";
import { installStandIn, isThere, type StoredEyes } from "./installed-eyes.ts";

const { signal } = new AbortController();
const nobody = {
  findModels: async () => [],
  findTranscription: async () => null,
  findSpeech: async () => null,
  findServers: async () => [],
};
/** A service that has described nothing yet. */
const noFilms: Queries = { query: async () => [] };

test("an installed model is used where nothing is set, and where it is asked for by its name", async () => {
  const { environment } = await installStandIn();
  const here = { kind: "configured", settings: { baseUrl: HERE_URL, model: "qwen3-vl-4b", preset: { name: "here" } } };
  expect(visionConfiguration(environment)).toMatchObject(here);
  expect(visionConfiguration({ ...environment, ASIDE_VISION_URL: "here" })).toMatchObject(here);
  expect(
    visionConfiguration({ ...environment, ASIDE_VISION_URL: "Here", ASIDE_VISION_MODEL: "qwen3-vl-4b" }),
  ).toMatchObject(here);
  expect(visionConfiguration({ ...environment, ASIDE_VISION_URL: "off" })).toEqual({ kind: "off" });
  const other = { ASIDE_VISION_URL: "ollama", ASIDE_VISION_MODEL: "m" };
  expect(visionConfiguration({ ...environment, ...other })).toMatchObject({ settings: { model: "m" } });
});

test("of several that are installed the first in the order of choice is used, unless one is named", async () => {
  const { environment } = await installStandIn();
  const [engine, large] = JSON.parse(environment["ASIDE_MODELS_FOUND"] ?? "");
  const small = { ...large, id: "qwen3-vl-2b" };
  const both = { ASIDE_MODELS_FOUND: JSON.stringify([engine, small, large]) };
  const used = (set: Environment) => visionConfiguration({ ...both, ...set });
  expect(used({})).toMatchObject({ settings: { model: "qwen3-vl-4b" } });
  expect(used({ ASIDE_VISION_URL: "here" })).toMatchObject({ settings: { model: "qwen3-vl-4b" } });
  const named = { ASIDE_VISION_URL: "here", ASIDE_VISION_MODEL: "qwen3-vl-2b" };
  expect(used(named)).toMatchObject({ settings: { model: "qwen3-vl-2b" } });
});

test("it costs nothing, stays here, and is asked one question at a time, whatever is set for others", async () => {
  const { environment } = await installStandIn();
  const set = {
    ASIDE_LOCAL_ONLY: "on",
    ASIDE_VISION_PRICE: "2/10",
    ASIDE_VISION_CEILING: "1",
    ASIDE_VISION_PARALLEL: "9",
  };
  const configuration = visionConfiguration({ ...environment, ...set });
  expect(configuration).toMatchObject({ kind: "configured", settings: { parallel: 1, staysHere: true } });
  expect(JSON.stringify(configuration)).not.toMatch(/pricePerMillion|costCeiling/);
});

test.each([
  [{ ASIDE_VISION_URL: "here" }, /no model that describes is installed on this computer: see aside models list/],
  [{ ASIDE_VISION_URL: "here", ASIDE_VISION_MODEL: "qwen3-vl-9b" }, /no model “qwen3-vl-9b” is installed/],
])("what is not installed is not used: %j", (set, sentence) => {
  expect(visionConfiguration(set)).toMatchObject({ kind: "incomplete", reason: expect.stringMatching(sentence) });
});

test("a job's process and one that words a moment may ask it, and no server beside it", async () => {
  const { environment } = await installStandIn();
  for (const name of ["describe", "wordings"] as const) {
    const takes = (url: string) => RIGHTS[name].asks?.(environment).some((outlet) => outlet.takes(new URL(url)));
    expect(takes(`${HERE_URL}/chat/completions`)).toBe(true);
    expect(takes(`${HERE_URL}/models`)).toBe(false);
    expect(takes("http://127.0.0.1:11434/v1/chat/completions")).toBe(false);
    expect(RIGHTS[name].variables).toContain("ASIDE_MODELS_FOUND");
  }
});

test("it stands among what can be chosen, and what is chosen", async () => {
  const { environment } = await installStandIn();
  expect((await settingChoices(environment, true, nobody)).describer).toContainEqual({
    ...{ title: "Qwen3-VL 4B", detail: "Installed on this computer. Costs nothing.", needs: [], is_local: true },
    values: { server: "here", model: "qwen3-vl-4b" },
  });
  expect((await settingChoices({}, true, nobody)).describer).toHaveLength(1);
  expect(stateOfPart("describer", environment)).toEqual({
    ...{ isReady: true, fault: null, sendsTo: null },
    sentence: "qwen3-vl-4b, run by Aside on this computer",
  });
  const states = await listDescribers(environment, nobody.findModels);
  expect(states).toContainEqual({ name: "vision", isAvailable: true, detail: "qwen3-vl-4b on this computer" });
  expect(await wordingOffer(environment, nobody.findModels)).toEqual({
    model: "qwen3-vl-4b",
    is_local: true,
    cost: null,
  });
});

test("what a film takes is told from a trial of one shot, which is made while nobody waits", async () => {
  onTestFinished(endEyes);
  const { environment, eyes } = await installStandIn({}, "qwen3-vl-estimate");
  const estimate = () => modelEstimate(60, { variables: environment, queries: noFilms, findModels: nobody.findModels });
  expect(await estimate()).toMatchObject({ model: "qwen3-vl-estimate", cost: null, ceiling: null, seconds: null });
  await expect.poll(async () => (await estimate()).seconds).toBeGreaterThan(0);
  expect(await keptPace(eyes)).not.toBeNull();
  const films: Queries = { query: async <Row>() => [{ pace: 3 }] as Row[] };
  expect((await modelEstimate(60, { variables: environment, queries: films })).seconds).toBe(180);
});

test("a trial on another computer tells nothing of this one", async () => {
  const { environment, eyes, modelFolder } = await installStandIn();
  const own = new Eyes();
  onTestFinished(() => own.end());
  const configuration = visionConfiguration(environment);
  if (configuration.kind !== "configured") throw new TypeError(configuration.kind);
  const pace = await tryEyes(configuration.settings, environment, signal, own);
  expect(await keptPace(eyes)).toEqual(pace);
  await writeFile(join(modelFolder, "pace.json"), JSON.stringify({ ...pace, computer: "another" }));
  expect(await keptPace(eyes)).toBeNull();
});

test("a computer that is too weak is told so, with the other ways", async () => {
  const { eyes } = await installStandIn();
  const pace = { computer: "", secondsPerToken: { asked: 0.05, answered: 0.4 } };
  const seconds = secondsFor(pace, { requests: 1, inputTokens: 40_000, outputTokens: 3_000, cost: null });
  expect(seconds).toBeCloseTo(3_200, 6);
  const told = await tooWeak(eyes, { durationSeconds: 60, seconds });
  expect(told).toMatch(
    /^Qwen3-VL 4B takes about 53 times the length of a film on this computer\. Use a smaller model, .*worksheet\.$/,
  );
  expect(await tooWeak(eyes, { durationSeconds: 60, seconds: 120 })).toBeNull();
  expect(await tooWeak(eyes, { durationSeconds: 60, seconds: null })).toBeNull();
});

test("trying the settings asks it, and says how long a minute of film takes; what is wrong with it is said", async () => {
  onTestFinished(endEyes);
  // What is tried needs no engine: it asks the model alone.
  const parts = { engine: {} as never, narrationFolder: await temporaryFolder(), signal };
  const works = await trySettings({ part: "describer" }, (await installStandIn()).environment, parts);
  expect(works.message).toMatch(
    /^qwen3-vl-4b was shown a red picture and said: “A man walks\.”.*A minute of film takes about \d+ s here\.$/,
  );
  const broken = await installStandIn({ dies: { says: "error loading model: invalid magic" } }, "qwen3-vl-2b");
  const fails = await trySettings({ part: "describer" }, broken.environment, parts);
  expect(fails).toMatchObject({ works: false, message: expect.stringMatching(/file is damaged.*Install/) });
});

/** Describes a clip by it, as a service does: in a process without a network. */
async function describedBy(behaviour: LlamaServerBehaviour) {
  return await describedWith(await installStandIn(behaviour), signal);
}

async function describedWith({ environment }: StoredEyes, signal: AbortSignal) {
  onTestFinished(endEyes);
  const folder = await temporaryFolder();
  const mediaPath = join(folder, "clip.mp4");
  await writeFile(mediaPath, await uniqueClip());
  const order = {
    ...({ kind: "text", track: "ad_only", resolution: "Auto", mediaPath } as const),
    ...{ workFolder: folder, mediaFolder: folder, narrationFolder: folder },
    settings: { ...DEFAULT_SETTINGS, autoFit: true },
  };
  return await engine.describe(order, {
    signal,
    environment: { ...process.env, ...environment, ASIDE_VISION_URL: "here" },
  });
}

thoroughTest("a job's lines that its second look confirms are spoken", async () => {
  const { cues, report, files } = await describedBy({});
  expect([cues.map(({ text }) => text), report.to_write, files.worksheet]).toEqual([
    ["A man walks."],
    undefined,
    undefined,
  ]);
});

thoroughTest("those that it does not confirm are on the worksheet, and nobody hears them", async () => {
  const { cues, report, files } = await describedBy({ isUnsure: true });
  expect(cues).toEqual([]);
  expect(report.findings).toMatchObject([
    { rule: "nothing-told", severity: "fail", message: expect.stringContaining("is not sure of anything") },
  ]);
  expect(report.to_write?.map(({ hints }) => hints[0])).toEqual(["perhaps: “A man walks.”"]);
  expect(await readFile(files.worksheet ?? "", "utf8")).toContain("perhaps: “A man walks.”");
  expect(report.notes).toContain(
    "1 pause is left for you to write: the model is not sure what it saw there. The worksheet has its words.",
  );
});

thoroughTest("a job whose model does not run ends with why, and what to do", async () => {
  const failed = describedBy({ dies: { says: "error loading model: invalid magic" } });
  await expect(failed).rejects.toMatchObject({
    code: "model_unreachable",
    message: expect.stringMatching(/damaged.*Install/),
  });
});

thoroughTest("a job that is cancelled in the middle of a picture takes the program with it", async () => {
  const store = await installStandIn({ pictureMs: 600_000 });
  const cancel = new AbortController();
  const job = describedWith(store, cancel.signal);
  await expect.poll(() => readFile(join(store.modelFolder, "asked.jsonl")).catch(() => null)).not.toBeNull();
  cancel.abort(new Error("cancelled"));
  await expect(job).rejects.toThrow("cancelled");
  const [start] = await store.starts();
  await expect.poll(() => isThere(start?.pid ?? 0)).toBe(false);
});

test("a limit of what a job may cost stands beside a model that costs nothing", async () => {
  const { environment } = await installStandIn();
  const configuration = visionConfiguration(environment);
  if (configuration.kind !== "configured") throw new TypeError(configuration.kind);
  const plan = { requests: 1, pictures: 6, textTokens: 900, answerTokens: 900 };
  expect(() => new ModelBudget(configuration.settings, 0.01).requireRoom(plan)).not.toThrow();
});
