import { expect, test } from "vitest";
import { decibelsFromGain } from "../../../../src/core/level.ts";
import {
  EVENER_LOOKAHEAD,
  EVENER_STEP,
  evenGain,
  GrowingFloats,
  stepLevel,
} from "../../../../src/engine/analyse/sound/gain-evener.ts";

/** Samples of a second. */
const RATE = 16_000;

/** A second of full scale at a time of a sound with these levels, as loud as it becomes, in dB. */
function gainsAt(seconds: number, levels: readonly number[]): number[] {
  const evened = evenGain(new Float32Array(RATE).fill(1), seconds * RATE, levels);
  return [0, evened.length >> 1, evened.length - 1].map((at) => Number(decibelsFromGain(evened[at] ?? 0).toFixed(2)));
}
/** So many seconds at one level, in steps of a tenth. */
const lasting = (seconds: number, level: number) => Array.from({ length: 10 * seconds }, () => level);

test("a scene is brought to one level, quiet ones by 36 dB at the most, loud ones by 6 dB", () => {
  for (const [level, gain] of [
    [-41, 21],
    [-20, 0],
    [-26.5, 6.5],
    [-60, 36],
    [-10, -6],
  ] as const) {
    expect(gainsAt(15, lasting(30, level))).toEqual([gain, gain, gain]);
  }
});

test("the loud moments count, not single bangs, of ten seconds to either side", () => {
  const bang = [...lasting(15, -40), ...lasting(1, 0).slice(0, 5), ...lasting(15, -40)];
  expect(gainsAt(15, bang)).toEqual([20, 20, 20]);
  // A twentieth of the time around it is no single bang any more.
  const often = [...lasting(15, -40), ...lasting(2, -30).slice(0, 12), ...lasting(15, -40)];
  expect(gainsAt(15, often)).toEqual([10, 10, 10]);
  const scenes = [...lasting(30, -40), ...lasting(30, -20)];
  expect(gainsAt(19, scenes)).toEqual([20, 20, 20]);
  expect(gainsAt(40, scenes)).toEqual([0, 0, 0]);
  // Of the 201 steps around a moment, eleven have to be loud.
  const at = (loud: number) => {
    const levels = [...lasting(20, -40), ...lasting(20, -40).fill(-20, 101 - loud)];
    return decibelsFromGain(evenGain(Float32Array.of(1), 200.5 * EVENER_STEP, levels)[0] ?? 0);
  };
  expect(at(10)).toBeCloseTo(20, 3);
  expect(at(11)).toBeCloseTo(0, 3);
});

test("between two gains it goes evenly, and a part is evened as the whole is", () => {
  const levels = Array.from({ length: 600 }, (_, step) => -20 - 0.05 * step);
  const sound = Float32Array.from({ length: 4 * RATE }, (_, at) => Math.sin(at / 7));
  const whole = evenGain(sound, 20 * RATE, levels);
  const from = 12_345;
  const part = evenGain(sound.subarray(from, from + 9_000), 20 * RATE + from, levels);
  for (const at of [0, 1, 4_500, 8_999]) expect(part[at]).toBeCloseTo(whole[from + at] ?? 0, 5);
});

test("nothing beyond the lookahead changes a gain", () => {
  const levels = lasting(40, -30);
  const samples = new Float32Array(EVENER_STEP).fill(1);
  const later = levels.map((level, step) => ((step + 0.5) * EVENER_STEP >= EVENER_STEP + EVENER_LOOKAHEAD ? 0 : level));
  expect(evenGain(samples, 0, later)).toEqual(evenGain(samples, 0, levels));
});

test("the level of a step is that of all its samples", () => {
  expect(stepLevel(new Float32Array(EVENER_STEP).fill(0.1))).toBeCloseTo(-20, 4);
  expect(stepLevel(Float32Array.from([0, 0, 0, 0.2]))).toBeCloseTo(-20, 4);
  expect(stepLevel(new Float32Array(EVENER_STEP))).toBeCloseTo(-120, 4);
});

test("a list that grows keeps every number in its place", () => {
  const list = new GrowingFloats();
  expect(list.toArray()).toHaveLength(0);
  for (let number = 0; number < 9_000; number++) list.add(number);
  expect(list.length).toBe(9_000);
  expect(list.toArray()).toEqual(Float32Array.from({ length: 9_000 }, (_, number) => number));
});
