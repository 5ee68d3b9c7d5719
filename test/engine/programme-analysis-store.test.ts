import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Shot } from "../../src/core/shot.ts";
import { plainJpeg } from "../../src/engine/models/picture-count.ts";
import { readKeyFrames } from "../../src/engine/ocr/read-key-frames.ts";
import { ScreenTextReader } from "../../src/engine/ocr/text-reading.ts";
import {
  ANALYSIS_VERSION,
  keptAnalysis,
  type ProgrammeAnalysis,
  storedAnalysis,
} from "../../src/engine/programme-analysis.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { thoroughTest } from "../thorough/thorough-test.ts";
import { shot } from "./describe/describe-request.ts";

const SHOT: Shot = { ...shot(0, 40, "start"), titleCard: true, keyFrameAt: 1 };

const PICTURE = Buffer.from(plainJpeg([180, 128, 128]));

const ANALYSIS: ProgrammeAnalysis = {
  version: ANALYSIS_VERSION,
  durationSeconds: 40,
  heard: { speech: [], music: [], silence: [] },
  levels: [],
  shots: [SHOT],
  hasVisiblePicture: true,
  lettering: [],
  keyFrames: [1, 11, 21, 31].map((at) => ({ at, file: `key-frame-${at}.jpg`, novelty: 1 })),
};

/** Writes the key frames, and has each read while the analysis goes on, as a job does. */
function analyse(reading: ScreenTextReader) {
  return async (folder: string) => {
    for (const { file } of ANALYSIS.keyFrames) {
      await writeFile(join(folder, file), PICTURE);
      reading.begin(join(folder, file));
    }
    return ANALYSIS;
  };
}

thoroughTest(
  "key frames stay where they are for those who have begun to read them, however many jobs make them at once",
  async () => {
    const root = await temporaryFolder();
    const mediaFolder = join(root, "media");
    const jobs = ["first", "second", "third"].map(async (name) => {
      await using reading = new ScreenTextReader("en-US", {});
      const { analysis, folder } = await storedAnalysis(
        { mediaFolder, workFolder: join(root, name) },
        analyse(reading),
      );
      return await readKeyFrames({ ...analysis, folder, readsAll: true }, reading);
    });
    for (const { isRead } of await Promise.all(jobs)) expect(isRead).toBe(true);
  },
);

test("an analysis serves later jobs, whole, when the folder of the job that made it is gone", async () => {
  const root = await temporaryFolder();
  const folders = { mediaFolder: join(root, "media"), workFolder: join(root, "first") };
  await using reading = new ScreenTextReader("en-US", { ASIDE_OCR_DATA: "off" });
  await storedAnalysis(folders, analyse(reading));
  expect(await readdir(folders.workFolder)).toEqual(["analysis"]);
  await rm(folders.workFolder, { recursive: true });
  const later = await storedAnalysis({ ...folders, workFolder: join(root, "later") }, () => {
    throw new Error("made twice");
  });
  expect(later.analysis).toEqual(ANALYSIS);
  for (const { file } of ANALYSIS.keyFrames) {
    expect(await readFile(join(later.folder, file))).toEqual(PICTURE);
  }
});

test("each choice of sound tracks is an analysis of its own, and pictures are found in any of them", async () => {
  const mediaFolder = await temporaryFolder();
  await using reading = new ScreenTextReader("en-US", { ASIDE_OCR_DATA: "off" });
  let made = 0;
  const stored = async (name: string, tracks: readonly number[]) => {
    const make = async (folder: string) => {
      made += 1;
      return { ...(await analyse(reading)(folder)), durationSeconds: made };
    };
    const { analysis } = await storedAnalysis({ mediaFolder, workFolder: join(mediaFolder, name) }, make, tracks);
    return analysis.durationSeconds;
  };
  expect(await stored("a", [2])).toBe(1);
  expect((await keptAnalysis(mediaFolder))?.analysis.durationSeconds).toBe(1);
  expect(await stored("b", [])).toBe(2);
  expect(await stored("c", [7, 8])).toBe(3);
  expect([await stored("d", [2]), await stored("e", []), await stored("f", [7, 8])]).toEqual([1, 2, 3]);
  expect((await keptAnalysis(mediaFolder))?.analysis.durationSeconds).toBe(2);
});
