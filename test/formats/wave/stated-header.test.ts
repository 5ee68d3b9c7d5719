import { describe, expect, test } from "vitest";
import { readStatedHeader, readWaveHeader, type WaveReading, waveLength } from "../../../src/formats/wave/read-wave.ts";
import type { StatedFormat } from "../../../src/formats/wave/wave-format.ts";
import { silentWav } from "../../fakes/wav.ts";

function chunk(id: string, body: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.write(id, 0, "latin1");
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

/** A file above 4 GB, or what says it may be one: its sizes stand in a chunk of their own. */
function longWave(kind: "RF64" | "BW64", dataBytes: bigint, data: Uint8Array): Buffer {
  const sizes = Buffer.alloc(28);
  sizes.writeBigUInt64LE(dataBytes, 8);
  const wav = Buffer.from(silentWav(1, 1));
  const open = Buffer.from([255, 255, 255, 255]);
  return Buffer.concat([
    Buffer.from(kind),
    open,
    wav.subarray(8, 12),
    chunk("ds64", sizes),
    wav.subarray(12, 40),
    open,
    data,
  ]);
}

/** A short file whose format chunk says what is asked for. */
function stated(code: number, bits: number, data: Uint8Array): Buffer {
  const wav = Buffer.from(silentWav(0, 1));
  wav.writeUInt16LE(code, 20);
  wav.writeUInt16LE(bits, 34);
  return Buffer.concat([wav.subarray(0, 36), chunk("data", data)]);
}

function layoutIn(reading: WaveReading<StatedFormat>) {
  if (!reading.ok) throw new Error(reading.code);
  return reading.layout;
}

describe("readStatedHeader", () => {
  test("gives channels, rate, depth, and the place and length of the samples", () => {
    const wav = silentWav(2, 1);
    const layout = layoutIn(readStatedHeader(wav.subarray(0, 200)));
    const format = { channels: 1, sampleRate: 48_000, encoding: "integer", bits: 16, channelMask: 0 };
    expect(layout).toEqual({ format, dataOffset: 44, dataBytes: 192_000 });
    expect(waveLength(layout, wav.length).seconds).toBe(2);
  });

  test("finds the samples behind other chunks, padded ones too", () => {
    const wav = Buffer.from(silentWav(1, 1));
    const noted = Buffer.concat([wav.subarray(0, 12), chunk("bext", Buffer.alloc(603)), wav.subarray(12)]);
    expect(layoutIn(readStatedHeader(noted))).toMatchObject({ dataOffset: 44 + 612, dataBytes: 96_000 });
  });

  test.each(["RF64", "BW64"] as const)("takes the length of an %s file from its own chunk", (kind) => {
    const long = longWave(kind, 5_000_000_000n, new Uint8Array());
    expect(layoutIn(readWaveHeader(long))).toMatchObject({ dataBytes: 5_000_000_000 });
  });

  test.each([0, 0xffff_ffff])("takes a file with its length left open (%i) as all that follows", (size) => {
    const wav = Buffer.from(silentWav(2, 2));
    wav.writeUInt32LE(size, 40);
    const layout = layoutIn(readStatedHeader(wav));
    expect(layout.dataBytes).toBeNull();
    expect(waveLength(layout, wav.length)).toEqual({ samples: 96_000, seconds: 2, isCut: false });
  });

  test.each(["RF64", "BW64"] as const)("takes a streamed %s, whose own chunk is empty, as all that follows", (kind) => {
    const streamed = longWave(kind, 0n, Buffer.alloc(96_000));
    expect(waveLength(layoutIn(readStatedHeader(streamed)), streamed.length).seconds).toBe(1);
  });

  test("knows the length of samples that are not read here", () => {
    // μ-law: 8 bits, code 7. Whole numbers of 12 bits fill two bytes.
    for (const [code, bits, bytes] of [
      [7, 8, 48_000],
      [1, 12, 96_000],
    ] as const) {
      const file = stated(code, bits, Buffer.alloc(bytes));
      const layout = layoutIn(readStatedHeader(file));
      expect(layout.format).toMatchObject({ encoding: "other", bits });
      expect(waveLength(layout, file.length).seconds).toBe(1);
      expect(readWaveHeader(file)).toEqual({ ok: false, code: "unsupported_encoding" });
    }
  });

  test.each([
    ["nothing", Buffer.alloc(0)],
    ["a page", Buffer.from("<!doctype html><html>RIFF....WAVE</html>")],
    ["a header cut off", Buffer.from(silentWav(1)).subarray(0, 30)],
    ["no format", Buffer.concat([Buffer.from("RIFF\0\0\0\0WAVE"), chunk("data", Buffer.alloc(8))])],
    [
      "no channels",
      Buffer.concat([Buffer.from("RIFF\0\0\0\0WAVE"), chunk("fmt ", Buffer.alloc(16)), chunk("data", Buffer.alloc(8))]),
    ],
    ["no depth", stated(1, 0, Buffer.alloc(8))],
    ["another RIFF file", Buffer.from("RIFF\0\0\0\0AVI LIST")],
  ])("finds no WAV file in %s", (_name, bytes) => {
    expect(readStatedHeader(bytes).ok).toBe(false);
  });
});
