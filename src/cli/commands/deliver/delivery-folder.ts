import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, readdir, rm, rmdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type BroadcastCopy, type BroadcastOrder, broadcastCopy } from "../../../formats/wave/broadcast-copy.ts";
import { readWaveHeader, WAVE_HEAD_BYTES, type WaveLayout } from "../../../formats/wave/read-wave.ts";
import { nodeFiles } from "../../../host/headless/files.ts";
import { moveTogether, undoMoves } from "../../../host/headless/move-together.ts";
import { hostErrorFrom } from "../../../host/headless/system-error.ts";
import { HostError } from "../../../host/host-error.ts";
import { REPORT_GENERATOR } from "../../../result/read-report.ts";
import { makeFolder } from "../../../service/storage/synced-folder.ts";
import { UsageError } from "../../shell/usage-error.ts";
import { readJsonObject } from "../../source/results-folder.ts";

/** Name of the manifest. */
export const MANIFEST_FILE = "manifest.json";

/** What a check leaves. */
const REPORT_FILES = ["report.html", "report.json"];

/** How the folder begins in which files are made. */
const MAKING = ".delivery-";

/** In it: what is moved while files get their names, and what these replace. No file that is delivered is called so. */
const MOVES_FILE = ".moves.json";
const REPLACED = ".replaced";

/**
 * A folder that a delivery goes to. Files are made in a hidden folder inside it and take their names when all of them are
 * whole; those of an earlier delivery go then, as long as they are as they were delivered.
 */
export class DeliveryFolder {
  readonly path: string;
  /** Where the files are made. */
  readonly making: string;
  readonly #earlier: readonly string[];

  private constructor(path: string, making: string, earlier: readonly string[]) {
    this.path = path;
    this.making = making;
    this.#earlier = earlier;
  }

  /**
   * Opens a folder, which is made when it is missing.
   *
   * @param overwrites Whether it may hold files of others.
   * @throws UsageError when it does and may not; HostError when it cannot be made.
   */
  static async open(path: string, overwrites: boolean): Promise<DeliveryFolder> {
    try {
      await makeFolder(path);
      // What a killed process left.
      const left = (await readdir(path)).filter((name) => name.startsWith(MAKING));
      for (const name of left) await undoMoves(path, join(name, MOVES_FILE));
      for (const name of left) await rm(join(path, name), { recursive: true });
      const earlier = await earlierFiles(path);
      const present = await readdir(path);
      const foreign = present.filter((name) => !earlier.includes(name));
      if (foreign.length > 0 && !overwrites) {
        throw new UsageError(`"${basename(path)}" holds files already; --force writes into it`);
      }
      return new DeliveryFolder(path, await mkdtemp(join(path, MAKING)), earlier);
    } catch (error) {
      if (error instanceof UsageError) throw error;
      throw hostErrorFrom(error, path, "make the delivery's folder", "nothing was changed");
    }
  }

  /**
   * Gives finished files their names, and removes what an earlier delivery left: all of it or nothing.
   *
   * @throws HostError, `file_in_use` where another program holds a file; the folder is as it was then.
   */
  async deliver(names: readonly string[]): Promise<void> {
    const making = basename(this.making);
    const old = [...new Set([...this.#earlier, ...names])];
    const sizes = await Promise.all(old.map((name) => nodeFiles.size(join(this.path, name))));
    await moveTogether(
      this.path,
      [
        ...old.filter((_, at) => sizes[at] !== null).map((name) => ({ from: name, to: join(making, REPLACED, name) })),
        ...names.map((name) => ({ from: join(making, name), to: name })),
      ],
      join(making, MOVES_FILE),
    );
  }

  /** Removes what was not delivered, and the folder itself where nothing is in it. */
  async close(): Promise<void> {
    await rm(this.making, { recursive: true, force: true }).catch(() => undefined);
    // Fails where something was delivered, as it should.
    await rmdir(this.path).catch(() => undefined);
  }
}

/** The manifest of an earlier delivery with the files that are as it says, and the reports of an earlier check. */
async function earlierFiles(path: string): Promise<string[]> {
  const report = await readJsonObject(join(path, "report.json"));
  const own = report["generator"] === REPORT_GENERATOR ? [...REPORT_FILES] : [];
  const manifest = await readJsonObject(join(path, MANIFEST_FILE));
  if (manifest["generator"] !== REPORT_GENERATOR || !Array.isArray(manifest["files"])) return own;
  own.push(MANIFEST_FILE);
  for (const file of manifest["files"]) {
    const { name, sha256 }: { name?: unknown; sha256?: unknown } = Object(file);
    if (typeof name !== "string" || typeof sha256 !== "string" || basename(name) !== name) continue;
    const delivered = join(path, name);
    if ((await nodeFiles.size(delivered)) !== null && (await sha256Of(delivered)) === sha256) own.push(name);
  }
  return own;
}

/** Bytes of a sound that are copied at a time. */
const PIECE_BYTES = 1 << 20;

/**
 * Copies a WAV file as Broadcast Wave: the same samples, bit by bit, with a time reference, so that any editor lays it
 * where it belongs. Streams: a file of any length.
 *
 * @param layout The head of the file that is copied.
 */
export async function copyAsBroadcastWave(
  from: string,
  to: string,
  layout: WaveLayout,
  order: BroadcastOrder,
): Promise<void> {
  const copy = broadcastCopy(layout, (await stat(from)).size, order);
  await pipeline(Readable.from(bytesOf(from, copy)), createWriteStream(to));
}

async function* bytesOf(path: string, { head, leader, from, to, tail }: BroadcastCopy): AsyncGenerator<Uint8Array> {
  yield head;
  yield* leader;
  if (to > from) yield* createReadStream(path, { start: from, end: to - 1, highWaterMark: PIECE_BYTES });
  yield tail;
}

/**
 * Reads the head of a WAV file.
 *
 * @throws HostError `file_unreadable` when it is no WAV file.
 */
export async function waveLayoutOf(path: string): Promise<WaveLayout> {
  const reading = readWaveHeader(await nodeFiles.readBytes(path, 0, WAVE_HEAD_BYTES));
  if (reading.ok) return reading.layout;
  const context = { operation: "deliver a sound", state: "nothing was changed" };
  throw new HostError("file_unreadable", `"${basename(path)}" is not a WAV file`, context);
}

/** SHA-256 of a file, in hex. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
