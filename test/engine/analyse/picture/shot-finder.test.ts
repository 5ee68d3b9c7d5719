import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { measureFrame } from "../../../../src/engine/analyse/picture/frame-measures.ts";
import { pictureBlocks, structureChange } from "../../../../src/engine/analyse/picture/picture-blocks.ts";
import { ShotFinder } from "../../../../src/engine/analyse/picture/shot-finder.ts";

const [WIDTH, HEIGHT] = [64, 36];

/** Brightness at a place, 0 to 255. */
type Scene = (x: number, y: number) => number;

/** A frame of a scene in black and white. */
function frame(at: number, scene: Scene) {
  const luma = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, index) =>
    Math.max(0, Math.min(255, Math.round(scene(index % WIDTH, Math.floor(index / WIDTH))))),
  );
  const grey = new Uint8Array(luma.length).fill(128);
  const measures = measureFrame(at, { width: WIDTH, height: HEIGHT, luma, blue: grey, red: grey, isFullRange: true });
  return { ...measures, blocks: pictureBlocks(measures) };
}

/** Soft light and dark, `waves` of them across the picture. */
const waves =
  (count: number, phase = 0): Scene =>
  (x, y) =>
    120 + 60 * Math.sin((count * x * Math.PI) / WIDTH + phase) * Math.cos((2 * y) / HEIGHT);

/** Where shots begin in frames of some scenes, each of so many frames. */
function cutsIn(scenes: readonly (readonly [Scene, number])[]): readonly number[] {
  const finder = new ShotFinder();
  let at = 0;
  const found = scenes.flatMap(([scene, count]) =>
    Array.from({ length: count }, () => finder.add(frame(at++ / 25, scene))).flat(),
  );
  return [...found, ...finder.finish()].map((boundary) => Math.round(boundary.at * 25));
}

describe("a cut between shots that are made up alike", () => {
  const scene = waves(3);
  const mirrored: Scene = (x, y) => scene(WIDTH - 1 - x, HEIGHT - 1 - y);

  test("is found on its frame: every grey is there as often as before, elsewhere", () => {
    expect(
      cutsIn([
        [scene, 12],
        [mirrored, 12],
      ]),
    ).toEqual([12]);
  });

  test("is found however flat both are, and however dark", () => {
    for (const [contrast, brightness] of [
      [0.4, 60],
      [0.4, 190],
      [0.5, 40],
    ] as const) {
      const dim =
        (one: Scene): Scene =>
        (x, y) =>
          brightness + contrast * (one(x, y) - 120);
      expect(
        cutsIn([
          [dim(waves(2)), 12],
          [dim(waves(5, 1)), 12],
        ]),
      ).toEqual([12]);
    }
  });

  test("is none where the picture is the old one again after a frame, or moves on", () => {
    expect(
      cutsIn([
        [scene, 12],
        [mirrored, 1],
        [scene, 12],
      ]),
    ).toEqual([]);
    const pan = Array.from({ length: 24 }, (_, index) => [waves(3, index / 6), 1] as const);
    expect(cutsIn(pan)).toEqual([]);
  });
});

describe("how much of a picture's structure is lost", () => {
  test("is nothing where it is only brighter or has more contrast, and does not say which picture came first", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.4, max: 1.2, noNaN: true }),
        fc.double({ min: -40, max: 40, noNaN: true }),
        fc.integer({ min: 1, max: 6 }),
        (factor, more, count) => {
          const other: Scene = (x, y) => 120 + factor * (waves(count)(x, y) - 120) + more;
          const [a, b, c] = [frame(0, waves(count)), frame(1, other), frame(2, waves(count + 2, 1))];
          expect(structureChange(a, b)).toBeLessThan(0.02);
          expect(structureChange(a, c)).toBeCloseTo(structureChange(c, a), 9);
          expect(structureChange(a, c)).toBeGreaterThan(0.15);
        },
      ),
    );
  });

  test("is told between the black bars of both, which are alike in all pictures", () => {
    const barred =
      (one: Scene): Scene =>
      (x, y) =>
        x < 12 || x >= WIDTH - 12 ? 0 : one(x, y);
    const bare = structureChange(frame(0, waves(2)), frame(1, waves(5, 1)));
    const between = structureChange(frame(0, barred(waves(2))), frame(1, barred(waves(5, 1))));
    expect(between).toBeGreaterThan(0.5 * bare);
  });

  test("tells nothing of a picture that shows nothing", () => {
    const blank = frame(0, () => 90);
    expect(structureChange(blank, frame(1, waves(3)))).toBe(0);
    expect(structureChange(frame(1, waves(3)), blank)).toBe(0);
  });
});
