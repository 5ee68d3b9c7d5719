import { randomUUID } from "node:crypto";
import { KeyStoreError, type KeyStoreFault, type UserKeyStore } from "./key-store.ts";
import { type KeptKey, type KeptSettings, PARTS_WITH_KEY, type PartWithKey } from "./settings-file.ts";

/** How long a store that failed is left alone, in milliseconds: it may ask its user for a word each time. */
const REST_MS = 30_000;

/** A key, or why it cannot be had now. */
export type OpenedKey = { readonly key: string } | { readonly fault: KeyStoreFault };

/** Keys by part. */
type Keys = NonNullable<KeptSettings["keys"]>;

/**
 * The keys of settings, in the key store of their user where there is one, else in the file. A key in the store has a name
 * that no other key ever has: what is kept under a name never changes, and no two files share one.
 */
export class KeptKeys {
  readonly #store: UserKeyStore | null;
  readonly #now: () => number;
  /** What is known of the names in the store. */
  readonly #known = new Map<string, string>();
  readonly #asked = new Map<string, { readonly opened: Promise<OpenedKey>; readonly until: number }>();

  /** @param store `null`: the file alone counts. @param now Clock in milliseconds. */
  constructor(store: UserKeyStore | null, now: () => number = () => performance.now()) {
    this.#store = store;
    this.#now = now;
  }

  /** Whether keys are to stand in a store. */
  get hasStore(): boolean {
    return this.#store !== null;
  }

  /** A key of the file. The store is asked once for each; one that failed is left alone for a while. Never raises. */
  open(kept: KeptKey): Promise<OpenedKey> {
    if ("key" in kept) return Promise.resolve({ key: kept.key });
    const name = kept.stored_as;
    const known = this.#known.get(name);
    if (known !== undefined) return Promise.resolve({ key: known });
    const before = this.#asked.get(name);
    if (before !== undefined && this.#now() < before.until) return before.opened;
    const opened = this.#read(name);
    // Until it has answered, everybody waits for the same answer.
    this.#asked.set(name, { opened, until: Number.POSITIVE_INFINITY });
    void opened.then(() => this.#asked.set(name, { opened, until: this.#now() + REST_MS }));
    return opened;
  }

  async #read(name: string): Promise<OpenedKey> {
    if (this.#store === null) return { fault: "absent" };
    try {
      const key = await this.#store.read(name);
      if (key === null) return { fault: "lost" };
      this.#known.set(name, key);
      return { key };
    } catch (error) {
      return { fault: faultOf(error) };
    }
  }

  /**
   * Writes changed settings: keys that stand in the file move into the store, those that it can no longer give come back,
   * and it forgets the others. Whenever this is broken off, the file has every key or its name, and the next change clears
   * the store of names that the file no longer has.
   *
   * @param write Writes the file, whole or not at all.
   * @throws what `write` does, before anything is lost.
   */
  async write(
    before: KeptSettings,
    next: KeptSettings,
    write: (settings: KeptSettings) => Promise<void>,
  ): Promise<void> {
    const names = namesIn(before);
    const ask = asking(this.#store);
    const moving = this.hasStore ? namedAnew(next.keys ?? {}) : [];
    let removed = [...(before.removed_keys ?? []), ...moving.map(({ name }) => name)];
    if (moving.length > 0) await write({ ...before, removed_keys: removed });
    const keys: Keys = { ...next.keys };
    for (const { part, name, server, key } of moving) {
      const fault = await ask((store) => store.write(name, key));
      keys[part] = fault === null ? { server, stored_as: name } : { server, key, fault };
      if (fault === null) this.#known.set(name, key);
    }
    // Also those that it has just taken: a store may say so, and not have them.
    for (const part of PARTS_WITH_KEY) {
      const kept = keys[part];
      const known = kept !== undefined && "stored_as" in kept ? this.#known.get(kept.stored_as) : undefined;
      if (kept === undefined || !("stored_as" in kept) || known === undefined) continue;
      const fault = await ask(async (store) => {
        if ((await store.read(kept.stored_as)) !== known) throw new KeyStoreError("lost");
      });
      if (fault !== null) keys[part] = { server: kept.server, key: known, fault };
    }
    const left = namesIn({ keys });
    removed = [...removed, ...names].filter((name) => !left.includes(name));
    const written = { ...next, keys };
    await write(withRemoved(written, removed));
    const stay: string[] = [];
    for (const name of new Set(removed)) if ((await ask((store) => store.remove(name))) !== null) stay.push(name);
    // What is gone is named until the next change, should this not succeed.
    if (stay.length < removed.length) await write(withRemoved(written, stay)).catch(() => undefined);
  }
}

/**
 * Asks a store for one change; what it gives says what stands in the way. A store that fails is not asked again: each time
 * might take as long.
 */
function asking(store: UserKeyStore | null) {
  let lasting: KeyStoreFault | null = store === null ? "absent" : null;
  return async (work: (store: UserKeyStore) => Promise<unknown>): Promise<KeyStoreFault | null> => {
    if (store === null || lasting !== null) return lasting;
    try {
      await work(store);
      return null;
    } catch (error) {
      const fault = faultOf(error);
      const isOfOneKey = fault === "too_long" || fault === "lost";
      if (!isOfOneKey) lasting = fault;
      return fault;
    }
  };
}

function faultOf(error: unknown): KeyStoreFault {
  return error instanceof KeyStoreError ? error.code : "refused";
}

/** Keys that stand in the file, each with a name that is new. */
function namedAnew(keys: Keys) {
  return PARTS_WITH_KEY.flatMap((part: PartWithKey) => {
    const kept = keys[part];
    if (kept === undefined || !("key" in kept)) return [];
    return [{ part, name: `${part}-${randomUUID()}`, server: kept.server, key: kept.key }];
  });
}

function namesIn({ keys }: Pick<KeptSettings, "keys">): string[] {
  return Object.values(keys ?? {}).flatMap((kept) =>
    kept !== undefined && "stored_as" in kept ? [kept.stored_as] : [],
  );
}

function withRemoved(settings: KeptSettings, removed: readonly string[]): KeptSettings {
  const { removed_keys: _, ...others } = settings;
  return removed.length === 0 ? others : { ...others, removed_keys: [...removed] };
}
