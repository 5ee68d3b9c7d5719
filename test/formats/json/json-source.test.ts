import fc from "fast-check";
import { expect, test } from "vitest";
import {
  itemsOf,
  type JsonSource,
  memberOf,
  numberOf,
  parseJsonSource,
  textOf,
} from "../../../src/formats/json/json-source.ts";

function sourceOf(text: string): JsonSource {
  const parsed = parseJsonSource(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.value;
}

/** A value as `JSON.parse` gives it. */
function plain(source: JsonSource): unknown {
  if (source.kind === "scalar") return source.value;
  if (source.kind === "array") return source.items.map(plain);
  return Object.fromEntries([...source.members].map(([name, one]) => [name, plain(one)]));
}

/** A value with all values inside it. */
function withInner(source: JsonSource): JsonSource[] {
  if (source.kind === "scalar") return [source];
  const inner = source.kind === "array" ? source.items : [...source.members.values()];
  return [source, ...inner.flatMap(withInner)];
}

const layouts = fc.constantFrom(undefined, " ", "\t", 4);
const documents = fc
  .tuple(fc.jsonValue({ noUnicodeString: false }), layouts, fc.constantFrom("", " ", "\r\n", "\t"))
  .map(([value, layout, around]) => around + JSON.stringify(value, null, layout) + around);

test("reads what the engine reads, and says of every value where it stands", () => {
  fc.assert(
    fc.property(documents, (text) => {
      const source = sourceOf(text);
      expect(plain(source)).toEqual(JSON.parse(text));
      for (const one of withInner(source)) {
        expect(JSON.parse(text.slice(one.start, one.end))).toEqual(plain(one));
        expect(text.slice(one.start, one.end)).toBe(text.slice(one.start, one.end).trim());
      }
    }),
    { numRuns: 200 },
  );
});

test("a text with a piece taken out is read as the engine reads it, or refused with it, at a place inside it", () => {
  const cut = documents.chain((text) =>
    fc.tuple(fc.constant(text), fc.nat(text.length), fc.integer({ min: 1, max: 3 })),
  );
  fc.assert(
    fc.property(cut, ([whole, from, length]) => {
      const text = whole.slice(0, from) + whole.slice(from + length);
      const parsed = parseJsonSource(text);
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        // A number may have zeros in front here.
        if (parsed.ok) expect(text).toMatch(/(?<!\d)-?0\d/);
        else expect(parsed.offset).toBeLessThanOrEqual(text.length);
        return;
      }
      expect(parsed.ok && plain(parsed.value)).toEqual(value);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ["", 0, "a value is missing"],
  ["[1,]", 3, "a value is missing"],
  ["[tru]", 1, "a word means nothing"],
  ["[1 2]", 3, "] is missing"],
  ['{"a" 1}', 5, "a colon is missing"],
  ['{"a":1 "b":2}', 7, "} is missing"],
  ["{a:1}", 1, "a name is missing"],
  ['["a', 1, "a text is not closed"],
  ['["\\', 1, "a text is not closed"],
  ['["\\x"]', 5, "a text holds an escape that means nothing"],
  ["1 2", 2, "something stands behind the value"],
  ["[".repeat(600), 513, "values are too deep inside each other"],
])("%j is refused at offset %i: %s", (text, offset, message) => {
  expect(parseJsonSource(text)).toEqual({ ok: false, offset, message });
});

test("numbers of OpenTimelineIO are numbers, and a byte order mark is passed over", () => {
  expect(plain(sourceOf("[NaN, Infinity, -Infinity, Inf, -Inf, -1.5e+3]"))).toEqual([
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    -1500,
  ]);
  expect(sourceOf("\ufeff1")).toEqual({ kind: "scalar", value: 1, start: 1, end: 2 });
});

test("of members with the same name the last counts; a member of another kind is none", () => {
  const source = sourceOf('{"a":1,"a":2,"text":"x","list":[3],"odd":NaN}');
  expect([numberOf(source, "a"), textOf(source, "text"), itemsOf(source, "list").map(plain)]).toEqual([2, "x", [3]]);
  expect([numberOf(source, "text"), numberOf(source, "odd"), numberOf(source, "list")]).toEqual([null, null, null]);
  expect([textOf(source, "a"), textOf(source, "list"), itemsOf(source, "a")]).toEqual(["", "", []]);
  expect([memberOf(sourceOf("[1]"), "length"), memberOf(undefined, "a")]).toEqual([undefined, undefined]);
});
