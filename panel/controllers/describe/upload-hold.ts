import type { FileTransfer } from "../../../src/core/file-transfer.ts";

/** Holds an upload between two slices, until it is let go. What is sent in one piece cannot be held. */
export class UploadHold {
  readonly #onHeld: () => void;
  #letGo: (() => void) | null = null;
  #held: Promise<void> | null = null;

  /** `onHeld` is called when the slice under way is sent and nothing more will be. */
  constructor(onHeld: () => void) {
    this.#onHeld = onHeld;
  }

  /** Asks for a hold, from the next slice on. */
  hold(): void {
    this.#held ??= new Promise((resolve) => {
      this.#letGo = resolve;
    });
  }

  /** Lets the upload go on. */
  letGo(): void {
    this.#letGo?.();
    this.#letGo = null;
    this.#held = null;
  }

  /** The same transfer, with uploads that can be held. */
  over(transfer: FileTransfer): FileTransfer {
    return {
      upload: (request) => transfer.upload({ ...request, mayGoOn: () => this.#mayGoOn(request.signal) }),
      download: (request) => transfer.download(request),
    };
  }

  async #mayGoOn(signal: AbortSignal): Promise<void> {
    const held = this.#held;
    if (held === null) return;
    this.#onHeld();
    await new Promise<void>((resolve, reject) => {
      const stop = () => reject(signal.reason);
      signal.addEventListener("abort", stop, { once: true });
      void held.then(() => {
        signal.removeEventListener("abort", stop);
        resolve();
      });
    });
  }
}
