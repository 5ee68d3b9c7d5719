import { expect, test } from "vitest";
import { trialReport, withoutNames } from "../../../src/workflow/first-run/trial-report.ts";

test.each([
  ["raises: ENOENT: no such file, open '/Users/Jane Doe/My film.mp4'", "raises: ENOENT: no such file, open (name)"],
  ["raises: cannot read C:\\Users\\Jane Doe\\a b.wav; 3 left", "raises: cannot read (path); 3 left"],
  ["raises: \\\\server\\share\\film.mp4", "raises: (path)"],
  ["raises: file:///home/jane/a.wav is gone", "raises: file://(path)"],
  ['The sequence "Secret reel" holds no clips.', "The sequence (name) holds no clips."],
  ["raises: Secret reel Copy 01 is gone", "raises: (name) Copy 01 is gone"],
  ["12 of 20 in 400 ms", "12 of 20 in 400 ms"],
  ["49152 bytes, 2.040 s in 12/24 ms", "49152 bytes, 2.040 s in 12/24 ms"],
])("a finding tells no name and no path: %s", (finding, told) => {
  expect(withoutNames(finding, ["Secret reel", "ab", ""])).toBe(told);
});

test("a name that holds another one goes whole", () => {
  expect(withoutNames("Harbour_v7 Copy", ["Harbour", "Harbour_v7"])).toBe("(name) Copy");
});

test("a report says what ran where, counts how questions ended, and tells each without names and secrets", () => {
  const answer = { code: "src/a.ts" };
  const answers = [
    { ...answer, name: "One", finding: "Secret reel has 3 clips", outcome: "answered" },
    { ...answer, name: "Two", finding: "raises: key-123 is wrong", outcome: "refused" },
    { ...answer, name: "Three", finding: "cancelled before", outcome: "not asked" },
    { ...answer, name: "Four", finding: "fine", outcome: "answered" },
  ] as const;
  const head = { versions: { Premiere: "26.0", Aside: "1.2" }, date: "2026-01-01", secrets: ["key-123"] };
  expect(trialReport({ answers, names: ["Secret reel"] }, head)).toBe(
    [
      "Aside: everything tried on a copy",
      "2026-01-01",
      "Premiere: 26.0",
      "Aside: 1.2",
      "4 questions: 2 answered, 1 refused, 0 late, 1 not asked",
      "",
      "One: (name) has 3 clips [src/a.ts]",
      "Two: raises: (name) is wrong [src/a.ts]",
      "Three: cancelled before [src/a.ts]",
      "Four: fine [src/a.ts]",
      "",
    ].join("\n"),
  );
});
