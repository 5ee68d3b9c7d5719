import { expect, test } from "vitest";
import { redact } from "../../src/client/errors.ts";

test.each([
  ["see https://a.b/c?X-Goog-Signature=1&x=2 now", "see https://a.b/c?[hidden] now"],
  ["http://user:word@host/path", "http://host/path"],
  ['{"url":"https://a.b/c?d=e"}', '{"url":"https://a.b/c?[hidden]"}'],
  ["key vsk_abcdef0123456789", "key [hidden]"],
  ["line\none\ttab\u0000nul\u2028sep", "line one tab nul sep"],
  ["nothing to hide: 5 > 3?", "nothing to hide: 5 > 3?"],
])("makes %j fit to be shown", (text, expected) => {
  expect(redact(text)).toBe(expected);
});

test("hides given secrets wherever they stand, and ignores an empty one", () => {
  expect(redact("a.b*c and a.b*c", ["a.b*c", ""])).toBe("[hidden] and [hidden]");
});

test("cuts what is too long, however long it is", () => {
  expect(redact("y".repeat(1000))).toBe(`${"y".repeat(499)}…`);
  expect(redact("a.".repeat(10_000_000)).length).toBeLessThanOrEqual(500);
});

test.each([
  ["a given secret", "s3cret-word"],
  ["a key", `aside_${"k".repeat(43)}`],
  ["a password", "postgres://me:s3cret@db/x"],
  ["a signature", "https://a.b/c?Signature=s3cret"],
])("no part of %s is shown that the limit cuts in two, wherever it cuts", (_, secret) => {
  // What is hidden before it is long: so its end is among what is shown.
  for (const mark of [" ", '"']) {
    for (let shown = 0; shown <= secret.length; shown++) {
      const before = "https://host/?";
      const filler = `${before}${"x".repeat(8_000 - before.length - 1 - shown)}${mark}`;
      const clean = redact(`${filler}${secret} and more`, ["s3cret-word"]);
      expect(clean.length).toBeLessThan(100);
      expect([mark, shown, clean]).toEqual([mark, shown, expect.not.stringMatching(/s3|kk|me:|postgres/)]);
    }
  }
});
