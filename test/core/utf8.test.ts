import fc from "fast-check";
import { expect, test } from "vitest";
import { utf8Bytes, utf8Length } from "../../src/core/bytes.ts";

/** Every length of UTF-8 and its bounds, and halves of surrogate pairs. */
const characters = fc
  .oneof(
    ...[0x80, 0x800, 0x1_0000].map((bound) => fc.integer({ min: bound - 2, max: bound + 2 })),
    fc.integer({ min: 0, max: 0x10_ffff }),
    fc.integer({ min: 0xd7fe, max: 0xe002 }),
  )
  .map((point) => String.fromCodePoint(point));
const texts = fc.array(characters, { maxLength: 20 }).map((list) => list.join(""));

test("gives the same bytes as the platform's own encoder, for every text", () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect([...utf8Bytes(text)]).toEqual([...new TextEncoder().encode(text)]);
      expect(utf8Length(text)).toBe(utf8Bytes(text).length);
    }),
  );
});

test("turns half a surrogate pair into U+FFFD", () => {
  expect([...utf8Bytes("a\ud800b\udc00")]).toEqual([...new TextEncoder().encode("a\ufffdb\ufffd")]);
});
