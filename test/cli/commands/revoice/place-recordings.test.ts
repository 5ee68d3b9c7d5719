import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findRecordings, readRecording } from "../../../../src/cli/commands/revoice/cue-recordings.ts";
import { placeRecordings, type RevoiceRun } from "../../../../src/cli/commands/revoice/place-recordings.ts";
import { engine, openEngine } from "../../../../src/engine/index.ts";
import { waveHeader } from "../../../../src/formats/wave/write-wave.ts";
import { voicedCues } from "../../../../src/result/stale.ts";
import { placedResult } from "../../../fakes/placed-result.ts";
import { runHere } from "../../../service/tasks-here.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { samplesOf } from "../../wave-samples.ts";

const RATE = 48_000;
type Tone = readonly [start: number, end: number, hertz: number];

/** A sound file of one channel that is silent but for some tones. */
async function writeTones(path: string, seconds: number, tones: readonly Tone[], sampleRate = RATE): Promise<void> {
  const sampleCount = seconds * sampleRate;
  const data = Buffer.alloc(2 * sampleCount);
  for (const [start, end, hertz] of tones) {
    for (let at = Math.round(start * sampleRate); at < end * sampleRate; at++) {
      data.writeInt16LE(Math.round(6_000 * Math.sin((2 * Math.PI * hertz * at) / sampleRate + 0.1)), 2 * at);
    }
  }
  const format = { encoding: "integer", channels: 1, sampleRate, bits: 16, channelMask: 4 } as const;
  await writeFile(path, Buffer.concat([waveHeader({ format, sampleCount }), data]));
}

/** Loudest sample of a stretch of a file, from 0 to 1. */
async function peakOf(path: string, from: number, to: number): Promise<number> {
  const part = (await samplesOf(path)).part(from, to);
  return loudest(Array.from({ length: part.length / 2 }, (_, index) => part.readInt16LE(2 * index) / 32_768));
}

function loudest(samples: Iterable<number>): number {
  let most = 0;
  for (const sample of samples) most = Math.max(most, Math.abs(sample));
  return most;
}

const CUES = [
  { id: "a", start: 1, end: 1.8, text: "Recorded." },
  { id: "b", start: 2, end: 3, text: "Spoken." },
  { id: "c", start: 4, end: 4.5, text: "Recorded too long." },
  { id: "d", start: 5, end: 6, text: "Recorded before." },
];
const OLD: readonly Tone[] = [
  [1, 1.8, 200],
  [2, 3, 300],
  [5, 6, 400],
];

/** A narration of eight seconds, in which the last line is a recording, and recordings of two others. */
async function narration() {
  const folder = await temporaryFolder();
  const recordings = join(folder, "recordings");
  await writeTones(join(folder, "narration.wav"), 8, OLD);
  const made = join(folder, "made.wav");
  Object.assign(engine, openEngine({ run: runHere }));
  onTestFinished(() => void Object.assign(engine, openEngine()));
  const { settings } = placedResult(CUES);
  const voiced = voicedCues(
    CUES.filter(({ id }) => id !== "c"),
    { ...settings, recordings: { d: "of before" } },
  );
  const record = placedResult(CUES, { voiced });
  await mkdir(recordings);
  await writeTones(join(recordings, "a.wav"), 1, [[0.25, 0.75, 500]], 24_000);
  await writeTones(join(recordings, "c.wav"), 1.5, [[0, 1.5, 600]]);
  const found = await findRecordings(
    recordings,
    CUES.map(({ id }) => id),
  );
  const place = (isNew: boolean) => {
    const plan = { cues: CUES, settings, recordings: found };
    const { signal } = new AbortController();
    const run = { plan, record, folder: { path: folder }, surroundings: { signal } } as unknown as RevoiceRun;
    const audio = { path: made, format: {} } as never;
    return placeRecordings(
      run,
      { audio },
      {
        voiced: CUES.filter(({ id }) => id === "b"),
        recorded: new Set(["a", "c", "d"]),
        isNew,
      },
    );
  };
  return { folder, made, found, place };
}

test("every recording takes its line's place in a new narration, those of before as they were heard, none over the next line", async () => {
  const { folder, made, found, place } = await narration();
  await writeTones(made, 8, [[2, 3, 300]]);
  const { cues, voiced, notices } = await place(true);
  expect(cues.map(({ id }) => id)).toEqual(["a", "c", "d"]);
  for (const [index, end] of [1.5, 5, 6].entries()) expect(cues[index]?.end).toBeCloseTo(end, 1);
  expect(notices).toEqual(["The recording of c was cut off where the next description begins."]);
  expect(Object.entries(voiced).map(([id, { recording }]) => [id, recording])).toEqual([
    ["a", found.get("a")?.fingerprint],
    ["c", found.get("c")?.fingerprint],
    ["d", "of before"],
  ]);
  for (const [from, to] of [
    [1.02, 1.48],
    [4.02, 4.98],
  ] as const) {
    expect(await peakOf(made, from, to)).toBeGreaterThan(0.05);
  }
  for (const [from, to] of [
    [0, 1],
    [1.56, 2],
    [3, 4],
    [6, 8],
  ] as const) {
    expect(await peakOf(made, from, to)).toBe(0);
  }
  const [before, after] = [await samplesOf(join(folder, "narration.wav")), await samplesOf(made)];
  expect(after.part(2, 3).equals(before.part(2, 3))).toBe(true);
  const [was, is] = [before.part(5, 6), after.part(5, 6)];
  for (let at = 0; at < was.length; at += 2) {
    expect(Math.abs(is.readInt16LE(at) - was.readInt16LE(at))).toBeLessThanOrEqual(1);
  }
});

test("in a narration that is gone on with, nothing is left of the voice that a shorter recording takes the place of", async () => {
  const { folder, made, place } = await narration();
  await copyFile(join(folder, "narration.wav"), made);
  await place(false);
  expect(await peakOf(made, 1.02, 1.48)).toBeGreaterThan(0.05);
  expect(await peakOf(made, 1.56, 1.99)).toBe(0);
  expect(await peakOf(made, 2, 3)).toBe(await peakOf(join(folder, "narration.wav"), 2, 3));
});

test("a recording is read whole, at the narration's rate and loudness", async () => {
  const { found } = await narration();
  for (const [id, seconds] of [
    ["a", 0.5],
    ["c", 1.5],
  ] as const) {
    const recording = found.get(id);
    if (recording === undefined) throw new Error(`nothing of ${id}`);
    for (const sampleRate of [48_000, 44_100]) {
      const line = await readRecording(recording, { sampleRate }, null);
      expect(line.seconds).toBeCloseTo(seconds, 1);
      expect(line.samples).toHaveLength(Math.round(line.seconds * sampleRate));
      const louder = await readRecording(recording, { sampleRate }, -10);
      const peak = loudest(louder.samples);
      expect(peak).toBeGreaterThan(1.2 * loudest(line.samples));
      expect(peak).toBeLessThan(0.75);
    }
  }
});
