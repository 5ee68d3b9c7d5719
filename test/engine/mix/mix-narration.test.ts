import { readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { AV_CHANNEL_LAYOUT_STEREO } from "node-av/constants";
import { beforeEach, describe, expect, test } from "vitest";
import { channelLayout, STEREO } from "../../../src/engine/loudness/channel-layout.ts";
import { LoudnessMeter } from "../../../src/engine/loudness/loudness-meter.ts";
import { LOUDNESS_PROFILES } from "../../../src/engine/mix/fit-sound.ts";
import { type MixOrder, mixNarration } from "../../../src/engine/mix/mix-narration.ts";
import { DEFAULT_PEAK_DBFS } from "../../../src/engine/mix/mix-report.ts";
import type { NarrationLine } from "../../../src/engine/mix/narration-track.ts";
import type { ProgrammeSound } from "../../../src/engine/mix/programme-sound.ts";
import { SoundFileError } from "../../../src/engine/mix/wave-file.ts";
import type { SpokenLine } from "../../../src/engine/spoken-line.ts";
import { EspeakVoice } from "../../../src/engine/voice/espeak.ts";
import { chunkOf, markersOf } from "../../formats/wave/wave-chunks.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { IS_THOROUGH, thoroughTest } from "../../thorough/thorough-test.ts";
import { ffmpegLoudness } from "./ffmpeg-loudness.ts";
import { readSoundFile } from "./sound-files.ts";
import { joined, noise, peakDbfs, RATE, rmsDbfs, sine } from "./tones.ts";

const voice = new EspeakVoice();
const TEXTS = ["A woman sits at a desk.", "She opens the letter and reads.", "Rain falls on the harbour."];
const STARTS = [2, 6.5, 12.25];
const SECONDS = 20;
const COUNT = SECONDS * RATE;

const LINES: NarrationLine[] = TEXTS.map((text, index) => {
  // Spoken once, for all mixes.
  let spoken: Promise<SpokenLine> | undefined;
  return {
    cueId: `cue-${index + 1}`,
    start: STARTS[index] ?? 0,
    text,
    load: () => (spoken ??= voice.speak({ text, language: "en-US", voice: "Achernar", rate: 1 })),
  };
});

function programme(planes: readonly Float32Array[], layout = STEREO, block = RATE): ProgrammeSound {
  return {
    layout,
    *read() {
      for (let at = 0; at < (planes[0]?.length ?? 0); at += block)
        yield planes.map((plane) => plane.slice(at, at + block));
    },
  };
}

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  path = join(folder, "track.wav");
});

async function mix(order: Partial<MixOrder>) {
  const report = await mixNarration({
    track: "mixed",
    programme: null,
    sampleCount: COUNT,
    lines: LINES,
    music: [],
    path,
    ...order,
  });
  return { report, file: await readSoundFile(path) };
}

const part = (plane: Float32Array | undefined, from: number, to: number) =>
  (plane ?? new Float32Array(0)).subarray(Math.round(from * RATE), Math.round(to * RATE));

function lufs(planes: readonly Float32Array[], weights = STEREO.weights): number {
  const meter = new LoudnessMeter(RATE, weights);
  meter.add(planes);
  return meter.integrated();
}

describe("narration alone", () => {
  test("GEN-54 AUDIO-02 AUDIO-06: is digital silence outside the cues, to the sample as long as the programme", async () => {
    const { report, file } = await mix({
      track: "ad_only",
      programme: programme([noise(SECONDS, -20)]),
      sampleCount: COUNT + 7,
    });
    expect(file.bytes.toString("latin1", 0, 4)).toBe("RIFF");
    expect(file.bytes.toString("latin1", 8, 12)).toBe("WAVE");
    expect(file.length).toBe(COUNT + 7);
    const inside = report.cues.map(
      ({ start, seconds }) => [Math.floor(start * RATE), Math.ceil((start + seconds) * RATE)] as const,
    );
    for (const plane of file.planes) {
      const outside = plane.filter((_, i) => !inside.some(([from, to]) => i >= from && i <= to));
      expect(outside.every((sample) => sample === 0)).toBe(true);
      for (const [from, to] of inside) expect(rmsDbfs(plane.subarray(from, to))).toBeGreaterThan(-40);
    }
    expect(
      report.cues.every(({ programmeLufs, duckDb, isCut }) => programmeLufs === null && duckDb === 0 && !isCut),
    ).toBe(true);
  });

  test("is stereo, both sides alike, 48 kHz, 24 bits", async () => {
    const { file } = await mix({ track: "ad_only" });
    expect(file.layout.format).toMatchObject({ channels: 2, sampleRate: 48_000, bits: 24, encoding: "integer" });
    expect(file.planes[0]).toEqual(file.planes[1]);
  });

  test.each(Object.values(LOUDNESS_PROFILES))("has the loudness of the profile $name", async (profile) => {
    const { report, file } = await mix({ track: "ad_only", profile });
    const heard = ffmpegLoudness(file.planes, RATE, AV_CHANNEL_LAYOUT_STEREO);
    expect(Math.abs(heard.integratedLufs - profile.narrationLufs)).toBeLessThan(0.6);
    expect(heard.truePeakDbtp).toBeLessThanOrEqual(profile.truePeakDbtp + 0.1);
    expect(Math.abs((report.integratedLufs ?? 0) - heard.integratedLufs)).toBeLessThan(0.1);
    expect(Math.abs((report.truePeakDbtp ?? 0) - heard.truePeakDbtp)).toBeLessThan(0.3);
  });

  test("is cut off, faded, where the programme ends, and the report says so", async () => {
    const sampleCount = Math.round(12.9 * RATE);
    const { report, file } = await mix({ track: "ad_only", sampleCount });
    expect(file.length).toBe(sampleCount);
    expect(report.cues.map(({ isCut }) => isCut)).toEqual([false, false, true]);
    expect(Math.abs(file.planes[0]?.at(-1) ?? 1)).toBeLessThan(0.001);
  });

  test("OPEN-27: begins with the programme, and says where each cue begins and ends", async () => {
    const { report, file } = await mix({ track: "ad_only" });
    expect(file.layout.broadcast?.timeReferenceSamples).toBe(0);
    // From 01:00:00;00 at 29.97 frames a second, whose labels are shorter than an hour's seconds.
    const late = await mix({ track: "ad_only", startSeconds: ((3_600 * 30 - 108) * 1_001) / 30_000 });
    expect(late.file.layout.broadcast?.timeReferenceSamples).toBe(172_799_827);
    const markers = markersOf(file.bytes);
    expect(markers.map(({ label }) => label)).toEqual(TEXTS.map((text, index) => `cue-${index + 1}: ${text}`));
    expect(markers.map(({ sample }) => sample)).toEqual(STARTS.map((start) => start * RATE));
    for (const [index, { lengthSamples }] of markers.entries()) {
      expect(Math.abs(lengthSamples / RATE - (report.cues[index]?.seconds ?? 0))).toBeLessThan(0.001);
    }
    expect(chunkOf(file.bytes, "bext").readInt16LE(412)).toBe(Math.round((report.integratedLufs ?? 0) * 100));
  });
});

describe("the mix", () => {
  const AMBIENCE = [noise(SECONDS, -32, 3), noise(SECONDS, -32, 4)];

  /** The programme as it is left in the mix: the mix less the narration at the same gain. */
  async function lowered(order: Partial<MixOrder>) {
    const mixed = await mix(order);
    const channels = mixed.file.planes.length;
    const quiet = Array.from({ length: channels }, () => new Float32Array(order.sampleCount ?? COUNT));
    const alone = await mix({ ...order, programme: programme(quiet, order.programme?.layout ?? STEREO) });
    expect(alone.report.narrationGainDb).toBeCloseTo(mixed.report.narrationGainDb, 9);
    const bed = mixed.file.planes.map((plane, c) =>
      plane.map((sample, i) => sample - (alone.file.planes[c]?.[i] ?? 0)),
    );
    return { ...mixed, narration: alone.file.planes, bed };
  }

  test("GEN-53: holds programme and narration, 15 LU apart over ambience", async () => {
    const { report, bed, narration } = await lowered({ programme: programme(AMBIENCE) });
    for (const cue of report.cues) {
      const [from, to] = [cue.start + 0.05, cue.start + cue.seconds - 0.05];
      const apart = lufs(narration.map((p) => part(p, from, to))) - lufs(bed.map((p) => part(p, from, to)));
      expect(apart).toBeGreaterThan(14.3);
      expect(apart).toBeLessThan(16);
      expect(cue.marginLu).toBeCloseTo(15, 6);
    }
    expect(bed.map((plane) => rmsDbfs(part(plane, 9.6, 11.9)))).toEqual([
      expect.closeTo(-32, 1),
      expect.closeTo(-32, 1),
    ]);
  });

  thoroughTest("lowers music less than ambience, and what is quiet enough not at all", async () => {
    const { report } = await mix({ programme: programme(AMBIENCE), music: [{ start: 6, end: 9 }] });
    expect(report.cues.map(({ isOverMusic }) => isOverMusic)).toEqual([false, true, false]);
    expect(report.cues.map(({ marginLu }) => Math.round(marginLu ?? 0))).toEqual([15, 10, 15]);
    const quiet = [noise(SECONDS, -60), noise(SECONDS, -60)];
    const untouched = await lowered({ programme: programme(quiet) });
    expect(untouched.report.cues.every(({ duckDb }) => duckDb === 0)).toBe(true);
    for (const [channel, plane] of untouched.bed.entries()) {
      expect(plane.every((sample, i) => Math.abs(sample - (quiet[channel]?.[i] ?? 0)) < 3e-7)).toBe(true);
    }
  });

  test("is down when narration begins, by a smooth slope of 150 ms, and back 500 ms after it ends", async () => {
    const tone = sine(SECONDS, -14, 2_000);
    const { report, bed } = await lowered({ programme: programme([tone, tone]) });
    const [cue] = report.cues;
    if (cue === undefined) throw new Error("no cue");
    const gainAt = (time: number) =>
      rmsDbfs(part(bed[0], time - 0.002, time + 0.002)) - rmsDbfs(part(tone, time - 0.002, time + 0.002));
    const end = cue.start + cue.seconds;
    const levels = [cue.start - 0.16, cue.start - 0.075, cue.start + 0.003, end - 0.003, end + 0.25, end + 0.51].map(
      gainAt,
    );
    const wanted = [0, -cue.duckDb / 2, -cue.duckDb, -cue.duckDb, -cue.duckDb / 2, 0];
    for (const [index, level] of levels.entries()) expect(Math.abs(level - (wanted[index] ?? 0))).toBeLessThan(0.4);
    const slopes = Array.from(
      { length: 140 },
      (_, i) => gainAt(cue.start - 0.145 + i / 1_000 + 0.001) - gainAt(cue.start - 0.145 + i / 1_000),
    );
    const steepest = Math.max(...slopes.map(Math.abs));
    expect(steepest).toBeLessThan((cue.duckDb * Math.PI) / 2 / 150 + 0.05);
  });

  thoroughTest("keeps six channels, with narration in the centre alone", async () => {
    const layout = channelLayout("5.1(side)", 6);
    const planes = [0, 1, 2, 3, 4, 5].map((i) => noise(SECONDS, -40, i + 1));
    const { report, file, narration, bed } = await lowered({ programme: programme(planes, layout) });
    expect(report.channels).toBe(6);
    expect(file.layout.format).toMatchObject({ channels: 6, channelMask: 0x60f });
    expect(narration.map(peakDbfs).map(Number.isFinite)).toEqual([false, false, true, false, false, false]);
    expect(lufs(narration, layout.weights)).toBeCloseTo(-23, 0);
    for (const plane of bed) expect(rmsDbfs(part(plane, 15, 19))).toBeCloseTo(-40, 1);
  });

  test("keeps a mono programme mono", async () => {
    const { file, narration } = await lowered({
      programme: programme([noise(SECONDS, -40)], channelLayout("mono", 1)),
    });
    expect(file.planes.length).toBe(1);
    expect(lufs(narration, [1])).toBeCloseTo(-23, 0);
  });

  test("is narration over silence for a programme without sound", async () => {
    const { report, file } = await mix({ programme: null });
    expect(file.planes.length).toBe(2);
    expect(report.cues.every(({ marginLu }) => marginLu === null)).toBe(true);
    expect(peakDbfs(part(file.planes[0], 0, 1.9))).toBe(Number.NEGATIVE_INFINITY);
  });

  test("holds the true peak of a programme at full scale under -2 dBTP", async () => {
    const loud = [noise(SECONDS, -6, 5), sine(SECONDS, 0, 11_990, 45)];
    const { report, file } = await mix({ programme: programme(loud) });
    const { truePeakDbtp } = report;
    expect(truePeakDbtp).toBeLessThanOrEqual(-2);
    expect(file.planes.map(peakDbfs).every((peak) => peak <= -2)).toBe(true);
    expect(report.cues.every(({ duckDb }) => duckDb === 21)).toBe(true);
  });

  test.each([-5, 5_000])("fills up or cuts off a programme that is %i samples from its length", async (more) => {
    const planes = AMBIENCE.map((plane) =>
      more < 0 ? plane.subarray(0, more) : joined(plane, plane.subarray(0, more)),
    );
    const { file } = await mix({ programme: programme(planes, STEREO, 44_100) });
    expect(file.length).toBe(COUNT);
    expect(rmsDbfs(file.planes[0]?.subarray(-200, -5) ?? new Float32Array(1))).toBeGreaterThan(-40);
  });

  test("writes the same bytes again, whatever the programme's blocks", async () => {
    const first = await mix({ programme: programme(AMBIENCE) });
    const second = await mix({ programme: programme(AMBIENCE, STEREO, 9_999) });
    expect(second.file.bytes.equals(first.file.bytes)).toBe(true);
  });

  test("delivers 16 bits, dithered but silent where there is silence", async () => {
    const fade = AMBIENCE.map((plane) => plane.map((sample, i) => (i < 5 * RATE ? 0 : sample)));
    const { file } = await mix({ programme: programme(fade), bits: 16, lines: [] });
    expect(file.layout.format.bits).toBe(16);
    expect(peakDbfs(part(file.planes[0], 0, 4.9))).toBe(Number.NEGATIVE_INFINITY);
    const error = part(file.planes[0], 6, 19).map((sample, i) => sample - (part(fade[0], 6, 19)[i] ?? 0));
    expect(rmsDbfs(error)).toBeCloseTo(-96.3, 0);
  });
});

describe("volume", () => {
  const QUIET = (): ProgrammeSound => programme([noise(SECONDS, -45, 3), noise(SECONDS, -45, 4)]);
  const LOUD = (): ProgrammeSound => programme([noise(SECONDS, -12, 3), noise(SECONDS, -12, 4)]);

  test.each<readonly [string, "ad_only" | "mixed", () => ProgrammeSound | null]>([
    ["narration alone", "ad_only", () => null],
    ...(IS_THOROUGH ? [["a mix with a quiet programme", "mixed", QUIET] as const] : []),
    ["a mix with a loud programme", "mixed", LOUD],
  ])("GEN-43 GEN-44 GEN-46: brings the peak of %s to the level asked for", async (_, track, sound) => {
    const asked: readonly (readonly [NonNullable<MixOrder["volume"]>, number])[] = [
      [{ option: "auto" }, DEFAULT_PEAK_DBFS],
      [{ option: "max", levelDbfs: -10 }, -10],
      [{ option: "max" }, 0],
    ];
    const others: typeof asked = [
      [{ option: "max", levelDbfs: -6 }, -6],
      [{ option: "max", levelDbfs: 0 }, 0],
    ];
    for (const [volume, peak] of [...asked, ...(IS_THOROUGH ? others : [])]) {
      const { file } = await mix({ track, programme: sound(), volume });
      expect(Math.abs(Math.max(...file.planes.map(peakDbfs)) - peak)).toBeLessThan(0.1);
    }
  });

  test("GEN-47: a level counts with `max` only", async () => {
    const auto = await mix({ track: "ad_only", volume: { option: "auto", levelDbfs: -10 } });
    expect(peakDbfs(auto.file.planes[0] ?? new Float32Array(1))).toBeCloseTo(DEFAULT_PEAK_DBFS, 1);
  });

  test("changes the level of the whole and nothing else", async () => {
    const plain = await mix({ programme: QUIET() });
    const raised = await mix({ programme: QUIET(), volume: { option: "max", levelDbfs: -1 } });
    const gain = 10 ** (raised.report.volumeGainDb / 20);
    expect(raised.file.length).toBe(plain.file.length);
    for (const [channel, plane] of raised.file.planes.entries()) {
      expect(plane.every((sample, i) => Math.abs(sample - gain * (plain.file.planes[channel]?.[i] ?? 0)) < 1e-6)).toBe(
        true,
      );
    }
    expect((raised.report.integratedLufs ?? 0) - (plain.report.integratedLufs ?? 0)).toBeCloseTo(
      raised.report.volumeGainDb,
      6,
    );
    expect(await readdir(folder)).toEqual(["track.wav"]);
  });

  test("leaves a silent track silent", async () => {
    const { report, file } = await mix({ track: "ad_only", lines: [], volume: { option: "max", levelDbfs: 0 } });
    expect(peakDbfs(file.planes[0] ?? new Float32Array(1))).toBe(Number.NEGATIVE_INFINITY);
    expect(report).toMatchObject({ integratedLufs: null, truePeakDbtp: null, volumeGainDb: 0 });
  });
});

describe("a mix that cannot be finished", () => {
  test("ends with the signal's reason within a block and leaves nothing", async () => {
    const cancel = new AbortController();
    const reason = new Error("cancelled");
    const seen: number[] = [];
    const order: MixOrder = {
      track: "mixed",
      programme: programme([noise(SECONDS, -30), noise(SECONDS, -30)]),
      sampleCount: COUNT,
      lines: LINES,
      music: [],
      path,
    };
    const run = mixNarration(order, {
      signal: cancel.signal,
      onProgress: (fraction) => {
        seen.push(fraction);
        if (fraction > 0.6) cancel.abort(reason);
      },
    });
    await expect(run).rejects.toBe(reason);
    expect(seen.filter((fraction) => fraction > 0.6).length).toBe(1);
    expect(await readdir(folder)).toEqual([]);
  });

  test("says that the disk is full, or the folder closed, and leaves nothing", async () => {
    // The temporary file is a link to the device that is always full.
    await symlink("/dev/full", `${path}.part`);
    const full = mixNarration({ track: "ad_only", programme: null, sampleCount: COUNT, lines: LINES, music: [], path });
    await expect(full).rejects.toMatchObject({ code: "disk_full", name: "SoundFileError" });
    expect(await readdir(folder)).toEqual([]);
    const nowhere = {
      track: "ad_only",
      programme: null,
      sampleCount: 10,
      lines: [],
      music: [],
      path: join(folder, "no", "x.wav"),
    } as const;
    await expect(mixNarration(nowhere)).rejects.toThrow(SoundFileError);
  });

  test("passes on what a line or the programme raises, and leaves nothing", async () => {
    const broken: NarrationLine = { cueId: "x", start: 1, text: "", load: () => Promise.reject(new Error("no voice")) };
    await expect(mix({ lines: [broken] })).rejects.toThrow("no voice");
    let reads = 0;
    const failing: ProgrammeSound = {
      layout: STEREO,
      *read() {
        yield [new Float32Array(RATE), new Float32Array(RATE)];
        reads += 1;
        if (reads === 2) throw new Error("damaged");
      },
    };
    await expect(mix({ programme: failing })).rejects.toThrow("damaged");
    expect(await readdir(folder)).toEqual([]);
  });
});
