import { join } from "node:path";
import { expect, test } from "vitest";
import { summaryOf } from "../../../../src/cli/commands/describe/describe.ts";
import type { RunReport } from "../../../../src/workflow/deliver/run-report.ts";

const listed = <Item>(count: number, make: (number: number) => Item) =>
  Array.from({ length: count }, (_, index) => make(index + 1));

/** What is said of a run that came to so many of each, by the heads of its parts. */
function said(count: number) {
  const report = {
    programme: { name: "Harbour", duration_seconds: 60 },
    cues: listed(count, (n) => ({
      id: `cue-${n}`,
      timecode: `00:00:0${n}:00`,
      start: n,
      end: n + 0.5,
      text: `Cue ${n}.`,
    })),
    to_write: listed(count, (n) => ({ id: `p-${n}`, timecode: `00:01:0${n}:00`, start: n, end: n + 2, words: n })),
    findings: listed(count, (n) => ({
      severity: n === 1 ? "fail" : "note",
      cueIds: [`cue-${n}`],
      message: `Finding ${n}.`,
    })),
    notices: listed(Math.floor(count / 2), (n) => `Notice ${n}.`),
    issues: listed(Math.ceil(count / 2), (n) => ({ line: n - 1, message: `issue ${n}` })),
    files: listed(count, (n) => `file-${n}.vtt`),
  } as unknown as RunReport;
  const [cues, pauses, findings, notes, files] = summaryOf(report, "out")
    .split("\n\n")
    .map((part) => part.split("\n"));
  return { cues, pauses, findings, notes, files };
}

test("each cue, pause, finding, note and file of a run has a line", () => {
  const { cues, pauses, findings, notes, files } = said(3);
  expect(cues).toEqual(["Harbour: 3 cues in 60.0 s", ...listed(3, (n) => `  00:00:0${n}:00    0.5 s  Cue ${n}.`)]);
  expect(pauses).toEqual([
    `3 pauses to write: open ${join("out", "worksheet.html")}, save the script, and describe again with --script.`,
    ...listed(3, (n) => `  00:01:0${n}:00  ${n} ${n === 1 ? "word" : "words"}, 2.0 s`),
  ]);
  expect(findings).toEqual(["3 findings", "  ! cue-1: Finding 1.", "  - cue-2: Finding 2.", "  - cue-3: Finding 3."]);
  expect(notes).toEqual(["Notes", "  Notice 1.", "  The text: issue 1.", "  The text, line 1: issue 2."]);
  expect(files).toEqual(["Files", ...listed(3, (n) => `  ${join("out", `file-${n}.vtt`)}`)]);
});

test("of many pauses, findings and notes ten are listed, and the report has the others", () => {
  for (const count of [10, 11, 12, 30]) {
    const { cues, pauses, findings, notes, files } = said(count);
    for (const all of [cues, files]) expect(all).toHaveLength(1 + count);
    for (const some of [pauses, findings, notes]) {
      expect(some?.slice(11)).toEqual(count === 10 ? [] : [`  and ${count - 10} more; see the report`]);
    }
  }
});
