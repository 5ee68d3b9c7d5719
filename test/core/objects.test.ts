import { expect, expectTypeOf, test } from "vitest";
import { DEEPEST_JSON, defined, eachBracket, isObject, parsedJson } from "../../src/core/objects.ts";

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

test("an object of JSON is neither a list nor nothing", () => {
  expect([{}, { a: 1 }].every(isObject)).toBe(true);
  expect([[], null, undefined, "{}", 1, () => ({})].some(isObject)).toBe(false);
});

test("brackets are told by how deep the text is behind them, and those in strings are none", () => {
  const told: [depth: number, at: number][] = [];
  eachBracket(String.raw`[{"a]\"[": "{\\"}, []]`, 0, (depth, at) => told.push([depth, at]) > 0);
  expect(told.map(([depth]) => depth)).toEqual([1, 2, 1, 2, 1, 0]);
  expect(told.map(([, at]) => at)).toEqual([0, 1, 16, 19, 20, 21]);
});

test("whoever is told of brackets begins where they say, and ends it at an opening or a closing one", () => {
  const upTo = (text: string, from: number, last: number) => {
    const seen: number[] = [];
    eachBracket(text, from, (_, at) => seen.push(at) > 0 && at < last);
    return seen;
  };
  expect(upTo("{[]}{", 1, 9)).toEqual([1, 2, 3, 4]);
  expect(upTo("{[]}{", 0, 1)).toEqual([0, 1]);
  expect(upTo("{[]}{", 0, 2)).toEqual([0, 1, 2]);
});

test("JSON is read as deep as the limit, and no deeper; what is none is nothing", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  expect(parsedJson(nested(DEEPEST_JSON))).toBeInstanceOf(Array);
  expect(parsedJson(nested(DEEPEST_JSON + 1))).toBeNull();
  // Not how many there are, but how deep they are.
  expect(parsedJson(`[${Array.from({ length: 2 * DEEPEST_JSON }, () => "{}").join(",")}]`)).toHaveLength(
    2 * DEEPEST_JSON,
  );
  expect(parsedJson(`"${"[".repeat(2 * DEEPEST_JSON)}"`)).toHaveLength(2 * DEEPEST_JSON);
  expect([parsedJson("{"), parsedJson("")]).toEqual([null, null]);
});
