import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { thisComputer } from "../../../src/engine/store/this-computer.ts";
import { dataFolders } from "../../../src/service/storage/data-folders.ts";
import { modelOf, sha256 } from "../../engine/store/archives.ts";
import { startFileServer } from "../../fakes/file-server.ts";
import { turns } from "../../fakes/set-clock.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { recordsOf } from "../written-records.ts";
import { IDS, openRoutes, type RouteServer } from "./route-server.ts";

// Orders of models over the interface: a catalog of one model, a server that has it, uploads as the records of a test say.

const WEIGHTS = Buffer.alloc(2_000, "weights ");
let routes: RouteServer | null = null;
afterEach(async () => {
  await routes?.close();
  routes = null;
});

/** What takes its time: the store's lending of a file, and its removal. */
interface Held {
  readonly lends?: ((signal: AbortSignal) => Promise<unknown>) | null;
  readonly removing?: Promise<void>;
}

/** Routes over one model that is fetched from a server, which sends the half of it; `over` resolves when nobody asks for more. */
async function withTones({ lends = null, removing = turns(1) }: Held = {}) {
  const server = await startFileServer({ "/model": WEIGHTS, "/tokens": WEIGHTS });
  const begun = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  let isOver = false;
  server.answer("/model", (_request, reply, file) => {
    reply.writeHead(200, { "content-length": file.length }).write(file.subarray(0, 1_000), () => begun.resolve());
    reply.once("close", () => {
      isOver = true;
      over.resolve();
    });
  });
  const names = ["model", "tokens"] as const;
  const sources = names.map((into) => {
    return { url: `${server.origin}/${into}`, bytes: WEIGHTS.length, sha256: sha256(WEIGHTS), into };
  });
  const tones = modelOf(sources, { model: "model", tokens: "tokens" });
  const engine = { ...tones, id: "engine", kind: "engine", sources: [], files: {} };
  const [modelsFolder, data] = [await temporaryFolder(), await temporaryFolder()];
  const folders = dataFolders(data);
  await mkdir(folders.incoming, { recursive: true });
  const ids: readonly string[] = [IDS.media, IDS.job];
  const records = recordsOf([
    [
      /^SELECT id, team_id .* FROM aside.media WHERE id = \$1/,
      ([id]) => [
        {
          ...{
            id,
            teamId: IDS.team,
            arrival: "signed_url",
            uploadStatus: "pending_upload",
            fileName: names[ids.indexOf(String(id))],
          },
          ...{ storageKey: `uploads/${id}`, uploadKey: `uploads/${id}` },
        },
      ],
    ],
    [/^DELETE FROM aside.media/, [{ id: "m" }]],
    [/FROM aside.job/, []],
  ]);
  const [removed, released]: [string[], string[]] = [[], []];
  const objects = {
    stat: async () => ({ sizeBytes: 1 }),
    remove: async (key: string) => {
      await removing;
      removed.push(key);
    },
    borrow: async (key: string, signal: AbortSignal) => {
      if (lends !== null) await lends(signal);
      const path = join(folders.incoming, key.replace("/", "-"));
      await writeFile(path, WEIGHTS);
      return { path, release: async () => void released.push(key) };
    },
  };
  const opened = await openRoutes({
    settings: { modelsFolder, variables: async () => ({}) },
    models: {
      catalog: [tones],
      engineFor: () => engine,
      computer: thisComputer,
    },
    database: records,
    objects,
    folders,
  });
  routes = opened;
  const askOf = (method: string, model: string, body?: unknown) =>
    opened.ask(method, `settings/models${model}`, { as: "administrator", ...(body === undefined ? {} : { body }) });
  const ask = (method: string, body?: unknown) => askOf(method, "", body);
  const uploads = ids.map((id) => ({ media_id: id, gcs_path: `uploads/${id}` }));
  return {
    ...{ ask, askOf, records, removed, released, modelsFolder, uploads, close: opened.close },
    ...{ begun: begun.promise, over: over.promise, isOver: () => isOver },
  };
}

test("an order that is taken back is over when that is answered, and can begin anew", async () => {
  const { ask, begun } = await withTones();
  expect((await ask("POST", { model: "tones" })).body.download).toMatchObject({ model: "tones", state: "running" });
  await begun;
  const { status, body } = await ask("DELETE");
  expect([status, body.download.state]).toEqual([200, "cancelled"]);
  expect((await ask("POST", { model: "tones" })).body.download.state).not.toBe("cancelled");
});

test("an order of files that were sent is over when it is said to be taken back: they are gone then", async () => {
  const lending = Promise.withResolvers<void>();
  const removing = Promise.withResolvers<void>();
  const { ask, removed, uploads } = await withTones({
    lends: (signal) => {
      lending.resolve();
      return new Promise((_, fail) => signal.addEventListener("abort", () => fail(signal.reason)));
    },
    removing: removing.promise,
  });
  await ask("POST", { model: "tones", uploads });
  await lending.promise;
  let isAnswered = false;
  const answer = ask("DELETE").finally(() => {
    isAnswered = true;
  });
  await turns(200);
  expect(isAnswered).toBe(false);
  removing.resolve();
  expect((await answer).body.download.state).toBe("cancelled");
  expect(removed.sort()).toEqual(uploads.map(({ gcs_path }) => gcs_path).sort());
});

test("an order ends with its service", async () => {
  const { ask, begun, over, isOver, close } = await withTones();
  await ask("POST", { model: "tones" });
  await begun;
  expect(isOver()).toBe(false);
  await close();
  await over;
});

test("a model that nobody knows is neither ordered nor checked nor removed, and each answer says so", async () => {
  const { ask, askOf } = await withTones();
  const refused = { status: 400, body: { error: "invalid_input", code: "model_unknown" } };
  expect(await ask("POST", { model: "unheard-of" })).toMatchObject(refused);
  expect(await askOf("DELETE", "/unheard-of")).toMatchObject(refused);
  expect(await askOf("POST", "/unheard-of/check")).toMatchObject(refused);
});

test("files that were sent for an order that is refused go, every one, before that is said", async () => {
  const { ask, records, removed, uploads } = await withTones();
  expect((await ask("POST", { model: "unheard-of", uploads })).body.code).toBe("model_unknown");
  expect([records.underWay(), removed.sort()]).toEqual([0, uploads.map(({ gcs_path }) => gcs_path).sort()]);
});

test("files that were sent are given back and go, every one, when the model is there", async () => {
  const { ask, askOf, removed, released, modelsFolder, uploads } = await withTones();
  await ask("POST", { model: "tones", uploads });
  await expect.poll(async () => (await ask("GET")).body.download, { timeout: 5_000 }).toMatchObject({ state: "done" });
  for (const name of ["model", "tokens"]) {
    expect(await readFile(join(modelsFolder, "tones", name), "utf8")).toBe(String(WEIGHTS));
  }
  const keys = uploads.map(({ gcs_path }) => gcs_path).sort();
  expect([released.sort(), removed.sort()]).toEqual([keys, keys]);
  // It is gone when its removal is answered.
  expect((await askOf("DELETE", "/tones")).status).toBe(200);
  await expect(readFile(join(modelsFolder, "tones", "model"))).rejects.toThrow("ENOENT");
});
