import { KeyStoreError, type KeyStoreFault, type UserKeyStore } from "../../src/service/settings/key-store.ts";

/** Longest secret of Windows' Credential Manager, in bytes of UTF-16. */
const WINDOWS_LIMIT_BYTES = 2_560;

/** A key store in memory that can be as bad as real ones are. */
export class FakeKeyStore implements UserKeyStore {
  /** What it keeps, by name. */
  readonly kept = new Map<string, string>();
  /** What it answers to whatever is asked; a slow one has done by then what it was asked for. */
  fault: KeyStoreFault | null = null;
  /** Whether it forgets what it is given, and says nothing. */
  isForgetful = false;
  /** How often it was asked. */
  asked = 0;

  async read(name: string): Promise<string | null> {
    this.#ask();
    return this.kept.get(name) ?? null;
  }

  async write(name: string, secret: string): Promise<void> {
    const isTaken = this.fault === null || this.fault === "slow";
    const isTooLong = secret.length * 2 > WINDOWS_LIMIT_BYTES;
    if (isTaken && !isTooLong && !this.isForgetful) this.kept.set(name, secret);
    this.#ask();
    if (isTooLong) throw new KeyStoreError("too_long");
  }

  async remove(name: string): Promise<void> {
    if (this.fault === null || this.fault === "slow") this.kept.delete(name);
    this.#ask();
  }

  #ask(): void {
    this.asked++;
    if (this.fault !== null) throw new KeyStoreError(this.fault);
  }
}
