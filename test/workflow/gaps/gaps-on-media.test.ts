import { expect, test } from "vitest";
import { asideHere } from "../../cli/run-aside.ts";
import { sharedCorpora, sharedMedia } from "../../shared-media.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";

thoroughTest("aside gaps finds the known pauses of a real clip", async () => {
  const { stdout, code } = await asideHere(["gaps", sharedMedia("constructed/placed-speech-silence.mp4"), "--json"]);
  expect(code).toBe(0);
  const { gaps, advice }: { gaps: { start: number; end: number }[]; advice: string } = JSON.parse(stdout);
  expect(advice).toBe("standard");
  for (const [start, end] of [
    [49.29, 53.29],
    [61.91, 69.91],
    [82.98, 120],
  ] as const) {
    expect(gaps.some((gap) => Math.abs(gap.start - start) < 0.4 && Math.abs(gap.end - end) < 0.4)).toBe(true);
  }
});

test("a film that is cut short has no pause behind its end, and one whose sound nobody decodes has none: both are told", async () => {
  const short = await asideHere(["gaps", sharedCorpora("faults/media/cut-short.mkv"), "--json"]);
  expect(short.code).toBe(3);
  const map: { gaps: { start: number; end: number }[]; notes: string[] } = JSON.parse(short.stdout);
  expect(map.gaps.map(({ start, end }) => [Math.round(start), Math.round(end)])).toEqual([
    [0, 1],
    [4, 8],
  ]);
  expect(map.notes).toEqual([expect.stringMatching(/^The file ends after 8\.\d of 14 s/)]);

  const file = sharedCorpora("reports/13-sound-that-cannot-be-decoded/tiny-apac.mov");
  const unread = await asideHere(["gaps", file]);
  expect(unread).toMatchObject({ code: 3, stdout: expect.stringContaining("It is not known whether people speak") });
  expect(unread.stdout).toContain("0 pauses");
});

test.each([
  "four-mono-dialogue-on-3.mov",
  "described-default-german-title.mkv",
  "music-default-dialogue-second.mp4",
  "silent-default-dialogue-second.mp4",
])("dialogue is heard where it stands, not on the first or default track alone: %s", async (name) => {
  const { stdout } = await asideHere(["gaps", sharedCorpora(`faults/media/${name}`), "--json"]);
  const map: { gaps: { start: number; end: number }[] } = JSON.parse(stdout);
  expect(map.gaps.map(({ start, end }) => [Math.round(start), Math.round(end)])).toEqual([
    [0, 1],
    [4, 8],
    [12, 14],
  ]);
});
