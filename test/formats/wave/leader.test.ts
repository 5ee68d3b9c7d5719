import fc from "fast-check";
import { expect, test } from "vitest";
import { broadcastCopy } from "../../../src/formats/wave/broadcast-copy.ts";
import { samplesFromWave } from "../../../src/formats/wave/wave-format.ts";
import { layoutOf, waveFile } from "./wave-chunks.ts";

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
