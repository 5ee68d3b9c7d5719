import { decodeUtf8 } from "../../formats/decode-text.ts";
import type { UxpSecureStorage } from "./runtime.ts";

/** Secrets of the editor, encrypted for the user of the system. They may be lost between sessions: ask again then. */
export class KeyStore {
  readonly #storage: UxpSecureStorage;

  constructor(storage: UxpSecureStorage) {
    this.#storage = storage;
  }

  /** A secret by name; `null` when there is none, or it was lost. */
  async load(name: string): Promise<string | null> {
    try {
      const bytes = await this.#storage.getItem(name);
      const text = bytes === null || bytes === undefined ? "" : decodeUtf8(new Uint8Array(bytes)).text;
      return text === "" ? null : text;
    } catch {
      // Secure storage that cannot be read is as good as empty: the key is asked for again.
      return null;
    }
  }

  /** Keeps a secret; an empty one is forgotten, for secure storage refuses empty values. */
  async save(name: string, secret: string): Promise<void> {
    if (secret === "") await this.forget(name);
    else await this.#storage.setItem(name, secret);
  }

  /** Forgets a secret; nothing happens when there is none. */
  async forget(name: string): Promise<void> {
    // Removing what is not there is an error in UXP.
    if ((await this.load(name)) !== null) await this.#storage.removeItem(name);
  }
}
