import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import * as z from "zod/mini";
import { ModelsReplySchema } from "../../../src/contract/models.ts";
import { DEFAULT_SETTINGS } from "../../../src/core/settings.ts";
import { readInstalled } from "../../../src/engine/store/installed.ts";
import { ServiceSettings } from "../../../src/service/settings/service-settings.ts";
import { insertJob } from "../../../src/service/storage/job-records.ts";
import { insertReadyMedia } from "../../../src/service/storage/media-records.ts";
import { ensureTeam } from "../../../src/service/storage/team-records.ts";
import { modelOf } from "../../engine/store/archives.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";
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
    const { download } = await look();
    return download?.state === wanted ? download : undefined;
  });
const rowOf = async (id: string) => (await look()).models.find((model: { id: string }) => model.id === id);

/** A model of the list as if it had been ordered; its files hold the words. */
async function installed(id: string, words: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(settings.modelsFolder ?? "", id);
  await mkdir(folder, { recursive: true });
  const contents = Object.entries(words).map(([name, text]) => {
    writeFileSync(join(folder, name), text);
    return [name, { bytes: text.length, sha256: createHash("sha256").update(text).digest("hex") }];
  });
  const is = id === "sherpa-onnx" ? { kind: "engine", form: id } : { kind: "sounds", form: "ced" };
  const manifest = { id, title: id, ...is, files: {}, languages: [] };
  await writeFile(
    join(folder, "installed.json"),
    JSON.stringify({ ...manifest, contents: Object.fromEntries(contents) }),
  );
  return folder;
}

test("the list has what can be ordered with licence, size and what this computer makes of it, and Ollama's models", async () => {
  const reply = await look();
  expect(z.parse(ModelsReplySchema, reply)).toEqual(reply);
  expect(reply.download).toBeNull();
  expect(reply.refused).toBeNull();
  expect(reply.computer).toMatch(/^This computer has \d+ GB of memory/);
  expect(await rowOf("parakeet-v3")).toMatchObject({ kind: "ears", keeper: "aside", state: "absent", voices: 0 });
  expect((await rowOf("supertonic-3")).licence).toMatchObject({ name: "OpenRAIL-M", has_terms: true });
  expect(await rowOf("ollama:qwen3-vl:2b-instruct")).toMatchObject({ keeper: "ollama", state: "installed" });
  expect(await rowOf("ollama:gemma4:e4b")).toMatchObject({ state: "absent", bytes: 9.6e9 });
});

test("an order at Ollama tells how far it is, goes on without its client, and ends with the model there", async () => {
  let end = () => {};
  ollama.pull = (reply) => {
    reply.write('{"status":"pulling abc","digest":"a","total":4000,"completed":1000}\n');
    end = () => reply.end('{"status":"success"}\n');
  };
  expect((await fetchModel("ollama:qwen3-vl:4b-instruct")).body.download).toMatchObject({ state: "running" });
  await eventually(async () => ((await look()).download.completed_bytes === 1000 ? true : undefined));
  expect((await look()).download).toMatchObject({ model: "ollama:qwen3-vl:4b-instruct", total_bytes: 4000 });
  const second = await fetchModel("ollama:gemma4:e4b");
  expect([second.status, second.body.code]).toEqual([400, "model_refused"]);
  end();
  await state("done");
  expect(await rowOf("ollama:qwen3-vl:4b-instruct")).toMatchObject({ state: "installed" });
  expect(ollama.pulled).toEqual(["qwen3-vl:4b-instruct"]);
});

test("an order is cancelled at Ollama, and can begin again", async () => {
  const gone = new Promise<void>((resolve) => {
    ollama.pull = (reply) => {
      reply.write('{"status":"pulling abc","digest":"a","total":4000,"completed":1}\n');
      reply.once("close", resolve);
    };
  });
  await fetchModel("ollama:gemma4:e4b");
  await eventually(async () => ((await look()).download.completed_bytes === 1 ? true : undefined));
  expect((await service.send("DELETE", "settings/models")).body.download.state).toBe("cancelled");
  await gone;
  ollama.pull = (reply) => void reply.end('{"status":"success"}\n');
  await fetchModel("ollama:gemma4:e4b");
  await state("done");
});

test("what Ollama says against it is told, without addresses' secrets", async () => {
  ollama.pull = (reply) => void reply.end('{"error":"pull https://me:of-mine@registry.example/x failed"}\n');
  await fetchModel("ollama:qwen3-vl:8b-instruct");
  const { message } = await state("failed");
  expect(message).toContain("Ollama could not fetch qwen3-vl:8b-instruct");
  expect(message).not.toContain("of-mine");
});

thoroughTest("where nothing may leave the computer, nothing is fetched, and what is being fetched ends", async () => {
  ollama.pull = (begun) => void begun.write('{"status":"pulling abc","digest":"a","total":4000,"completed":1}\n');
  await fetchModel("ollama:gemma4:e4b");
  await eventually(async () => ((await look()).download.completed_bytes === 1 ? true : undefined));
  await settings.change({ privacy: { local_only: "on" } }, { isOnItsComputer: true });
  expect((await state("cancelled")).message).toContain("Nothing may leave this computer (privacy.local_only)");
  for (const model of ["ollama:gemma4:e4b", "ced-mini"]) {
    const refused = await fetchModel(model);
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining("Nothing may leave")]);
  }
  expect((await look()).refused).toContain("Nothing may leave");
  expect(ollama.pulled).toHaveLength(1);
});

test("it is for administrators' keys, and takes names of models alone", async () => {
  const { key } = await service.app.administration.createKey();
  const asked = [
    ["GET", "settings/models"],
    ["POST", "settings/models", { model: "ced-mini" }],
    ["DELETE", "settings/models"],
    ["DELETE", "settings/models/ced-mini"],
    ["POST", "settings/models/ced-mini/check"],
  ] as const;
  for (const [method, path, body] of asked) {
    expect((await send(service.app, key, method, path, body)).status).toBe(403);
  }
  for (const model of ["", "-rf", "a b", "../x", "x".repeat(201), 7])
    expect((await fetchModel(model)).status).toBe(400);
  expect((await fetchModel("nobody")).body).toMatchObject({ code: "model_unknown" });
  // No path of the service's computer can be named from elsewhere.
  expect((await service.send("POST", "settings/models", { model: "ced-mini", from: "/tmp" })).status).toBe(400);
  expect(ollama.pulled).toEqual([]);
});

test("where no Ollama answers, the others are listed all the same", async () => {
  ollama.close();
  const { models } = await look();
  expect(models.some((model: { keeper: string }) => model.keeper === "ollama")).toBe(false);
  expect(models.length).toBeGreaterThan(10);
  await fetchModel("ollama:gemma4:e4b");
  expect((await state("failed")).message).toContain("Ollama does not answer");
});

thoroughTest("a model that was damaged since is told by a check, and loaded by nobody any more", async () => {
  const folder = await installed("ced-mini", { "model.int8.onnx": "heard", labels: "words" });
  await installed("sherpa-onnx", { module: "engine" });
  expect(await rowOf("ced-mini")).toMatchObject({ state: "installed" });
  expect((await service.send("POST", "settings/models/ced-mini/check")).status).toBe(200);
  await state("done");
  await writeFile(join(folder, "model.int8.onnx"), "hEard");
  expect(await readInstalled(dirname(folder))).toHaveLength(2);
  await service.send("POST", "settings/models/ced-mini/check");
  expect((await state("failed")).message).toContain("CED mini is damaged (model.int8.onnx), and is no longer used.");
  expect(await rowOf("ced-mini")).toMatchObject({ state: "damaged" });
  expect(await readInstalled(dirname(folder))).toHaveLength(1);
});

thoroughTest(
  "removing gives the room back, with the engine that nothing else needs; not while a film is described",
  async () => {
    const folder = await installed("ced-mini", { "model.int8.onnx": "heard" });
    await installed("sherpa-onnx", { module: "engine" });
    const remove = () => service.send("DELETE", "settings/models/ced-mini");
    const job = await jobAtWork();
    expect((await remove()).body).toMatchObject({
      code: "model_in_use",
      message: expect.stringContaining("described"),
    });
    await job.end();
    expect((await remove()).status).toBe(200);
    expect(await readdir(dirname(folder))).not.toContain("ced-mini");
    expect(await readdir(dirname(folder))).not.toContain("sherpa-onnx");
    expect(await rowOf("ced-mini")).toMatchObject({ state: "absent" });
  },
);

/** A job that is being worked on, until it ends. */
async function jobAtWork() {
  const { database } = service;
  const team = await ensureTeam(database, "north");
  const [id, mediaId] = [randomUUID(), randomUUID()];
  const facts = { contentHash: mediaId, sizeBytes: 1, durationSeconds: 60, frameRate: 25 };
  const media = { id: mediaId, teamId: team.id, arrival: "file", fileName: "clip.mp4", storageKey: "film" } as const;
  await insertReadyMedia(database, media, facts);
  const order = {
    kind: "text",
    origin: "api",
    settings: DEFAULT_SETTINGS,
    track: "mixed",
    resolution: "source",
  } as const;
  await insertJob(database, { id, teamId: team.id, mediaId, ...order });
  const set = (status: string) => database.query("UPDATE aside.job SET status = $1 WHERE id = $2", [status, id]);
  await set("processing");
  return { end: () => set("queued") };
}

/** A service whose one model is two files of these words. */
async function withTones() {
  const words = { "model.onnx": "the weights", "tokens.txt": "a b" };
  const sources = Object.entries(words).map(([name, text]) => ({
    url: `https://hub.example/${name}`,
    bytes: text.length,
    sha256: createHash("sha256").update(text).digest("hex"),
    into: name,
  }));
  const tones = modelOf(sources, { model: "model.onnx", tokens: "tokens.txt" });
  await service.close();
  const offer = {
    catalog: [tones],
    engineFor: () => ({ ...tones, id: "engine", kind: "engine", sources: [], files: {} }) as never,
  };
  service = await startTestService({}, { settings, worksOnJobs: false, models: offer });
  const sent = async (name: string, text: string | null, key = service.key) => {
    const input = { type: "signed_url", filename: name, content_type: "application/octet-stream" };
    const { body } = await send(service.app, key, "POST", "upload_media", { input });
    if (text !== null) {
      const headers = { "Content-Type": "application/octet-stream" };
      await service.follow(body.upload_url, { method: "PUT", headers, body: text });
    }
    return { media_id: body.media_id, gcs_path: body.gcs_path };
  };
  const install = (...uploads: unknown[]) => service.send("POST", "settings/models", { model: tones.id, uploads });
  const left = async () => (await service.database.query("SELECT id FROM aside.media")).length;
  return { words, tones, sent, install, left };
}

thoroughTest(
  "a model is installed from files that were sent, though nothing may be fetched; none of them stays",
  async () => {
    const { words, tones, sent, install, left } = await withTones();
    await settings.change({ privacy: { local_only: "on" } }, { isOnItsComputer: true });
    expect(await rowOf(tones.id)).toMatchObject({
      addresses: ["https://hub.example/model.onnx", "https://hub.example/tokens.txt"],
    });
    const uploads = [];
    for (const [name, text] of Object.entries(words)) uploads.push(await sent(name, text));
    expect(await left()).toBe(2);
    expect((await install(...uploads)).body.download).toMatchObject({ model: tones.id });
    await state("done");
    expect(await rowOf(tones.id)).toMatchObject({ state: "installed", addresses: [] });
    expect(await left()).toBe(0);
  },
);

thoroughTest(
  "files that are missing, others' or not those they should be install nothing, are told, and go too",
  async () => {
    const { sent, install, left, tones } = await withTones();
    await install(await sent("model.onnx", "the weights"));
    expect((await state("failed")).message).toContain("https://hub.example/tokens.txt");
    await install(await sent("model.onnx", "the weights"), await sent("tokens.txt", "b a"));
    await eventually(async () =>
      (await look()).download.message.startsWith("Your tokens.txt is not the file") ? true : undefined,
    );
    await install(await sent("model.onnx", null), await sent("tokens.txt", "a b"));
    await eventually(async () =>
      (await look()).download.message.startsWith("model.onnx has not arrived whole") ? true : undefined,
    );
    // What was right of it waits for the rest.
    expect([await left(), (await rowOf(tones.id)).state]).toEqual([0, "partial"]);
    const ofOthers = await sent(
      "model.onnx",
      "the weights",
      (await service.app.administration.createKey({ team: "others" })).key,
    );
    expect((await install(ofOthers)).status).toBe(404);
    expect(await left()).toBe(1);
    // Refused before it begins, an order leaves nothing either.
    const mine = await sent("model.onnx", "the weights");
    expect((await service.send("POST", "settings/models", { model: "unheard-of", uploads: [mine] })).status).toBe(400);
    expect(await left()).toBe(1);
  },
);
