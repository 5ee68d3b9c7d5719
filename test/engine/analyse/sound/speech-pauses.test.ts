import { expect, test } from "vitest";
import { analyseSound } from "../../../../src/engine/analyse/sound/analyse-sound.ts";
import { dipsIn } from "../../../../src/engine/analyse/sound/speech-edges.ts";
import { sharedMedia } from "../../../shared-media.ts";

/** Twenty seconds of a voice, fainter by so many dB in some ranges. */
function levels(ranges: readonly (readonly [number, number])[], by = 30): Float32Array {
  return Float32Array.from({ length: 2000 }, (_, step) =>
    ranges.some(([start, end]) => step >= 100 * start && step < 100 * end) ? -20 - by : -20,
  );
}

const LONG = [{ start: 0, end: 20 }];

test("finds the middle of each dip in long speech, and none that is short, shallow or at its end", () => {
  const dips = [[4, 4.2], [9, 9.1], [15, 15.4], [19.7, 20]] as const; // biome-ignore format: one line
  expect(dipsIn(LONG, levels(dips)).map((at) => Number(at.toFixed(2)))).toEqual([4.1, 15.2]);
  expect(dipsIn(LONG, levels(dips, 12))).toEqual([]);
  expect(dipsIn([{ start: 2, end: 7 }], levels(dips))).toEqual([]);
});

test("finds where a speaker draws breath who goes on for a quarter of a minute", async () => {
  const { speech, dips = [] } = await analyseSound(sharedMedia("audio/speech-clean/moon-speech.mp3"), {
    durationSeconds: 27,
  });
  const [, long] = speech;
  expect((long?.end ?? 0) - (long?.start ?? 0)).toBeGreaterThan(12);
  expect(dips.filter((dip) => dip > (long?.start ?? 0) && dip < (long?.end ?? 0)).length).toBeGreaterThanOrEqual(3);
}, 60_000);
