import { expect, test } from "vitest";
import { modelFault } from "../../../src/engine/models/model-list.ts";
import { presetNamed } from "../../../src/engine/models/presets.ts";
import { startModelServer } from "../../fakes/model-server.ts";

const list = (...data: object[]) => ({ object: "list", data });

test.each<[string, string, unknown, string | null]>([
  ["openrouter", "eyes", list({ id: "eyes", architecture: { input_modalities: ["text", "image"] } }), null],
  ["openrouter", "eyes", list({ id: "eyes", architecture: { input_modalities: ["text"] } }), "does not see"],
  ["mistral", "eyes", list({ id: "eyes", capabilities: { vision: false } }), "does not see"],
  ["xai", "eyes", { models: [{ id: "eyes", input_modalities: ["text"] }] }, "does not see"],
  ["gemini", "eyes", list({ id: "models/eyes", capabilities: ["text"] }), "does not see"],
  ["openai", "eyes", list({ id: "another" }), null],
  ["mistral", "eyes", list({ id: "another", type: "llm" }, { id: "eyes", capabilities: { vision: true } }), null],
  ["mistral", "eyes", list({ id: "another", type: "vlm" }, { id: "eyes", type: "llm" }), "does not see"],
  ["lmstudio", "eyes", list({ id: "eyes", type: "llm" }), "does not see"],
  ["vllm", "eyes", "<html>", null],
])("the list of %s tells whether %s sees", async (name, model, body, fault) => {
  const server = await startModelServer(({ path }) => {
    const isOlderLmStudio = name === "lmstudio" && path === "/api/v1/models";
    return isOlderLmStudio ? { status: 404, body: {} } : { body };
  });
  const preset = presetNamed(name);
  const known = preset === undefined ? {} : { preset };
  const found = await modelFault({ baseUrl: `${server.origin}/v1`, model, apiKey: "k", timeoutSeconds: 1, ...known });
  expect(found).toEqual(fault === null ? null : expect.stringContaining(fault));
  expect(server.asked.at(-1)?.path).toBe(
    { xai: "/v1/language-models", lmstudio: "/api/v0/models" }[name] ?? "/v1/models",
  );
});

test("Azure's list is asked for with the key where Azure looks for it", async () => {
  const server = await startModelServer(({ headers }) =>
    headers["api-key"] === "k" ? { body: list() } : { status: 401, body: {} },
  );
  const preset = presetNamed("azure");
  if (preset === undefined) throw new Error("no preset");
  const settings = { baseUrl: `${server.origin}/openai/v1`, model: "m", timeoutSeconds: 1, preset };
  expect(await modelFault({ ...settings, apiKey: "k" })).toBeNull();
  expect(await modelFault({ ...settings, apiKey: "other" })).toContain("refuses the key");
});
