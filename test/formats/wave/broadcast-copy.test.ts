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
