/** What ECMAScript gained since 2020, the newest that UXP is promised to have: where it is, and its name. */
export const NEWER_BUILT_INS: readonly (readonly [owner: string, name: string])[] = Object.entries({
  "Array.prototype": ["at", "findLast", "findLastIndex", "toReversed", "toSorted", "toSpliced", "with"],
  "String.prototype": ["at", "replaceAll", "isWellFormed", "toWellFormed"],
  "Object.getPrototypeOf(Uint8Array.prototype)": ["at", "findLast", "findLastIndex", "toReversed", "toSorted", "with"],
  "Uint8Array.prototype": ["setFromBase64", "setFromHex", "toBase64", "toHex"],
  "ArrayBuffer.prototype": ["resize", "transfer", "transferToFixedLength"],
  "Set.prototype": [
    "union",
    "intersection",
    "difference",
    "symmetricDifference",
    "isSubsetOf",
    "isSupersetOf",
    "isDisjointFrom",
  ],
  "Map.prototype": ["getOrInsert", "getOrInsertComputed"],
  Object: ["hasOwn", "groupBy"],
  Map: ["groupBy"],
  Array: ["fromAsync"],
  Uint8Array: ["fromBase64", "fromHex"],
  Promise: ["any", "withResolvers", "try"],
  Error: ["isError"],
  RegExp: ["escape"],
  Math: ["f16round", "sumPrecise"],
  JSON: ["rawJSON", "isRawJSON"],
  Intl: ["Segmenter", "ListFormat", "DisplayNames", "DurationFormat", "supportedValuesOf"],
  globalThis: ["AggregateError", "WeakRef", "FinalizationRegistry", "Iterator"],
}).flatMap(([owner, names]) => names.map((name) => [owner, name] as const));

/**
 * A script for a page in which {@link NEWER_BUILT_INS} are not there for code of some address, and for all else they are: the doubles
 * of the host's modules live in the same page, and are written for browsers of today.
 *
 * @param folder What the addresses of the scripts hold that are to be without.
 */
export function withoutNewerBuiltIns(folder: string): string {
  const hide = NEWER_BUILT_INS.map(([owner, name]) => `hide(${owner}, ${JSON.stringify(name)});`);
  return `(() => {
    const hide = (owner, name) => {
      const is = Object.getOwnPropertyDescriptor(owner, name);
      if (is === undefined) return;
      const own = (value) => ({ value, writable: true, configurable: true, enumerable: false });
      Object.defineProperty(owner, name, {
        configurable: true,
        get() {
          // Whoever asks: the first line under the error's own and the getter's that is of a script, not of the engine.
          const asker = (new Error().stack ?? "").split("\\n").slice(2).find((line) => line.includes("/"));
          return asker?.includes(${JSON.stringify(folder)}) ? undefined : is.value;
        },
        set(value) { Object.defineProperty(this, name, own(value)); },
      });
    };
    ${hide.join("\n    ")}
  })();`;
}
