import { runInNewContext } from "node:vm";
import ts from "typescript";
import { expect, test } from "vitest";
import withoutPrivateNames from "../../../panel/build/private-names.ts";

const COUNTER = `
  class Counter {
    #count: number = 0;
    static #made = 0;
    readonly #step: number;
    constructor(step: number) { this.#step = step; Counter.#made += 1; }
    #add(): void { this.#count += this.#step; }
    get #shown(): string { return "#count " + this.#count; }
    more(other?: Counter): string { this.#add(); other?.#add(); return this.#shown + " of " + Counter.#made; }
  }
  const other = new Counter(1);
  new Counter(3).more(other) + ", " + other.more();
`;

test("a class does the same without privacy, and texts stay as they are", () => {
  const without = withoutPrivateNames(COUNTER);
  const run = (code: string) => runInNewContext(ts.transpile(code, { target: ts.ScriptTarget.ES2022 }));
  expect(without).not.toMatch(/\.#|^\s*(readonly )?#/m);
  expect(run(without)).toBe("#count 3 of 2, #count 2 of 2");
  expect(run(without)).toBe(run(COUNTER));
});

test("an heir of another class is refused: both might have the name; an error's heir is not", () => {
  const heir = (base: string) => `class A extends ${base} implements B { #a = 1; }`;
  expect(() => withoutPrivateNames(heir("Other"))).toThrow("extends Other");
  expect(withoutPrivateNames(heir("RangeError"))).toContain("_private_a = 1");
});
