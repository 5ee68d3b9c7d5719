import fc from "fast-check";
import { expect, test } from "vitest";
import { bytesFromBase64 } from "../../src/core/bytes.ts";

test("any bytes come back", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(bytesFromBase64(Buffer.from(bytes).toString("base64"))).toEqual(new Uint8Array(bytes));
    }),
  );
});

test("what is no whole Base64 is refused", () => {
  for (const text of ["A", "AA", "AAA", "AA=", "A===", "=AAA", "AA=A", "AAA AAA", "AA\n=", "AAA-", "AAAé", "===="]) {
    expect(bytesFromBase64(text), text).toBeNull();
  }
  expect(bytesFromBase64("")).toEqual(new Uint8Array(0));
});
