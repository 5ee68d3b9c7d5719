import { expect, expectTypeOf, test } from "vitest";
import { defined } from "../../src/core/objects.ts";

const maybe = (value?: number): number | undefined => value;

test("leaves out what is undefined, and nothing else", () => {
  expect(Object.keys(defined({ a: maybe(), b: maybe(0), c: null, d: "", e: false }))).toEqual(["b", "c", "d", "e"]);
  expect(defined({ a: maybe() })).toStrictEqual({});
});

test("makes what may be undefined optional, and leaves undefined out of it", () => {
  const made = defined({ sure: 1, unsure: maybe(2), nothing: null as string | null });
  expectTypeOf(made.sure).toEqualTypeOf<number>();
  expectTypeOf(made.nothing).toEqualTypeOf<string | null>();
  const taken: { readonly sure: number; readonly unsure?: number; readonly nothing: string | null } = made;
  expect(taken).toEqual({ sure: 1, unsure: 2, nothing: null });
  // @ts-expect-error it may be absent
  const wrong: { readonly unsure: number } = made;
  // @ts-expect-error what a type does not take stays out
  const other: { readonly unsure?: string } = made;
  expect([wrong, other]).toEqual([made, made]);
});

test("spreads over what is there", () => {
  const merged = { a: 1, b: 2, ...defined({ a: maybe(), b: maybe(3) }) };
  expectTypeOf(merged).toEqualTypeOf<{ a: number; b: number }>();
  expect(merged).toEqual({ a: 1, b: 3 });
});
