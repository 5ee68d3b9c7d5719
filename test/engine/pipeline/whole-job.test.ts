import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { SAMPLE_CLIP } from "../../../src/cli/sample.ts";
import { DEFAULT_SETTINGS } from "../../../src/core/settings.ts";
import { TASKS } from "../../../src/engine/pipeline/task-table.ts";
import { ANALYSIS_VERSION, storedAnalysis } from "../../../src/engine/programme-analysis.ts";
import type { ProgrammeOrder } from "../../../src/engine/tasks/tasks.ts";
import { makeMedia } from "../../made-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { shot } from "../describe/describe-request.ts";

const context = { signal: new AbortController().signal, onProgress: () => {} };
const SCRIPT = `WEBVTT

00:00:01.000 --> 00:00:03.000
A boat.

00:00:07.000 --> 00:00:09.000
A gull.

00:00:13.000 --> 00:00:15.000
A man.
`;

let order: ProgrammeOrder;
beforeAll(async () => {
  const root = await temporaryFolder();
  const folders = { mediaFolder: join(root, "media"), workFolder: join(root, "work") };
  await mkdir(folders.workFolder);
  // The sample as an earlier job measured it: nobody speaks in it.
  await storedAnalysis(folders, async () => ({
    version: ANALYSIS_VERSION,
    durationSeconds: 40,
    heard: { speech: [], music: [], silence: [{ start: 0, end: 40 }] },
    levels: [1, 2],
    shots: [shot(0, 10, "start"), shot(10, 40)],
    hasVisiblePicture: true,
    keyFrames: [],
    lettering: [],
  }));
  order = {
    ...{ kind: "text", track: "mixed", resolution: "Auto", mediaPath: SAMPLE_CLIP, ...folders },
    // No voice speaks it: times are estimated, at once.
    settings: { ...DEFAULT_SETTINGS, script: SCRIPT, language: "tlh-QO" },
    narrationFolder: join(root, "narration"),
  };
});

test("every line of a script is placed, told of and written, with what was measured of the film", async () => {
  const { cues, content, report } = await TASKS.describe(order, context);
  expect(cues.map(({ text, start, end }) => [text, Math.floor(start), end - start < 2])).toEqual([
    ["A boat.", 1, true],
    ["A gull.", 7, true],
    ["A man.", 13, true],
  ]);
  for (const text of ["A boat.", "A gull.", "A man."]) expect(content).toContain(text);
  expect(report.notes).toEqual([expect.stringContaining("Speaking times are estimated")]);
  expect(report).toMatchObject({ shots: [0, 10], levels: [1, 2], silence: [[0, 40]] });
});

test("a picture of fewer than eight pixels either way is refused before anything is measured, one of eight is not", async () => {
  const folder = await temporaryFolder();
  const sized = async (size: string) => {
    const mediaPath = join(folder, `${size}.mkv`);
    makeMedia(mediaPath, [{ graph: `color=size=${size}:rate=25:duration=0.2`, codec: "ffv1" }]);
    return await TASKS.describe({ ...order, mediaPath }, context);
  };
  for (const size of ["7x20", "20x7"]) {
    await expect(sized(size)).rejects.toMatchObject({
      code: "no_video_stream",
      message: expect.stringContaining(`${size.replace("x", " × ")} pixels, and shows nothing`),
    });
  }
  expect((await sized("8x8")).cues).toHaveLength(3);
});

test("a film is looked at with the sound track that was asked for", async () => {
  const { durationSeconds } = await TASKS.probe({ path: SAMPLE_CLIP, audioTrack: "1" }, context);
  expect(durationSeconds).toBe(40);
  await expect(TASKS.probe({ path: SAMPLE_CLIP, audioTrack: "9" }, context)).rejects.toMatchObject({
    code: "sound_track_unknown",
  });
});
