import { describe, expect, test } from "vitest";
import { logInAddress } from "../../src/contract/page.ts";
import { formatPairing, type Pairing, pairingPath, readPairing } from "../../src/contract/pairing.ts";

const PAIRING: Pairing = { address: "http://127.0.0.1:8420", key: "aside_key", version: "1.0.0", pid: 42 };

describe("the file by which a panel finds its service", () => {
  test("stands where each system keeps what is a user's own", () => {
    expect(pairingPath("/home/kim", "linux")).toBe("/home/kim/.local/share/aside/companion.json");
    for (const mac of ["darwin", "mac"]) {
      expect(pairingPath("/Users/kim", mac)).toBe("/Users/kim/Library/Application Support/Aside/companion.json");
    }
    for (const windows of ["win32", "win10"]) {
      expect(pairingPath("C:\\Users\\kim", windows)).toBe("C:\\Users\\kim\\AppData\\Local\\Aside\\companion.json");
    }
  });

  test.each([PAIRING, { ...PAIRING, channel: "/run/aside.sock" }, { ...PAIRING, address: "http://localhost:1" }])(
    "says what was written, and nothing else that stands in it: %j",
    (pairing) => {
      const text = formatPairing(pairing);
      expect(readPairing(text)).toStrictEqual(pairing);
      expect(readPairing(JSON.stringify({ ...JSON.parse(text), more: 1 }))).toStrictEqual(pairing);
    },
  );

  test.each([
    ["no JSON", "pairing"],
    ["a list", "[]"],
    ["nothing", "null"],
    ["a word", '"pairing"'],
  ])("is none where it is %s", (_, text) => {
    expect(readPairing(text)).toBeNull();
  });

  test.each([
    { pairing: 2 },
    { pairing: undefined },
    { key: "" },
    { key: 1 },
    { key: undefined },
    { version: 1 },
    { version: undefined },
    { pid: "42" },
    { pid: undefined },
    { address: 8420 },
    { address: undefined },
    // Whoever else is there would be given the key.
    { address: "http://example.com:8420" },
    { address: "http://127.0.0.1.example.com" },
  ])("is none with %j", (change) => {
    expect(readPairing(JSON.stringify({ ...JSON.parse(formatPairing(PAIRING)), ...change }))).toBeNull();
  });

  test("counts without a channel that can be used", () => {
    const text = formatPairing({ ...PAIRING, channel: 1 as never });
    expect(readPairing(text)).toStrictEqual(PAIRING);
  });
});

test("a log-in link has its secret where no browser sends it", () => {
  const link = new URL(logInAddress("http://127.0.0.1:8420", "secret"));
  expect([link.pathname, link.hash, link.search]).toEqual(["/home", "#secret", ""]);
});
