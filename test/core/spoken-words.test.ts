import { describe, expect, test } from "vitest";
import { spokenWords } from "../../src/core/speaking-time.ts";

describe("words as they are heard", () => {
  test("are the same whatever their case, punctuation and spaces", () => {
    expect(spokenWords("  Now bright,\nmostly BLUE. ")).toBe(spokenWords("now bright mostly blue"));
  });

  test.each([
    ["Hindi", "मुख्यतः हरा", "मुख्यतः हरी"],
    ["Tamil", "கரு", "கரி"],
    ["Thai", "สีดำ", "สีดี"],
    ["Arabic", "عَلَم", "عِلْم"],
  ])("differ by their marks in %s", (_, one, other) => {
    expect(spokenWords(one)).not.toBe(spokenWords(other));
  });
});
