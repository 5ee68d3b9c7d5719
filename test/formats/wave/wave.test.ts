import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readWaveHeader, waveLength } from "../../../src/formats/wave/read-wave.ts";
import { samplesFromWave, sampleWriter, type WaveFormat } from "../../../src/formats/wave/wave-format.ts";
import { waveHeader } from "../../../src/formats/wave/write-wave.ts";
import { chunkOf, chunksOf, markersOf, waveFile } from "./wave-chunks.ts";

const STEREO: WaveFormat = { channels: 2, sampleRate: 48_000, encoding: "integer", bits: 24, channelMask: 3 };
const SURROUND: WaveFormat = { ...STEREO, channels: 6, channelMask: 0x3f };
const MARKERS = [
  { sample: 48_000, lengthSamples: 24_000, label: "cue-0001: Eine Frau öffnet die Tür." },
  { sample: 96_000, lengthSamples: 0, label: "cue-0002" },
];

describe("waveHeader", () => {
  test("writes chunks whose sizes add up to the file, markers behind the samples", () => {
    const mono: WaveFormat = { ...STEREO, channels: 1, channelMask: 4 };
    const written = waveFile({ format: mono, sampleCount: 999, markers: MARKERS });
    expect(written.readUInt32LE(4)).toBe(written.length - 8);
    expect(chunksOf(written).map(({ id }) => id)).toEqual(["JUNK", "fmt ", "data", "cue ", "LIST"]);
    expect(chunkOf(written, "data").length).toBe(2997);
    expect(markersOf(written)).toEqual(MARKERS);
  });

  test("says where an editor shall lay the file, and how loud it is", () => {
    const written = waveFile({
      format: STEREO,
      sampleCount: 10,
      broadcast: {
        description: "Audio description — Ärger",
        originator: "Aside",
        timeReferenceSamples: 48_000 * 3600 * 23,
        origination: { date: "2026-01-31", time: "10:00:00" },
        loudness: {
          integratedLufs: -23.01,
          truePeakDbtp: -2,
          momentaryLufs: -15.5,
          shortTermLufs: Number.NEGATIVE_INFINITY,
        },
      },
    });
    const bext = chunkOf(written, "bext");
    expect(bext.toString("latin1", 0, 25)).toBe("Audio description ? ?rger");
    expect(bext.toString("latin1", 256, 261)).toBe("Aside");
    expect(bext.toString("latin1", 320, 338)).toBe("2026-01-3110:00:00");
    expect(bext.readBigUInt64LE(338)).toBe(3_974_400_000n);
    expect([412, 416, 418, 420].map((at) => bext.readInt16LE(at))).toEqual([-2301, -200, -1550, 0x7fff]);
    const reading = readWaveHeader(written);
    expect(reading.ok && reading.layout.broadcast?.timeReferenceSamples).toBe(3_974_400_000);
  });

  test("keeps its length whatever is measured, so that it can be written over", () => {
    const empty = { description: "", originator: "", timeReferenceSamples: 0 };
    const full = { ...empty, description: "x".repeat(400), timeReferenceSamples: 2 ** 40 };
    const length = waveHeader({ format: SURROUND, sampleCount: 5, broadcast: empty }).length;
    expect(waveHeader({ format: SURROUND, sampleCount: 2 ** 33, broadcast: full }).length).toBe(length);
  });

  test("says which loudspeaker each channel of 5.1 belongs to", () => {
    const written = waveFile({ format: SURROUND, sampleCount: 3 });
    const reading = readWaveHeader(written);
    expect(reading).toMatchObject({ ok: true, layout: { format: SURROUND, dataBytes: 54 } });
    expect(chunkOf(written, "fmt ").readUInt16LE(0)).toBe(0xfffe);
  });

  test("becomes RF64 exactly where a size no longer fits 32 bits", () => {
    const header = (sampleCount: number) => Buffer.from(waveHeader({ format: STEREO, sampleCount }));
    const overhead = header(0).length - 8;
    const largest = Math.floor((0xffff_ffff - overhead) / 6);
    expect(header(largest).toString("latin1", 0, 4)).toBe("RIFF");
    const large = header(largest + 1);
    expect(large.toString("latin1", 0, 4)).toBe("RF64");
    expect(large.readUInt32LE(4)).toBe(0xffff_ffff);
    expect(large.toString("latin1", 12, 16)).toBe("ds64");
    expect(large.readBigUInt64LE(20)).toBe(BigInt(overhead + (largest + 1) * 6));
    expect(large.readBigUInt64LE(28)).toBe(BigInt((largest + 1) * 6));
    expect(large.readBigUInt64LE(36)).toBe(BigInt(largest + 1));
    expect(readWaveHeader(large)).toMatchObject({ ok: true, layout: { dataBytes: (largest + 1) * 6 } });
  });
});

describe("readWaveHeader", () => {
  test("takes sizes that streaming servers leave open as all that follows", () => {
    for (const size of [0, 0xffff_ffff]) {
      const streamed = waveFile({ format: STEREO, sampleCount: 100 });
      const at = streamed.indexOf("data") + 4;
      streamed.writeUInt32LE(size, at);
      const reading = readWaveHeader(streamed);
      if (!reading.ok) throw new Error(reading.code);
      expect(reading.layout.dataBytes).toBeNull();
      expect(waveLength(reading.layout, streamed.length)).toEqual({
        samples: 100,
        seconds: 100 / 48_000,
        isCut: false,
      });
    }
  });

  test("notices a file that ends before its samples do", () => {
    const whole = waveFile({ format: STEREO, sampleCount: 100 });
    const reading = readWaveHeader(whole);
    if (!reading.ok) throw new Error(reading.code);
    expect(waveLength(reading.layout, whole.length - 7)).toEqual({ samples: 98, seconds: 98 / 48_000, isCut: true });
    expect(waveLength(reading.layout, whole.length + 500)).toEqual({
      samples: 100,
      seconds: 100 / 48_000,
      isCut: false,
    });
  });

  test.each([
    ["not_wave", () => Buffer.from("<!doctype html><title>Sign in</title>")],
    ["not_wave", () => Buffer.alloc(0)],
    ["not_wave", () => Buffer.from("RIFF\x10\0\0\0AVI LIST")],
    ["no_samples", () => waveFile({ format: STEREO, sampleCount: 9 }).subarray(0, 40)],
    ["bad_format", () => waveFile({ format: { ...STEREO, channels: 0 }, sampleCount: 9 })],
    ["bad_format", () => waveFile({ format: { ...STEREO, sampleRate: 0 }, sampleCount: 9 })],
    ["unsupported_encoding", () => waveFile({ format: { ...STEREO, bits: 12 }, sampleCount: 8 })],
  ])("refuses with %s", (code, bytes) => {
    expect(readWaveHeader(bytes())).toEqual({ ok: false, code });
  });

  test("survives any bytes", () => {
    const start = Buffer.from(waveHeader({ format: SURROUND, sampleCount: 7 }));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(start.length), (noise, at) => {
        const damaged = Buffer.concat([start.subarray(0, at), noise]);
        const reading = readWaveHeader(damaged);
        if (reading.ok) expect(waveLength(reading.layout, damaged.length).samples).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

test.each([
  ["integer", 8],
  ["integer", 16],
  ["integer", 24],
  ["integer", 32],
  ["float", 32],
  ["float", 64],
] as const)(
  "a sample that is written as %s of %i bits is read back, to half of the smallest step",
  (encoding, bits) => {
    const format: WaveFormat = { ...STEREO, channels: 1, encoding, bits };
    const write = sampleWriter(format);
    const step = encoding === "integer" ? 2 ** (1 - Math.min(bits, 24)) : 2 ** -23;
    fc.assert(
      fc.property(fc.integer({ min: -(2 ** 23), max: 2 ** 23 - 2 ** 17 }), (count) => {
        const sample = count / 2 ** 23;
        const bytes = new Uint8Array((2 * bits) / 8);
        write(new DataView(bytes.buffer), bits / 8, sample);
        const [plane] = samplesFromWave(bytes, format);
        expect(plane?.[0]).toBeCloseTo(bits === 8 ? -1 : 0, 9);
        expect(Math.abs((plane?.[1] ?? 9) - sample)).toBeLessThanOrEqual(step / 2 + 2 ** -24);
      }),
    );
  },
);

test("samplesFromWave reads every width at full scale 1", () => {
  const bytes = (size: number, write: (at: Buffer) => void) => {
    const buffer = Buffer.alloc(size);
    write(buffer);
    return buffer;
  };
  const read = (format: Partial<WaveFormat>, data: Buffer) =>
    samplesFromWave(data, { ...STEREO, channels: 1, ...format }).map((channel) => [...channel]);
  expect(read({ bits: 8 }, Buffer.from([0, 128, 192]))).toEqual([[-1, 0, 0.5]]);
  expect(
    read(
      { bits: 16 },
      bytes(4, (b) => b.writeInt16LE(-0x8000, 0) && b.writeInt16LE(0x4000, 2)),
    ),
  ).toEqual([[-1, 0.5]]);
  expect(
    read(
      { bits: 24 },
      bytes(6, (b) => b.writeIntLE(-0x800000, 0, 3) && b.writeIntLE(1, 3, 3)),
    ),
  ).toEqual([[-1, 2 ** -23]]);
  expect(
    read(
      { bits: 32 },
      bytes(4, (b) => b.writeInt32LE(-0x4000_0000)),
    ),
  ).toEqual([[-0.5]]);
  expect(
    read(
      { bits: 32, encoding: "float" },
      bytes(4, (b) => b.writeFloatLE(0.25)),
    ),
  ).toEqual([[0.25]]);
  expect(
    read(
      { bits: 64, encoding: "float" },
      bytes(8, (b) => b.writeDoubleLE(-0.25)),
    ),
  ).toEqual([[-0.25]]);
  expect(read({ bits: 16, channels: 2 }, Buffer.from([0, 0x40, 0, 0xc0, 0x7f]))).toEqual([[0.5], [-0.5]]);
});
