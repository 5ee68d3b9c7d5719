import { createHash, randomUUID } from "node:crypto";
import { type FileHandle, open, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { requireRoomFor } from "../storage/disk-room.ts";
import { makeSyncedFolder, syncFolder } from "../storage/synced-folder.ts";

/** A stream that was written to disk whole. */
export interface StoredStream {
  readonly sizeBytes: number;
  /** SHA-256 of the bytes in hex. */
  readonly contentHash: string;
}

/** Ending of the file beside an arriving one that tells how many of its bytes are on the disk for certain. */
export const SYNCED_SIZE = ".synced";

/** How many bytes may arrive before it is looked again whether there is room for more. */
const ROOM_CHECK_BYTES = 16 * 1024 * 1024;

/** Looks now and then, while bytes arrive, whether the disk has room for more of them. */
export class RoomWatch {
  readonly #folder: string;
  #unchecked = 0;

  /** @param folder Where the bytes are written. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Call before so many bytes are written. @throws NoRoomError */
  async require(bytes: number): Promise<void> {
    this.#unchecked += bytes;
    if (this.#unchecked < ROOM_CHECK_BYTES) return;
    await requireRoomFor(this.#folder, this.#unchecked);
    this.#unchecked = 0;
  }
}

/** A file on its way in: written beside the others in progress, under a name of our own, until it is taken in or removed. */
export class ArrivingFile {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** A place for a file in the folder of arriving ones; nothing is written yet. */
  static async in(folder: string, name: string = randomUUID()): Promise<ArrivingFile> {
    await makeSyncedFolder(folder);
    return new ArrivingFile(join(folder, name));
  }

  /**
   * Writes a stream to the file, counting and hashing on the way. Stops as soon as there is more than `maximumBytes`.
   *
   * @returns `null` when there was more; the file is then incomplete and the stream not read to its end.
   * @throws NoRoomError when the disk is all but full.
   */
  async write(stream: Readable, maximumBytes: number): Promise<StoredStream | null> {
    const hash = createHash("sha256");
    let sizeBytes = 0;
    const room = new RoomWatch(dirname(this.path));
    const file = await open(this.path, "w", 0o600);
    try {
      // The stream outlives a refusal: its sender is still to be answered.
      for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
        const bytes: Buffer = chunk;
        sizeBytes += bytes.length;
        if (sizeBytes > maximumBytes) return null;
        hash.update(bytes);
        await room.require(bytes.length);
        await writeAll(file, bytes);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    return { sizeBytes, contentHash: hash.digest("hex") };
  }

  /** Notes how many bytes were synced and are acknowledged therefore: after a power cut the file has those alone. */
  async noteSynced(sizeBytes: number): Promise<void> {
    await writeFile(this.path + SYNCED_SIZE, String(sizeBytes), { flush: true });
    await syncFolder(dirname(this.path));
  }

  /** Removes the file, if it is there. */
  async remove(): Promise<void> {
    for (const path of [this.path, this.path + SYNCED_SIZE]) await rm(path, { force: true });
  }
}

/** Writes all of a buffer at the file's current position: one call may write less than it is given. */
export async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  let written = 0;
  while (written < bytes.length) written += (await file.write(bytes, written)).bytesWritten;
}

/** One piece of work at a time under each name: a newer one stops the one before it and waits until that has ended. */
export class Turns {
  readonly #current = new Map<string, { readonly stop: () => void; readonly ended: Promise<unknown> }>();

  /** Does `work` once nothing else goes on under `name`. `stop` is called when a newer piece of work wants the turn. */
  async take<Result>(name: string, stop: () => void, work: () => Promise<Result>): Promise<Result> {
    for (let before = this.#current.get(name); before !== undefined; before = this.#current.get(name)) {
      before.stop();
      await before.ended;
    }
    const working = work();
    const turn = { stop, ended: working.catch(() => undefined) };
    this.#current.set(name, turn);
    try {
      return await working;
    } finally {
      this.#current.delete(name);
    }
  }
}
