import { describe, expect, test } from "vitest";
import { frameRate } from "../../../src/core/frame-rate.ts";
import type { SoundMeasure } from "../../../src/core/measures.ts";
import {
  broadcastOrder,
  deliveryFades,
  soundLeader,
  soundStartSeconds,
} from "../../../src/workflow/deliver/delivery-sound.ts";

const NTSC = { rate: frameRate(30000, 1001), isDropFrame: false, startFrame: 108_000 };
const PAL = { rate: frameRate(25), isDropFrame: false, startFrame: 90_000 };
const LEADER = { seconds: 8, hasPop: true };
const FORMAT = { sampleRate: 48_000, bits: 24, channels: 2 };
const ORDER = {
  grid: PAL,
  title: "Harbour",
  language: "en-US",
  createdAt: "2026-03-04T05:06:07.890Z",
  origin: { jobId: "11111111-2222-4333-8444-555555555555" },
};

describe("a leader", () => {
  test("is as long as its seconds of timecode, on whole frames, and its pop is a frame, two seconds before the programme", () => {
    expect(soundLeader({ grid: PAL, leader: LEADER })).toEqual({
      seconds: 8,
      pop: { beforeSeconds: 2, seconds: 0.04 },
    });
    const led = soundLeader({ grid: NTSC, leader: LEADER });
    expect(led?.seconds).toBeCloseTo((8 * 30 * 1001) / 30_000, 12);
    expect(led?.pop?.beforeSeconds).toBeCloseTo((2 * 30 * 1001) / 30_000, 12);
    expect(led?.pop?.seconds).toBeCloseTo(1001 / 30_000, 12);
    expect(soundLeader({ grid: PAL, leader: { seconds: 5, hasPop: false } })).toEqual({ seconds: 5 });
    expect(soundLeader({ grid: PAL })).toBeUndefined();
  });

  test("lies before the programme: the sound begins by as much earlier, before midnight too", () => {
    expect(soundStartSeconds({ grid: PAL })).toBe(3600);
    expect(soundStartSeconds({ grid: PAL, leader: LEADER })).toBe(3592);
    expect(soundStartSeconds({ grid: NTSC, leader: LEADER })).toBeCloseTo(((108_000 - 240) * 1001) / 30_000, 9);
    expect(soundStartSeconds({ grid: { ...PAL, startFrame: 0 }, leader: LEADER })).toBe(-8);
  });
});

describe("what a sound of a delivery says of itself", () => {
  test("is its programme, its kind and its language, its number, when it was made, and where it lies", () => {
    expect(broadcastOrder(ORDER, "narration", undefined, FORMAT)).toEqual({
      startSeconds: 3600,
      broadcast: {
        description: "Harbour: audio description alone (en-US)",
        originator: "Aside",
        originatorReference: "11111111222243338444555555555555",
        origination: { date: "2026-03-04", time: "05:06:07" },
        codingHistory: ["A=PCM,F=48000,W=24,M=stereo,T=Aside; audio description alone"],
      },
    });
    const reference = (changes: object) =>
      broadcastOrder({ ...ORDER, ...changes }, "mix", undefined, FORMAT).broadcast.originatorReference;
    expect(reference({ reference: "HB-7" })).toBe("HB-7");
    expect(reference({ origin: null })).toBe("");
  });

  test("keeps when and how the sound was made before, and adds what was done, last", () => {
    const before = {
      description: "d",
      originator: "o",
      timeReferenceSamples: 7,
      origination: { date: "2025-01-01", time: "00:00:01" },
      codingHistory: ["first", "second"],
    };
    const { broadcast, leader } = broadcastOrder({ ...ORDER, leader: LEADER }, "mix", before, FORMAT, ["dithered"]);
    expect(broadcast.origination).toEqual(before.origination);
    expect(broadcast.codingHistory).toEqual([
      "first",
      "second",
      "A=PCM,F=48000,W=24,M=stereo,T=Aside; programme with audio description; dithered; leader added",
    ]);
    expect(leader).toEqual(soundLeader({ grid: PAL, leader: LEADER }));
  });

  test("keeps of a long history the latest lines, whole, in their order", () => {
    const lines = Array.from({ length: 400 }, (_, index) => `${String(index).padStart(4, "0")}${"x".repeat(94)}`);
    const source = { description: "", originator: "", timeReferenceSamples: 0, codingHistory: lines };
    const kept = broadcastOrder(ORDER, "mix", source, FORMAT).broadcast.codingHistory?.slice(0, -1) ?? [];
    // Each line ends with two bytes of its own.
    expect(kept).toEqual(lines.slice(-Math.floor(16_384 / 100)));
    const one = (bytes: number) =>
      broadcastOrder(ORDER, "mix", { ...source, codingHistory: ["x".repeat(bytes - 2)] }, FORMAT).broadcast
        .codingHistory?.length;
    expect([one(16_384), one(16_385)]).toEqual([2, 1]);
  });
});

describe("how a programme is lowered for a narration beside it", () => {
  const sound = (lufs: number, music: boolean): SoundMeasure => ({
    durationSeconds: 20,
    levels: Array.from({ length: 200 }, () => lufs),
    integratedLufs: lufs,
    truePeakDbtp: -6,
    active: [],
    heard: { speech: [], music: music ? [{ start: 0, end: 20, confidence: 1 }] : [], silence: [] },
  });
  const cues = [{ id: "a", start: 5, end: 8, text: "A dog." }];
  const deepest = (narration: number, programme: number, music = false) =>
    Math.min(0, ...deliveryFades(cues, sound(narration, false), sound(programme, music)).map(({ toDb }) => toDb));

  test("is by what both were measured to be, less over music, and not at all where one of them is silent", () => {
    expect(deepest(-20, -25)).toBeCloseTo(-10, 6);
    expect(deepest(-20, -25, true)).toBeCloseTo(-5, 6);
    expect(deepest(-20, -40)).toBe(0);
    expect(deepest(-20, -120)).toBe(0);
    expect(deepest(-120, -20)).toBe(0);
    const { heard: _, ...unheard } = sound(-25, true);
    expect(deliveryFades(cues, sound(-20, false), unheard)).toEqual(
      deliveryFades(cues, sound(-20, false), sound(-25, false)),
    );
    expect(deliveryFades(cues, { ...sound(-20, false), levels: [] }, sound(-20, false))).toEqual([]);
    expect(deliveryFades(cues, sound(-20, false), { ...sound(-20, false), levels: [] })).toEqual([]);
  });

  test("lasts as long as the line", () => {
    const [down, up] = deliveryFades(cues, sound(-20, false), sound(-20, false));
    expect([down?.end, up?.start]).toEqual([5, 8]);
  });
});
