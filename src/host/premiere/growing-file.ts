import type { Files } from "../files.ts";

/** How often the file of an export is looked at, in milliseconds. */
export const POLL_MS = 1000;
/** Looks in a row at which a finished file keeps its size. */
const STABLE_POLLS = 2;

/** The file that an export writes: it may be there early, and grows. */
export class GrowingFile {
  readonly #files: Pick<Files, "size">;
  readonly #path: string;
  #size: number | null = null;
  #stablePolls = 0;

  constructor(files: Pick<Files, "size">, path: string) {
    this.#files = files;
    this.#path = path;
  }

  /** Bytes at the last look; `null` where there was no file. */
  get size(): number | null {
    return this.#size;
  }

  /** Looks again. */
  async look(): Promise<void> {
    const now = await this.#files.size(this.#path);
    this.#stablePolls = now !== null && now > 0 && now === this.#size ? this.#stablePolls + 1 : 0;
    this.#size = now;
  }

  /** The size that it has kept for so many looks; `null` while it is empty, grows, or is not there. */
  keptSize(polls = STABLE_POLLS): number | null {
    return this.#stablePolls >= polls ? this.#size : null;
  }
}
