import { describe, expect, test } from "vitest";
import { isAsLoudAsVoice, isMurmured, refineEdges } from "../../../../src/engine/analyse/sound/speech-edges.ts";

/** Levels every 10 ms of so many seconds: one throughout, and others in some ranges. */
function levels(
  seconds: number,
  quiet: number,
  ...parts: readonly (readonly [start: number, end: number, level: number])[]
) {
  return Float32Array.from({ length: Math.round(100 * seconds) }, (_, step) => {
    const at = (step + 0.5) / 100;
    return parts.findLast(([start, end]) => at >= start && at < end)?.[2] ?? quiet;
  });
}

/** Where the edges of ranges come to, to a hundredth. */
const refined = (ranges: readonly (readonly [number, number])[], measured: Float32Array) =>
  refineEdges(
    ranges.map(([start, end]) => ({ start, end })),
    measured,
  ).map(({ start, end }) => [Number(start.toFixed(2)), Number(end.toFixed(2))]);

describe("the edges of speech", () => {
  const spoken = (start: number, end: number, quiet = -70) => levels(12, quiet, [start, end, -25]);

  test("move to where the voice begins and ends, outwards and inwards, with a small margin", () => {
    expect(refined([[3.2, 5.8]], spoken(3, 6))).toEqual([[2.96, 6.06]]);
    expect(refined([[2.8, 6.2]], spoken(3, 6))).toEqual([[2.96, 6.06]]);
    // Each of several is moved by itself.
    const two = levels(20, -70, [3, 6, -25], [12, 15, -25]);
    expect(refined([[3.2, 5.8], [12.2, 14.8]], two)).toEqual([[2.96, 6.06], [11.96, 15.06]]); // biome-ignore format: one line
  });

  test("move no farther than a soft consonant or a falling voice takes", () => {
    expect(refined([[3.34, 5.56]], spoken(3, 6))).toEqual([[2.96, 6.06]]);
    expect(refined([[3.5, 5.4]], spoken(3, 6))).toEqual([[3.11, 5.91]]);
    expect(refined([[2.5, 6.5]], spoken(3, 6))).toEqual([[2.71, 6.26]]);
  });

  test("go over the closure of a consonant, and not over a longer silence", () => {
    const closed = (end: number) => levels(12, -70, [3, 6, -25], [5.7, end, -70]);
    expect(refined([[3, 5.7]], closed(5.78))).toEqual([[2.96, 6.06]]);
    expect(refined([[3, 5.7]], closed(5.8))).toEqual([[2.96, 5.76]]);
  });

  test("only get a margin where voice and surroundings are about as loud, or nothing is around", () => {
    expect(refined([[3.2, 5.8]], spoken(3, 6, -38))).toEqual([[3.04, 5.92]]);
    expect(refined([[0, 12]], levels(12, -25))).toEqual([[-0.16, 12.12]]);
    // Where it stands out a little, an edge moves outwards alone.
    expect(refined([[3.2, 5.8]], spoken(3, 6, -50))).toEqual([[2.96, 6.06]]);
    expect(refined([[2.9, 6.1]], spoken(3, 6, -50))).toEqual([[2.74, 6.22]]);
  });

  test("never enter the speech beside them", () => {
    const both = levels(12, -70, [3, 6, -25]);
    const [[, end = 0] = [], [start = 0] = []] = refined([[3, 4.2], [4.4, 6]], both); // biome-ignore format: one line
    expect(end).toBeLessThanOrEqual(4.4 + 0.12);
    expect(start).toBeGreaterThanOrEqual(4.2 - 0.16);
  });
});

describe("a pause between two voices", () => {
  const PAUSE = { start: 3, end: 4 };
  const between = (...parts: readonly (readonly [number, number, number])[]) =>
    levels(8, -70, [1, 3, -25], [4, 6, -30], ...parts);

  test("holds a murmur, where something in it is not far below the softer voice and above its own quiet", () => {
    expect(isMurmured(PAUSE, between())).toBe(false);
    expect(isMurmured(PAUSE, between([3.4, 3.5, -48]))).toBe(true);
    expect(isMurmured(PAUSE, between([3.4, 3.5, -48.1]))).toBe(false);
    // Three hundredths are some, two are none.
    expect(isMurmured(PAUSE, between([3.4, 3.43, -40]))).toBe(true);
    expect(isMurmured(PAUSE, between([3.4, 3.42, -40]))).toBe(false);
    // The first and last tenth belong to the voices.
    expect(isMurmured(PAUSE, between([3, 3.1, -40], [3.9, 4, -40]))).toBe(false);
    // Music has no quiet of its own.
    expect(isMurmured(PAUSE, between([3, 4, -47], [3.4, 3.5, -40]))).toBe(false);
    expect(isMurmured(PAUSE, between([3, 4, -48], [3.4, 3.5, -40]))).toBe(true);
    expect(isMurmured({ start: 3, end: 3.2 }, between())).toBe(false);
  });

  test("drowns its voices, where it is nearly as loud as the softer one throughout", () => {
    expect(isAsLoudAsVoice(PAUSE, between([3, 4, -36]))).toBe(true);
    expect(isAsLoudAsVoice(PAUSE, between([3, 4, -36.1]))).toBe(false);
    expect(isAsLoudAsVoice(PAUSE, between([3, 4, -36], [3.4, 3.6, -60]))).toBe(true);
    expect(isAsLoudAsVoice(PAUSE, between([3, 4, -36], [3.4, 3.7, -60]))).toBe(false);
    expect(isAsLoudAsVoice({ start: 3, end: 3.2 }, between())).toBe(false);
  });
});
