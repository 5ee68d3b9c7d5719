import { describe, expect, test } from "vitest";
import { broadcastBytes } from "../../../src/formats/wave/broadcast-extension.ts";
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

describe("a chunk before the samples", () => {
  const HEAD = Buffer.from("RIFF\0\0\0\0WAVE");
  const FORMAT = Buffer.from(silentWav(0, 1)).subarray(20, 36);
  const data = chunk("data", Buffer.alloc(4));
  const read = (...chunks: readonly Uint8Array[]) => readStatedHeader(Buffer.concat([HEAD, ...chunks]));
  const codeOf = (reading: WaveReading<StatedFormat>) => (reading.ok ? "read" : reading.code);

  test("of the format has sixteen bytes, all of them there, and stands before the samples", () => {
    expect(codeOf(read(chunk("fmt ", FORMAT), data))).toBe("read");
    expect(codeOf(read(chunk("fmt ", FORMAT.subarray(0, 15)), data))).toBe("bad_format");
    expect(codeOf(read(data, chunk("fmt ", FORMAT)))).toBe("bad_format");
    const cut = Buffer.concat([HEAD, chunk("fmt ", FORMAT)]).subarray(0, -1);
    expect(codeOf(readStatedHeader(cut))).toBe("no_samples");
    expect(codeOf(readStatedHeader(Buffer.concat([HEAD, chunk("fmt ", FORMAT), data.subarray(0, 8)])))).toBe("read");
    expect(codeOf(readStatedHeader(Buffer.concat([HEAD, chunk("fmt ", FORMAT), data.subarray(0, 7)])))).toBe(
      "no_samples",
    );
  });

  test("of long sizes has sixteen bytes too, and counts where the samples leave theirs open", () => {
    const sizes = Buffer.alloc(16);
    sizes.writeBigUInt64LE(7n, 0);
    sizes.writeBigUInt64LE(5_000_000_000n, 8);
    const bytesOf = (sizesChunk: Uint8Array, size: number) => {
      const open = Buffer.from(data);
      open.writeUInt32LE(size, 4);
      return layoutIn(read(sizesChunk, chunk("fmt ", FORMAT), open)).dataBytes;
    };
    for (const size of [0, 0xffff_ffff]) {
      expect(bytesOf(chunk("ds64", sizes), size)).toBe(5_000_000_000);
      expect(bytesOf(chunk("ds64", sizes.subarray(0, 15)), size)).toBeNull();
      expect(bytesOf(chunk("ds65", sizes), size)).toBeNull();
    }
    expect(bytesOf(chunk("ds64", sizes), 4)).toBe(4);
  });

  test("of a broadcast is read, an odd one is followed by a byte that is none of the next, others are passed over", () => {
    const broadcast = broadcastBytes({ description: "said", originator: "", timeReferenceSamples: 9 });
    const odd = Buffer.concat([broadcast, Buffer.from("x")]);
    for (const said of [broadcast, odd]) {
      const layout = layoutIn(read(chunk("junk", Buffer.alloc(3)), chunk("bext", said), chunk("fmt ", FORMAT), data));
      expect(layout.broadcast).toMatchObject({ description: "said", timeReferenceSamples: 9 });
    }
    expect(layoutIn(read(chunk("text", broadcast), chunk("fmt ", FORMAT), data))).not.toHaveProperty("broadcast");
  });

  test("of an extended format says the encoding and the loudspeakers, where it has all of its bytes", () => {
    const extended = Buffer.alloc(40);
    FORMAT.copy(extended);
    extended.writeUInt16LE(0xfffe, 0);
    extended.writeUInt32LE(0x3f, 20);
    extended.writeUInt16LE(3, 24);
    extended.writeUInt16LE(32, 14);
    const formatOf = (body: Uint8Array) => layoutIn(read(chunk("fmt ", body), data)).format;
    expect(formatOf(extended)).toMatchObject({ encoding: "float", bits: 32, channelMask: 0x3f });
    expect(formatOf(extended.subarray(0, 38))).toMatchObject({ encoding: "other", channelMask: 0 });
    const plain = Buffer.from(extended);
    plain.writeUInt16LE(3, 0);
    expect(formatOf(plain)).toMatchObject({ encoding: "float", channelMask: 0 });
    const encodings = (code: number) =>
      [8, 12, 16, 20, 24, 32, 64].map((bits) => {
        const body = Buffer.from(FORMAT);
        body.writeUInt16LE(code, 0);
        body.writeUInt16LE(bits, 14);
        return formatOf(body).encoding;
      });
    expect(encodings(1)).toEqual(["integer", "other", "integer", "other", "integer", "integer", "other"]);
    expect(encodings(3)).toEqual(["other", "other", "other", "other", "other", "float", "float"]);
  });
});

test("the length of what is there is that of its whole samples; one that ends too early is cut", () => {
  const layout = layoutIn(readStatedHeader(silentWav(1, 2)));
  const lengthOf = (bytes: number, dataBytes: number | null) =>
    waveLength({ ...layout, dataOffset: 100, dataBytes }, bytes);
  expect(lengthOf(100 + 192_000, 192_000)).toEqual({ samples: 48_000, seconds: 1, isCut: false });
  expect(lengthOf(100 + 192_007, null)).toEqual({ samples: 48_001, seconds: 48_001 / 48_000, isCut: false });
  expect(lengthOf(100 + 191_999, 192_000)).toEqual({ samples: 47_999, seconds: 47_999 / 48_000, isCut: true });
  expect(lengthOf(100 + 300_000, 192_000)).toEqual({ samples: 48_000, seconds: 1, isCut: false });
  expect(lengthOf(50, null)).toEqual({ samples: 0, seconds: 0, isCut: false });
});
