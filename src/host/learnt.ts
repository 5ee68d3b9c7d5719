import type { Files } from "./files.ts";

/** What can be learnt of a host by trying it, beyond what any source says. */
export type LearntName =
  /** The member that leads to a project. */
  | "project"
  /** The member that leads to a sequence. */
  | "lookup"
  /** The way in which files are imported. */
  | "import"
  /** The name by which this computer reaches itself. */
  | "loopback"
  /** The folder in which Premiere's own presets lie. */
  | "presets"
  /** The element that buttons are made of. */
  | "button"
  /** The form of address by which the panel itself plays sound; `none` where it does not. */
  | "sound"
  /** Whether Premiere is given more time between changes: `slow` where the editor wants it. */
  | "pace"
  /** That this version was met: what came of it, in a few words. */
  | "contact";

type Kept = { [Name in LearntName]?: string };

/** Where what was learnt is kept between two sessions. */
interface LearntFile {
  readonly files: Pick<Files, "readText" | "writeText">;
  /** Path of the file. */
  readonly path: () => Promise<string>;
  /** Version of the host: another one is learnt anew. */
  readonly version: string;
}

/** What was learnt of the host that runs. Kept by its version, where a file is given; a file that cannot be read or written is done without. */
export class Learnt {
  readonly #file: LearntFile | null;
  #kept: Kept = {};
  /** What was learnt of other versions. */
  #others: Readonly<Record<string, Kept>> = {};
  #isKnown = false;
  #saving: Promise<void> = Promise.resolve();

  constructor(file: LearntFile | null = null) {
    this.#file = file;
  }

  /** Reads what was learnt before. What has been learnt since the start counts more. */
  async load(): Promise<void> {
    if (this.#file === null) return;
    const { files, path, version } = this.#file;
    const { [version]: kept, ...others } = await read(files, path).catch(() => ({}) as Readonly<Record<string, Kept>>);
    this.#others = others;
    this.#isKnown = kept !== undefined;
    this.#kept = { ...kept, ...this.#kept };
  }

  /** Whether something was kept of this version before. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** All that was learnt, by name. */
  get all(): Readonly<Partial<Record<LearntName, string>>> {
    return this.#kept;
  }

  /** What was learnt, by its name; absent where nothing was. */
  recall(name: LearntName): string | undefined {
    return this.#kept[name];
  }

  /** Keeps what was learnt, now and for the next sessions. */
  keep(name: LearntName, value: string): void {
    if (this.#kept[name] === value && this.#isKnown) return;
    this.#kept = { ...this.#kept, [name]: value };
    this.#isKnown = true;
    this.#saving = this.#saving.then(() => this.#save()).catch(() => undefined);
  }

  /** Settles when all that was learnt is on the disk, as far as it can be. */
  saved(): Promise<void> {
    return this.#saving;
  }

  async #save(): Promise<void> {
    if (this.#file === null) return;
    const { files, path, version } = this.#file;
    await files.writeText(await path(), JSON.stringify({ ...this.#others, [version]: this.#kept }, null, 2));
  }
}

async function read(files: LearntFile["files"], path: LearntFile["path"]): Promise<Readonly<Record<string, Kept>>> {
  const kept: unknown = JSON.parse(await files.readText(await path()));
  // Written by this class alone; a value of another kind is compared with known ones and never found among them.
  return typeof kept === "object" && kept !== null ? (kept as Record<string, Kept>) : {};
}
