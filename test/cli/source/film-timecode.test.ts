import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { frameRate, framesFromSeconds } from "../../../src/core/frame-rate.ts";
import type { FrameGrid } from "../../../src/core/settings.ts";
import { formatTimecode, nominalFrameRate, startLabel } from "../../../src/core/timecode.ts";
import { formatClockTime } from "../../../src/formats/clock-time.ts";
import { sharedCorpora } from "../../shared-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { IS_THOROUGH, thoroughTest } from "../../thorough/thorough-test.ts";
import { asideHere } from "../run-aside.ts";

/** Films of 14 s as files, by the label of their first frame: somebody speaks from 1 to 3.9 s and from 8 to 11.6 s. */
const FILMS = [
  ["start-10h.mov", "10:00:00:00", frameRate(25)],
  ["start-01h-drop.mov", "01:00:00;00", frameRate(30_000, 1001)],
  ["start-01h-23976.mov", "01:00:00:00", frameRate(24_000, 1001)],
  ["start-off-the-hour.mov", "09:59:52:12", frameRate(25)],
] as const;

/** Two lines that are spoken, and one that nobody hears: from it is seen that the captions count, and where. */
const LINES = [
  [1, 3.8, "Is anybody there at this hour?"],
  [5, 6.6, "And nobody hears this."],
  [8.1, 11.5, "Quietly now, quietly, I said."],
] as const;

/** The frame of the film, as its timecode has it. */
const labelAt = (grid: FrameGrid, seconds: number) =>
  formatTimecode(grid.startFrame + framesFromSeconds(seconds, grid.rate), grid);

/** A label as a clock time: frames as thousandths. */
function clockAt(grid: FrameGrid, seconds: number): string {
  const label = labelAt(grid, seconds);
  const frames = Number(label.slice(-2)) / nominalFrameRate(grid.rate);
  return `${label.slice(0, 8)},${formatClockTime(frames, { decimal: "," }).slice(-3)}`;
}

const TEXTS = {
  "captions.srt": (grid: FrameGrid) =>
    LINES.map(
      ([start, end, text], at) => `${at + 1}\n${clockAt(grid, start)} --> ${clockAt(grid, end)}\n${text}\n`,
    ).join("\n"),
  "captions.txt": (grid: FrameGrid) =>
    LINES.map(([start, end, text]) => `${labelAt(grid, start)} ${labelAt(grid, end)} ${text}\n`).join(""),
} as const;

async function written(name: string, content: string): Promise<string> {
  const path = join(await temporaryFolder(), name);
  await writeFile(path, content);
  return path;
}

/** Each film meets one of the texts by default. */
const textsOf = (film: string): readonly (keyof typeof TEXTS)[] => {
  if (IS_THOROUGH) return ["captions.srt", "captions.txt"];
  return FILMS.findIndex(([name]) => name === film) % 2 === 0 ? ["captions.srt"] : ["captions.txt"];
};

describe.each(FILMS)("texts on the timecode of a film as a file: %s", (film, label, rate) => {
  const grid = { rate, ...startLabel(label, rate) };
  const media = sharedCorpora(`faults/media/${film}`);

  test.each(textsOf(film))("%s protect what they caption, and the receipt says from where they count", async (name) => {
    const captions = await written(name, TEXTS[name](grid));
    const { code, stdout, stderr } = await asideHere(["gaps", media, "--captions", captions, "--json"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/zero is \d\d:\d\d:\d\d\S* \(the film's timecode\)/);
    const { gaps }: { gaps: { start: number; end: number }[] } = JSON.parse(stdout);
    const isFree = (seconds: number) => gaps.some(({ start, end }) => start <= seconds && seconds < end);
    expect([2, 5.1, 6.5, 10].map(isFree)).toEqual([false, false, false, false]);
    expect([0.5, 4.7, 7, 12.5].map(isFree)).toEqual([true, true, true, true]);
  });
});

describe.each(IS_THOROUGH ? FILMS : FILMS.slice(1, 2))(
  "descriptions on the timecode of a film as a file: %s",
  (film, label, rate) => {
    const grid = { rate, ...startLabel(label, rate) };
    const media = sharedCorpora(`faults/media/${film}`);

    thoroughTest("a script is told where it stands in the film, and beside the captions", async () => {
      const script = await written("script.txt", `${labelAt(grid, 12)} ${labelAt(grid, 13.5)} She leaves.\n`);
      const captions = await written("captions.srt", TEXTS["captions.srt"](grid));
      const out = join(await temporaryFolder(), "out");
      const given = ["--script", script, "--captions", captions, "--text", "json"];
      const { code, stderr } = await asideHere(["describe", media, ...given, "--out", out]);
      expect(stderr).not.toContain("left out");
      expect(code).toBe(0);
      const report: { cues: { start: number; timecode: string; text: string }[] } = JSON.parse(
        await readFile(join(out, "report.json"), "utf8"),
      );
      expect(report.cues).toMatchObject([{ timecode: labelAt(grid, 12), text: "She leaves." }]);
      expect(report.cues[0]?.start).toBeCloseTo(12, 1);
    });
  },
);
