import { expect, test } from "vitest";
import { pairingPath } from "../../src/contract/pairing.ts";
import { operatingSystem } from "../../src/core/operating-system.ts";

test.each([
  ["win32", "windows"],
  ["win10", "windows"],
  ["Win11", "windows"],
  ["darwin", "mac"],
  ["linux", "other"],
  ["", "other"],
] as const)("a platform that calls itself %j is %s", (platform, system) => {
  expect(operatingSystem(platform)).toBe(system);
});

test("a panel finds the service of its user under every name that UXP has for the system", () => {
  expect(pairingPath("C:\\Users\\ed", "win10")).toBe(pairingPath("C:\\Users\\ed", "win32"));
  expect(pairingPath("C:\\Users\\ed", "win32")).toBe("C:\\Users\\ed\\AppData\\Local\\Aside\\companion.json");
  expect(pairingPath("/Users/ed", "darwin")).toBe("/Users/ed/Library/Application Support/Aside/companion.json");
});
