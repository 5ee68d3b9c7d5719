import { describe, expect, test } from "vitest";
import { readWaveHeader } from "../../src/formats/wave/read-wave.ts";
import { samplesFromWave } from "../../src/formats/wave/wave-format.ts";
import { waveHeader } from "../../src/formats/wave/write-wave.ts";
import { heardLines, type MixedStretchOrder, mixStretch, type StretchLine } from "../../src/workflow/mix-stretch.ts";
import { spokenLines } from "../../src/workflow/spoken-lines.ts";
import { type OpenWave, openWave } from "../../src/workflow/wave-files.ts";
import { placedResult } from "../fakes/placed-result.ts";

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

describe("lines of narration", () => {
  /** A sound whose samples rise with its time: 1 after a thousand seconds. */
  const rising = (sampleRate: number): OpenWave => ({
    sampleRate,
    async read(first, count) {
      const plane = Float32Array.from({ length: count }, (_, index) => (first + index) / sampleRate / 1000);
      return [plane, plane.map((sample) => sample / 2)];
    },
  });
  const silent: OpenWave = {
    sampleRate: 100,
    read: async (_, count) => [new Float32Array(count), new Float32Array(count)],
  };

  test("are as loud as all of their samples, the programme under them likewise, in order of time, told one by one", async () => {
    const shares: number[] = [];
    const lines = [
      { id: "late", wave: rising(100), from: 5, start: 40, seconds: 2.35 },
      { id: "early", wave: rising(200), from: 1.5, start: 10, seconds: 1 },
    ];
    const programme = rising(100);
    const heard = await heardLines({ programme, programmeStart: -3, lines }, (share) => shares.push(share));
    const level = (from: number, seconds: number, rate: number) => {
      const count = Math.round(seconds * rate);
      let power = 0;
      for (let index = 0; index < count; index++) power += 1.25 * ((from + index / rate) / 1000) ** 2;
      return 10 * Math.log10(power / count);
    };
    expect(heard.map(({ cueId, start, end }) => [cueId, start, end])).toEqual([
      ["early", 10, 11],
      ["late", 40, 42.35],
    ]);
    expect(shares).toEqual([0.5, 1]);
    const [early, late] = heard;
    expect(early?.narrationLufs).toBeCloseTo(level(1.5, 1, 200), 3);
    expect(early?.programmeLufs).toBeCloseTo(level(7, 1, 100), 3);
    expect(late?.narrationLufs).toBeCloseTo(level(5, 2.35, 100), 3);
    expect(late?.programmeLufs).toBeCloseTo(level(37, 2.35, 100), 3);
    const none = await heardLines({
      programme,
      programmeStart: 0,
      lines: [{ ...lines[0], seconds: 0 } as StretchLine],
    });
    expect(none[0]?.narrationLufs).toBe(Number.NEGATIVE_INFINITY);
  });

  test.each([50, 100, 200])(
    "are heard sample by sample where they lie, at the rate of the stretch, from a file of %d samples a second",
    async (rate) => {
      const pieces: [number, ArrayBuffer][] = [];
      const line = { id: "a", wave: rising(rate), from: 10.5, start: 3.25, seconds: 2.5 };
      const before = { id: "b", wave: rising(rate), from: 20, start: 0.5, seconds: 1 };
      const behind = { id: "c", wave: rising(rate), from: 30, start: 7.4, seconds: 2 };
      await mixStretch(
        {
          programme: silent,
          sampleRate: 100,
          programmeStart: 0,
          range: { start: 1, end: 8 },
          music: [],
          lines: [line, before, behind],
        },
        async (position, bytes) => void pieces.push([position, bytes]),
      );
      const [[, header] = [0, new ArrayBuffer(0)], ...blocks] = pieces;
      // A second at a time, each behind the one before it.
      expect(blocks.map(([position, { byteLength }]) => [position - header.byteLength, byteLength])).toEqual(
        [0, 1, 2, 3, 4, 5, 6].map((second) => [400 * second, 400]),
      );
      const data = Buffer.concat(blocks.map(([, bytes]) => Buffer.from(bytes)));
      for (let at = 0; at < 700; at++) {
        const time = 1 + at / 100;
        const heard = [line, before, behind].reduce((sum, { from, start, seconds }) => {
          const index = Math.round((time - start) * 100);
          return index >= 0 && index < Math.round(seconds * 100) ? sum + (from + index / 100) / 1000 : sum;
        }, 0);
        expect(Math.abs(data.readInt16LE(4 * at) - heard * 0x8000)).toBeLessThan(1.5);
        expect(Math.abs(data.readInt16LE(4 * at + 2) - (heard * 0x8000) / 2)).toBeLessThan(1.5);
      }
    },
  );
});

describe("what is spoken of a result in a stretch", () => {
  const tone = (sampleRate: number) => toneWav({ hertz: 10, level: 0.1, sampleRate, seconds: 1 });
  // Each file is known by its rate.
  const files = filesWith({ "/n.wav": tone(8000), "/own.wav": tone(11_025), "/none.wav": new Uint8Array(10) });
  const cues = [
    { id: "a", start: 4, end: 6, text: "A." },
    { id: "b", start: 10, end: 12, text: "B." },
  ];
  const voice = (start: number, seconds: number) => ({
    words: "w",
    start,
    end: start + seconds,
    language: "en-US",
    voice: "K",
    level: "none",
  });
  const result = (changes: Parameters<typeof placedResult>[1] = {}) =>
    placedResult(cues, {
      audio: { path: "/n.wav", durationSeconds: 1, start: 1 },
      voiced: { a: voice(3, 2), b: voice(11, 2.5) },
      ...changes,
    });
  const spoken = async (start: number, end: number, of = result()) =>
    (await spokenLines(files, of, { start, end }))?.map(({ id, wave, from, start: at, seconds }) => [
      id,
      wave.sampleRate,
      from,
      at,
      seconds,
    ]);

  test("is each voice that sounds in it, where its cue is now, from where it was voiced in the one file", async () => {
    expect(await spoken(0, 60)).toEqual([
      ["a", 8000, 2, 4, 2],
      ["b", 8000, 10, 10, 2.5],
    ]);
    const atZero = result({ audio: { path: "/n.wav", durationSeconds: 1 } });
    expect((await spoken(0, 60, atZero))?.map(([, , from]) => from)).toEqual([3, 11]);
    const ids = async (start: number, end: number) => (await spoken(start, end))?.map(([id]) => id);
    expect([await ids(0, 4), await ids(0, 4.1), await ids(5.9, 10)]).toEqual([[], ["a"], ["a"]]);
    expect([await ids(6, 10), await ids(6, 10.1), await ids(12.4, 60), await ids(12.5, 60)]).toEqual([
      [],
      ["b"],
      ["b"],
      [],
    ]);
  });

  test("is a voice in a file of its own from its beginning, as far before its cue as it was made", async () => {
    const pieces = { a: { path: "/own.wav", start: 2.75, durationSeconds: 3 } };
    const moved = await spoken(0, 60, result({ pieces }));
    expect(moved?.[0]).toEqual(["a", 11_025, 0, 3.75, 3]);
    expect(moved?.[1]?.[0]).toBe("b");
    const { a: _, ...others } = result().voiced;
    expect((await spoken(0, 60, result({ pieces, voiced: others })))?.[0]).toEqual(["a", 11_025, 0, 4, 3]);
  });

  test("is nothing of what is muted or was never voiced, and unknown where the sound of a line cannot be read", async () => {
    expect((await spoken(0, 60, result({ mutedIds: ["a"] })))?.map(([id]) => id)).toEqual(["b"]);
    expect(await spoken(0, 60, result({ voiced: {} }))).toEqual([]);
    const { audio: _, ...silent } = result();
    expect(await spoken(0, 60, silent)).toBeUndefined();
    expect(await spoken(0, 3, silent)).toEqual([]);
    const pieces = { a: { path: "/none.wav", start: 3, durationSeconds: 3 } };
    expect(await spoken(0, 60, result({ pieces }))).toBeUndefined();
    const own = { a: { path: "/own.wav", start: 3, durationSeconds: 3 } };
    const { b: __, ...onlyA } = result().voiced;
    expect((await spoken(0, 60, { ...silent, pieces: own, voiced: onlyA }))?.map(([id]) => id)).toEqual(["a"]);
  });
});
