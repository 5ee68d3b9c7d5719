import { describe, expect, test } from "vitest";
import { readWaveHead, readWaveHeader, waveSeconds } from "../../../src/formats/wave/read-wave.ts";
import { silentWav } from "../../fakes/wav.ts";

function chunk(id: string, body: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.write(id, 0, "latin1");
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

describe("a WAV header", () => {
  test("gives channels, rate, depth, and the place and length of the samples", () => {
    const wav = silentWav(2, 1);
    const header = readWaveHead(wav.subarray(0, 200));
    expect(header).toEqual({
      coding: 1,
      channels: 1,
      sampleRate: 48_000,
      bits: 16,
      channelMask: 0,
      dataOffset: 44,
      dataBytes: 192_000,
    });
    if (header !== null) expect(waveSeconds(header, wav.length)).toBe(2);
  });

  test("is found behind other chunks, padded ones too", () => {
    const wav = Buffer.from(silentWav(1, 1));
    const noted = Buffer.concat([wav.subarray(0, 12), chunk("bext", Buffer.alloc(603)), wav.subarray(12)]);
    expect(readWaveHead(noted)).toMatchObject({ dataOffset: 44 + 612, dataBytes: 96_000 });
  });

  test("takes the length of a file above 4 GB from its own chunk", () => {
    const sizes = Buffer.alloc(28);
    sizes.writeBigUInt64LE(5_000_000_000n, 8);
    const wav = Buffer.from(silentWav(1, 1));
    const long = Buffer.concat([
      Buffer.from("RF64"),
      wav.subarray(4, 12),
      chunk("ds64", sizes),
      wav.subarray(12, 40),
      Buffer.from([255, 255, 255, 255]),
    ]);
    expect(readWaveHead(long)).toMatchObject({ dataBytes: 5_000_000_000 });
  });

  test("is read of samples too that are coded in a way which this project does not read", () => {
    const wav = Buffer.from(silentWav(2, 1));
    wav.writeUInt16LE(7, 20);
    expect(readWaveHeader(wav)).toEqual({ ok: false, code: "unsupported_encoding" });
    expect(readWaveHead(wav)).toMatchObject({ coding: 7, channels: 1, dataBytes: 192_000 });
  });

  test("with its length left open is as long as the file", () => {
    const wav = Buffer.from(silentWav(2, 2));
    wav.writeUInt32LE(0xffffffff, 40);
    const header = readWaveHead(wav);
    expect(header?.dataBytes).toBeNull();
    if (header !== null) expect(waveSeconds(header, wav.length)).toBe(2);
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
    ["another RIFF file", Buffer.from("RIFF\0\0\0\0AVI LIST")],
  ])("is not found in %s", (_name, bytes) => {
    expect(readWaveHead(bytes)).toBeNull();
  });
});
