import { HostError } from "../src/host/host-error.ts";
import { filmPath, type PageFiles } from "./page-files.ts";

/** Lets a person pick a file; `null` when they cancel. `accept`: as the field of that name takes it. */
export function pickFile(accept: string): Promise<File | null> {
  const field = document.createElement("input");
  field.type = "file";
  field.accept = accept;
  return new Promise((resolve) => {
    field.addEventListener("change", () => resolve(field.files?.[0] ?? null));
    field.addEventListener("cancel", () => resolve(null));
    field.click();
  });
}

/** Lets a person pick a file by its ending, to be read by its path; `null` when they cancel. */
export async function pickFileOf(
  files: PageFiles,
  types: readonly string[],
): Promise<{ readonly name: string; readonly path: string } | null> {
  const file = await pickFile(types.map((type) => `.${type}`).join(","));
  if (file === null) return null;
  const path = filmPath(file.name);
  files.addFilm(path, file);
  return { name: file.name, path };
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
