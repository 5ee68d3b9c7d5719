import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { narrationFiles } from "../../../src/cli/out-folder/kept-programme.ts";
import { frameRate } from "../../../src/core/frame-rate.ts";
import { voicedCues } from "../../../src/result/stale.ts";
import { placedResult } from "../../fakes/placed-result.ts";
import { silentWav } from "../../fakes/wav.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const CUES = [
  { id: "a", start: 1, end: 2, text: "A dog." },
  { id: "b", start: 4, end: 5, text: "A cat." },
  { id: "c", start: 7, end: 8, text: "A bird." },
];

test("a narration in clips names each of its files, which are there, as the timeline calls them", async () => {
  const runFolder = await temporaryFolder();
  const path = join(runFolder, "narration.wav");
  await writeFile(path, silentWav(9));
  const result = placedResult(CUES, {
    voiced: voicedCues(CUES, { language: "en-US", voice: "Kore" }),
    audio: { path, durationSeconds: 9 },
  });
  const options = { rate: frameRate(25), runFolder, signal: new AbortController().signal };
  const inClips = await narrationFiles(result, { ...options, isInClips: true });
  expect(inClips?.names).toHaveLength(CUES.length);
  const made = (await readdir(runFolder, { recursive: true })).filter((name) => name.includes("/")).sort();
  expect(inClips?.names.toSorted()).toEqual(made.map((name) => name.replaceAll("\\", "/")));
  expect(inClips?.names.map((name) => name.split("/").at(-1))).toEqual(inClips?.clipNames);
  const whole = await narrationFiles(result, { ...options, isInClips: false });
  expect([whole?.names, whole?.clipNames.length]).toEqual([[], 1]);
});
