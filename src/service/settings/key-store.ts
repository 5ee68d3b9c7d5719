import { AudioDescriptionError } from "../../core/error.ts";

/** A place for the secrets of one user, such as the system's key store. It may fail at any time. */
export interface UserKeyStore {
  /** The secret of a name; `null` where it keeps none. @throws KeyStoreError. */
  read(name: string): Promise<string | null>;
  /** Keeps a secret under a name. @throws KeyStoreError; it may be kept all the same. */
  write(name: string, secret: string): Promise<void>;
  /** Forgets a name; it need not be there. @throws KeyStoreError. */
  remove(name: string): Promise<void>;
}

/** Why a key store does not do what it is asked for. */
export const KEY_STORE_FAULTS = [
  /** There is none that can be used, as on a server without a desktop. */
  "absent",
  /** It is locked, or its user did not let us in. */
  "locked",
  /** It did not answer in time. */
  "slow",
  /** The key is longer than it takes: Windows takes 2 560 bytes. */
  "too_long",
  /** It says that it keeps the key, and does not have it. */
  "lost",
  /** Anything else. */
  "refused",
] as const;

/** Why a key store does not do what it is asked for. */
export type KeyStoreFault = (typeof KEY_STORE_FAULTS)[number];

/** A key store failed; `message` holds no secret. */
export class KeyStoreError extends AudioDescriptionError<KeyStoreFault> {
  constructor(fault: KeyStoreFault, options?: { readonly cause?: unknown }) {
    super(fault, `The system's key store cannot be used: ${KEY_STORE_WORDS[fault]}.`, options);
  }
}

/** Each fault for people, without a full stop. */
export const KEY_STORE_WORDS: Readonly<Record<KeyStoreFault, string>> = {
  absent: "there is none that answers",
  locked: "it is locked, or did not let Aside in",
  slow: "it did not answer in time",
  too_long: "the key is longer than it takes",
  lost: "it does not have the key",
  refused: "it refused",
};
