import { describe, expect, test } from "vitest";
import { readJson } from "../../../src/service/http/read-json.ts";

const read = (text: string, part = "") => readJson(Buffer.from(text), part);

describe("JSON of a client", () => {
  test("is counted by its commas, braces and brackets outside of texts, up to the limit and not above it", () => {
    const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);
    for (const [open, close, inside] of [
      ["[", "]", ""],
      ['{"a":', "}", "1"],
    ] as const) {
      const text = (depth: number) => open.repeat(depth) + inside + close.repeat(depth);
      expect(read(text(64))).toHaveProperty("value");
      expect(read(text(65))).toEqual({ fault: expect.stringContaining("64 levels") });
    }
    // What ends is deep no more, of either kind.
    const list = (one: string) => `[${Array.from({ length: 100 }, () => one).join(",")}]`;
    expect(read(list(nested(60, "[", "]")))).toHaveProperty("value");
    expect(read(list('{"a":{"b":{}}}'))).toHaveProperty("value");
    const values = (count: number) => `[${Array.from({ length: count }, () => "1").join(",")}]`;
    expect(read(values(99_999))).toHaveProperty("value");
    expect(read(values(100_000))).toEqual({ fault: expect.stringContaining("100000 values") });
    // In a text they are letters, whatever is escaped there.
    expect(read(JSON.stringify('[{,"\\'.repeat(200)))).toHaveProperty("value");
  });

  test("is refused by the path of the first text that cannot be kept, wherever that is", () => {
    for (const bad of ["\\u0000", "\\ud800"]) {
      expect(read(`{"a":"x","b":[{"c":"y"},{"d":"z","e":"${bad}"}]}`, "input")).toEqual({
        fault: expect.stringMatching(/^"input\.b\.1\.e" holds/),
      });
      expect(read(`["x","${bad}"]`)).toEqual({ fault: expect.stringMatching(/^"1" holds/) });
      expect(read(`"${bad}"`)).toEqual({ fault: expect.stringMatching(/^The request body holds/) });
    }
    const long = "n".repeat(150);
    expect(read(`{"${long}":"\\u0000"}`)).toEqual({ fault: expect.stringContaining(`"${"n".repeat(100)}" holds`) });
    expect(read("")).toEqual({ value: undefined });
  });
});
