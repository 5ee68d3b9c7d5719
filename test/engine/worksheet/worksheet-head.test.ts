import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { frameRate } from "../../../src/core/frame-rate.ts";
import { type Worksheet, writeWorksheet } from "../../../src/engine/worksheet/write-worksheet.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

// What a sheet says, without a browser; how it is used is in `write-worksheet.test.ts`.

const pause = (start: number, end: number) => ({ id: `pause-${start}`, start, end, words: 5, hints: [] });

async function sheetWith(sheet: Partial<Worksheet>): Promise<string> {
  const folder = await temporaryFolder();
  const path = join(folder, "sheet.html");
  await writeWorksheet(path, {
    ...{ id: "job", language: "en-US", voice: null, pace: 1, pauses: [pause(4, 9)], cues: [], keyFrames: [] },
    ...{ keyFrameFolder: folder, grid: { rate: frameRate(25), isDropFrame: false, startFrame: 0 } },
    ...sheet,
  });
  return await readFile(path, "utf8");
}

test("a sheet says how many pauses there are, how long together, and by whose pace", async () => {
  const one = await sheetWith({});
  expect(one).toContain("at an estimated pace");
  expect(one).not.toContain("spoken already");
  const cues = [{ id: "cue-0001", start: 1, end: 3, text: "On screen: THE HARBOUR" }];
  const several = await sheetWith({ pauses: [pause(4, 9), pause(70, 130.6)], voice: "Achernar", cues });
  expect(several).toContain("at the pace of the voice Achernar");
  expect(several).toContain("Lines that are spoken already, such as text on screen, stand among them");
  expect(one).toContain("1 pause to write, 5.0 s in all");
  expect(several).toContain("2 pauses to write, 65.6 s in all");
});

test("a sheet counts in what its language is read by", async () => {
  expect(await sheetWith({})).toContain('data-unit="words"');
  expect(await sheetWith({ language: "ja-JP" })).toContain('data-unit="characters"');
});
