// What the panel uses of newer ECMAScript than 2020, the newest that UXP is promised to have: filled in where it is missing,
// before anything else runs. The compiler knows just these (panel/tsconfig.json); a test takes every other one away.

/** Gives objects a method that they lack. */
function fillIn(owner: object, name: string, method: (...given: never[]) => unknown): void {
  if (typeof Reflect.get(owner, name) === "function") return;
  Object.defineProperty(owner, name, { value: method, writable: true, configurable: true });
}

function at(this: ArrayLike<unknown>, index: number): unknown {
  const from = Math.trunc(index) || 0;
  return this[from < 0 ? this.length + from : from];
}

for (const owner of [Array.prototype, String.prototype, Object.getPrototypeOf(Uint8Array.prototype) as object]) {
  fillIn(owner, "at", at);
}
fillIn(String.prototype, "replaceAll", function (this: string, searched: string | RegExp, by: string): string {
  if (typeof searched !== "string") return this.replace(searched, by);
  return this.replace(new RegExp(searched.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "g"), by);
});
// By the descriptor: `hasOwnProperty` is what the formatter would have replaced by the very function that is made here.
fillIn(Object, "hasOwn", (owner: object, name: string) => Object.getOwnPropertyDescriptor(owner, name) !== undefined);
