import { describe, expect, test } from "vitest";
import { readWaveHeader } from "../../src/formats/wave/read-wave.ts";
import { samplesFromWave } from "../../src/formats/wave/wave-samples.ts";
import { waveHeader } from "../../src/formats/wave/write-wave.ts";
import { type MixedStretchOrder, mixStretch, type StretchLine } from "../../src/workflow/mix-stretch.ts";
import { type OpenWave, openWave } from "../../src/workflow/open-wave.ts";

interface Tone {
  readonly hertz: number;
  readonly level: number;
  readonly channels?: number;
  readonly sampleRate?: number;
  readonly seconds?: number;
}

/** A tone of ten seconds, 16 bit. */
function toneWav({ hertz, level, channels = 2, sampleRate = 48_000, seconds = 10 }: Tone): Uint8Array {
  const sampleCount = seconds * sampleRate;
  const format = { channels, sampleRate, encoding: "integer", bits: 16, channelMask: 0 } as const;
  const header = waveHeader({ format, sampleCount });
  const bytes = new Uint8Array(header.length + sampleCount * channels * 2);
  bytes.set(header);
  const view = new DataView(bytes.buffer, header.length);
  for (let at = 0; at < sampleCount; at++) {
    const sample = Math.round(level * 0x8000 * Math.sin((2 * Math.PI * hertz * at) / sampleRate));
    for (let channel = 0; channel < channels; channel++) view.setInt16((at * channels + channel) * 2, sample, true);
  }
  return bytes;
}

/** Files in memory that know the longest piece that was read of them. */
function filesWith(contents: Readonly<Record<string, Uint8Array>>) {
  const files = {
    longest: 0,
    size: async (path: string) => contents[path]?.length ?? null,
    async readBytes(path: string, position: number, length: number) {
      files.longest = Math.max(files.longest, length);
      return contents[path]?.subarray(position, position + length) ?? new Uint8Array();
    },
  };
  return files;
}

/** A line of a tone in a file of its own. */
async function ownLine(tone: Tone): Promise<OpenWave> {
  const wave = await openWave(filesWith({ "/own.wav": toneWav(tone) }), "/own.wav");
  if (wave === null) throw new Error("no WAV");
  return wave;
}

async function mixed(
  narration: Tone,
  programme: Tone,
  order: Partial<MixedStretchOrder> = {},
  line: { from?: number } = {},
  more: readonly StretchLine[] = [],
) {
  const files = filesWith({ "/n.wav": toneWav(narration), "/p.wav": toneWav(programme) });
  const [spoken, film] = [await openWave(files, "/n.wav"), await openWave(files, "/p.wav")];
  if (spoken === null || film === null) throw new Error("no WAV");
  const pieces: [number, ArrayBuffer][] = [];
  await mixStretch(
    {
      programme: film,
      sampleRate: spoken.sampleRate,
      programmeStart: 0,
      range: { start: 1, end: 8 },
      music: [],
      ...order,
      lines: [{ id: "a", from: 3, start: 3, seconds: 2, ...line, wave: spoken }, ...more],
    },
    async (position, bytes) => void pieces.push([position, bytes]),
  );
  const bytes = new Uint8Array(Math.max(...pieces.map(([position, piece]) => position + piece.byteLength)));
  for (const [position, piece] of pieces) bytes.set(new Uint8Array(piece), position);
  const reading = readWaveHeader(bytes);
  if (!reading.ok) throw new Error(reading.code);
  const { format, dataOffset } = reading.layout;
  const [left = new Float32Array(), right] = samplesFromWave(bytes.subarray(dataOffset), format);
  /** Amplitude of a tone within half a second from a time on the programme clock. */
  const heard = (hertz: number, from: number) => {
    const first = Math.round((from - 1) * format.sampleRate);
    const count = format.sampleRate / 2;
    let [sine, cosine] = [0, 0];
    for (let at = 0; at < count; at++) {
      const angle = (2 * Math.PI * hertz * at) / format.sampleRate;
      sine += (left[first + at] ?? 0) * Math.sin(angle);
      cosine += (left[first + at] ?? 0) * Math.cos(angle);
    }
    return (2 * Math.hypot(sine, cosine)) / count;
  };
  return { format, left, right, heard, files };
}

const decibels = (amplitude: number, reference: number) => 20 * Math.log10(amplitude / reference);

describe("a stretch of narration with the programme under it", () => {
  test("lowers the programme while somebody is heard, and only then", async () => {
    const { heard, left, right, format, files } = await mixed({ hertz: 440, level: 0.1 }, { hertz: 1000, level: 0.1 });
    expect(format).toMatchObject({ channels: 2, sampleRate: 48_000, bits: 16 });
    expect(left).toHaveLength(7 * 48_000);
    expect(right).toEqual(left);
    // Before the line nothing but the programme, as loud as it is.
    expect(heard(1000, 1.5)).toBeCloseTo(0.1, 4);
    expect(heard(440, 1.5)).toBeLessThan(0.001);
    // Under it, 15 dB less: they were as loud as each other, and it is no music.
    expect(decibels(heard(1000, 3.5), 0.1)).toBeCloseTo(-15, 0);
    expect(heard(440, 3.5)).toBeCloseTo(0.1, 3);
    // And back up half a second later.
    expect(heard(1000, 6)).toBeCloseTo(0.1, 4);
    expect(heard(440, 6)).toBeLessThan(0.001);
    // Read second by second, whatever the length.
    expect(files.longest).toBeLessThanOrEqual(48_000 * 4);
  });

  test("lowers music less", async () => {
    const music = [{ start: 0, end: 10 }];
    const { heard } = await mixed({ hertz: 440, level: 0.1 }, { hertz: 1000, level: 0.1 }, { music });
    expect(decibels(heard(1000, 3.5), 0.1)).toBeCloseTo(-10, 0);
  });

  test("takes a line from where it lies in its file, and the programme from where the export begins", async () => {
    const { heard } = await mixed(
      { hertz: 440, level: 0.1, seconds: 9 },
      { hertz: 1000, level: 0.05 },
      { programmeStart: -4 },
      { from: 8 },
    );
    expect(heard(1000, 2)).toBeLessThan(1e-6);
    expect(heard(440, 3.2)).toBeCloseTo(0.1, 3);
    // The file of the narration ends a second after the line began.
    expect(heard(440, 4.2)).toBeLessThan(1e-6);
    expect(heard(1000, 6)).toBeCloseTo(0.05, 3);
  });

  test("mixes one channel with two, and another rate", async () => {
    const mono = await mixed({ hertz: 440, level: 0.1, channels: 1 }, { hertz: 1000, level: 0.1, sampleRate: 44_100 });
    expect(mono.right).toEqual(mono.left);
    expect(mono.heard(1000, 1.5)).toBeCloseTo(0.1, 3);
    expect(mono.heard(440, 3.5)).toBeCloseTo(0.1, 3);
  });

  test("mixes lines that lie in files of their own, at rates of their own", async () => {
    const wave = await ownLine({ hertz: 700, level: 0.1, channels: 1, sampleRate: 44_100, seconds: 1 });
    const own = { id: "b", wave, from: 0, start: 6, seconds: 1 };
    const { heard } = await mixed({ hertz: 440, level: 0.1 }, { hertz: 1000, level: 0.1 }, {}, {}, [own]);
    expect(heard(440, 3.5)).toBeCloseTo(0.1, 3);
    expect(heard(700, 3.5)).toBeLessThan(0.001);
    expect(heard(700, 6.2)).toBeCloseTo(0.1, 3);
    expect(decibels(heard(1000, 6.2), 0.1)).toBeCloseTo(-15, 0);
  });

  test("a sound that is none is not opened", async () => {
    const files = filesWith({ "/a.mp4": new Uint8Array(100) });
    expect(await openWave(files, "/a.mp4")).toBeNull();
    expect(await openWave(files, "/nothing.wav")).toBeNull();
  });
});
