import { expect, test } from "vitest";
import { readReport } from "../../../src/client/report-reply.ts";
import { checkDoubts, checkToldFindings } from "../../../src/workflow/check/check-hearing.ts";

const cues = [
  { id: "a", start: 1, end: 2, text: "A man  runs." },
  { id: "b", start: 3, end: 4, text: "A dog runs." },
];

test("a line that its writer was not sure of is a finding that says why", () => {
  const findings = checkDoubts(cues, [{ said: "A man runs.", confidence: 0.4, why: "too dark" }]);
  expect(findings).toMatchObject([
    {
      rule: "unsure",
      severity: "warn",
      cueIds: ["a"],
      measured: 0.4,
      message: expect.stringMatching(/this: too dark$/),
    },
  ]);
});

test("each line that its writer was not sure of is a finding of its own", () => {
  const doubts = ["A dog runs.", "A man runs."].map((said, index) => ({ said, confidence: 0.1 + index, why: "" }));
  expect(checkDoubts(cues, doubts).map(({ cueIds, measured }) => [cueIds, measured])).toEqual([
    [["a"], 1.1],
    [["b"], 0.1],
  ]);
});

test("without a reason it is one all the same", () => {
  const [finding] = checkDoubts(cues, [{ said: "A dog runs.", confidence: 0.5, why: "" }]);
  expect(finding?.cueIds).toEqual(["b"]);
  expect(finding?.message).toMatch(/shows this$/);
});

test("a line that an editor has changed since is the editor's", () => {
  expect(checkDoubts(cues, [{ said: "A woman runs.", confidence: 0.4, why: "" }])).toEqual([]);
  expect(checkDoubts(cues, [])).toEqual([]);
});

test("a report's doubts are taken as far as they can be read", () => {
  const doubts = [{ said: "A man runs.", confidence: 0.4, why: "dark" }, { said: "A dog runs." }, { why: "lost" }, 7];
  expect(readReport({ doubts, bible: "# Story" })).toMatchObject({
    doubts: [
      { said: "A man runs.", confidence: 0.4, why: "dark" },
      { said: "A dog runs.", confidence: 0, why: "" },
    ],
    bible: "# Story",
  });
  expect(readReport({ doubts: [{ why: "lost" }], bible: 7 })).not.toHaveProperty("doubts");
  expect(readReport({})).not.toHaveProperty("bible");
});

test("what the service found of its own work stands at its cue, or at its place, with its severity", () => {
  const told = [
    { rule: "voice-length", severity: "fail", message: "6 words sound for 0.57 s", said: "A man runs." },
    { rule: "text-not-read", severity: "warn", message: "text in Cyrillic", start: 1, end: 7 },
  ] as const;
  expect(checkToldFindings(cues, told)).toMatchObject([
    { rule: "voice-length", severity: "fail", cueIds: [cues[0]?.id] },
    { rule: "text-not-read", severity: "warn", cueIds: [], range: { start: 1, end: 7 } },
  ]);
});
