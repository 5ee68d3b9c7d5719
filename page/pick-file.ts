import { HostError } from "../src/host/host-error.ts";
import { filmPath, type PageFiles } from "./page-files.ts";

/** Lets a person pick a file; `null` when they cancel. `accept`: as the field of that name takes it. */
export async function pickFile(accept: string): Promise<File | null> {
  return (await pick(accept, false))[0] ?? null;
}

/** Lets a person pick files by their endings, as many as they like, to be read by their paths; none when they cancel. */
export async function pickFilesOf(
  files: PageFiles,
  types: readonly string[],
): Promise<{ readonly name: string; readonly path: string }[]> {
  const picked = await pick(acceptOf(types), true);
  return picked.map((file) => kept(files, file));
}

function pick(accept: string, multiple: boolean): Promise<readonly File[]> {
  const field = document.createElement("input");
  Object.assign(field, { type: "file", accept, multiple });
  return new Promise((resolve) => {
    field.addEventListener("change", () => resolve([...(field.files ?? [])]));
    field.addEventListener("cancel", () => resolve([]));
    field.click();
  });
}

const acceptOf = (types: readonly string[]) => types.map((type) => `.${type}`).join(",");

function kept(files: PageFiles, file: File): { readonly name: string; readonly path: string } {
  const path = filmPath(file.name);
  files.addFilm(path, file);
  return { name: file.name, path };
}

/** Lets a person pick a file by its ending, to be read by its path; `null` when they cancel. */
export async function pickFileOf(
  files: PageFiles,
  types: readonly string[],
): Promise<{ readonly name: string; readonly path: string } | null> {
  const file = await pickFile(acceptOf(types));
  return file === null ? null : kept(files, file);
}

/** Has the browser save what stands at an address, under the name that comes with it. */
export function saveAddress(address: string, name = ""): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}

/** Has the browser save a file. */
export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  saveAddress(address, name);
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Has the browser save every file of a folder. */
export async function saveFolder(files: PageFiles, folder: string): Promise<void> {
  for (const name of await files.list(folder)) {
    const blob = await files.blobOf(`${folder}/${name}`);
    if (blob !== null) saveBlob(blob, name);
  }
}

/** Plays short sounds in the browser. */
export class BlobPlayer {
  readonly #files: PageFiles;
  #end: () => void = () => undefined;

  constructor(files: PageFiles) {
    this.#files = files;
  }

  /** Plays a file in place of what plays already; settles when it is over or was stopped. @throws HostError */
  async play(path: string): Promise<void> {
    this.stop();
    let isStopped = false;
    this.#end = () => {
      isStopped = true;
    };
    const blob = await this.#files.blobOf(path);
    // Before it was read.
    if (isStopped) return;
    if (blob === null) throw refused();
    const address = URL.createObjectURL(blob);
    const sound = new Audio(address);
    try {
      await new Promise<void>((resolve, reject) => {
        this.#end = resolve;
        sound.addEventListener("ended", () => resolve());
        sound.addEventListener("error", () => reject(refused()));
        sound.play().catch(() => reject(refused()));
      });
    } finally {
      sound.pause();
      URL.revokeObjectURL(address);
    }
  }

  /** Ends what plays. */
  stop(): void {
    this.#end();
  }
}

function refused(): HostError {
  return new HostError("host_failed", "The browser does not play this sound.", {
    operation: "play a cue",
    state: "nothing is heard",
  });
}
