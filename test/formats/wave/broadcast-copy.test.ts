import fc from "fast-check";
import { expect, test } from "vitest";
import { broadcastCopy, leaderBytes } from "../../../src/formats/wave/broadcast-copy.ts";
import { readWaveHeader } from "../../../src/formats/wave/read-wave.ts";
import { samplesFromWave, type WaveFormat } from "../../../src/formats/wave/wave-format.ts";
import { chunkOf, layoutOf, waveFile } from "./wave-chunks.ts";

const STEREO: WaveFormat = { channels: 2, sampleRate: 48_000, encoding: "integer", bits: 24, channelMask: 3 };

test("a copy lies at its timecode at any sample rate, and holds the very sound", () => {
  const rates = fc.constantFrom(8000, 16_000, 22_050, 44_100, 48_000, 96_000, 192_000);
  fc.assert(
    fc.property(rates, fc.integer({ min: 0, max: 86_400 }), fc.nat(500), (sampleRate, startSeconds, sampleCount) => {
      const sound = waveFile({ format: { ...STEREO, sampleRate }, sampleCount });
      const broadcast = { description: "", originator: "" };
      const copy = broadcastCopy(layoutOf(sound), sound.length, { startSeconds, broadcast });
      const reading = readWaveHeader(copy.head);
      expect(reading).toMatchObject({
        ok: true,
        layout: { format: { sampleRate }, broadcast: { timeReferenceSamples: startSeconds * sampleRate } },
      });
      expect(sound.subarray(copy.from, copy.to)).toEqual(chunkOf(sound, "data"));
    }),
    { numRuns: 60 },
  );
});

test("lays a leader before the sound, in whole frames, and the time reference with it", () => {
  const formats = fc.record({
    sampleRate: fc.constantFrom(44_100, 48_000, 96_000),
    bits: fc.constantFrom(16, 24, 32),
    channels: fc.integer({ min: 1, max: 6 }),
    encoding: fc.constant("integer" as const),
    channelMask: fc.constant(0),
  });
  const frames = fc.constantFrom(1 / 24, 1001 / 24_000, 1 / 25, 1001 / 30_000, 1 / 60);
  fc.assert(
    fc.property(formats, frames, fc.integer({ min: 2, max: 5 }), fc.nat(9), (format, frame, length, sampleCount) => {
      const sound = waveFile({ format, sampleCount });
      const perSecond = Math.round(1 / frame);
      const pop = { beforeSeconds: 2 * perSecond * frame, seconds: frame };
      const leader = { seconds: length * perSecond * frame, pop };
      const copy = broadcastCopy(layoutOf(sound), sound.length, {
        startSeconds: 3600,
        broadcast: { description: "", originator: "" },
        leader,
      });
      const written = Buffer.concat([copy.head, ...copy.leader, sound.subarray(copy.from, copy.to), copy.tail]);
      expect(written.readUInt32LE(4)).toBe(written.length - 8);
      const { broadcast, dataOffset, dataBytes } = layoutOf(written);
      const samples = samplesFromWave(written.subarray(dataOffset, dataOffset + (dataBytes ?? 0)), format);
      const before = Math.round(leader.seconds * format.sampleRate);
      expect(samples[0]?.length).toBe(before + sampleCount);
      // Programme and time reference together lie where they lay without a leader.
      expect((broadcast?.timeReferenceSamples ?? 0) + before).toBe(3600 * format.sampleRate);
      const first = before - Math.round(pop.beforeSeconds * format.sampleRate);
      for (const plane of samples) {
        const last = plane.findLastIndex((sample) => sample !== 0);
        expect(Math.abs(plane.findIndex((sample) => sample !== 0) - first)).toBeLessThanOrEqual(1);
        expect(last).toBeLessThan(first + Math.round(frame * format.sampleRate));
        expect(last).toBeGreaterThan(first + frame * format.sampleRate - 4);
        expect(plane.reduce((peak, one) => Math.max(peak, Math.abs(one)), 0)).toBeCloseTo(0.1, 2);
      }
    }),
    { numRuns: 25 },
  );
});

test("a leader is silence and pop in every kind of sample, and does not begin before midnight", () => {
  const leader = { seconds: 1, pop: { beforeSeconds: 0.5, seconds: 0.04 } };
  for (const [encoding, bits] of [
    ["integer", 8],
    ["float", 32],
    ["float", 64],
  ] as const) {
    const format: WaveFormat = { channels: 1, sampleRate: 48_000, encoding, bits, channelMask: 0 };
    const [plane = new Float32Array()] = samplesFromWave(Buffer.concat([...leaderBytes(leader, format)]), format);
    expect(plane.length).toBe(48_000);
    expect(plane.subarray(0, 24_000).every((sample) => sample === 0)).toBe(true);
    expect(plane[24_012]).toBeCloseTo(0.1, 2);
  }
  const sound = waveFile({ format: STEREO, sampleCount: 3 });
  const broadcast = { description: "", originator: "" };
  const copy = () => broadcastCopy(layoutOf(sound), sound.length, { startSeconds: 0.5, broadcast, leader });
  expect(copy).toThrow(RangeError);
});
