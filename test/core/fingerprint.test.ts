import fc from "fast-check";
import { expect, test } from "vitest";
import { fingerprintOf } from "../../src/core/bytes.ts";

/** FNV-1a in 64 bits over bytes, as its authors define it. */
function reference(bytes: Uint8Array): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  return hash.toString(16).padStart(16, "0");
}

test("is FNV-1a over the parts, each behind its length", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 5 }), (parts) => {
      const framed = parts.flatMap((part) => [Buffer.from(`${part.length}:`), Buffer.from(part)]);
      expect(fingerprintOf(...parts)).toBe(reference(Buffer.concat(framed)));
    }),
  );
});

test("tells where one part ends and the next begins", () => {
  expect(fingerprintOf("ab", "c")).not.toBe(fingerprintOf("a", "bc"));
  expect(fingerprintOf("é")).toBe(fingerprintOf(new TextEncoder().encode("é")));
});
