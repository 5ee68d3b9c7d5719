import type { Files, FileWriter } from "../src/host/files.ts";
import { HostError } from "../src/host/host-error.ts";
import type { Desk } from "./desk.ts";
import type { PageSession } from "./session-key.ts";

/** Folder of what the service keeps for the page. */
export const KEPT = "kept";

/** Folder of the films that were chosen: they stay where they are, are read from there, and never removed. */
const FILMS = "films";

/** The path of a film that the service knows under an identity. */
export function filmPath(mediaId: string): string {
  return `${FILMS}/${mediaId}`;
}

/** How names of jobs of the history end. */
const JOB = ".job.json";

/** Folder of what is to be saved by the person. */
export const TO_SAVE = "to-save";

/** What the texts of a team, or of one run under review, wait under in the browser until the service has them. */
function waitingOf(team: string, review: PageSession["review"]): string {
  return review === undefined ? `aside waits ${team} ` : `aside waits review ${review.run_id} `;
}

/** What a reviewer's own choices stand under in the browser: those of the team are not theirs. */
const CHOICES = "aside review choices ";

/**
 * Files of the page. Texts are kept by the service, and in the browser too until it has them, so that nothing written is lost by
 * a reload or a broken line. Sound is kept by the browser, which can have it again. Films are read where they are.
 */
export class PageFiles implements Files {
  readonly #desk: Desk;
  readonly #sounds: FileSystemDirectoryHandle | null;
  /** Texts by path, `null` until they are read. */
  readonly #kept: Map<string, string | null>;
  readonly #films = new Map<string, File>();
  readonly #toSave = new Map<string, string>();

  readonly #waiting: string;
  /** The run that is reviewed by a link, whose texts alone the service keeps then. */
  readonly #runId: string | null;

  private constructor(
    desk: Desk,
    { waiting, runId }: { readonly waiting: string; readonly runId: string | null },
    kept: readonly string[],
    sounds: FileSystemDirectoryHandle | null,
  ) {
    this.#desk = desk;
    this.#waiting = waiting;
    this.#runId = runId;
    this.#kept = new Map(kept.map((path) => [path, null]));
    this.#sounds = sounds;
  }

  /** Opens the files of a team's page; what the service did not have yet when the page went is brought to it first. */
  static async open(desk: Desk, { team, review }: Pick<PageSession, "team" | "review">): Promise<PageFiles> {
    const waiting = waitingOf(team, review);
    for (const name of Object.keys(localStorage).filter((key) => key.startsWith(waiting))) {
      const isKept = await desk.keepText(name.slice(waiting.length), localStorage.getItem(name) ?? "").then(
        () => true,
        () => false,
      );
      // What could not be brought waits on.
      if (isKept) localStorage.removeItem(name);
    }
    // Where the browser has no files of its own (a service elsewhere without TLS), nothing is heard, and all else works.
    const sounds = await navigator.storage?.getDirectory?.().catch(() => null);
    const files = new PageFiles(desk, { waiting, runId: review?.run_id ?? null }, await desk.texts(), sounds ?? null);
    for (const name of review === undefined ? [] : Object.keys(localStorage)) {
      if (name.startsWith(CHOICES)) files.#toSave.set(name.slice(CHOICES.length), localStorage.getItem(name) ?? "");
    }
    // The history is read one after the other: here all at once.
    await Promise.all(
      [...files.#kept.keys()].filter((path) => path.endsWith(JOB)).map((path) => files.#readKept(path)),
    );
    return files;
  }

  /** Takes a film that was chosen, under a path of its own. */
  addFilm(path: string, file: File): void {
    this.#films.set(path, file);
  }

  /** A file as the browser plays or saves it; `null` where it is not there. */
  async blobOf(path: string): Promise<Blob | null> {
    const film = this.#films.get(path);
    if (film !== undefined) return film;
    const text = this.#toSave.get(path);
    if (text !== undefined) return new Blob([text]);
    const handle = await this.#sounds?.getFileHandle(flat(path)).catch(() => null);
    return (await handle?.getFile()) ?? null;
  }

  async readText(path: string): Promise<string> {
    const text = this.#toSave.get(path);
    if (text !== undefined) return text;
    if (this.#kept.has(path)) return this.#readKept(path);
    const blob = await this.blobOf(path);
    if (blob === null) throw missing(path);
    return blob.text();
  }

  expectText(path: string, text: string): void {
    // A reload does not wait for the write under way.
    if (this.#isKept(path)) keepWaiting(this.#waiting + path, text);
  }

  async writeText(path: string, text: string): Promise<void> {
    if (!this.#isKept(path)) {
      this.#toSave.set(path, text);
      if (!path.startsWith(`${TO_SAVE}/`)) keepWaiting(CHOICES + path, text);
      return;
    }
    const waiting = this.#waiting + path;
    keepWaiting(waiting, text);
    await this.#desk.keepText(path, text);
    this.#kept.set(path, text);
    // Words that were written meanwhile wait for their own turn.
    if (localStorage.getItem(waiting) === text) localStorage.removeItem(waiting);
  }

  async size(path: string): Promise<number | null> {
    const text = this.#toSave.get(path) ?? (this.#kept.has(path) ? await this.#readKept(path) : undefined);
    if (text !== undefined) return new Blob([text]).size;
    return (await this.blobOf(path))?.size ?? null;
  }

  async readBytes(path: string, position: number, length: number): Promise<Uint8Array> {
    const blob = await this.blobOf(path);
    if (blob === null) throw missing(path);
    return new Uint8Array(await blob.slice(position, position + length).arrayBuffer());
  }

  async remove(path: string): Promise<void> {
    this.#toSave.delete(path);
    if (this.#kept.delete(path)) await this.#desk.removeText(path);
    localStorage.removeItem(this.#waiting + path);
    await this.#sounds?.removeEntry(flat(path)).catch(() => undefined);
  }

  async rename(from: string, to: string): Promise<void> {
    const blob = await this.blobOf(from);
    if (blob === null) throw missing(from);
    const writer = await (await this.#create(to)).createWritable();
    await blob.stream().pipeTo(writer);
    await this.remove(from);
  }

  /** A folder is there as soon as something is in it. */
  async makeFolder(): Promise<void> {}

  async list(path: string): Promise<readonly string[]> {
    const inside = `${path}/`;
    const sounds: string[] = [];
    for await (const name of this.#sounds?.keys() ?? []) sounds.push(name.replaceAll(SEPARATOR, "/"));
    return [...this.#kept.keys(), ...this.#toSave.keys(), ...sounds].flatMap((one) =>
      one.startsWith(inside) && !one.slice(inside.length).includes("/") ? [one.slice(inside.length)] : [],
    );
  }

  async openWriter(path: string): Promise<FileWriter> {
    const writer = await (await this.#create(path)).createWritable();
    return {
      write: (position, data) => writer.write({ type: "write", position, data }),
      close: () => writer.close(),
    };
  }

  /** Opens a file for reading pieces of it. */
  async openReader(path: string) {
    const blob = await this.blobOf(path);
    if (blob === null) throw missing(path);
    return {
      async read(into: ArrayBuffer, position: number, length: number): Promise<number> {
        const bytes = new Uint8Array(await blob.slice(position, position + length).arrayBuffer());
        new Uint8Array(into).set(bytes);
        return bytes.byteLength;
      },
      async close(): Promise<void> {},
    };
  }

  /** Whether the service keeps a text: not what is to be saved, and for a reviewer those of one run alone. */
  #isKept(path: string): boolean {
    if (path.startsWith(`${TO_SAVE}/`)) return false;
    return this.#runId === null || path.includes(`/${this.#runId}.`);
  }

  async #readKept(path: string): Promise<string> {
    const text = this.#kept.get(path) ?? (await this.#desk.readText(path));
    this.#kept.set(path, text);
    return text;
  }

  async #create(path: string): Promise<FileSystemFileHandle> {
    const handle = await this.#sounds?.getFileHandle(flat(path), { create: true });
    if (handle !== undefined) return handle;
    throw new HostError("permission_denied", "This browser keeps no sound for a page without TLS.", {
      operation: "keep a sound",
      state: "nothing was kept",
    });
  }
}

/** Stands for the separator in names of the browser's own files, which have no folders here. */
const SEPARATOR = "~";

function flat(path: string): string {
  return path.replaceAll("/", SEPARATOR);
}

/** Keeps a text in the browser until the service has it, where the browser has room. */
function keepWaiting(name: string, text: string): void {
  try {
    localStorage.setItem(name, text);
  } catch {
    // An older text under the name must not come back over this one.
    localStorage.removeItem(name);
  }
}

function missing(path: string): HostError {
  return new HostError("file_not_found", `"${path}" is not there any more`, {
    operation: "read a file",
    state: "nothing was changed",
  });
}
