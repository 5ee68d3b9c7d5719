import { describe, expect, test } from "vitest";
import { logFrom } from "../../../src/cli/service-run/service-options.ts";

describe("the log of a service", () => {
  const level = (log?: string) => logFrom({ values: log === undefined ? {} : { log }, positionals: [] }).level;

  test("is of each level that is asked for, and of warnings where none is", () => {
    for (const word of ["error", "warn", "info", "debug"]) expect(level(word)).toBe(word);
    expect(level()).toBe("warn");
  });

  test("is of no other", () => {
    expect(() => level("loud")).toThrow('--log cannot be "loud"; choose one of error, warn, info, debug');
  });
});
