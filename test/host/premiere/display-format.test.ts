import { expect, test } from "vitest";
import { labelCounting } from "../../../src/host/premiere/read-snapshot.ts";

const [FILM, PAL] = [
  { numerator: 30_000, denominator: 1001 },
  { numerator: 25, denominator: 1 },
];
/** A host whose own constants are none of ExtendScript's codes. */
const CONSTANTS = {
  VideoDisplayFormatType: { FPS_23_976: 1, FPS_25: 2, FRAMES: 3, FPS_29_97_NON_DROP: 4, FPS_29_97: 5 },
} as unknown as Parameters<typeof labelCounting>[2];

test("the running host's own constants are known, each as what it is", () => {
  const counted = [1, 2, 3, 4, 5].map((type) => labelCounting(type, FILM, CONSTANTS));
  expect(counted).toEqual([false, false, false, false, true].map((isDropFrame) => ({ isDropFrame, isKnown: true })));
});

test("ExtendScript's codes are known where the host has no constant for them", () => {
  for (let code = 100; code <= 113; code++) {
    const isDropFrame = code === 102 || code === 106;
    expect(labelCounting(code, FILM, CONSTANTS)).toEqual({ isDropFrame, isKnown: true });
  }
  for (const code of [0, 99, 114])
    expect(labelCounting(code, FILM, CONSTANTS)).toEqual({ isDropFrame: false, isKnown: false });
});

test("a rate without drop-frame labels drops none, whatever is displayed", () => {
  for (const type of [5, 102, 999])
    expect(labelCounting(type, PAL, CONSTANTS)).toEqual({ isDropFrame: false, isKnown: true });
});
