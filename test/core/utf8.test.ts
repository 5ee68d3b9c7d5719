import fc from "fast-check";
import { expect, test } from "vitest";
import { utf8Bytes, utf8Length } from "../../src/core/utf8.ts";

test("gives the same bytes as the platform's own encoder, for every text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(utf8Bytes(text)).toEqual(new TextEncoder().encode(text));
      expect(utf8Length(text)).toBe(utf8Bytes(text).length);
    }),
  );
});

test("turns half a surrogate pair into U+FFFD", () => {
  expect([...utf8Bytes("a\ud800b\udc00")]).toEqual([...new TextEncoder().encode("a\ufffdb\ufffd")]);
});
