import { truncate, writeFile } from "node:fs/promises";
import { totalmem } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keptPace, minutesHere, secondsFor, tooWeak, tryEyes } from "../../../src/engine/local/eyes-pace.ts";
import { presetAt } from "../../../src/engine/models/presets.ts";
import { completionOf, startModelServer } from "../../fakes/model-server.ts";
import { installStandIn } from "./installed-eyes.ts";

test("what a model takes is told in minutes, of which the last is counted whole", () => {
  const told = [1, 60, 61, 600, 3601].map(minutesHere);
  expect(told).toEqual([1, 1, 2, 10, 61].map((minutes) => `about ${minutes} min on this computer`));
});

test("questions take time by their tokens, answers by theirs", () => {
  const pace = { computer: "", secondsPerToken: { asked: 0.01, answered: 0.5 } };
  const planned = { requests: 2, inputTokens: 1_000, outputTokens: 20 };
  expect(secondsFor(pace, { ...planned, cost: null })).toBe(20);
});

test("a computer is too weak for a model whose files, all of them, need more memory than it has", async () => {
  const { eyes, modelFolder } = await installStandIn();
  const film = { durationSeconds: 100, seconds: null };
  expect(await tooWeak(eyes, film)).toBeNull();
  // Two gigabytes are for work.
  const [model, projector] = ["model.gguf", "projector.gguf"].map((name) => join(modelFolder, name)) as [
    string,
    string,
  ];
  await truncate(model, 100);
  await truncate(projector, totalmem() - 2e9 - 100);
  expect(await tooWeak(eyes, film)).toBeNull();
  await truncate(projector, totalmem() - 2e9 - 99);
  const gigabytes = (totalmem() / 1e9).toFixed(0);
  expect(await tooWeak(eyes, film)).toMatch(
    `This computer has ${gigabytes} GB of memory, and Qwen3-VL 4B needs about ${gigabytes} GB.`,
  );
});

test("a computer is too weak for a model that takes twenty times the length of a film", async () => {
  const { eyes } = await installStandIn();
  expect(await tooWeak(eyes, { durationSeconds: 100, seconds: 1_999 })).toBeNull();
  expect(await tooWeak(eyes, { durationSeconds: 100, seconds: 2_000 })).toContain("takes about 20 times the length");
});

test("a model is tried in three questions, the loading not counted, and its pace by the token is kept beside it", async () => {
  const { eyes, environment } = await installStandIn();
  let asked = 0;
  const server = await startModelServer(() => {
    asked += 1;
    const [input, output] = [
      [10, 8],
      [10, 8],
      [1_000, 8],
      [10, 96],
    ][asked - 1] ?? [0, 0];
    const delayMs = [300, 20, 120, 220][asked - 1] ?? 0;
    return { ...completionOf("yes", { prompt_tokens: input, completion_tokens: output }), delayMs };
  });
  const url = `${server.origin}/v1`;
  const settings = { baseUrl: url, model: eyes.model.id, apiKey: "none", timeoutSeconds: 20, preset: presetAt(url) };
  const pace = await tryEyes(settings, environment, new AbortController().signal);
  const { secondsPerToken } = pace;
  expect(secondsPerToken.answered).toBeGreaterThan(0.2 / 96);
  expect(secondsPerToken.answered).toBeLessThan(2 / 96);
  expect(secondsPerToken.asked).toBeGreaterThan(0.05 / 1_000);
  expect(secondsPerToken.asked).toBeLessThan(2 / 1_000);
  expect(await keptPace(eyes)).toEqual(pace);
});

test("a pace is kept for the computer and the program that it was found with, and no other", async () => {
  const { eyes, modelFolder } = await installStandIn();
  expect(await keptPace(eyes)).toBeNull();
  const secondsPerToken = { asked: 0.01, answered: 0.5 };
  await writeFile(join(modelFolder, "pace.json"), JSON.stringify({ computer: "another", secondsPerToken }));
  expect(await keptPace(eyes)).toBeNull();
  await writeFile(join(modelFolder, "pace.json"), "half a rec");
  expect(await keptPace(eyes)).toBeNull();
});
