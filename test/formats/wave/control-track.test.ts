import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CONTROL_TRACK_RATE, controlDescriptor, controlTrack } from "../../../src/formats/wave/control-track.ts";
import { readControlTrack } from "../../control-track.ts";

describe("a descriptor", () => {
  // ETSI TS 101 154, annex E.2; the CRC is CRC-16 of CCITT begun with 0x1D0F.
  test("is laid out as TS 101 154 has it, and its CRC comes out as 0", () => {
    const bytes = Buffer.from(controlDescriptor(12));
    expect(bytes.subarray(0, 14).toString("hex")).toBe("f84454474144312800ffffffffff");
    expect(bytes.length).toBe(16);
  });

  test.each([
    [0, 0x00],
    [0.3, 0x01],
    [21, 0x46],
    [76.2, 0xfe],
    // 0xff would take the programme away: no fade of ours does.
    [200, 0xfe],
    [-3, 0x00],
  ])("tells %f dB as %d steps of 0.3 dB", (decibels, steps) => {
    expect(controlDescriptor(decibels)[7]).toBe(steps);
  });
});

test("a control track reads back: a fade each tenth of a second, of the instant at which it is complete", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(254), { minLength: 1, maxLength: 30 }), fc.nat(4_799), (fades, rest) => {
      const sampleCount = fades.length * 4_800 + rest;
      const fadeAt = (seconds: number) => (fades[Math.round(seconds * 10) - 1] ?? 0) * 0.3;
      const parts = [...controlTrack(sampleCount, fadeAt)];
      const signal = Float32Array.from(parts.flatMap((part) => [...part]));
      expect(signal.length).toBe(sampleCount);
      expect(readControlTrack(signal)).toEqual(fades.map((fade, index) => ({ seconds: index / 10, fade, pan: 0 })));
    }),
    { numRuns: 20 },
  );
  expect(CONTROL_TRACK_RATE).toBe(48_000);
});
