import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { ServiceError } from "../../../src/client/errors.ts";
import { LINE_REFUSALS } from "../../../src/contract/choices.ts";
import type { VoiceLineSent } from "../../../src/contract/voiced-line.ts";
import { frameRate } from "../../../src/core/frame-rate.ts";
import { readWaveHeader } from "../../../src/formats/wave/read-wave.ts";
import { frameBytes, type WaveFormat } from "../../../src/formats/wave/wave-format.ts";
import { waveHeader } from "../../../src/formats/wave/write-wave.ts";
import { nodeFiles } from "../../../src/host/headless/files.ts";
import type { Result } from "../../../src/result/result.ts";
import { staleIn, voicedCues } from "../../../src/result/stale.ts";
import { resultWithLine, type VoicedCueLine, voiceLine } from "../../../src/workflow/revoice/voice-line.ts";
import { placedResult } from "../../fakes/placed-result.ts";
import { numbersBetween } from "../../numbers-between.ts";
import { HeldPorts } from "../../panel/held-ports.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const CUE = { id: "a", start: 1.013, end: 2.5, text: "A dog barks." };
const OTHER = { id: "b", start: 4, end: 5, text: "A cat." };
const FORMAT: WaveFormat = { channels: 1, sampleRate: 8000, encoding: "integer", bits: 16, channelMask: 0 };

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});

/** A WAV file of samples none of whose bytes is 0. */
function soundOf(format: WaveFormat, sampleCount: number): Uint8Array<ArrayBuffer> {
  const data = Buffer.alloc(sampleCount * frameBytes(format));
  for (const index of data.keys()) data[index] = 1 + (index % 255);
  return new Uint8Array(Buffer.concat([waveHeader({ format, sampleCount }), data]));
}

/** What a service answers that voices lines; `asked` holds the requests. */
function lineService(wave: Uint8Array<ArrayBuffer> = soundOf(FORMAT, 800), seconds = 0.1) {
  const asked: VoiceLineSent[] = [];
  const client: Pick<Client, "longestLineCharacters" | "voiceLine"> = {
    longestLineCharacters: async () => 500,
    voiceLine: async (line) => {
      asked.push(line);
      return { wave, sha256: "0123456789abcdef", seconds, rate: 1.1, fits: true };
    },
  };
  return { asked, client };
}

function resultOf(changes: Partial<Result> = {}): Result {
  const { placed: _, ...plain } = placedResult([CUE, OTHER], changes);
  return plain;
}

async function voiced(result: Result, { client } = lineService()): Promise<VoicedCueLine> {
  const ports = { client, files: nodeFiles };
  const outcome = await voiceLine(ports, { result, cueId: "a", pathOf: (name) => join(folder, name) });
  if (outcome.kind !== "voiced") throw new Error(outcome.kind);
  return outcome.line;
}

async function asked(changes: Partial<Result>): Promise<VoiceLineSent | undefined> {
  const service = lineService();
  await voiced(resultOf(changes), service);
  return service.asked[0];
}

describe("what is asked of a line", () => {
  const settings = { ...resultOf().settings, language: "de-DE", voice: "Kore" };
  const plain = { text: CUE.text, language: "de-DE", voice: "Kore", seconds: CUE.end - CUE.start };

  test("is its words, its voice and its length; a cue without length leaves that to the voice", async () => {
    expect(await asked({ settings })).toEqual(plain);
    const { seconds: _, ...open } = plain;
    expect(await asked({ settings, cues: [{ ...CUE, end: CUE.start }, OTHER] })).toEqual(open);
  });

  test("is the volume of its result, and the gains of its narration; those of a mix are none of it", async () => {
    const volume = { option: "max", levelDbfs: -3 } as const;
    const loud = { ...plain, volume_option: "max", volume_level_db: -3 };
    expect(await asked({ settings: { ...settings, volume } })).toEqual(loud);
    const gains = { narrationGainDb: 2.5, trackGainDb: -1, lines: [] };
    const voicing = { track: "ad_only", ...gains } as const;
    expect(await asked({ settings, voicing })).toEqual({ ...plain, narration_gain_db: 2.5, track_gain_db: -1 });
    expect(await asked({ settings, voicing: { ...voicing, track: "mixed" } })).toEqual(plain);
  });
});

describe("the sound of a line", () => {
  const rates = fc.constantFrom(frameRate(25), frameRate(24), { numerator: 30_000, denominator: 1001 });
  const formats = fc.record({
    channels: fc.constantFrom(1, 2),
    sampleRate: fc.constantFrom(8000, 22_050, 48_000),
    encoding: fc.constant("integer" as const),
    bits: fc.constantFrom(16, 24),
    channelMask: fc.constant(0),
  });

  test("lies in whole frames of the sequence, sample by sample where its cue begins, with silence around it alone", async () => {
    let number = 0;
    const law = fc.asyncProperty(
      formats,
      fc.integer({ min: 1, max: 900 }),
      fc.option(rates),
      numbersBetween(0, 100),
      numbersBetween(0, 5000),
      async (format, sampleCount, rate, start, offsetSeconds) => {
        const result = resultOf({
          cues: [{ ...CUE, id: "a", start, end: start + 1, text: `${number++}` }],
          offsetSeconds,
          ...(rate === null ? {} : { sequence: { name: "Cut", rate, isDropFrame: false, startFrame: 0 } }),
        });
        const wave = soundOf(format, sampleCount);
        const { piece } = await voiced(result, lineService(wave));
        const sample = 1 / format.sampleRate;
        const before = Math.round((start - piece.start) * format.sampleRate);
        const speech = sampleCount / format.sampleRate;
        if (rate === null) {
          expect(piece).toMatchObject({ start, durationSeconds: speech });
        } else {
          const frame = rate.denominator / rate.numerator;
          const frames = (at: number) => (at + offsetSeconds) / frame;
          expect(frames(piece.start)).toBeCloseTo(Math.round(frames(piece.start)), 5);
          expect(start - piece.start).toBeGreaterThan(-1e-6);
          expect(start - piece.start).toBeLessThan(frame);
          const end = piece.start + piece.durationSeconds;
          const lastFrame = frame * Math.round(frames(end)) - offsetSeconds;
          // A sound is whole samples long, and a sample more where it ends with the last frame.
          expect(Math.abs(end - lastFrame)).toBeLessThan(1.01 * sample + 1e-6);
          expect(end).toBeGreaterThan(start + speech - sample);
          expect(end).toBeLessThan(start + speech + frame + sample);
        }
        const bytes = await readFile(piece.path);
        const reading = readWaveHeader(bytes);
        if (!reading.ok) throw new Error(reading.code);
        const { layout } = reading;
        const width = frameBytes(format);
        expect(layout.format).toEqual(format);
        expect(layout.dataBytes).toBe(Math.round(piece.durationSeconds * format.sampleRate) * width);
        const data = bytes.subarray(layout.dataOffset, layout.dataOffset + (layout.dataBytes ?? 0));
        const from = before * width;
        const line = wave.subarray(wave.length - sampleCount * width);
        expect(Buffer.from(line).equals(data.subarray(from, from + line.length))).toBe(true);
        const around = [...data.subarray(0, from), ...data.subarray(from + line.length)];
        expect(around.every((byte) => byte === 0)).toBe(true);
      },
    );
    await fc.assert(law, { numRuns: 60 });
  });

  test("is written once: a file that is there whole is taken, one of another length is written over", async () => {
    const first = await voiced(resultOf());
    const bytes = await readFile(first.piece.path);
    const marked = Buffer.from(bytes).fill(7, bytes.length - 4);
    await writeFile(first.piece.path, marked);
    expect((await voiced(resultOf())).piece).toEqual(first.piece);
    expect(await readFile(first.piece.path)).toEqual(marked);
    await writeFile(first.piece.path, bytes.subarray(0, 100));
    await voiced(resultOf());
    expect(await readFile(first.piece.path)).toEqual(bytes);
  });

  test("has a name by its words, its sound, and its place in its first frame", async () => {
    const sequence = { name: "Cut", rate: frameRate(25), isDropFrame: false, startFrame: 0 };
    const names = [];
    for (const start of [1, 2, 1.013]) {
      const { piece } = await voiced(resultOf({ sequence, cues: [{ ...CUE, start, end: start + 1 }] }));
      names.push(piece.path.split("/").at(-1));
    }
    const [first, aFrameOn, within] = names;
    expect(first).toMatch(/A dog barks 01234567-0\.wav$/);
    expect(aFrameOn).toBe(first);
    expect(within).toMatch(/A dog barks 01234567-104\.wav$/);
  });

  test("is refused where it is no WAV file, with nothing written", async () => {
    const failing = voiced(resultOf(), lineService(new Uint8Array(Buffer.from("<html>"))));
    await expect(failing).rejects.toMatchObject({ code: "reply_unreadable", status: 200 });
    expect(await nodeFiles.list(folder)).toEqual([]);
  });
});

test.each([...LINE_REFUSALS, "busy"])("a service that answers %s is told for what it says", async (foreignCode) => {
  const error = new ServiceError("invalid_input", "Not this one.", { status: 400, foreignCode });
  const { client } = lineService();
  const refusing = { ...client, voiceLine: () => Promise.reject(error) };
  const outcome = voiceLine(
    { client: refusing, files: nodeFiles },
    { result: resultOf(), cueId: "a", pathOf: (name) => name },
  );
  if (foreignCode === "busy") await expect(outcome).rejects.toBe(error);
  else expect(await outcome).toEqual({ kind: "refused", reason: foreignCode, message: "Not this one." });
});

test("a service that voices no single lines is asked for none", async () => {
  const { asked: lines, client } = lineService();
  const other = { ...client, longestLineCharacters: async () => null };
  const order = { result: resultOf(), cueId: "a", pathOf: (name: string) => name };
  expect(await voiceLine({ client: other, files: nodeFiles }, order)).toEqual({ kind: "not-offered" });
  expect(lines).toEqual([]);
});

test("what is no answer of a service goes on as it is, and a cancelled line carries its signal", async () => {
  const { client } = lineService();
  const broken = new TypeError("line_too_long");
  const signals: unknown[] = [];
  const failing = {
    longestLineCharacters: (async ({ signal } = {}) => {
      signals.push(signal);
      return 500;
    }) as typeof client.longestLineCharacters,
    voiceLine: (async (_, { signal } = {}) => {
      signals.push(signal);
      throw broken;
    }) as typeof client.voiceLine,
  };
  const { signal } = new AbortController();
  const order = { result: resultOf(), cueId: "a", pathOf: (name: string) => name };
  await expect(voiceLine({ client: failing, files: nodeFiles }, { ...order, signal })).rejects.toBe(broken);
  expect(signals).toEqual([signal, signal]);
  await expect(voiceLine({ client: failing, files: nodeFiles }, { ...order, cueId: "z" })).rejects.toThrow(RangeError);
});

describe("a result with a line", () => {
  const audio = { path: "/narration.wav", durationSeconds: 10 };
  const SETTINGS = resultOf().settings;
  const before = resultOf({ audio, voiced: voicedCues([CUE, OTHER], SETTINGS) });

  test("has its piece and its length, the cue as long as the line at least, and nothing else changed", async () => {
    for (const seconds of [0.4, 3.75]) {
      const line = await voiced(before, lineService(undefined, seconds));
      expect(line).toMatchObject({ cue: CUE, settings: SETTINGS, seconds, rate: 1.1 });
      const after = resultWithLine(before, line);
      const end = Math.max(CUE.end, CUE.start + seconds);
      expect(after).toEqual({
        ...before,
        cues: [{ ...CUE, end }, OTHER],
        voiced: { ...before.voiced, a: { ...voicedCues([{ ...CUE, end }], SETTINGS)["a"], seconds } },
        pieces: { a: line.piece },
      });
      expect(staleIn(after).size).toBe(0);
    }
  });

  test("keeps the order of its cues where a line becomes longer than one that begins with it", async () => {
    const twin = { ...CUE, id: "c", end: CUE.end + 0.1 };
    const result = resultOf({ audio, cues: [CUE, twin] });
    const { cues } = resultWithLine(result, await voiced(result, lineService(undefined, 4)));
    expect(cues.map(({ id }) => id)).toEqual(["c", "a"]);
  });

  test.each([{ text: "A dog sleeps." }, { start: 1.2 }, { end: 2.6 }])(
    "is out of date again where its cue became %o meanwhile",
    async (change) => {
      const line = await voiced(before, lineService(undefined, 3.75));
      const edited = { ...before, cues: [{ ...CUE, ...change }, OTHER] };
      const after = resultWithLine(edited, line);
      expect(after.cues).toEqual(edited.cues);
      expect([...staleIn(after).keys()]).toEqual(["a"]);
    },
  );

  test("is as it was where the cue is gone, and of a mix; a mix that has no sound yet takes it", async () => {
    const line = await voiced(before);
    const without = { ...before, cues: [OTHER] };
    expect(resultWithLine(without, line)).toBe(without);
    const mix: Result = { ...before, track: "mixed" };
    expect(resultWithLine(mix, line)).toBe(mix);
    const { audio: _, ...silent } = mix;
    expect(resultWithLine(silent, line).pieces).toEqual({ a: line.piece });
  });
});

test.each(["oldest first", "newest first"] as const)(
  "a line that is said to be voiced lies whole under its name by then, however long the disk takes (%s)",
  async (order) => {
    const ports = new HeldPorts();
    const there = new Map<string, number>();
    const files = ports.wrap({
      size: async (path: string) => there.get(path) ?? null,
      openWriter: async (path: string) =>
        ports.wrap({
          write: async (position: number, bytes: ArrayBuffer) => void there.set(path, position + bytes.byteLength),
          close: async () => undefined,
        }),
      rename: async (from: string, to: string) => {
        there.set(to, there.get(from) ?? 0);
        there.delete(from);
      },
    });
    const voicing = { result: resultOf(), cueId: "a", pathOf: (name: string) => `/sounds/${name}` };
    const say = () => voiceLine({ client: lineService().client, files }, voicing);
    expect(await ports.settlesLast(say, -1, order)).toBeNull();
    expect([...there.keys()]).toEqual([expect.stringMatching(/^\/sounds\/.*\.wav$/)]);
    expect(ports.calls).toEqual(["size", "openWriter", "write", "close", "rename"]);
  },
);
