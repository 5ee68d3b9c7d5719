import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename } from "node:path";
import { whileHeld } from "../../core/held-file.ts";
import { isMissing } from "../../core/local-file.ts";
import type { Files } from "../files.ts";
import { HostError } from "../host-error.ts";
import { OWN_WAIT } from "./move-together.ts";
import { hostErrorFrom } from "./system-error.ts";

/** Longest text that is read at once, in bytes: captions and scripts are far below. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;

/** Files of the computer, by native paths. */
export const nodeFiles: Files = {
  async readText(path) {
    const operation = "read a file";
    try {
      const { size } = await stat(path);
      if (size > MAX_TEXT_BYTES) throw unreadable(path, `is too long for a text (${size} bytes)`, operation);
      const bytes = await readFile(path);
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch (error) {
      if (error instanceof HostError) throw error;
      if (error instanceof TypeError) throw unreadable(path, "is not text in UTF-8", operation);
      throw hostErrorFrom(error, path, operation, UNCHANGED);
    }
  },

  async writeText(path, text) {
    const temporary = temporaryPath(path);
    try {
      // Opened by hand to be flushed before the rename: a crash in between leaves the old file, never an empty new one.
      const file = await open(temporary, "wx");
      try {
        await file.writeFile(text, "utf8");
        await file.sync();
      } finally {
        await file.close();
      }
      await whileHeld(() => rename(temporary, path), OWN_WAIT);
    } catch (error) {
      await discard(temporary);
      throw hostErrorFrom(error, path, "write a file", UNCHANGED);
    }
  },

  async size(path) {
    try {
      const found = await stat(path);
      return found.isFile() ? found.size : null;
    } catch (error) {
      if (isMissing(error)) return null;
      throw hostErrorFrom(error, path, "look at a file", UNCHANGED);
    }
  },

  async readBytes(path, position, length) {
    try {
      const file = await open(path, "r");
      try {
        const { size } = await file.stat();
        const bytes = new Uint8Array(Math.max(0, Math.min(length, size - position)));
        let done = 0;
        while (done < bytes.length) {
          const { bytesRead } = await file.read(bytes, done, bytes.length - done, position + done);
          if (bytesRead === 0) break;
          done += bytesRead;
        }
        return bytes.subarray(0, done);
      } finally {
        await file.close();
      }
    } catch (error) {
      throw hostErrorFrom(error, path, "read a file", UNCHANGED);
    }
  },

  async remove(path) {
    try {
      await whileHeld(() => rm(path, { force: true }), OWN_WAIT);
    } catch (error) {
      if (isMissing(error)) return;
      throw hostErrorFrom(error, path, "remove a file", UNCHANGED);
    }
  },

  async rename(from, to) {
    try {
      await whileHeld(() => rename(from, to), OWN_WAIT);
    } catch (error) {
      throw hostErrorFrom(error, to, "rename a file", UNCHANGED);
    }
  },

  async makeFolder(path) {
    try {
      await mkdir(path);
    } catch (error) {
      const isThere = await stat(path).then(
        (found) => found.isDirectory(),
        () => false,
      );
      if (!isThere) throw hostErrorFrom(error, path, "make a folder", UNCHANGED);
    }
  },

  async list(path) {
    try {
      return await readdir(path);
    } catch (error) {
      if (isMissing(error)) return [];
      throw hostErrorFrom(error, path, "list a folder", UNCHANGED);
    }
  },

  async openWriter(path) {
    const faultOf = (error: unknown) => hostErrorFrom(error, path, "write a file", "the file is not whole");
    const file = await open(path, "w").catch((error: unknown) => {
      throw faultOf(error);
    });
    return {
      async write(position, bytes) {
        const piece = new Uint8Array(bytes);
        try {
          for (let done = 0; done < piece.length; ) {
            done += (await file.write(piece, done, piece.length - done, position + done)).bytesWritten;
          }
        } catch (error) {
          throw faultOf(error);
        }
      },
      close: () => file.close(),
    };
  },
};

/** How a failing operation leaves things: every one of them happens whole or not at all. */
const UNCHANGED = "nothing was changed";

/** A name beside `path` that no file has. */
export function temporaryPath(path: string): string {
  return `${path}.${randomBytes(6).toString("hex")}.part`;
}

/** Removes what a failed write left. That this may fail too changes nothing: the first failure is the one to tell. */
export async function discard(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined);
}

function unreadable(path: string, fault: string, operation: string): HostError {
  return new HostError("file_unreadable", `"${basename(path)}" ${fault}`, { operation, state: UNCHANGED });
}
