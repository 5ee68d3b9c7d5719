import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { keptPace, tryEyes } from "../../../src/engine/local/eyes-pace.ts";
import { Eyes } from "../../../src/engine/local/llama-server.ts";
import { visionConfiguration } from "../../../src/engine/models/vision-settings.ts";
import type { Environment } from "../../../src/engine/outgoing/local-only.ts";
import { engineFor } from "../../../src/engine/store/catalog-engines.ts";
import { type Computer, thisComputer } from "../../../src/engine/store/this-computer.ts";
import { ModelStore, type ModelStoreParts } from "../../../src/service/models/model-store.ts";
import { installStandIn } from "../../engine/local/installed-eyes.ts";
import { modelOf, sha256 } from "../../engine/store/archives.ts";
import { type FileServer, silentAfter, startFileServer } from "../../fakes/file-server.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { eventually } from "../service-fixture.ts";

const WEIGHTS = Buffer.alloc(2_000_000, "weights ");
const { signal } = new AbortController();

/** A store with one model of its own, whose engine is there. */
async function storeOf(
  server: Pick<FileServer, "origin">,
  computer: () => Promise<Computer> = thisComputer,
  more: Partial<ModelStoreParts> = {},
) {
  const folder = await temporaryFolder();
  const url = `${server.origin}/model`;
  const source = { url, bytes: WEIGHTS.length, sha256: sha256(WEIGHTS), into: "model" };
  const model = modelOf([source], { model: "model" });
  const engine = engineFor("sherpa-onnx", await thisComputer());
  const manifest = { ...engine, files: { module: "m" }, contents: {} };
  await mkdir(join(folder, "sherpa-onnx"));
  await writeFile(join(folder, "sherpa-onnx", "installed.json"), JSON.stringify(manifest));
  let variables: Environment = {};
  const store = new ModelStore({
    variables: async () => variables,
    folder,
    offer: { catalog: [model], computer },
    ...more,
  });
  onTestFinished(() => store.cancel());
  const set = (next: Environment) => {
    variables = next;
  };
  const row = async () => (await store.look(signal)).models.find(({ id }) => id === "tones");
  return { store, set, row, folder };
}

test("an order says what it does until the model is ready, and only one is under way at a time", async () => {
  const server = await startFileServer({ "/model": WEIGHTS });
  const { store, row } = await storeOf(server);
  expect(await row()).toMatchObject({ state: "absent", bytes: WEIGHTS.length, suits: "yes" });
  await store.start("tones");
  await expect(store.start("tones")).rejects.toThrow("tones is being fetched. Wait for it, or cancel it.");
  expect(await store.settled()).toBeNull();
  expect(store.download).toMatchObject({ model: "tones", state: "done", message: "Tones is ready." });
  expect(await row()).toMatchObject({ state: "installed" });
});

test("what was cancelled says how much is kept, and continues with the next order", async () => {
  const server = await startFileServer({ "/model": WEIGHTS });
  server.answer("/model", silentAfter(1_500_000));
  const { store, row } = await storeOf(server);
  await store.start("tones");
  await eventually(async () => ((store.download?.completed_bytes ?? 0) >= 1_500_000 ? true : undefined));
  expect(store.download).toMatchObject({ state: "running", total_bytes: 2_000_000, message: "Tones: fetching." });
  await store.cancel();
  expect(store.download).toMatchObject({
    state: "cancelled",
    message: "Cancelled. 2 MB are kept; order it again to continue.",
  });
  expect(await row()).toMatchObject({ state: "partial" });
  await store.start("tones");
  expect(await store.settled()).toBeNull();
  expect(server.asked.at(-1)?.range).toBe("bytes=1500000-");
});

test("whoever forbids it meanwhile ends what is fetched, and is named", async () => {
  const server = await startFileServer({ "/model": WEIGHTS });
  server.answer("/model", silentAfter(500_000));
  const { store, set } = await storeOf(server);
  await store.start("tones");
  set({ ASIDE_LOCAL_ONLY: "on" });
  expect(await store.settled()).toBeNull();
  expect(store.download).toMatchObject({ state: "cancelled", message: expect.stringContaining("privacy.local_only") });
  await expect(store.start("tones")).rejects.toMatchObject({ code: "model_refused" });
  expect((await store.look(signal)).refused).toContain("privacy.local_only");
});

test("a failure is told with what to do, and without what an address may hide", async () => {
  const server = await startFileServer();
  const { store } = await storeOf(server);
  await store.start("tones");
  expect(await store.settled()).toMatchObject({ code: "model_unreachable" });
  expect(store.download).toMatchObject({ state: "failed", message: expect.stringContaining("answers 404 for model") });
});

test("a model that does not run here is refused with the reason, before anything is fetched", async () => {
  const server = await startFileServer({ "/model": WEIGHTS });
  const weak = async () => ({ ...(await thisComputer()), memoryBytes: 500_000_000 });
  const { store, row } = await storeOf(server, weak);
  expect(await row()).toMatchObject({ suits: "no", is_recommended: false });
  await expect(store.start("tones")).rejects.toThrow("Tones does not run here. Needs a computer with");
  expect(server.asked).toEqual([]);
});

test("whatever runs a model lets go of it before it is removed or replaced; a film that is described is not cut off", async () => {
  const server = await startFileServer({ "/model": WEIGHTS });
  let isWorking = false;
  const released: boolean[] = [];
  const { store, folder } = await storeOf(server, thisComputer, {
    isWorking: async () => isWorking,
    release: async () => released.push((await stat(join(folder, "tones", "model")).catch(() => null)) !== null),
  });
  await store.start("tones");
  expect([await store.settled(), released]).toEqual([null, []]);
  await writeFile(join(folder, "tones", "model"), "damaged");
  await store.check("tones");
  expect(await store.settled()).toMatchObject({ code: "model_wrong" });
  isWorking = true;
  await store.start("tones");
  expect([await store.settled(), released]).toEqual([null, []]);
  await expect(store.remove("tones", signal)).rejects.toMatchObject({ code: "model_in_use" });
  isWorking = false;
  await writeFile(join(folder, "tones", "model"), "damaged");
  await store.start("tones");
  expect([await store.settled(), released]).toEqual([null, [true]]);
  await store.remove("tones", signal);
  expect(released).toEqual([true, true]);
});

test("of eyes it is told what a trial found here, in place of a guess", async () => {
  const { folder, environment, modelFolder, eyes } = await installStandIn();
  const store = new ModelStore({ variables: async () => environment, folder });
  const row = async () => (await store.look(signal)).models.find(({ id }) => id === "qwen3-vl-4b");
  expect(await row()).toMatchObject({ state: expect.stringMatching(/installed|partial/), seconds_per_minute: null });
  const configuration = visionConfiguration(environment);
  if (configuration.kind !== "configured") throw new TypeError(configuration.kind);
  const own = new Eyes();
  onTestFinished(() => own.end());
  const pace = await tryEyes(configuration.settings, environment, signal, own);
  const quick = await row();
  expect(quick).toMatchObject({ suits: "yes", remark: expect.not.stringContaining("Slow here") });
  expect(quick?.seconds_per_minute).toBeGreaterThan(0);
  const slow = { ...pace, secondsPerToken: { asked: 1, answered: 1 } };
  await writeFile(join(modelFolder, "pace.json"), JSON.stringify(slow));
  expect(await keptPace(eyes)).toEqual(slow);
  expect(await row()).toMatchObject({ suits: "slow", remark: expect.stringMatching(/times the length of a film/) });
});

test("where no folder is set, nothing is kept, and that is said", async () => {
  const store = new ModelStore({ variables: async () => ({}), folder: null });
  expect((await store.look(signal)).models.filter(({ keeper }) => keeper === "aside")).toEqual([]);
  await expect(store.start("ced-mini")).rejects.toThrow("name a folder for them in ASIDE_MODELS");
});
