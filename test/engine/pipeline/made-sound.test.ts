import { join } from "node:path";
import { expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/core/settings.ts";
import { makeSound, UNHELD } from "../../../src/engine/pipeline/make-sound.ts";
import { Narrator } from "../../../src/engine/voice/narrator.ts";
import type { VoiceRequest } from "../../../src/engine/voice/voice.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { readSoundFile } from "../mix/sound-files.ts";
import { peakDbfs, RATE, sine } from "../mix/tones.ts";

test("the sound of a job has every line at its place", async () => {
  const folder = await temporaryFolder();
  const voice = {
    ...{ id: "tone", name: "The tone", isCharged: false, check: () => {} },
    speak: async ({ rate }: VoiceRequest) => ({ samples: sine(1.2 / rate, -20), sampleRate: RATE }),
  };
  const path = join(folder, "audio.wav");
  const report = await makeSound(
    {
      ...{ kind: "audio", track: "ad_only", resolution: "Auto", mediaPath: "film.mp4", settings: DEFAULT_SETTINGS },
      ...{ workFolder: folder, mediaFolder: folder, narrationFolder: folder },
    },
    { signal: new AbortController().signal },
    {
      probe: { sound: null, picture: null, startTimecode: null } as never,
      analysis: { durationSeconds: 6, heard: { speech: [], music: [], silence: [] } } as never,
      narrator: new Narrator(voice, null, { language: "en-US", voice: "Achernar" }),
      map: UNHELD,
      lines: [0.5, 2.5, 4.5].map((start, index) => ({
        ...{ id: `cue-${index}`, text: "A dog runs.", start, rate: 1 + index / 10, runningSeconds: 1 },
      })),
    },
    { track: "ad_only", path, onProgress: () => {} },
  );
  expect(report.cues.map(({ cueId, start, seconds }) => [cueId, start, Number(seconds.toFixed(2))])).toEqual([
    ["cue-0", 0.5, 1.2],
    ["cue-1", 2.5, 1.09],
    ["cue-2", 4.5, 1],
  ]);
  const { planes, length } = await readSoundFile(path);
  expect(length).toBe(6 * RATE);
  const isHeard = (from: number, to: number) =>
    planes.map((plane) => peakDbfs(plane.subarray(from * RATE, to * RATE)) > -40);
  for (const start of [0.5, 2.5, 4.5]) expect(isHeard(start, start + 1)).toEqual([true, true]);
  for (const [from, to] of [[0, 0.45], [1.8, 2.4], [3.7, 4.4], [5.6, 6]] as const) expect(isHeard(from, to)).toEqual([false, false]); // biome-ignore format: four stretches
});
