import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { median } from "../../../src/core/time-range.ts";
import { PRESETS } from "../../../src/engine/models/presets.ts";
import { voiceConfiguration } from "../../../src/engine/voice/voice-settings.ts";
import { type LocalSearch, modelEstimate, settingChoices } from "../../../src/service/settings/setting-choices.ts";
import { stateOfPart } from "../../../src/service/settings/state-of-part.ts";
import { SetClock, turns } from "../../fakes/set-clock.ts";
import { kokoro, speakingStore, supertonic } from "../../fakes/speaking-models.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { recordsOf } from "../written-records.ts";

const NOTHING: LocalSearch = {
  findModels: () => Promise.resolve([]),
  findTranscription: () => Promise.resolve(null),
  findSpeech: () => Promise.resolve(null),
  findServers: () => Promise.resolve([]),
};

const KOKORO = { title: "Kokoro-FastAPI", baseUrl: "http://127.0.0.1:8880/v1", model: "kokoro", voices: 67 };

test("voices are offered in the order of how they sound: installed ones, servers of this computer, the built-in one", async () => {
  const { environment } = await speakingStore(await temporaryFolder(), [kokoro(), supertonic()]);
  const search = { ...NOTHING, findServers: () => Promise.resolve([KOKORO]) };
  const { voice } = await settingChoices(environment, true, search);
  expect(voice).toEqual([
    expect.objectContaining({
      title: "Kokoro English",
      detail: "A natural voice on this computer, in English. Costs nothing.",
      values: { natural: "kokoro-en" },
    }),
    expect.objectContaining({ title: "Supertonic 3", detail: expect.stringContaining("in 3 languages") }),
    expect.objectContaining({
      title: "kokoro in Kokoro-FastAPI",
      detail: "67 voices on this computer. Costs nothing.",
      values: { server: "http://127.0.0.1:8880/v1", model: "kokoro" },
    }),
    expect.objectContaining({ title: "Built in", values: { natural: "off", system: "off" } }),
  ]);
  // What is chosen is what speaks.
  const off = { ...environment, ASIDE_VOICE_NATURAL: "off", ASIDE_VOICE_SYSTEM: "off" };
  expect(voiceConfiguration(off)).toEqual({ kind: "espeak" });
  const chosen = { ...environment, ASIDE_VOICE_NATURAL: "kokoro-en" };
  expect(stateOfPart("voice", chosen).sentence).toBe("Kokoro English, on this computer.");
  expect(stateOfPart("voice", environment).sentence).toBe(
    "Kokoro English, Supertonic 3 in the languages that they speak; else the built-in voice.",
  );
});

test.skipIf(process.platform !== "linux")(
  "where nothing else would speak by itself, the built-in voice needs no setting",
  async () => {
    const { voice } = await settingChoices({}, true, NOTHING);
    expect(voice.map(({ title, values }) => [title, values])).toEqual([["Built in", {}]]);
  },
);

/** An environment in which models were found, by kind and number; their files are not looked at. */
function found(kinds: readonly (readonly [kind: string, form: string])[]) {
  const models = [["engine", "llama-server"] as const, ...kinds].map(([kind, form], index) => {
    const id = `${kind}-${index}`;
    return { id, kind, form, title: `Model ${id}`, folder: "/models", files: {}, languages: ["en"] };
  });
  return { ASIDE_MODELS: "/models", ASIDE_MODELS_FOUND: JSON.stringify(models) };
}

test("everything that is there is offered, each once: installed models, those of local servers, providers", async () => {
  const kinds = [
    ["eyes", "qwen-vl"],
    ["ears", "parakeet"],
    ["voice", "piper"],
  ] as const;
  const server = fc.record({ server: fc.constant("Ollama"), model: fc.string({ minLength: 1 }) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...kinds), { maxLength: 8 }),
      fc.uniqueArray(server, { maxLength: 4, selector: ({ model }) => model }),
      fc.boolean(),
      async (installed, servers, isLocalOnly) => {
        const models = servers.map((one) => ({ ...one, baseUrl: "http://127.0.0.1:11434/v1" }));
        const search = { ...NOTHING, findModels: () => Promise.resolve(models) };
        const choices = await settingChoices(found(installed), isLocalOnly, search);
        const ids = (kind: string) =>
          installed.flatMap(([one], index) => (one === kind ? [`${kind}-${index + 1}`] : [])).sort();
        const values = (part: "describer" | "dialogue" | "voice", name: string, server?: string) =>
          choices[part].flatMap(({ values: one }) =>
            one[name] === undefined || (server !== undefined && one["server"] !== server) ? [] : [one[name]],
          );
        expect(values("describer", "model", "here").sort()).toEqual(ids("eyes"));
        expect(values("dialogue", "model", "here").sort()).toEqual(ids("ears"));
        const voices = values("voice", "natural").filter((one) => one !== "off");
        expect(voices.sort()).toEqual(ids("voice"));
        expect(values("describer", "model", "http://127.0.0.1:11434/v1")).toEqual(models.map(({ model }) => model));
        const elsewhere = choices.describer.filter(({ is_local }) => !is_local).map(({ title }) => title);
        const providers = PRESETS.filter(({ isLocal }) => !isLocal).map(({ title }) => title);
        expect(elsewhere).toEqual(isLocalOnly ? [] : providers);
      },
    ),
    { numRuns: 40 },
  );
});

test("every server, every voice of the system and every language is told, and a search stands for a minute", async () => {
  const asked: number[] = [];
  const voices = ["ann", "bea"].map((name) => ({ id: name, name, language: "en-GB", gender: "female" as const }));
  const other = { ...KOKORO, title: "Other", baseUrl: "http://127.0.0.1:8881/v1", model: "piper", voices: null };
  const environment = found([["voice", "piper"]]);
  const { voice, system_voices } = await settingChoices(
    { ...environment, ASIDE_MODELS_FOUND: environment.ASIDE_MODELS_FOUND.replaceAll('["en"]', '["en","de"]') },
    true,
    {
      ...NOTHING,
      findTranscription: async (seconds) => {
        asked.push(seconds);
        return null;
      },
      findSpeech: async () => ({ title: "Linux", voices }) as never, // of which the choices tell these two alone
      findServers: () => Promise.resolve([KOKORO, other]),
    },
  );
  expect(asked).toEqual([60]);
  expect(system_voices).toEqual(voices);
  expect(voice.map(({ title, detail }) => [title, detail])).toEqual([
    ["Model voice-1", "A natural voice on this computer, in English and German. Costs nothing."],
    ["Voices of Linux", "2 on this computer. Costs nothing."],
    ["kokoro in Kokoro-FastAPI", "67 voices on this computer. Costs nothing."],
    ["piper in Other", "Runs on this computer. Costs nothing."],
    expect.arrayContaining(["Built in"]),
  ]);
});

test("the time of a film is told from the middle one of the latest films", async () => {
  const paces = fc.array(fc.double({ min: 0.01, max: 100, noNaN: true }), { minLength: 1, maxLength: 9 });
  const variables = { ASIDE_VISION_URL: "http://127.0.0.1:9/v1", ASIDE_VISION_MODEL: "seer" };
  await fc.assert(
    fc.asyncProperty(paces, async (films) => {
      const queries = recordsOf([[/SELECT pace FROM/, films.map((pace) => ({ pace }))]]);
      const { seconds } = await modelEstimate(60, { variables, queries });
      expect(seconds).toBeCloseTo(60 * median(films), 9);
      // How they are told from films of other models, and how many are asked for.
      expect(queries.statements.map(({ values }) => values)).toEqual([
        [expect.stringContaining("seer at 127.0.0.1"), 9],
      ]);
    }),
    { numRuns: 40 },
  );
});

test("an installed model is tried once, while nobody waits, and given up after ten minutes; one that answered holds no clock", async () => {
  const clock = new SetClock();
  const trials: { readonly model: string; readonly signal: AbortSignal; readonly answer: () => void }[] = [];
  // Of models that were tried this program knows as long as it runs.
  const [silent, quick] = [randomUUID(), randomUUID()];
  const environment = found([
    ["eyes", "qwen-vl"],
    ["eyes", "qwen-vl"],
  ]);
  const installed = environment.ASIDE_MODELS_FOUND.replaceAll("eyes-1", silent).replaceAll("eyes-2", quick);
  const estimate = (model: string) =>
    modelEstimate(60, {
      variables: {
        ...{ ASIDE_MODELS: "/models", ASIDE_MODELS_FOUND: installed },
        ...{ ASIDE_VISION_URL: "here", ASIDE_VISION_MODEL: model },
      },
      queries: recordsOf([[/SELECT pace FROM/, []]]),
      clock,
      tryModel: (settings, _variables, signal) =>
        new Promise<void>((answer, fail) => {
          trials.push({ model: settings.model, signal, answer });
          signal.addEventListener("abort", () => fail(signal.reason));
        }),
    });
  expect(await estimate(silent)).toMatchObject({ model: silent, seconds: null });
  await estimate(silent);
  expect(trials.map(({ model }) => model)).toEqual([silent]);
  await clock.pass(599_999);
  expect(trials[0]?.signal.aborted).toBe(false);
  await clock.pass(1);
  expect([trials[0]?.signal.aborted, clock.sleeping]).toEqual([true, 0]);
  await estimate(quick);
  trials[1]?.answer();
  await turns();
  expect([trials[1]?.model, trials[1]?.signal.aborted, clock.sleeping]).toEqual([quick, false, 0]);
});
