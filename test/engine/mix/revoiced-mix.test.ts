import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { VoiceSettings } from "../../../src/core/settings.ts";
import { STEREO } from "../../../src/engine/loudness/channel-layout.ts";
import { mixNarration } from "../../../src/engine/mix/mix-narration.ts";
import type { NarrationLine } from "../../../src/engine/mix/narration-track.ts";
import { EspeakVoice } from "../../../src/engine/voice/espeak.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { readSoundFile } from "./sound-files.ts";
import { noise, RATE } from "./tones.ts";

const SECONDS = 30;
const voice = new EspeakVoice();

/** Two of the lines follow each other so closely that the programme stays down between them. */
const STARTS = [1, 5, 9, 13, 16, 21, 25];
const TEXTS = STARTS.map((_, index) => `Line ${index}: she looks up from the table.`);

/** Louder changes than any other line, and a line that is gone. */
const CHANGED = new Map([
  [2, "Line two in other words: he shouts! Stop!"],
  [4, "Other."],
]);
const DELETED = 5;

const lineOf = (text: string, index: number): NarrationLine => ({
  cueId: `cue-${index}`,
  start: STARTS[index] ?? 0,
  text,
  load: () => voice.speak({ text, language: "en-US", voice: "Achernar", rate: 1 }),
});

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});

/** Stretches in which two tracks differ, joined where less than a tenth of a second lies between, in seconds. */
function differences(a: readonly Float32Array[], b: readonly Float32Array[]): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (let i = 0; i < (a[0]?.length ?? 0); i++) {
    if (a.every((plane, channel) => plane[i] === b[channel]?.[i])) continue;
    const last = found.at(-1);
    if (last !== undefined && i / RATE - last.end < 0.1) last.end = i / RATE;
    else found.push({ start: i / RATE, end: i / RATE });
  }
  return found;
}

describe.each([
  { track: "ad_only", volume: undefined, before: 0, after: 0 },
  { track: "ad_only", volume: { option: "auto" }, before: 0, after: 0 },
  // The programme glides down before a line and up after it, from line to line where they are near; the limiter recovers.
  { track: "mixed", volume: undefined, before: 0.85, after: 1.5 },
  { track: "mixed", volume: { option: "max", levelDbfs: -1 }, before: 0.85, after: 1.5 },
] as const)("$track with volume $volume", ({ track, volume, before, after }) => {
  test("lines that did not change keep every sample", async () => {
    // Peaks far above the limit, so that the limiter works now and then all the while.
    const loud = noise(SECONDS, -12).map((sample, i) => (i % 30_011 < 40 ? Math.sign(sample) * 0.99 : sample));
    const programme = {
      layout: STEREO,
      *read() {
        for (let at = 0; at < loud.length; at += RATE) yield [loud.slice(at, at + RATE), loud.slice(at, at + RATE)];
      },
    };
    const order = {
      track,
      programme,
      sampleCount: SECONDS * RATE,
      music: [{ start: 12, end: 20 }],
      ...(volume === undefined ? {} : { volume: volume satisfies VoiceSettings["volume"] }),
    };
    const lines = TEXTS.map(lineOf);
    const first = await mixNarration({ ...order, lines, path: join(folder, "a.wav") });
    const later = lines.flatMap((line, index) => {
      if (index === DELETED) return [];
      const text = CHANGED.get(index);
      if (text !== undefined) return [lineOf(text, index)];
      const programmeLufs = first.programmeLufs?.[index];
      return [programmeLufs === undefined ? line : { ...line, programmeLufs }];
    });
    const kept = { narrationGainDb: first.narrationGainDb, trackGainDb: first.volumeGainDb };
    const second = await mixNarration({ ...order, lines: later, path: join(folder, "b.wav"), kept });

    const seconds = (index: number) =>
      Math.max(
        first.cues.find(({ cueId }) => cueId === `cue-${index}`)?.seconds ?? 0,
        second.cues.find(({ cueId }) => cueId === `cue-${index}`)?.seconds ?? 0,
      );
    const [a, b] = [await readSoundFile(join(folder, "a.wav")), await readSoundFile(join(folder, "b.wav"))];
    const changed = differences(a.planes, b.planes);
    expect(changed.length).toBeGreaterThanOrEqual(3);
    for (const { start, end } of changed) {
      const index = [...CHANGED.keys(), DELETED].find(
        (one) => start >= (STARTS[one] ?? 0) - before && end <= (STARTS[one] ?? 0) + seconds(one) + after,
      );
      expect(index, `${start.toFixed(3)} to ${end.toFixed(3)} s differ`).toBeDefined();
    }
    // Without what is kept, the gain of all lines goes by all of them, and everything differs.
    await mixNarration({ ...order, lines: later, path: join(folder, "c.wav") });
    const c = await readSoundFile(join(folder, "c.wav"));
    expect(differences(a.planes, c.planes).length).toBeGreaterThan(changed.length);
  });
});
