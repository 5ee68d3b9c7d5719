/** Symbols and names that the language itself asks any object for; they are absent, not an error. */
const LANGUAGE_NAMES: readonly PropertyKey[] = [
  "then",
  "toJSON",
  "constructor",
  "asymmetricMatch",
  "nodeType",
  "$$typeof",
];

const NAMES = new WeakMap<object, string>();

/** What a strict object is called; absent for any other. */
export function nameOf(value: object): string | undefined {
  return NAMES.get(value);
}

/** Calls an object that stands for a strict one by its name. */
export function named<Handle extends object>(name: string, handle: Handle): Handle {
  NAMES.set(handle, name);
  return handle;
}

/**
 * An object that has the members given and no others: reading or writing any other raises an error, so that an invented
 * member cannot pass. `check` runs before every read (a stale handle raises there). What is not `isThere` now is absent, as a member
 * of a later version is.
 */
export function strictObject<Members extends object>(
  name: string,
  members: Members,
  check?: () => void,
  isThere: (key: PropertyKey) => boolean = () => true,
): Members {
  const strict = new Proxy(members, {
    get(target, key, receiver) {
      if (typeof key === "symbol" || (LANGUAGE_NAMES.includes(key) && !Object.hasOwn(target, key))) return undefined;
      if (!isThere(key)) return undefined;
      if (!Object.hasOwn(target, key)) throw new Error(`${name} has no member "${key}"`);
      check?.();
      return Reflect.get(target, key, receiver);
    },
    has(target, key) {
      return Object.hasOwn(target, key) && isThere(key);
    },
    set(_target, key) {
      throw new Error(`${name}.${String(key)} cannot be set`);
    },
    ownKeys() {
      throw new Error(`${name} must not be enumerated: it crashed Premiere`);
    },
  });
  return named(name, strict);
}
