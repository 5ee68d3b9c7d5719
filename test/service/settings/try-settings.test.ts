import { expect, onTestFinished, test } from "vitest";
import { DEFAULT_LANGUAGE } from "../../../src/contract/choices.ts";
import type { Engine } from "../../../src/engine/index.ts";
import { aboutSo, type TrialParts, trySettings } from "../../../src/service/settings/try-settings.ts";
import { ollamaAnswer, startModelServer } from "../../fakes/model-server.ts";
import { spokenWave } from "../../fakes/spoken-wave.ts";
import { TranscriptionServer } from "../../fakes/transcription-server.ts";
import { startVisionServer } from "../../fakes/vision-server.ts";

const { signal } = new AbortController();

/** An engine whose voice is asked for nothing but to tell by whom it was asked. */
function partsThat(voiceLine: Engine["voiceLine"]): TrialParts {
  return { engine: { voiceLine } as Engine, narrationFolder: "/narration", signal };
}
const silent = partsThat(() => Promise.reject(new Error("it does not speak")));

test.each([
  [0.2, "1 s"],
  [89.9, "90 s"],
  [90, "2 min"],
  [121, "3 min"],
])("%d seconds are told as %s", (seconds, words) => {
  expect(aboutSo(seconds)).toBe(words);
});

test("an answer that is no JSON is shown, up to three hundred signs of it", async () => {
  const words = `It is red. ${"x".repeat(400)}`;
  const server = await startVisionServer([{ words }]);
  onTestFinished(() => server.close());
  const variables = { ASIDE_VISION_URL: server.url, ASIDE_VISION_MODEL: "seer" };
  const { works, message } = await trySettings({ part: "describer" }, variables, silent);
  expect(works).toBe(true);
  expect(/“(.*)”/.exec(message)?.[1]).toBe(words.slice(0, 300));
});

test("all that is to be known of a model stands behind what it said", async () => {
  const shown = {
    capabilities: ["vision"],
    model_info: { "eyes.context_length": 5000 },
    remote_model: "big",
    remote_host: "https://far",
  };
  const server = await startModelServer(({ path }) =>
    path === "/api/show" ? { body: shown } : ollamaAnswer("It is red."),
  );
  const variables = { ASIDE_VISION_PRESET: "ollama", ASIDE_VISION_URL: server.origin, ASIDE_VISION_MODEL: "eyes" };
  const { message } = await trySettings({ part: "describer" }, variables, silent);
  expect(message).toMatch(
    /said: “It is red\.” eyes does not run .* pictures on to https:\/\/far\. eyes can hold 5000 /,
  );
});

test("all lines that a server hears are told", async () => {
  const segments = ["A woman opens", "the letter and smiles."].map((text, index) => ({
    text,
    start: index,
    end: index + 1,
  }));
  await using server = new TranscriptionServer(() => ({ body: { text: "", segments } }));
  const variables = { ASIDE_TRANSCRIPTION_URL: `${await server.start()}/v1`, ASIDE_TRANSCRIPTION_MODEL: "w" };
  const wave = await spokenWave("A woman opens the letter and smiles.", 1);
  const parts = partsThat(async () => ({ wave, seconds: 2 }) as never);
  const { works, message } = await trySettings({ part: "dialogue" }, variables, parts);
  expect([works, message]).toEqual([true, expect.stringMatching(/heard: “A woman opens the letter and smiles\.”$/)]);
});

test("a server that hears is tried with the built-in voice, whatever speaks otherwise, and all else as it is set", async () => {
  const asked: unknown[] = [];
  const parts = partsThat(async ({ text, language }, { environment }) => {
    asked.push([text, language, environment]);
    throw new Error("it does not speak");
  });
  const others = { PATH: "/bin", ASIDE_TRANSCRIPTION_URL: "http://127.0.0.1:9/v1", ASIDE_TRANSCRIPTION_MODEL: "w" };
  const variables = {
    ...others,
    ASIDE_VOICE_URL: "http://127.0.0.1:8/v1",
    ASIDE_VOICE_MODEL: "v",
    ASIDE_VOICE_KEY: "sk-1",
  };
  const { works } = await trySettings({ part: "dialogue" }, variables, parts);
  expect(works).toBe(false);
  expect(asked).toEqual([
    [
      "A woman opens the letter and smiles.",
      DEFAULT_LANGUAGE,
      { ...others, ASIDE_VOICE_NATURAL: "off", ASIDE_VOICE_SYSTEM: "off" },
    ],
  ]);
});
