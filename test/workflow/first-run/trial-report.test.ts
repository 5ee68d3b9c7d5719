import { expect, test } from "vitest";
import { withoutNames } from "../../../src/workflow/first-run/trial-report.ts";

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
