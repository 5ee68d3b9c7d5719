import { beforeEach, describe, expect, test } from "vitest";
import { frameRate } from "../../../src/core/frame-rate.ts";
import { readWaveHeader, waveLength } from "../../../src/formats/wave/read-wave.ts";
import { waveHeader } from "../../../src/formats/wave/write-wave.ts";
import type { Files } from "../../../src/host/files.ts";
import { voiceLengths } from "../../../src/result/held.ts";
import { voicedCues } from "../../../src/result/stale.ts";
import { cutNarrationClips, measureVoices } from "../../../src/workflow/place/narration-clips.ts";
import { placedResult } from "../../fakes/placed-result.ts";
import { EVERY_FILES } from "../../host/every-files.ts";

const RATE = frameRate(25);
const SAMPLE_RATE = 8_000;
const SECONDS = 10;
const CUES = [
  { id: "a", start: 1.01, end: 2, text: "A dog." },
  { id: "b", start: 4, end: 5, text: "A cat." },
  { id: "c", start: 9, end: 11, text: "A bird that sings past the end." },
];

/** Silence follows each cue; the voice of the second goes on for 0.3 s behind its end. */
const isSpoken = (seconds: number) =>
  CUES.some(({ start, end }) => seconds >= start && seconds < end) || (seconds >= 5 && seconds < 5.3);

/** The sample at each place tells where it lies in the narration: hundredths of a second. */
const sampleAt = (index: number) =>
  isSpoken(index / SAMPLE_RATE) ? 2_000 + Math.floor(index / (SAMPLE_RATE / 100)) : 0;

describe.each(EVERY_FILES)("the clips of a narration, by %s", (_, make) => {
  let files: Files;
  let root: string;
  beforeEach(async () => {
    ({ files, root } = await make());
    await writeNarration(sampleAt);
  });

  async function writeNarration(sample: (index: number) => number): Promise<void> {
    const format = { encoding: "integer", bits: 16, channels: 1, channelMask: 0, sampleRate: SAMPLE_RATE } as const;
    const samples = Int16Array.from({ length: SAMPLE_RATE * SECONDS }, (_entry, index) => sample(index));
    const writer = await files.openWriter(`${root}/narration.wav`);
    const header = waveHeader({ format, sampleCount: samples.length });
    await writer.write(0, header.buffer);
    await writer.write(header.length, samples.buffer);
    await writer.close();
  }

  const result = (changes: Parameters<typeof placedResult>[1] = {}) =>
    placedResult(CUES, {
      offsetSeconds: 100,
      voiced: voicedCues(CUES, { language: "en-US", voice: "Kore" }),
      audio: { path: `${root}/narration.wav`, durationSeconds: SECONDS },
      ...changes,
    });
  const cut = (of = result()) =>
    cutNarrationClips(files, { result: of, rate: RATE, pathOf: (name) => `${root}/${name}` });

  /** Length in seconds, and the samples of a clip. */
  async function heard(path: string): Promise<{ seconds: number; samples: Int16Array }> {
    const bytes = await files.readBytes(path, 0, (await files.size(path)) ?? 0);
    const reading = readWaveHeader(bytes);
    if (!reading.ok) throw new Error(reading.code);
    const { seconds } = waveLength(reading.layout, bytes.length);
    return { seconds, samples: new Int16Array(bytes.slice(reading.layout.dataOffset).buffer) };
  }

  test("are cut where their cues are heard, on frames, to the sample", async () => {
    const clips = (await cut()) ?? [];
    expect(clips.map(({ place }) => [place.cueId, place.start, place.durationSeconds])).toEqual([
      ["a", 101, 1],
      // To the end of the voice, on a frame.
      ["b", 104, expect.closeTo(1.32, 6)],
      ["c", 109, 2],
    ]);
    const { seconds, samples } = await heard(clips[1]?.path ?? "");
    expect(seconds).toBeCloseTo(1.32, 3);
    expect([samples[0], samples[1.3 * SAMPLE_RATE - 1]]).toEqual([
      sampleAt(4 * SAMPLE_RATE),
      sampleAt(5.3 * SAMPLE_RATE - 1),
    ]);
    expect((await files.list(root)).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  test("past the end of the narration are silent, and as long as their place", async () => {
    const clips = (await cut()) ?? [];
    const { seconds, samples } = await heard(clips[2]?.path ?? "");
    expect(seconds).toBe(2);
    expect(samples[SAMPLE_RATE - 1]).toBe(sampleAt(SAMPLE_RATE * SECONDS - 1));
    expect(samples.slice(SAMPLE_RATE).every((sample) => sample === 0)).toBe(true);
  });

  test("of a cue that was moved since hold what was spoken, and lie where the cue is now", async () => {
    const moved = CUES.map((cue) => (cue.id === "b" ? { ...cue, start: 6, end: 7 } : cue));
    const clips = (await cut(result({ cues: moved }))) ?? [];
    expect(clips[1]?.place).toMatchObject({ cueId: "b", start: 106 });
    expect((await heard(clips[1]?.path ?? "")).samples[0]).toBe(sampleAt(4 * SAMPLE_RATE));
  });

  test("are none for a muted cue and for one that was never voiced; a voice of its own stays what it is", async () => {
    const { b: _, ...voiced } = result().voiced;
    const pieces = { c: { path: `${root}/aside-c.wav`, start: 9, durationSeconds: 1.5 } };
    const clips = (await cut(result({ mutedIds: ["a"], voiced, pieces }))) ?? [];
    expect(clips.map(({ path, place }) => [path, place.cueId, place.start, place.durationSeconds])).toEqual([
      [`${root}/aside-c.wav`, "c", 109, 1.5],
    ]);
  });

  test("hold nothing of a line that is voiced anew or silent by now, right behind their voice", async () => {
    const said = { id: "d", start: 5.12, end: 5.3, text: "Old." };
    const piece = { path: `${root}/aside-d.wav`, start: 5.12, durationSeconds: 1 };
    const voiced = voicedCues([...CUES, said], { language: "en-US", voice: "Kore" });
    for (const of of [
      result({ cues: [...CUES, said], voiced, pieces: { d: piece } }),
      result({ cues: [...CUES, said], voiced, mutedIds: ["d"] }),
      // Voiced anew at another time: only the voicing knows where it was heard.
      result({
        cues: [...CUES, { ...said, start: 7, end: 8 }],
        voiced: { ...voiced, ...voicedCues([{ ...said, start: 7, end: 8 }], { language: "en-US", voice: "Kore" }) },
        pieces: { d: { ...piece, start: 7 } },
        voicing: { track: "ad_only", lines: [{ words: "", start: 5.12, seconds: 0.18, rate: 1 }] },
      }),
    ]) {
      const clip = (await cut(of))?.find(({ place }) => place.cueId === "b");
      expect(clip?.place.durationSeconds).toBeCloseTo(1.12, 6);
    }
  });

  test("are left out, and told, where the next one would cut them off; rounding to frames cuts nothing", async () => {
    const cutOff: string[] = [];
    const cutTold = (of: ReturnType<typeof result>) =>
      cutNarrationClips(files, {
        result: of,
        rate: RATE,
        pathOf: (name) => `${root}/${name}`,
        onCutOff: (ids) => cutOff.push(...ids),
      });
    // The voice of the second is 1.3 s long, its cue a second.
    const moved = (start: number) => result({ cues: CUES.map((cue) => (cue.id === "c" ? { ...cue, start } : cue)) });
    expect((await cutTold(moved(5.32)))?.map(({ place }) => place.cueId)).toEqual(["a", "b", "c"]);
    expect((await cutTold(moved(5.28)))?.map(({ place }) => place.cueId)).toEqual(["a", "b", "c"]);
    expect(cutOff).toEqual([]);
    expect((await cutTold(moved(5.2)))?.map(({ place }) => place.cueId)).toEqual(["a", "c"]);
    expect(cutOff).toEqual(["b"]);
    cutOff.length = 0;
    const starts: Readonly<Record<string, number>> = { a: 1, b: 1.52, c: 2 };
    const close = result({ cues: CUES.map((cue) => ({ ...cue, start: starts[cue.id] ?? 0 })) });
    expect((await cutTold(close))?.map(({ place }) => place.cueId)).toEqual(["c"]);
    expect(cutOff).toEqual(["a", "b"]);
  });

  test("are left out, and told, where a line that is silenced lies in theirs: nobody hears its words", async () => {
    const shared: string[] = [];
    const { voiced } = result();
    const over = (start: number, end: number) =>
      cutNarrationClips(files, {
        result: result({
          voiced: {
            ...voiced,
            ...voicedCues([{ id: "gone", start, end, text: "Gone." }], { language: "en-US", voice: "Kore" }),
          },
        }),
        rate: RATE,
        pathOf: (name) => `${root}/${name}`,
        onShared: (ids) => shared.push(...ids),
      });
    expect((await over(2, 4))?.map(({ place }) => place.cueId)).toEqual(["a", "b", "c"]);
    expect(shared).toEqual([]);
    expect((await over(1.9, 4.1))?.map(({ place }) => place.cueId)).toEqual(["c"]);
    expect(shared).toEqual(["a", "b"]);
  });

  test("are left out where a line lies in theirs that was voiced anew apart: its old words are still in the one file", async () => {
    const settings = { language: "en-US", voice: "Kore" };
    const line = { id: "d", start: 7, end: 8, text: "New." };
    const anew = (start: number) =>
      result({
        cues: [...CUES, line],
        voiced: { ...result().voiced, ...voicedCues([line], settings) },
        pieces: { d: { path: `${root}/aside-d.wav`, start: 7, durationSeconds: 1 } },
        voicing: { track: "ad_only", lines: [{ words: "old", start, seconds: 0.5, rate: 1 }] },
      });
    const idsOf = async (of: ReturnType<typeof result>) => (await cut(of))?.map(({ place }) => place.cueId).sort();
    expect(await idsOf(anew(3.4))).toEqual(["a", "b", "c", "d"]);
    expect(await idsOf(anew(3.6))).toEqual(["a", "c", "d"]);
    expect(await idsOf(anew(4.5))).toEqual(["a", "c", "d"]);
  });

  test("hold their voices as long as these are measured, which says so of each that is longer than its cue", async () => {
    const { voiced, audio } = result();
    const measured = await measureVoices(files, { ...result(), voiced });
    expect(measured).toEqual({ ...voiced, b: { ...voiced["b"], seconds: expect.closeTo(1.3, 6) } });
    const of = result({ voiced: measured });
    expect((await cut(of))?.map(({ place }) => place.durationSeconds)).toEqual(
      (await cut())?.map(({ place }) => place.durationSeconds),
    );
    expect(voiceLengths(of)).toEqual(
      new Map([
        ["a", 0.99],
        ["b", expect.closeTo(1.3, 6)],
        ["c", 2],
      ]),
    );
    expect(voiceLengths(result({ voiced: measured, mutedIds: ["b"] })).has("b")).toBe(false);
    const otherWords = CUES.map((cue) => (cue.id === "b" ? { ...cue, text: "Other words." } : cue));
    expect(voiceLengths(result({ voiced: measured, cues: otherWords })).has("b")).toBe(false);
    // In a mix the programme is heard behind every voice.
    expect(await measureVoices(files, { voiced, track: "mixed", ...(audio === undefined ? {} : { audio }) })).toBe(
      voiced,
    );
  });

  test("are measured up to three seconds behind their end, and no further than the next one's beginning", async () => {
    await writeNarration(() => 2_000);
    const { a, b } = (await measureVoices(files, result())) ?? {};
    expect((a?.start ?? 0) + (a?.seconds ?? 0)).toBeCloseTo(4, 6);
    expect((b?.start ?? 0) + (b?.seconds ?? 0)).toBeCloseTo(8, 6);
  });

  test("are cut out of a file that begins elsewhere than the programme by where that is", async () => {
    const later = CUES.map((cue) => ({ ...cue, start: cue.start + 1, end: cue.end + 1 }));
    const audio = { path: `${root}/narration.wav`, durationSeconds: SECONDS, start: 1 };
    const voiced = voicedCues(later, { language: "en-US", voice: "Kore" });
    const clips = (await cut(result({ cues: later, voiced, audio }))) ?? [];
    expect(clips.map(({ place }) => [place.cueId, place.start, place.durationSeconds])).toEqual([
      ["a", 102, 1],
      ["b", 105, expect.closeTo(1.32, 6)],
      ["c", 110, 2],
    ]);
    expect((await heard(clips[1]?.path ?? "")).samples[0]).toBe(sampleAt(4 * SAMPLE_RATE));
    const measured = await measureVoices(files, result({ cues: later, voiced, audio }));
    expect(measured["b"]?.seconds).toBeCloseTo(1.3, 6);
  });

  test("are cut once: a file that is there is taken as it is, and a cancelled cutting ends", async () => {
    const [first] = (await cut()) ?? [];
    await files.writeText(first?.path ?? "", "as it is");
    const told: unknown[] = [];
    const order = { result: result(), rate: RATE, pathOf: (name: string) => `${root}/${name}` };
    await cutNarrationClips(files, { ...order, onCutOff: (ids) => told.push(ids), onShared: (ids) => told.push(ids) });
    expect(await files.readText(first?.path ?? "")).toBe("as it is");
    // Nobody is told of nothing.
    expect(told).toEqual([]);
    const signal = AbortSignal.abort("stop");
    await expect(cutNarrationClips(files, { ...order, signal })).rejects.toBe("stop");
  });

  test("are the voices in files of their own where there is no other, each with its cue, and none of a held programme", async () => {
    const { audio: _, ...silent } = result();
    const pieces = {
      b: { path: `${root}/aside-b.wav`, start: 4, durationSeconds: 1.5 },
      gone: { path: `${root}/aside-gone.wav`, start: 7, durationSeconds: 1 },
    };
    const moved = CUES.map((cue) => (cue.id === "b" ? { ...cue, start: 6.41, end: 7 } : cue));
    const clips = (await cut({ ...silent, cues: moved, pieces })) ?? [];
    expect(clips).toEqual([
      {
        path: `${root}/aside-b.wav`,
        // By whole frames.
        place: { cueId: "b", name: "aside-b.wav", start: expect.closeTo(106.4, 9), durationSeconds: 1.5 },
      },
    ]);
    const { b: __, ...voiced } = silent.voiced;
    const unknown = (await cut({ ...silent, cues: moved, pieces, voiced })) ?? [];
    expect(unknown[0]?.place.start).toBeCloseTo(106.4, 9);
    expect(await cut({ ...silent, pieces: {} })).toBeNull();
    expect(await cut(result({ held: { holds: [], heard: {} } }))).toBeNull();
  });

  test("hold a line that is still said, elsewhere or in other words by now: only what nobody says any more is in the way", async () => {
    const { voiced } = result();
    const withLine = (line: { words: string; start: number }) =>
      result({ voicing: { track: "ad_only", lines: [{ seconds: 0.5, rate: 1, ...line }] } });
    const ids = async (of: ReturnType<typeof result>) => (await cut(of))?.map(({ place }) => place.cueId);
    const words = voiced["c"]?.words ?? "";
    expect(await ids(withLine({ words, start: 4.2 }))).toEqual(["a", "b", "c"]);
    expect(await ids(withLine({ words: "old", start: 4.04 }))).toEqual(["a", "b", "c"]);
    expect(await ids(withLine({ words: "old", start: 4.2 }))).toEqual(["a", "c"]);
    // Of a voice that is silenced, or has a file of its own, nothing is said in the one file.
    const muted = { ...withLine({ words, start: 4.2 }), mutedIds: ["c"] };
    expect(await ids(muted)).toEqual(["a"]);
  });

  test("measure no voice that is in a file of its own, nor one that was measured before", async () => {
    const pieces = { b: { path: `${root}/aside-b.wav`, start: 4, durationSeconds: 1.5 } };
    expect(await measureVoices(files, result({ pieces }))).toEqual(result().voiced);
    const { b, ...others } = result().voiced;
    if (b === undefined) throw new Error("it is there");
    const known = { ...others, b: { ...b, seconds: 1.1 } };
    expect((await measureVoices(files, result({ voiced: known })))["b"]?.seconds).toBeCloseTo(1.1, 9);
  });

  test("are none at all without a narration that can be cut", async () => {
    const { audio: _, ...silent } = result();
    expect(await cut(silent)).toBeNull();
    await files.writeText(`${root}/narration.wav`, "no sound");
    expect(await cut()).toBeNull();
  });
});
