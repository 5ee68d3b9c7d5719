import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { TimeMap } from "../../../src/core/time-map.ts";
import { probeMedia } from "../../../src/engine/ffmpeg/probe/probe.ts";
import { channelLayout, STEREO } from "../../../src/engine/loudness/channel-layout.ts";
import { LoudnessMeter } from "../../../src/engine/loudness/loudness-meter.ts";
import { writeAdmFile } from "../../../src/engine/mix/adm-file.ts";
import { fitSound, LOUDNESS_PROFILES, loudnessProfileFrom } from "../../../src/engine/mix/fit-sound.ts";
import { heldSound } from "../../../src/engine/mix/held-sound.ts";
import { type MixOrder, mixNarration } from "../../../src/engine/mix/mix-narration.ts";
import { volumeGainDb } from "../../../src/engine/mix/mix-report.ts";
import type { NarrationLine } from "../../../src/engine/mix/narration-track.ts";
import { type ProgrammeSound, programmeBlocks } from "../../../src/engine/mix/programme-sound.ts";
import { resample } from "../../../src/engine/mix/resample.ts";
import { interleave, SampleBytes } from "../../../src/engine/mix/sample-bytes.ts";
import { WaveFile } from "../../../src/engine/mix/wave-file.ts";
import { markersOf } from "../../formats/wave/wave-chunks.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { readSoundFile } from "./sound-files.ts";
import { joined, noise, peakDbfs, RATE, rmsDbfs, sine } from "./tones.ts";

// What mix-narration.test.ts proves of whole programmes with a real voice, of two seconds and tones: at once.

const { signal } = new AbortController();
const SECONDS = 2;
const line = (cueId: string, start: number, hertz: number, more: Partial<NarrationLine> = {}): NarrationLine => ({
  ...{ cueId, start, text: `Words of ${cueId}.` },
  load: async () => ({ samples: sine(0.4, -20, hertz), sampleRate: RATE }),
  ...more,
});
const LINES = [line("a", 0.3, 500), line("b", 1.3, 800)];

function sound(planes: readonly Float32Array[], layout = STEREO, block = RATE / 2): ProgrammeSound {
  return {
    layout,
    *read() {
      for (let at = 0; at < (planes[0]?.length ?? 0); at += block)
        yield planes.map((plane) => plane.slice(at, at + block));
    },
  };
}

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});

async function mix(order: Partial<MixOrder> = {}) {
  const path = join(folder, "track.wav");
  const base = { track: "mixed", programme: null, sampleCount: SECONDS * RATE, lines: LINES, music: [] } as const;
  const fractions: number[] = [];
  const report = await mixNarration({ ...base, path, ...order }, { onProgress: (share) => fractions.push(share) });
  return { report, fractions, file: await readSoundFile(path) };
}
const part = (plane: Float32Array | undefined, from: number, to: number) =>
  (plane ?? new Float32Array(0)).subarray(Math.round(from * RATE), Math.round(to * RATE));

describe("a mix of two lines", () => {
  test("has both in both channels, silence beside them, and marks and reports both", async () => {
    const { report, fractions, file } = await mix();
    expect([file.planes.length, file.length, file.layout.format.bits]).toEqual([2, SECONDS * RATE, 24]);
    for (const plane of file.planes) {
      for (const [from, to] of [[0.32, 0.68], [1.32, 1.68]] as const) expect(rmsDbfs(part(plane, from, to))).toBeGreaterThan(-30); // biome-ignore format: two stretches
      for (const [from, to] of [[0, 0.29], [0.71, 1.29], [1.71, 2]] as const) expect(peakDbfs(part(plane, from, to))).toBe(Number.NEGATIVE_INFINITY); // biome-ignore format: three stretches
    }
    expect(report.cues.map(({ cueId, start, seconds }) => [cueId, start, seconds])).toEqual([
      ["a", 0.3, 0.4],
      ["b", 1.3, 0.4],
    ]);
    expect(markersOf(file.bytes).map(({ label, sample }) => [label, sample])).toEqual([
      ["a: Words of a.", 0.3 * RATE],
      ["b: Words of b.", 1.3 * RATE],
    ]);
    expect(fractions.at(-1)).toBe(1);
  });

  test("lowers the programme under both, measured under each, and leaves it beside them as it was", async () => {
    const [left, right] = [noise(SECONDS, -26), noise(SECONDS, -26, 2)];
    const { report, file } = await mix({ programme: sound([left, right]), lines: [line("a", 0.2, 500), line("b", 1.5, 800)] }); // biome-ignore format: one mix
    expect(report.cues.map(({ duckDb }) => duckDb > 6)).toEqual([true, true]);
    // As a meter says that went through all of it.
    const meter = new LoudnessMeter(RATE, STEREO.weights);
    meter.add([left, right]);
    const wanted = [0.2, 1.5].map((start) => meter.between(start, start + 0.4));
    expect(report.programmeLufs).toHaveLength(2);
    for (const [index, level] of wanted.entries()) expect(report.programmeLufs?.[index]).toBeCloseTo(level, 1);
    // Whether it comes in one block or in many.
    const lines = [line("a", 0.2, 500), line("b", 1.5, 800)];
    const atOnce = await mix({ programme: sound([left, right], STEREO, SECONDS * RATE), lines });
    expect(atOnce.report).toEqual(report);
    // The programme of a line that an earlier mix measured is not listened to again.
    const kept = LINES.map((one, index) => ({ ...one, programmeLufs: index === 0 ? null : -31 }));
    const again = await mix({ programme: sound([left, right]), lines: kept });
    expect(again.report.programmeLufs).toEqual([null, -31]);
    for (const plane of file.planes) expect(part(plane, 1.05, 1.1).every((sample) => sample !== 0)).toBe(true);
    expect(Math.abs(rmsDbfs(part(file.planes[0], 1.12, 1.2)) - rmsDbfs(part(left, 1.12, 1.2)))).toBeLessThan(0.5);
  });

  test("has lines that overlap one over the other, whatever the blocks of the programme", async () => {
    const lines = [line("a", 0.3, 500), line("b", 0.5, 800)];
    const kept = { narrationGainDb: 0 };
    const alone = [await mix({ lines: lines.slice(0, 1), kept }), await mix({ lines: lines.slice(1), kept })];
    const silent = [new Float32Array(SECONDS * RATE), new Float32Array(SECONDS * RATE)];
    const both = await mix({ lines, kept, programme: sound(silent, STEREO, 7_001) });
    const [one, other] = alone.map(({ file }) => file.planes[0] ?? new Float32Array(0));
    const far = (both.file.planes[1] ?? new Float32Array(0)).findIndex(
      (sample, at) => Math.abs(sample - (one?.[at] ?? 0) - (other?.[at] ?? 0)) > 2e-6,
    );
    expect(far).toBe(-1);
  });
});

test("a held programme is silent for as long as each pause lasts, in every channel, and goes on where it stood", async () => {
  const planes = [1, 2, 3].map((seed) => noise(SECONDS, -20, seed));
  const map = new TimeMap([
    { at: 0.5, seconds: 0.25 },
    { at: 1.25, seconds: 1.5 },
  ]);
  const blocks: Float32Array[][] = [];
  const held = heldSound(sound(planes, channelLayout("3.0", 3), RATE), map);
  for await (const block of held.read()) blocks.push(block.map((plane) => plane.slice()));
  const whole = planes.map((_, channel) => joined(...blocks.map((block) => block[channel] ?? new Float32Array(0))));
  for (const [channel, plane] of whole.entries()) {
    const own = planes[channel];
    expect(plane.length).toBe((SECONDS + 1.75) * RATE);
    expect([part(plane, 0.5, 0.75), part(plane, 1.5, 3)].map(peakDbfs)).toEqual([-Infinity, -Infinity]);
    expect(part(plane, 0, 0.4)).toEqual(part(own, 0, 0.4));
    expect(part(plane, 0.95, 1.4)).toEqual(part(own, 0.7, 1.15));
    expect(part(plane, 3.2, 3.75)).toEqual(part(own, 1.45, 2));
    // It goes out before a pause and comes back behind it.
    expect(rmsDbfs(part(plane, 0.45, 0.5))).toBeLessThan(rmsDbfs(part(own, 0.45, 0.5)) - 6);
    expect(rmsDbfs(part(plane, 0.75, 0.8))).toBeLessThan(rmsDbfs(part(own, 0.5, 0.55)) - 6);
  }
});

test("a programme is filled up with silence in all channels, however long, or cut off", async () => {
  const read = async (seconds: number, count: number) => {
    const blocks: Float32Array[][] = [];
    const programme = sound([noise(seconds, -20), noise(seconds, -20, 2)]);
    for await (const planes of programmeBlocks(programme, STEREO, count, signal)) {
      blocks.push(planes.map((plane) => plane.slice()));
      // Whoever mixes changes what is read.
      for (const plane of planes) plane.fill(1);
    }
    return [0, 1].map((channel) => joined(...blocks.map((planes) => planes[channel] ?? new Float32Array(0))));
  };
  for (const [channel, plane] of (await read(1, 3.5 * RATE)).entries()) {
    expect(part(plane, 0, 1)).toEqual(noise(1, -20, channel + 1));
    expect([plane.length, peakDbfs(part(plane, 1, 3.5))]).toEqual([3.5 * RATE, Number.NEGATIVE_INFINITY]);
  }
  const [left, right] = await read(2, 0.75 * RATE);
  expect([left?.length, right?.length]).toEqual([0.75 * RATE, 0.75 * RATE]);
});

describe("sound files that are written anew", () => {
  /** Writes channels as a WAV file. */
  async function fileOf(name: string, planes: readonly Float32Array[], mask = 3) {
    const path = join(folder, name);
    const [first] = planes;
    const file = await WaveFile.create({
      ...{ path, channels: planes.length, channelMask: mask, sampleRate: RATE, bits: 24 },
      ...{ sampleCount: first?.length ?? 0, isGainOpen: false, markers: [] },
    });
    await file.write(planes);
    await file.finish(1);
    return path;
  }

  test("have their gain in every channel from the first sample to the last, and their length", async () => {
    const planes = [sine(1.5, -20), sine(1.5, -26, 700)];
    const from = await fileOf("from.wav", planes);
    const to = join(folder, "to.wav");
    await fitSound({ from, to, gainDb: 6, truePeakDbtp: -2, bits: 24 }, signal);
    const { planes: fitted, length } = await readSoundFile(to);
    expect(length).toBe(1.5 * RATE);
    for (const [channel, plane] of planes.entries()) {
      const gain = 10 ** (6 / 20);
      const far = plane.findIndex((sample, at) => Math.abs(sample * gain - (fitted[channel]?.[at] ?? 0)) > 1e-5);
      expect(far).toBe(-1);
    }
  });

  test("as one with an audio definition have the programme's channels and the mean of the narration's, block by block", async () => {
    const programme = [noise(SECONDS, -20), noise(SECONDS, -20, 2)];
    const narration = [sine(1.5, -12), new Float32Array(1.5 * RATE)];
    const order = {
      programme: await fileOf("programme.wav", programme),
      narration: await fileOf("narration.wav", narration),
      ...{ to: join(folder, "adm.wav"), title: "Harbour", language: "en-US" },
      broadcast: { description: "d", originator: "Aside", timeReferenceSamples: 0 },
    };
    await writeAdmFile(order, await probeMedia(order.programme), signal);
    const { planes, length } = await readSoundFile(order.to);
    expect([planes.length, length]).toEqual([3, SECONDS * RATE]);
    for (const [channel, plane] of programme.entries()) {
      expect(plane.findIndex((sample, at) => Math.abs(sample - (planes[channel]?.[at] ?? 0)) > 1e-6)).toBe(-1);
    }
    const mean = (at: number) => (narration[0]?.[at] ?? 0) / 2;
    expect(planes[2]?.findIndex((sample, at) => Math.abs(sample - mean(at)) > 1e-6)).toBe(-1);
  });
});

test("every loudness on offer is found by its name, and another name is refused with all of them", () => {
  for (const [name, profile] of Object.entries(LOUDNESS_PROFILES)) {
    expect(loudnessProfileFrom({ ASIDE_LOUDNESS: ` ${name} ` })).toBe(profile);
  }
  expect(loudnessProfileFrom({})).toBe(LOUDNESS_PROFILES.broadcast);
  expect(() => loudnessProfileFrom({ ASIDE_LOUDNESS: "loud" })).toThrow("broadcast, nearfield, streaming");
});

test("a track is raised by what it lacks and by no more than 40 dB", () => {
  const peak = (dbfs: number) => 10 ** (dbfs / 20);
  const gain = (dbfs: number) => volumeGainDb({ option: "max" }, peak(dbfs));
  expect([gain(-20), gain(-40), gain(-70)].map((db) => Number(db.toFixed(6)))).toEqual([20, 40, 40]);
  expect(volumeGainDb({ option: "auto" }, peak(-10))).toBeCloseTo(7, 9);
  expect(volumeGainDb({ option: "max", levelDbfs: -4 }, peak(-10))).toBeCloseTo(6, 9);
});

test("bytes of samples are the numbers of their width, low byte first, held at full scale", () => {
  const samples = [0.5, -0.5, 2, -2, 0].map((sample) => Float32Array.of(sample));
  const bytes = Buffer.from(new SampleBytes(24).encode(samples, 1));
  expect([0, 3, 6, 9, 12].map((at) => bytes.readIntLE(at, 3))).toEqual([
    0x40_0000, -0x40_0000, 0x7f_ffff, -0x80_0000, 0,
  ]);
  const short = Buffer.from(new SampleBytes(16).encode(samples, 1));
  expect(short.length).toBe(10);
  for (const [index, wanted] of [0x4000, -0x4000, 0x7fff, -0x8000, 0].entries()) {
    expect(Math.abs(short.readInt16LE(2 * index) - wanted)).toBeLessThanOrEqual(1);
  }
});

test("channels take turns sample by sample, and both rates of a change have to be some", () => {
  const channels = [Float32Array.of(1, 4), Float32Array.of(2, 5), Float32Array.of(3, 6)];
  expect([...interleave(channels)]).toEqual([1, 2, 3, 4, 5, 6]);
  for (const [from, to] of [[0, RATE], [RATE, 0], [RATE, 0.5]] as const) expect(() => resample(Float32Array.of(1), from, to)).toThrow(RangeError); // biome-ignore format: three pairs
});
