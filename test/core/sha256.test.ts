import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { Sha256 } from "../../src/core/sha256.ts";

test.each([0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000, 70_001])(
  "hashes %i bytes as Node does, in any pieces",
  (length) => {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 31 + length) % 256);
    const wanted = createHash("sha256").update(bytes).digest("hex");
    expect(new Sha256().update(bytes).digest()).toBe(wanted);
    const inPieces = new Sha256();
    for (let at = 0, size = 1; at < length; at += size, size = (size * 7) % 129 || 1)
      inPieces.update(bytes.subarray(at, at + size));
    expect(inPieces.digest()).toBe(wanted);
  },
);
