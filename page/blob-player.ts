import { HostError } from "../src/host/host-error.ts";
import type { PageFiles } from "./page-files.ts";

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
    const blob = await this.#files.blobOf(path);
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
