import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ServiceSettings } from "../../../src/service/settings/service-settings.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { eventually, send, startTestService, type TestService } from "../service-fixture.ts";

/** An Ollama that has one model, and fetches others as `pull` writes it. */
let ollama: {
  readonly url: string;
  pull: (reply: ServerResponse) => void;
  pulled: string[];
  asked: string[];
  close(): void;
};
let service: TestService;
let settings: ServiceSettings;

beforeEach(async () => {
  const there = new Set(["qwen3-vl:2b-instruct"]);
  const server = createServer(async (request, reply) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { model } = JSON.parse(text || "{}");
    ollama.asked.push(request.url ?? "");
    if (request.url === "/api/version") return void reply.end('{"version": "0.40.12"}');
    if (request.url === "/api/show" && !there.has(model)) return void reply.writeHead(404).end("{}");
    if (request.url === "/api/show") return void reply.end('{"capabilities": ["vision"]}');
    if (request.url !== "/api/pull") return void reply.writeHead(404).end();
    ollama.pulled.push(model);
    there.add(model);
    ollama.pull(reply);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  ollama = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pull: (reply) => void reply.end('{"status":"success"}\n'),
    pulled: [],
    asked: [],
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  settings = new ServiceSettings({ file: join(await temporaryFolder(), "settings.json"), environment: {} });
  await settings.change({ describer: { server: ollama.url, preset: "ollama", model: "m" } }, { isOnItsComputer: true });
  service = await startTestService({}, { settings, worksOnJobs: false });
});
afterEach(async () => {
  await service.close();
  ollama.close();
});

const look = async () => (await service.send("GET", "settings/models")).body;
const fetchModel = (model: unknown) => service.send("POST", "settings/models", { model });
const state = (wanted: string) =>
  eventually(async () => {
    const { pull } = await look();
    return pull?.state === wanted ? pull : undefined;
  });

test("the models that suit are told with their size, and whether they are there", async () => {
  const { server, models, pull } = await look();
  expect([server, pull]).toEqual([new URL(ollama.url).host, null]);
  expect(models[0]).toMatchObject({ name: "qwen3-vl:2b-instruct", gigabytes: 1.9, is_there: true });
  expect(models.slice(1).every((model: { is_there: boolean }) => !model.is_there)).toBe(true);
});

test("a download tells how far it is, goes on without its client, and ends with the model there", async () => {
  let end = () => {};
  ollama.pull = (reply) => {
    reply.write('{"status":"pulling abc","digest":"a","total":4000,"completed":1000}\n');
    end = () => reply.end('{"status":"success"}\n');
  };
  expect((await fetchModel("qwen3-vl:4b-instruct")).body.pull).toMatchObject({ state: "running" });
  await eventually(async () => ((await look()).pull.completed_bytes === 1000 ? true : undefined));
  expect((await look()).pull).toMatchObject({ model: "qwen3-vl:4b-instruct", total_bytes: 4000 });
  const second = await fetchModel("gemma4:e4b");
  expect([second.status, second.body.code]).toEqual([409, "pull_refused"]);
  end();
  await state("done");
  expect((await look()).models[1].is_there).toBe(true);
  expect(ollama.pulled).toEqual(["qwen3-vl:4b-instruct"]);
});

test("a download is cancelled at Ollama, and can begin again", async () => {
  const gone = new Promise<void>((resolve) => {
    ollama.pull = (reply) => {
      reply.write('{"status":"pulling abc","digest":"a","total":4000,"completed":1}\n');
      reply.once("close", resolve);
    };
  });
  await fetchModel("gemma4:e4b");
  await eventually(async () => ((await look()).pull.completed_bytes === 1 ? true : undefined));
  expect((await service.send("DELETE", "settings/models")).body.pull.state).toBe("cancelled");
  await gone;
  ollama.pull = (reply) => void reply.end('{"status":"success"}\n');
  await fetchModel("gemma4:e4b");
  await state("done");
});

test("what Ollama says against it is told, without addresses' secrets", async () => {
  ollama.pull = (reply) => void reply.end('{"error":"pull https://me:of-mine@registry.example/x failed"}\n');
  await fetchModel("qwen3-vl:8b-instruct");
  const { message } = await state("failed");
  expect(message).toContain("Ollama could not fetch qwen3-vl:8b-instruct");
  expect(message).not.toContain("of-mine");
});

test("where nothing may leave the computer, nothing is fetched, and what is being fetched ends", async () => {
  let reply: ServerResponse | undefined;
  const progress = '{"status":"pulling abc","digest":"a","total":4000,"completed":1}\n';
  ollama.pull = (begun) => {
    reply = begun;
    begun.write(progress);
  };
  await fetchModel("gemma4:e4b");
  await eventually(async () => ((await look()).pull.completed_bytes === 1 ? true : undefined));
  await settings.change({ privacy: { local_only: "on" } }, { isOnItsComputer: true });
  await eventually(async () => {
    reply?.write(progress);
    return (await look()).pull.state === "cancelled" ? true : undefined;
  });
  const refused = await fetchModel("gemma4:e4b");
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining("Nothing may leave")]);
  ollama.asked.length = 0;
  expect(await look()).toMatchObject({ server: null, models: [] });
  expect([ollama.pulled.length, ollama.asked]).toEqual([1, []]);
});

test("it is for administrators' keys, and takes names of models alone", async () => {
  const { key } = await service.app.administration.createKey();
  for (const [method, body] of [["GET"], ["POST", { model: "gemma4:e4b" }], ["DELETE"]] as const) {
    expect((await send(service.app, key, method, "settings/models", body)).status).toBe(403);
  }
  for (const model of ["", "-rf", "a b", "../x", "x".repeat(201), 7])
    expect((await fetchModel(model)).status).toBe(400);
  expect(ollama.pulled).toEqual([]);
});

test("where no Ollama answers, there is none", async () => {
  ollama.close();
  expect(await look()).toEqual({ server: null, models: [], pull: null });
  await fetchModel("gemma4:e4b");
  expect((await state("failed")).message).toContain("Ollama does not answer");
});
