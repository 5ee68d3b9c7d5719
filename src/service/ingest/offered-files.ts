import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";

/** Header of an upload without a body that stands for an offered file. */
export const OFFER_HEADER = "x-aside-offer";

/** Bytes read at a time: large, because each piece costs a turn of every part of the way. */
const PIECE_BYTES = 4 * 1024 * 1024;

/** A file that a program offers to the service in its own process, in place of sending its bytes. */
export interface OfferedFile {
  readonly path: string;
  /** Ends the reading. */
  readonly signal: AbortSignal;
  readonly onProgress?: (doneBytes: number) => void;
}

/**
 * Files on this computer that the program around the service offers as the bytes of uploads: they are copied from disk to
 * disk, in a fraction of what a connection takes. An offer is a random word that this process alone knows, good for one
 * upload; without it no request can name a file.
 */
export class OfferedFiles {
  readonly #offers = new Map<string, OfferedFile>();

  /** Offers a file. @returns the value of the upload's {@link OFFER_HEADER}. */
  offer(file: OfferedFile): string {
    const word = randomUUID();
    this.#offers.set(word, file);
    return word;
  }

  /**
   * Takes up an offer; `null` where there is none under this word. Nothing is opened before the stream is read, which the
   * caller destroys.
   *
   * @throws Error when there is no such file.
   */
  async take(word: string): Promise<{ readonly stream: Readable; readonly sizeBytes: number } | null> {
    const file = this.#offers.get(word);
    if (file === undefined) return null;
    this.#offers.delete(word);
    const { size } = await stat(file.path);
    return { stream: Readable.from(piecesOf(file)), sizeBytes: size };
  }
}

async function* piecesOf({ path, signal, onProgress }: OfferedFile): AsyncGenerator<Buffer> {
  let doneBytes = 0;
  for await (const piece of createReadStream(path, { signal, highWaterMark: PIECE_BYTES })) {
    doneBytes += piece.length;
    onProgress?.(doneBytes);
    yield piece;
  }
}
