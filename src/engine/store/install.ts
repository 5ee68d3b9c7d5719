import { createHash, randomUUID } from "node:crypto";
import { createReadStream, type Dirent } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod/mini";
import { isHeldError, whileHeld } from "../../core/held-file.ts";
import { parsedJson } from "../../core/objects.ts";
import { writeFinishedFile } from "../finished-file.ts";
import type { Environment } from "../outgoing/local-only.ts";
import type { CatalogModel, Source } from "./catalog-row.ts";
import { type FetchLimits, fetchFile, listedSum, placeOf, removePart, StoreError } from "./fetch-file.ts";
import { GIVEN_PREFIX, type GivenFile, GivenFiles } from "./given-files.ts";
import { MANIFEST } from "./installed.ts";
import { holdModel } from "./store-lock.ts";
import { freeBytes } from "./this-computer.ts";
import { type FileContent, unpackArchive } from "./unpack.ts";

/** Folder of a store in which files arrive: what is there of them stays until the next time. */
const ARRIVING = ".arriving";

/** What the manifest of a damaged model is called: nothing loads it any more. */
const DAMAGED_MANIFEST = "damaged.json";

const DAY_MS = 24 * 3600 * 1000;

/** Room in bytes that no model fills, so that what goes on beside it can end. */
const RESERVE_BYTES = 1_000_000_000;

/** How far an order is. */
export interface StoreProgress {
  readonly state: "running" | "checking" | "unpacking";
  /** Bytes that are there, and bytes there will be. */
  readonly completedBytes: number;
  readonly totalBytes: number;
}

/** What an order takes. */
export interface ModelOrder {
  /** The store's folder; made when there is none. */
  readonly folder: string;
  readonly environment: Environment;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: StoreProgress) => void;
  /** A folder or an archive of this computer that has the files, or those that were brought; nothing is fetched then. */
  readonly from?: string | readonly GivenFile[];
  /** Called before something that is there is replaced: whoever has it loaded lets go of it. */
  readonly release?: () => Promise<unknown>;
  readonly limits?: FetchLimits;
}

/** What a manifest says beside what makes a model loadable: what its files hold, and where they came from. */
const Contents = z.object({
  contents: z.record(z.string(), z.object({ bytes: z.number(), sha256: z.string() })),
});

/** Whether a model is whole in a store, there in part, damaged, or absent. */
export async function stateInStore(
  folder: string,
  model: CatalogModel,
): Promise<"absent" | "partial" | "installed" | "damaged"> {
  const own = join(folder, model.id);
  const manifest = await readFile(join(own, MANIFEST), "utf8").catch(() => null);
  if (manifest !== null) {
    const { data } = Contents.safeParse(parsedJson(manifest));
    const sizes = Object.entries(data?.contents ?? {}).filter(([path]) => !path.includes("/"));
    const found = await Promise.all(sizes.map(([path]) => stat(join(own, path)).catch(() => null)));
    return sizes.every(([, { bytes }], index) => found[index]?.size === bytes) ? "installed" : "damaged";
  }
  if ((await stat(join(own, DAMAGED_MANIFEST)).catch(() => null)) !== null) return "damaged";
  return (await arrivedBytes(folder, model)) > 0 ? "partial" : "absent";
}

/** Bytes of a model's files that have arrived and are not installed yet. */
export async function arrivedBytes(folder: string, { sources }: CatalogModel): Promise<number> {
  const sizes = await Promise.all(sources.map((source) => sizeOf(partOf(folder, source))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.size ?? 0;
}

function partOf(folder: string, { url, sha256 }: Source): string {
  const key = (sha256 ?? createHash("sha256").update(url).digest("hex")).slice(0, 16);
  return join(folder, ARRIVING, `${key}-${placeOf(url)[1]}`);
}

/**
 * Orders models onto this computer, one after the other: fetches what is missing, checks every file against its SHA-256, and
 * puts each together beside its place, where it appears whole. What ends in the middle leaves nothing that loads, and what
 * has arrived stays for the next time.
 *
 * @param models What is installed already is left alone. Of the first ones another process's order is waited for; the last
 *   is what was asked for.
 * @throws StoreError, the system's error, the signal's reason.
 */
export async function orderModels(models: readonly CatalogModel[], options: ModelOrder): Promise<void> {
  const { folder, signal } = options;
  const missing: CatalogModel[] = [];
  for (const model of models) if ((await stateInStore(folder, model)) !== "installed") missing.push(model);
  const given =
    options.from === undefined ? null : await (await GivenFiles.open(options.from, folder, signal)).require(missing);
  try {
    await requireRoom(missing, folder);
    const progress = new OrderProgress(missing, options.onProgress);
    for (const model of missing) {
      await using _held = await holdModel(folder, model.id, { signal, waits: model !== models.at(-1) });
      // Another process may have done it meanwhile.
      if ((await stateInStore(folder, model)) !== "installed") await install(model, options, given, progress);
    }
  } finally {
    await given?.close();
  }
}

/** Adds up what is there of several files. */
class OrderProgress {
  readonly #tell: ModelOrder["onProgress"];
  readonly #bytes = new Map<Source, number>();
  readonly #total: number;

  constructor(models: readonly CatalogModel[], tell: ModelOrder["onProgress"]) {
    this.#tell = tell;
    this.#total = models.flatMap(({ sources }) => sources).reduce((sum, { bytes }) => sum + bytes, 0);
  }

  arrived(source: Source, bytes: number, state: StoreProgress["state"] = "running"): void {
    this.#bytes.set(source, bytes);
    this.say(state);
  }

  say(state: StoreProgress["state"]): void {
    const completedBytes = [...this.#bytes.values()].reduce((sum, bytes) => sum + bytes, 0);
    // The sizes of some are known about.
    this.#tell({ state, completedBytes, totalBytes: Math.max(this.#total, completedBytes) });
  }
}

/** @throws StoreError `model_no_room` before anything is fetched. */
async function requireRoom(models: readonly CatalogModel[], folder: string): Promise<void> {
  let needed = 0;
  for (const model of models) {
    const whole = model.sources.reduce((sum, { bytes }) => sum + bytes, 0);
    const unpacked = model.sources.some(({ archive }) => archive !== undefined) ? model.installedBytes : 0;
    needed += Math.max(0, whole - (await arrivedBytes(folder, model))) + unpacked;
  }
  const free = await freeBytes(folder);
  if (models.length === 0 || needed + RESERVE_BYTES <= free) return;
  const [takes, has] = [inWords(needed), inWords(Math.max(0, free - RESERVE_BYTES))];
  throw new StoreError(
    "model_no_room",
    `It takes ${takes} of the disk, and ${has} can be used (1 GB stays free). Make room, or choose another folder: aside settings set models.folder=…`,
  );
}

/** Bytes in words, such as `2.9 GB`. */
export function inWords(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.ceil(bytes / 1e6)} MB`;
}

async function install(
  model: CatalogModel,
  options: ModelOrder,
  given: GivenFiles | null,
  progress: OrderProgress,
): Promise<void> {
  const { folder, signal } = options;
  await mkdir(join(folder, ARRIVING), { recursive: true });
  await clearLeftOvers(model, folder);
  const sums = new Map<Source, string>();
  for (const source of model.sources) sums.set(source, await obtain(source, options, given, progress));
  const beside = join(folder, `.${model.id}.${randomUUID()}.new`);
  try {
    const contents = await putTogether(model, { folder, beside, signal, progress, sums });
    signal.throwIfAborted();
    const files = filesOf(model, contents);
    await flushTree(beside);
    if ((await stat(join(folder, model.id)).catch(() => null)) !== null) await options.release?.();
    await moveAside(join(folder, model.id));
    await held(() => rename(beside, join(folder, model.id)));
    const { id, title, kind, form, languages } = model;
    const sources = model.sources.map((source) => ({
      url: source.url,
      sha256: sums.get(source),
      sum_from: source.sha256 === null ? "list" : "pinned",
    }));
    const manifest = { id, title, kind, form, files, languages, sources, contents: Object.fromEntries(contents) };
    const place = join(folder, model.id, MANIFEST);
    await writeFinishedFile(place, JSON.stringify(manifest, null, 1));
    await flush(place);
  } finally {
    await rm(beside, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
  }
  await Promise.all(model.sources.map((source) => removePart(partOf(folder, source))));
}

/** Has a file whole and checked among those that arrive. @returns Its SHA-256. */
async function obtain(
  source: Source,
  { folder, environment, signal, limits }: ModelOrder,
  given: GivenFiles | null,
  progress: OrderProgress,
): Promise<string> {
  const part = partOf(folder, source);
  const fetching = { environment, signal, ...(limits === undefined ? {} : { limits }) };
  const wanted = source.sha256 ?? (given === null ? await listedSum(source, fetching) : await given.listedSum(source));
  const onBytes = (bytes: number) => progress.arrived(source, bytes);
  const hadSome = (await sizeOf(part)) > 0;
  let found =
    given === null ? await fetchFile(source, part, { ...fetching, onBytes }) : await given.copy(source, part, onBytes);
  if (found !== wanted && given === null && hadSome) {
    // What was there of it may have been damaged: only a file that came whole accuses its sender.
    await removePart(part);
    found = await fetchFile(source, part, { ...fetching, onBytes });
  }
  if (found === wanted) return found;
  await removePart(part);
  const [host, name] = placeOf(source.url);
  const sums = `its SHA-256 is ${found.slice(0, 12)}…, not ${wanted.slice(0, 12)}…`;
  throw new StoreError(
    "model_wrong",
    given === null
      ? `What ${host} sent as ${name} is not the file it should be: ${sums}. It was thrown away. Order it again; if it happens twice, tell us.`
      : `Your ${name} is not the file it should be: ${sums}. Nothing of it is used. Download it again where there is internet.`,
  );
}

interface Assembly {
  readonly folder: string;
  readonly beside: string;
  readonly signal: AbortSignal;
  readonly progress: OrderProgress;
  readonly sums: ReadonlyMap<Source, string>;
}

/** Unpacks archives, then moves single files, which are quick and would have to be fetched again. */
async function putTogether(
  { sources }: CatalogModel,
  { folder, beside, signal, progress, sums }: Assembly,
): Promise<Map<string, FileContent>> {
  const contents = new Map<string, FileContent>();
  await mkdir(beside, { recursive: true });
  for (const source of sources) {
    if (source.archive === undefined) continue;
    progress.say("unpacking");
    const below = join(beside, source.into);
    await mkdir(below, { recursive: true });
    const onBytes = () => progress.say("unpacking");
    const found = await unpackArchive(partOf(folder, source), source.archive, below, { signal, onBytes });
    for (const [path, content] of found) contents.set(source.into === "" ? path : `${source.into}/${path}`, content);
  }
  for (const source of sources) {
    if (source.archive !== undefined) continue;
    const place = join(beside, source.into);
    await mkdir(dirname(place), { recursive: true });
    await held(() => rename(partOf(folder, source), place));
    contents.set(source.into, { bytes: await sizeOf(place), sha256: sums.get(source) ?? "" });
  }
  return contents;
}

/** The path of each part of a model among what is there. @throws StoreError where one is missing. */
function filesOf({ files, title }: CatalogModel, contents: ReadonlyMap<string, FileContent>): Record<string, string> {
  const paths = [...contents.keys()];
  const found = Object.entries(files).map(([part, wanted]) => {
    const path = paths.find((one) =>
      typeof wanted === "string" ? one === wanted || one.startsWith(`${wanted}/`) : wanted.test(one),
    );
    if (path === undefined) {
      throw new StoreError(
        "model_wrong",
        `The archive of ${title} does not hold its "${part}". Nothing of it is used.`,
      );
    }
    return [part, typeof wanted === "string" ? wanted : path];
  });
  return Object.fromEntries(found);
}

/** What a process that ended in the middle left of a model: single files come back among those that arrive. */
async function clearLeftOvers(model: CatalogModel, folder: string): Promise<void> {
  const names = await readdir(folder);
  for (const name of names.filter((one) => one.startsWith(GIVEN_PREFIX))) {
    const found = await stat(join(folder, name)).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > DAY_MS)
      await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 });
  }
  const own = names.filter((name) => name.startsWith(`.${model.id}.`) && /\.(?:new|old)$/.test(name));
  const unfinished = (await stateInStore(folder, model)) === "installed" ? [] : [model.id];
  for (const name of [...own, ...unfinished]) {
    for (const source of model.sources) {
      const kept = join(folder, name, source.into);
      const isWhole = source.archive === undefined && (await sizeOf(kept)) === source.bytes;
      if (isWhole) await rename(kept, partOf(folder, source)).catch(() => undefined);
    }
    if (name !== model.id) await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Takes what stands at a model's place away: first its name, at once, so that nothing loads half of it. */
async function moveAside(place: string): Promise<void> {
  if ((await stat(place).catch(() => null)) === null) return;
  const aside = join(dirname(place), `.${place.split(sep).at(-1)}.${randomUUID()}.old`);
  try {
    await held(() => rename(place, aside));
  } catch (error) {
    if (!isHeldError(error, process.platform)) throw error;
    throw new StoreError("model_in_use", "It is in use. Wait until the work that uses it is done, then try again.", {
      cause: error,
    });
  }
  await rm(aside, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
}

/**
 * Removes a model from a store, with what has arrived of it.
 *
 * @returns Bytes that were given back.
 * @throws StoreError `model_refused` while another process works on it, `model_in_use` where the system does not let go of it.
 */
export async function removeModel(model: CatalogModel, folder: string, signal: AbortSignal): Promise<number> {
  await using _held = await holdModel(folder, model.id, { signal });
  const before = (await bytesOf(join(folder, model.id))) + (await arrivedBytes(folder, model));
  await moveAside(join(folder, model.id));
  await Promise.all(model.sources.map((source) => removePart(partOf(folder, source))));
  return before;
}

/** Bytes that a folder takes with all that is in it. */
export async function bytesOf(folder: string): Promise<number> {
  const entries: Dirent[] = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(({ parentPath, name }) => sizeOf(join(parentPath, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/**
 * Reads every file of an installed model and holds it against what it was. A damaged one is loaded by nobody from then on.
 *
 * @returns Paths that are damaged or missing; empty where it is whole.
 * @throws StoreError `model_unknown` where it is not installed, `model_refused` while another process works on it; the
 *   signal's reason.
 */
export async function checkModel(
  { id, title }: CatalogModel,
  { folder, signal, onProgress }: Pick<ModelOrder, "folder" | "signal" | "onProgress">,
): Promise<string[]> {
  await using _held = await holdModel(folder, id, { signal });
  const own = join(folder, id);
  const names = [MANIFEST, DAMAGED_MANIFEST].map((name) => join(own, name));
  const texts = await Promise.all(names.map((name) => readFile(name, "utf8").catch(() => "")));
  const { data } = Contents.safeParse(parsedJson(texts.find((text) => text !== "") ?? ""));
  if (data === undefined) throw new StoreError("model_unknown", `${title} is not installed.`);
  const contents = Object.entries(data.contents);
  const totalBytes = contents.reduce((sum, [, { bytes }]) => sum + bytes, 0);
  let completedBytes = 0;
  const damaged: string[] = [];
  for (const [path, { bytes, sha256 }] of contents) {
    const hash = createHash("sha256");
    const isThere = (await sizeOf(join(own, path))) === bytes;
    if (isThere) {
      for await (const block of createReadStream(join(own, path), { signal, highWaterMark: 1 << 20 })) {
        hash.update(block);
        completedBytes += block.length;
        onProgress({ state: "checking", completedBytes, totalBytes });
      }
    }
    if (!isThere || hash.digest("hex") !== sha256) damaged.push(path);
  }
  const [from, to] = damaged.length > 0 ? [MANIFEST, DAMAGED_MANIFEST] : [DAMAGED_MANIFEST, MANIFEST];
  if ((await stat(join(own, from)).catch(() => null)) !== null)
    await held(() => rename(join(own, from), join(own, to)));
  return damaged;
}

function held<Result>(work: () => Promise<Result>): Promise<Result> {
  return whileHeld(work, { platform: process.platform, sleep: (milliseconds) => sleep(milliseconds) });
}

/** Waits until all files below a folder are on the disk. */
async function flushTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) if (entry.isFile()) await flush(join(entry.parentPath, entry.name));
}

async function flush(path: string): Promise<void> {
  // To write, because Windows syncs nothing else.
  const file = await open(path, "r+");
  await file.sync().finally(() => file.close());
}
