import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Client } from "../../../src/client/client.ts";
import { frameRate } from "../../../src/core/frame-rate.ts";
import { readWaveHeader } from "../../../src/formats/wave/read-wave.ts";
import { samplesFromWave } from "../../../src/formats/wave/wave-format.ts";
import { nodeFiles } from "../../../src/host/headless/files.ts";
import type { Result } from "../../../src/result/result.ts";
import { soundStanding, staleIn, voicedCues } from "../../../src/result/stale.ts";
import { SYSTEM_CLOCK } from "../../../src/service/system-clock.ts";
import { cutNarrationClips } from "../../../src/workflow/place/narration-clips.ts";
import { resultWithLine, type VoicedCueLine, voiceLine } from "../../../src/workflow/revoice/voice-line.ts";
import { clientOf } from "../../end-to-end/service-client.ts";
import { HostedServer } from "../../fakes/hosted-server.ts";
import { placedResult } from "../../fakes/placed-result.ts";
import { silentWav } from "../../fakes/wav.ts";
import { startServiceHere } from "../../service/real-service.ts";
import type { TestService } from "../../service/service-fixture.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const RATE = frameRate(25);
const CUES = [
  { id: "a", start: 1.013, end: 2.5, text: "A dog barks." },
  { id: "b", start: 4, end: 5, text: "A cat." },
];
const SETTINGS = { language: "en-US", voice: "Kore" };

let service: TestService;
beforeAll(async () => {
  service = await startServiceHere();
});
afterAll(() => service.close());

let folder: string;
let result: Result;
beforeEach(async () => {
  folder = await temporaryFolder();
  const path = join(folder, "narration.wav");
  await writeFile(path, silentWav(10));
  const { placed: _, ...plain } = placedResult(CUES, {
    settings: { ...placedResult([]).settings, ...SETTINGS },
    sequence: { name: "Cut", rate: RATE, isDropFrame: false, startFrame: 0 },
    offsetSeconds: 10.04,
    voiced: voicedCues(CUES, SETTINGS),
    voicing: { track: "ad_only", narrationGainDb: 0, trackGainDb: 0, lines: [] },
    audio: { path, durationSeconds: 10 },
  });
  result = plain;
});

const edited = (text: string, of = result): Result => ({
  ...of,
  cues: of.cues.map((cue) => (cue.id === "a" ? { ...cue, text } : cue)),
});

const ask = (of: Result, client = clientOf(service.app, service.key)) =>
  voiceLine({ client, files: nodeFiles }, { result: of, cueId: "a", pathOf: (name) => join(folder, name) });

async function voiced(of: Result): Promise<VoicedCueLine> {
  const outcome = await ask(of);
  if (outcome.kind !== "voiced") throw new Error(outcome.kind);
  return outcome.line;
}

test("a sound that could not be written whole is not taken for the sound: the next try writes it", async () => {
  const full = Object.assign(new Error("no room"), { code: "ENOSPC" });
  const files: typeof nodeFiles = {
    ...nodeFiles,
    async openWriter(path) {
      const { write, close } = await nodeFiles.openWriter(path);
      const half = async (position: number, bytes: ArrayBuffer) => {
        // As long as the whole, as a file is that was made long before it was filled.
        await write(position, new ArrayBuffer(bytes.byteLength));
        await write(position, bytes.slice(0, bytes.byteLength >> 1));
        throw full;
      };
      return { write: half, close };
    },
  };
  const client = clientOf(service.app, service.key);
  const of = edited("A dog barks at noon.");
  const order = { result: of, cueId: "a", pathOf: (name: string) => join(folder, name) };
  await expect(voiceLine({ client, files }, order)).rejects.toBe(full);
  const sounds = async () => (await readdir(folder)).filter((name) => name.endsWith(".wav"));
  expect(await sounds()).toEqual(["narration.wav"]);
  const { piece } = await voiced(of);
  expect(await sounds()).toHaveLength(2);
  const again = await readFile(piece.path);
  expect(again.subarray(again.length >> 1).some((byte) => byte !== 0)).toBe(true);
});

test("half a sound under the name of the whole is not taken for it", async () => {
  const of = edited("A dog barks at midnight.");
  const { piece } = await voiced(of);
  const whole = await readFile(piece.path);
  await writeFile(piece.path, whole.subarray(0, whole.length >> 1));
  expect((await voiced(of)).piece.path).toBe(piece.path);
  expect((await readFile(piece.path)).equals(whole)).toBe(true);
});

async function samplesOf(path: string): Promise<{ samples: Float32Array; sampleRate: number }> {
  const bytes = await readFile(path);
  const reading = readWaveHeader(bytes);
  if (!reading.ok) throw new Error(reading.code);
  const { format, dataOffset } = reading.layout;
  return {
    samples: samplesFromWave(bytes.subarray(dataOffset), format)[0] as Float32Array,
    sampleRate: format.sampleRate,
  };
}

describe("a cue that is voiced by itself", () => {
  test("is out of date no more, and sounds in its clip from its start to its end, on frames", async () => {
    const changed = edited("A dog chases a ball.");
    expect(soundStanding(changed).untrue).toEqual(new Set(["a"]));
    const line = await voiced(changed);
    const after = resultWithLine(changed, line);
    expect(staleIn(after).size).toBe(0);
    expect(soundStanding(after)).toEqual({ untrue: new Set(), silenced: new Set(), isWhole: false });
    const clips = await cutNarrationClips(nodeFiles, {
      result: after,
      rate: RATE,
      pathOf: (name) => join(folder, name),
    });
    expect(clips?.map(({ place }) => place.cueId).sort()).toEqual(["a", "b"]);
    const clip = clips?.find(({ place }) => place.cueId === "a");
    expect(clip?.path).toBe(line.piece.path);
    const { start, durationSeconds } = clip?.place ?? { start: 0, durationSeconds: 0 };
    for (const at of [start, start + durationSeconds]) expect((at * 25) % 1).toBeCloseTo(0, 6);
    const { samples, sampleRate } = await samplesOf(line.piece.path);
    const heardAt = samples.findIndex((sample) => sample !== 0) / sampleRate;
    expect(start + heardAt).toBeCloseTo(11.053, 2);
    const heardTo = samples.findLastIndex((sample) => sample !== 0) / sampleRate;
    expect(heardTo - heardAt).toBeCloseTo(line.seconds, 1);
    expect(durationSeconds - heardTo).toBeLessThan(1 / 25 + 0.02);
  });

  test("keeps its words and its start, and is never shorter than what is said", async () => {
    for (const text of [
      "A dog.",
      "A dog chases a ball across the whole wide beach, and then it swims far out to sea.",
    ]) {
      const changed = edited(text);
      const line = await voiced(changed);
      const [cue, other] = resultWithLine(changed, line).cues;
      expect(cue).toEqual({ id: "a", start: 1.013, end: Math.max(2.5, 1.013 + line.seconds), text });
      expect(other).toBe(changed.cues[1]);
    }
  });

  test("is out of date again where it was edited meanwhile, and nothing comes back where it was deleted", async () => {
    const line = await voiced(edited("A dog chases a ball."));
    const later = edited("A dog sleeps.");
    expect(resultWithLine(later, line).cues).toEqual(later.cues);
    expect(soundStanding(resultWithLine(later, line)).untrue).toEqual(new Set(["a"]));
    const without = { ...result, cues: result.cues.slice(1) };
    expect(resultWithLine(without, line)).toBe(without);
  });

  test("has one file for one sound, and another one for another", async () => {
    const changed = edited("A dog chases a ball.");
    const [first, again] = [await voiced(changed), await voiced(changed)];
    expect(again.piece).toEqual(first.piece);
    const quiet = { ...changed, voicing: { track: "ad_only", narrationGainDb: -9, lines: [] } } as const;
    const other = await voiced(quiet);
    expect(other.piece.path).not.toBe(first.piece.path);
    const loudest = async ({ piece }: VoicedCueLine) => {
      const { samples } = await samplesOf(piece.path);
      return samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    };
    expect(20 * Math.log10((await loudest(first)) / (await loudest(other)))).toBeCloseTo(9, 1);
  });

  test("leaves a mix as it is, in which the old voice stays", async () => {
    const mix: Result = { ...edited("A dog chases a ball."), track: "mixed" };
    expect(resultWithLine(mix, await voiced(mix))).toBe(mix);
  });

  test("is the one that sounds of a text without narration; what was never voiced lacks nothing", async () => {
    const { audio: _, voicing: __, ...rest } = result;
    const text: Result = { ...rest, track: "none", voiced: {} };
    const after = resultWithLine(text, await voiced(text));
    expect(staleIn(after).size).toBe(0);
    const pathOf = (name: string) => join(folder, name);
    const clips = await cutNarrationClips(nodeFiles, { result: after, rate: RATE, pathOf });
    expect(clips?.map(({ place }) => place.cueId)).toEqual(["a"]);
    expect(soundStanding(edited("Nothing of it.", after)).untrue).toEqual(new Set(["a"]));
  });
});

test("a line that nobody can voice is refused with the reason", async () => {
  expect(await ask(edited("word ".repeat(300)))).toMatchObject({ kind: "refused", reason: "line_too_long" });
  expect(await ask(edited("…"))).toMatchObject({ kind: "refused", reason: "nothing_to_say" });
  const japanese = { ...result, settings: { ...result.settings, language: "ja-JP" } };
  expect(await ask(japanese)).toMatchObject({
    kind: "refused",
    reason: "voice_unavailable",
    message: expect.any(String),
  });
  await expect(
    voiceLine(
      { client: clientOf(service.app, service.key), files: nodeFiles },
      { result, cueId: "z", pathOf: (name) => name },
    ),
  ).rejects.toThrow(RangeError);
});

test("a service that voices no single lines is sent none", async () => {
  const server = new HostedServer();
  const { address, close } = await server.listen();
  try {
    const client = new Client({ baseUrl: address, apiKey: server.key, fetch, clock: SYSTEM_CLOCK });
    expect(await ask(result, client)).toEqual({ kind: "not-offered" });
    expect(server.seen.map(({ method }) => method)).toEqual(["GET"]);
  } finally {
    await close();
  }
});
