import { createHash } from "node:crypto";
import { mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { parsedJson } from "../../core/objects.ts";
import { writeFinishedFile } from "../finished-file.ts";
import type { LanguageData } from "./language-data.ts";
import type { ReadLines } from "./text-lines.ts";

/** Raised when pictures are read otherwise: lines that were kept are then read again. */
const READING_VERSION = 1;

/** Lines that were read of pictures, kept for later jobs of the same media: a picture takes a third of a second to read. */
export class KeptLines {
  readonly #folder: string;
  readonly #readWith: string;

  private constructor(folder: string, readWith: string) {
    this.#folder = folder;
    this.#readWith = readWith;
  }

  /**
   * @param folder Folder of this media alone; made when something is kept.
   * @param language BCP-47 code of the language that is read first of all.
   */
  static async of(folder: string, language: string, data: readonly LanguageData[]): Promise<KeptLines> {
    const stated = await Promise.all(
      data.map(async ({ name, path }) => {
        const { size, mtimeMs } = await stat(path);
        return [name, size, mtimeMs];
      }),
    );
    return new KeptLines(folder, JSON.stringify([READING_VERSION, language, stated]));
  }

  /** What was read of a picture before; `null` where nothing was. */
  async find(picture: Uint8Array): Promise<ReadLines | null> {
    const kept = parsedJson(await readFile(this.#pathOf(picture), "utf8").catch(() => ""));
    // Written here alone, whole or not at all.
    return typeof kept === "object" && kept !== null && "lines" in kept ? (kept as ReadLines) : null;
  }

  /** Keeps what was read. Where that cannot be written, it is read again another time. */
  async keep(picture: Uint8Array, lines: ReadLines): Promise<void> {
    await mkdir(this.#folder, { recursive: true })
      .then(() => writeFinishedFile(this.#pathOf(picture), JSON.stringify(lines)))
      .catch(() => undefined);
  }

  #pathOf(picture: Uint8Array): string {
    const hash = createHash("sha256").update(this.#readWith).update("\n").update(picture).digest("hex");
    return join(this.#folder, `${hash}.json`);
  }
}
