/** Symbols and names that the language itself asks any object for; they are absent, not an error. */
const LANGUAGE_NAMES: readonly PropertyKey[] = [
  "then",
  "toJSON",
  "constructor",
  "asymmetricMatch",
  "nodeType",
  "$$typeof",
];

/**
 * An object that has the members given and no others: reading or writing any other raises an error, so that an invented
 * member cannot pass. `check` runs before every read (a stale handle raises there).
 */
export function strictObject<Members extends object>(name: string, members: Members, check?: () => void): Members {
  return new Proxy(members, {
    get(target, key, receiver) {
      if (typeof key === "symbol" || (LANGUAGE_NAMES.includes(key) && !Object.hasOwn(target, key))) return undefined;
      if (!Object.hasOwn(target, key)) throw new Error(`${name} has no member "${key}"`);
      check?.();
      return Reflect.get(target, key, receiver);
    },
    has(target, key) {
      return Object.hasOwn(target, key);
    },
    set(_target, key) {
      throw new Error(`${name}.${String(key)} cannot be set`);
    },
    ownKeys() {
      throw new Error(`${name} must not be enumerated: it crashed Premiere`);
    },
  });
}
