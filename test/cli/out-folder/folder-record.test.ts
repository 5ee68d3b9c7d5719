import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  placedResult as asPlaced,
  RECORD_FILE,
  readFolderRecord,
  readFolderReport,
  readServiceReport,
  writeFolderRecord,
} from "../../../src/cli/out-folder/folder-record.ts";
import { REPORT_FILE } from "../../../src/cli/out-folder/out-folder.ts";
import { frameRate } from "../../../src/core/frame-rate.ts";
import { REPORT_GENERATOR } from "../../../src/result/read-report.ts";
import { writeRecord } from "../../../src/result/record.ts";
import { placedResult } from "../../fakes/placed-result.ts";
import { madeClip, madeMedia, madeTimeline, madeTrack } from "../../made-timeline.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const CUES = [
  { id: "a", start: 1, end: 2, text: "A dog." },
  { id: "b", start: 4, end: 5, text: "A cat." },
];
const SEQUENCE = { name: "Cut 7", frameRate: frameRate(25), isDropFrame: false, startFrame: 90_000 };

describe("the record of a folder", () => {
  test("is read as it was written, and stands in the folder alone", async () => {
    const folder = await temporaryFolder();
    const record = placedResult(CUES, { sequence: SEQUENCE as never });
    await writeFolderRecord(folder, record);
    expect(await readdir(folder)).toEqual([RECORD_FILE]);
    expect(await readFolderRecord(folder)).toMatchObject({ cues: CUES, sequence: SEQUENCE, placed: record.placed });
  });

  test("of a version that told less is filled from the report beside it, whose words count less", async () => {
    const folder = await temporaryFolder();
    await writeFolderRecord(folder, placedResult(CUES));
    const report = { generator: REPORT_GENERATOR, cues: [CUES[0]], service_report: { describer: "vision" } };
    await writeFile(join(folder, REPORT_FILE), JSON.stringify(report));
    expect(await readFolderRecord(folder)).toMatchObject({ cues: CUES, describer: "vision" });
  });

  test.each([
    ["is not there", null, /there is no record of a description/],
    ["is changed", writeRecord(placedResult(CUES)).replace("A dog", "A hog"), /"record\.txt" is damaged/],
  ])("that %s is told, with what to do", async (_name, text, message) => {
    const folder = await temporaryFolder();
    if (text !== null) await writeFile(join(folder, RECORD_FILE), text);
    await expect(readFolderRecord(folder)).rejects.toMatchObject({
      code: "usage",
      message: expect.stringMatching(message),
    });
  });

  test("says where on its timeline a result was placed, and names its sound without this computer's folders", () => {
    const clips = [madeClip(madeMedia("a.mp4"), 0, 4), madeClip(madeMedia("b.mp4"), 4, 9)];
    const timeline = madeTimeline([madeTrack("video", clips)]);
    const { placed: _, ...result } = placedResult(CUES, {
      sequence: SEQUENCE as never,
      audio: { path: "/home/e/out/narration.wav", durationSeconds: 9 },
    });
    const record = asPlaced(result, { timeline, clipNames: ["aside-a", "aside-b"] });
    expect(record).toMatchObject({
      revision: 1,
      audio: { path: "narration.wav", durationSeconds: 9 },
      placed: { sequenceId: "Cut 7", clipNames: ["aside-a", "aside-b"] },
    });
    expect(record.placed.layout).toHaveLength(2);
  });
});

test("the report of a folder is read where it is ours, with what the service told", async () => {
  const folder = await temporaryFolder();
  expect([await readServiceReport(folder), await readFolderReport(folder)]).toEqual([undefined, null]);
  const told = { describer: "vision", speech: [] };
  const lay = (generator: string) =>
    writeFile(join(folder, REPORT_FILE), JSON.stringify({ generator, cues: CUES, service_report: told }));
  await lay(REPORT_GENERATOR);
  expect(await readServiceReport(folder)).toEqual(told);
  expect(await readFolderReport(folder)).toMatchObject({ cues: CUES, describer: "vision" });
  await lay("another");
  expect([await readServiceReport(folder), await readFolderReport(folder)]).toEqual([undefined, null]);
});
