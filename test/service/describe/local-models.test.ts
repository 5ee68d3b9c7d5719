import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { findLocalModels, localServersAt } from "../../../src/service/describe/vision/local-models.ts";

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
  expect(await findLocalModels(localServersAt(ollama, lmStudio))).toEqual([
    { server: "Ollama", baseUrl: `${ollama}/v1`, model: "llava:7b" },
    { server: "LM Studio", baseUrl: `${lmStudio}/v1`, model: "qwen-vl" },
  ]);
});

test("a server that is not there, or answers something else, has no models", async () => {
  const other = await serving({ "/api/tags": () => ["not", "what", "was", "asked"] });
  expect(await findLocalModels(localServersAt(other, "http://127.0.0.1:9"))).toEqual([]);
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
  const found = await findLocalModels(localServersAt(ollama, lmStudio));
  expect(found.map(({ model }) => model)).toEqual(["llava:7b", "warm", "cold"]);
});
