import { expect, test } from "vitest";
import { PRESETS, presetAt } from "../../../src/engine/models/presets.ts";
import { localVisionSettings, ollamaRoot, visionConfiguration } from "../../../src/engine/models/vision-settings.ts";

const MODEL = { ASIDE_VISION_MODEL: "m", ASIDE_VISION_KEY: "k" };

test.each(PRESETS.filter(({ baseUrl }) => baseUrl !== null))("$name is reached by its name", (preset) => {
  const read = visionConfiguration({ ...MODEL, ASIDE_VISION_URL: preset.name.toUpperCase() });
  expect(read).toMatchObject({
    kind: "configured",
    settings: { baseUrl: preset.baseUrl, timeoutSeconds: preset.isLocal ? 900 : 180, preset: { name: preset.name } },
  });
});

test.each([
  ["https://api.openai.com/v1", "openai"],
  ["https://north.openai.azure.com/openai/v1", "azure"],
  ["https://openrouter.ai/api/v1", "openrouter"],
  ["http://192.168.1.9:11434/v1", "ollama"],
  ["http://localhost:1234/v1", "lmstudio"],
  ["http://127.0.0.1:8080/v1", "other"],
  ["https://api.openai.com.example.org/v1", "other"],
  ["http://api.openai.com/v1", "other"],
  ["https://example.org/v1?at=:11434/", "other"],
])("the address %s tells %s", (url, name) => {
  expect(presetAt(url).name).toBe(name);
});

test("a picture is planned with more tokens than the least that any takes, whoever is asked", () => {
  for (const { name, tokensPerPicture, leastPictureTokens } of PRESETS)
    expect([name, tokensPerPicture > leastPictureTokens]).toEqual([name, true]);
});

test("of what is installed here, the model that is named describes, else the first of the catalogue that sees", () => {
  const model = (id: string, kind: string, form: string) => {
    return { id, title: id, kind, form, files: {}, languages: [], folder: `/models/${id}` };
  };
  const voices = [model("kokoro-en", "voice", "kokoro"), model("sherpa-onnx", "engine", "sherpa-onnx")];
  const eyes = [model("my-own-eyes", "eyes", "qwen-vl"), model("qwen3-vl-4b", "eyes", "qwen-vl")];
  const engine = model("llama-server", "engine", "llama-server");
  const here = (installed: readonly object[], name = "") =>
    visionConfiguration({
      ASIDE_VISION_URL: "here",
      ASIDE_VISION_MODEL: name,
      ASIDE_MODELS_FOUND: JSON.stringify(installed),
    });
  const all = [...voices, ...eyes, engine];
  expect(here(all)).toMatchObject({ settings: { model: "qwen3-vl-4b", parallel: 1, preset: { name: "here" } } });
  expect(here(all, "my-own-eyes")).toMatchObject({ settings: { model: "my-own-eyes" } });
  for (const [installed, name] of [
    [all, "other"],
    [[...voices, engine], ""],
    [[...voices, ...eyes], ""],
  ] as const)
    expect(here(installed, name)).toMatchObject({ kind: "incomplete" });
});

test("an unknown server gets a careful form: a slow one on this computer, one at a time", () => {
  expect(presetAt("http://127.0.0.1:8080/v1")).toMatchObject({ isLocal: true, parallel: 1, parameters: {} });
  expect(presetAt("https://h.example/v1")).toMatchObject({ isLocal: false, picturesPerRequest: 8, parameters: {} });
});

test("who stands at an address can be said", () => {
  const given = { ...MODEL, ASIDE_VISION_URL: "http://nas:7000", ASIDE_VISION_PRESET: "ollama" };
  expect(visionConfiguration(given)).toMatchObject({
    settings: { baseUrl: "http://nas:7000/v1", preset: { name: "ollama" } },
  });
  expect(ollamaRoot(given)).toBe("http://nas:7000");
  expect(ollamaRoot({ ASIDE_VISION_URL: "openai" })).toBe("http://127.0.0.1:11434");
  expect(ollamaRoot({ ASIDE_VISION_URL: "off" })).toBe("http://127.0.0.1:11434");
  expect(ollamaRoot({ ASIDE_VISION_URL: "http://localhost:11434/" })).toBe("http://localhost:11434");
});

test("limits and price that are set hold, for a model that was found as well", () => {
  const set = { ASIDE_VISION_TIMEOUT: "30", ASIDE_VISION_PARALLEL: "3", ASIDE_VISION_PRICE: "2.5/10" };
  const expected = { timeoutSeconds: 30, parallel: 3, pricePerMillion: { input: 2.5, output: 10 } };
  expect(visionConfiguration({ ...MODEL, ...set, ASIDE_VISION_URL: "groq" })).toMatchObject({ settings: expected });
  const absent = visionConfiguration(set);
  const asked = absent.kind === "absent" ? absent.asked : {};
  expect(localVisionSettings({ baseUrl: "http://127.0.0.1:1234/v1", model: "m" }, asked)).toMatchObject(expected);
});

test.each([
  [{ ASIDE_VISION_URL: "azure" }, "at another address for everybody"],
  [{ ASIDE_VISION_URL: "opnai" }, "no http(s) address and no name"],
  [{ ASIDE_VISION_URL: "openai", ASIDE_VISION_KEY: " " }, "OpenAI needs a key in ASIDE_VISION_KEY"],
  [{ ASIDE_VISION_URL: "http://h/v1", ASIDE_VISION_PRESET: "olama" }, "ASIDE_VISION_PRESET is none of openai, azure,"],
  [{ ASIDE_VISION_URL: "openai", ASIDE_VISION_PARALLEL: "0" }, "ASIDE_VISION_PARALLEL is no number from 1 to 64"],
  [{ ASIDE_VISION_URL: "openai", ASIDE_VISION_TIMEOUT: "1e9" }, "ASIDE_VISION_TIMEOUT"],
  [{ ASIDE_VISION_URL: "openai", ASIDE_VISION_TIMEOUT: "86401" }, "ASIDE_VISION_TIMEOUT"],
  [{ ASIDE_VISION_URL: "openai", ASIDE_VISION_PARALLEL: "65" }, "ASIDE_VISION_PARALLEL"],
])("%o is told as incomplete", (given, words) => {
  expect(visionConfiguration({ ...MODEL, ...given })).toEqual({
    kind: "incomplete",
    reason: expect.stringContaining(words),
  });
});

test("a day is the longest that an answer may take, and 64 the most that are asked for at once", () => {
  const most = { ASIDE_VISION_URL: "openai", ASIDE_VISION_TIMEOUT: "86400", ASIDE_VISION_PARALLEL: "64" };
  expect(visionConfiguration({ ...MODEL, ...most })).toMatchObject({
    kind: "configured",
    settings: { timeoutSeconds: 86_400, parallel: 64 },
  });
});
