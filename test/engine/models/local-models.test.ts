import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { findLocalModels } from "../../../src/engine/models/local-models.ts";
import { showOllamaModel } from "../../../src/engine/models/ollama.ts";

/** A server that answers as the listed paths say, and with 404 otherwise; its origin. */
async function serving(replies: Readonly<Record<string, (body: string) => unknown>>): Promise<string> {
  const server = createServer(async (request, reply) => {
    let body = "";
    for await (const piece of request) body += piece;
    const answer = replies[request.url ?? ""];
    reply.writeHead(answer === undefined ? 404 : 200, { "Content-Type": "application/json" });
    reply.end(answer === undefined ? "{}" : JSON.stringify(answer(body)));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const at = (origins: Readonly<Record<string, string>>) =>
  Object.entries(origins).map(([preset, origin]) => ({ preset, baseUrl: `${origin}/v1` }));

test("finds the models that see on servers of this machine, and none that does not", async () => {
  const ollama = await serving({
    "/api/tags": () => ({ models: [{ name: "llava:7b" }, { name: "llama3:8b" }] }),
    "/api/show": (body) => ({
      capabilities: JSON.parse(body).model === "llava:7b" ? ["completion", "vision"] : ["completion"],
    }),
  });
  const lmStudio = await serving({
    "/api/v0/models": () => ({
      data: [
        { id: "qwen-vl", type: "vlm" },
        { id: "qwen", type: "llm" },
      ],
    }),
  });
  expect(await findLocalModels(at({ ollama, lmstudio: lmStudio }))).toMatchObject([
    { server: "Ollama", baseUrl: `${ollama}/v1`, model: "llava:7b" },
    { server: "LM Studio", baseUrl: `${lmStudio}/v1`, model: "qwen-vl" },
  ]);
});

test("a server that is not there, or answers something else, has no models", async () => {
  const other = await serving({ "/api/tags": () => ["not", "what", "was", "asked"] });
  expect(await findLocalModels(at({ ollama: other, lmstudio: "http://127.0.0.1:9" }))).toEqual([]);
});

test("prefers a model that is in memory, and passes over one that cannot be shown", async () => {
  const ollama = await serving({
    "/api/tags": () => ({ models: [{ name: "broken" }, { name: "llava:7b" }] }),
    "/api/show": (body) => (JSON.parse(body).model === "broken" ? "no JSON object" : { capabilities: ["vision"] }),
  });
  const lmStudio = await serving({
    "/api/v0/models": () => ({
      data: [
        { id: "cold", type: "vlm", state: "not-loaded" },
        { id: "warm", type: "vlm", state: "loaded" },
      ],
    }),
  });
  const found = await findLocalModels(at({ ollama, lmstudio: lmStudio }));
  expect(found.map(({ model }) => model)).toEqual(["llava:7b", "warm", "cold"]);
});

test("LM Studio's newer list tells sight by capabilities, and what is in memory comes first", async () => {
  const model = (key: string, vision: boolean, loaded_instances: object[]) => ({
    type: "llm",
    key,
    loaded_instances,
    capabilities: { vision, trained_for_tool_use: true },
  });
  const lmstudio = await serving({
    "/api/v1/models": () => ({
      models: [
        { type: "embedding", key: "nomic" },
        model("cold", true, []),
        model("blind", false, [{ id: "blind" }]),
        model("warm", true, [{ id: "warm", config: { context_length: 4096 } }]),
      ],
    }),
  });
  expect((await findLocalModels(at({ lmstudio }))).map(({ model: name }) => name)).toEqual(["warm", "cold"]);
});

test("a model that Ollama runs in the cloud is never taken by itself", async () => {
  const ollama = await serving({
    "/api/tags": () => ({ models: [{ name: "big:cloud", remote_model: "big" }, { name: "hidden" }, { name: "own" }] }),
    "/api/show": (body) => ({
      capabilities: ["vision"],
      ...(JSON.parse(body).model === "hidden" ? { remote_model: "big", remote_host: "https://ollama.com" } : {}),
    }),
  });
  expect((await findLocalModels(at({ ollama }))).map(({ model }) => model)).toEqual(["own"]);
});

test("who listens at a shared port is told by what it says of itself", async () => {
  const llama = await serving({
    "/v1/models": () => ({ data: [{ id: "gemma", owned_by: "llamacpp" }] }),
    "/props": () => ({ modalities: { vision: true, audio: false } }),
  });
  const newLlama = await serving({
    "/v1/models": () => ({
      data: [
        { id: "words", owned_by: "llamacpp", architecture: { input_modalities: ["text"] } },
        { id: "eyes", owned_by: "llamacpp", architecture: { input_modalities: ["text", "image"] } },
      ],
    }),
  });
  const localai = await serving({
    "/v1/models": () => ({ data: [{ id: "vlm" }, { id: "tts" }] }),
    "/v1/models/capabilities": () => ({
      data: [
        { id: "vlm", capabilities: ["chat", "vision"], input_modalities: ["text", "image"] },
        { id: "tts", capabilities: ["tts"], input_modalities: ["text"] },
      ],
    }),
  });
  const vllm = await serving({ "/v1/models": () => ({ data: [{ id: "Qwen/Qwen3-VL-8B", owned_by: "vllm" }] }) });
  const proxy = await serving({
    "/v1/models": () => ({ data: [{ id: "far", architecture: { input_modalities: ["text", "image"] } }] }),
  });
  const whisper = await serving({ "/v1/models": () => ({ data: [{ id: "whisper-vision", owned_by: "Systran" }] }) });
  const found = async (origin: string) =>
    (await findLocalModels(at({ llamacpp: origin, localai: origin, vllm: origin }))).map(
      ({ server, model }) => `${server}: ${model}`,
    );
  expect(await found(llama)).toEqual(["llama.cpp: gemma"]);
  expect(await found(newLlama)).toEqual(["llama.cpp: eyes"]);
  expect(await found(localai)).toEqual(["LocalAI: vlm"]);
  expect(await found(vllm)).toEqual(["vLLM: Qwen/Qwen3-VL-8B"]);
  // A proxy may well send pictures elsewhere.
  expect(await found(proxy)).toEqual([]);
  expect(await found(whisper)).toEqual([]);
});

test("no more than forty models of a server are looked at, and of others nothing is asked", async () => {
  const shown: string[] = [];
  const ollama = await serving({
    "/api/tags": () => ({ models: Array.from({ length: 41 }, (_, index) => ({ name: `eyes:${index}` })) }),
    "/api/show": (body) => {
      shown.push(JSON.parse(body).model);
      return { capabilities: JSON.parse(body).model === "eyes:40" ? ["vision"] : ["completion"] };
    },
  });
  expect(await findLocalModels(at({ ollama }))).toEqual([]);
  expect(shown).toHaveLength(40);
});

test("how much Ollama's model takes at once stands among much else that is known of it", async () => {
  const shown = async (model_info: object) => {
    const ollama = await serving({ "/api/show": () => ({ capabilities: ["vision"], model_info }) });
    return (await showOllamaModel(ollama, "m", new AbortController().signal))?.contextTokens;
  };
  const about = { "general.architecture": "qwen3vl", "qwen3vl.block_count": 36 };
  expect(await shown({ ...about, "qwen3vl.context_length": 262_144 })).toBe(262_144);
  expect([await shown(about), await shown({ ...about, "qwen3vl.context_length": 0 })]).toEqual([null, null]);
});
