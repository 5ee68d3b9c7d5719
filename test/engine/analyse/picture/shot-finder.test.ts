import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { structureChange } from "../../../../src/engine/analyse/picture/picture-blocks.ts";
import { type ShotBoundary, ShotFinder } from "../../../../src/engine/analyse/picture/shot-finder.ts";
import { frame, HEIGHT, type Scene, WIDTH, waves } from "./drawn-frames.ts";

/** The boundaries in frames of some scenes, each of so many frames, 25 a second. */
function boundariesIn(scenes: readonly (readonly [Scene, number])[]): readonly ShotBoundary[] {
  const finder = new ShotFinder();
  let at = 0;
  const found = scenes.flatMap(([scene, count]) =>
    Array.from({ length: count }, () => finder.add(frame(at++ / 25, scene))).flat(),
  );
  return [...found, ...finder.finish()];
}

/** The frames on which shots begin. */
const cutsIn = (scenes: readonly (readonly [Scene, number])[]) =>
  boundariesIn(scenes).map((boundary) => Math.round(boundary.at * 25));

/** How shots begin, and on which frames. */
const openingsIn = (...scenes: readonly (readonly [Scene, number])[]) =>
  boundariesIn(scenes).map(({ at, opening }) => [opening, Math.round(at * 25)]);

/** So many frames on the way from one scene to another. */
const mixed = (from: Scene, to: Scene, frames: number) =>
  Array.from({ length: frames }, (_, index): readonly [Scene, number] => {
    const share = (index + 1) / (frames + 1);
    return [(x, y) => (1 - share) * from(x, y) + share * to(x, y), 1];
  });

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

describe("a cut", () => {
  const still = waves(2);
  const bold: Scene = (x) => (x < 20 ? 10 : 240);

  test("is found up to the end of the picture, every one of the last", () => {
    expect(
      cutsIn([
        [still, 12],
        [bold, 3],
      ]),
    ).toEqual([12]);
    expect(
      cutsIn([
        [still, 12],
        [bold, 1],
      ]),
    ).toEqual([12]);
  });

  test("between two dark pictures that hardly differ is found where nothing else moves, and not among as large steps", () => {
    const dark =
      (corner: number): Scene =>
      (x, y) =>
        x < WIDTH / 4 ? corner : 20 + y;
    expect(
      cutsIn([
        [dark(40), 12],
        [dark(60), 12],
      ]),
    ).toEqual([12]);
    const restless = Array.from({ length: 24 }, (_, index) => [dark(index % 2 === 0 ? 40 : 60), 1] as const);
    expect(cutsIn(restless)).toEqual([]);
  });
});

describe("a flash of a few frames", () => {
  const [one, other] = [waves(2), waves(5, 1)];
  const flash: Scene = (x) => (x < 20 ? 10 : 240);
  const flashed = (before: Scene, frames: number, after: Scene) =>
    cutsIn([
      [before, 20],
      [flash, frames],
      [after, 20],
    ]);

  test.each([1, 2, 3])("does not hide the cut behind it: %i", (frames) => {
    expect(flashed(one, frames, other)).toEqual([20 + frames]);
    expect(flashed(other, frames, one)).toEqual([20 + frames]);
  });

  test("is no cut where the same picture follows, brighter too, or moved on", () => {
    for (const frames of [1, 2, 3]) {
      expect(flashed(one, frames, one)).toEqual([]);
      expect(flashed(one, frames, (x, y) => 1.2 * one(x, y))).toEqual([]);
      expect(flashed(one, frames, waves(2, 0.3))).toEqual([]);
    }
    const pan = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => [waves(3, (from + index) / 6), 1] as const);
    expect(cutsIn([...pan(0, 20), [flash, 2], ...pan(22, 20)])).toEqual([]);
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

describe("a slow change", () => {
  const [one, other] = [waves(2), waves(5, 1)];
  const black: Scene = () => 0;

  test.each([15, 20, 24])(
    "of %i mixed frames is a dissolve, which ends where the new picture stands alone",
    (frames) => {
      const [found, ...more] = boundariesIn([[one, 50], ...mixed(one, other, frames), [other, 75]]);
      expect([found?.opening, more]).toEqual(["dissolve", []]);
      expect(Math.abs((found?.at ?? 0) * 25 - (50 + frames))).toBeLessThanOrEqual(5);
      expect(Math.abs((found?.since ?? 0) * 25 - 50)).toBeLessThanOrEqual(5);
    },
  );

  test("of one and a half seconds and more is found while it goes on", () => {
    for (const frames of [39, 50]) {
      const found = boundariesIn([[one, 50], ...mixed(one, other, frames), [other, 75]]);
      expect(found.length).toBeGreaterThan(0);
      for (const { at, opening, since = 0 } of found) {
        expect(opening).toBe("dissolve");
        expect(since).toBeGreaterThanOrEqual(1.6);
        expect(at).toBeLessThanOrEqual((50 + frames) / 25 + 0.2);
      }
    }
  });

  test("is none where the picture only becomes brighter, pans, or comes back", () => {
    const bright: Scene = (x, y) => 1.3 * one(x, y);
    expect(openingsIn([one, 50], ...mixed(one, bright, 24), [bright, 75])).toEqual([]);
    expect(openingsIn([one, 50], ...mixed(one, other, 12), ...mixed(other, one, 12), [one, 75])).toEqual([]);
  });

  test("to nothing and from it is a fade, and what is empty for long is a shot of its own", () => {
    expect(
      openingsIn([one, 50], ...mixed(one, black, 24), [black, 20], ...mixed(black, other, 24), [other, 50]).map(
        ([opening]) => opening,
      ),
    ).toEqual(["fade", "fade"]);
    // At once, it is a cut.
    expect(openingsIn([one, 50], [black, 20], [other, 50])).toEqual([
      ["cut", 50],
      ["cut", 70],
    ]);
  });

  test("is none where a picture is blotted out for less than half a second, and one begins where another follows", () => {
    const bold: Scene = (x) => (x < 20 ? 10 : 240);
    for (const blank of [black, () => 255]) {
      for (const frames of [1, 3, 5, 12]) {
        expect(openingsIn([one, 50], [blank, frames], [one, 50])).toEqual([]);
        expect(openingsIn([one, 50], [blank, frames], [bold, 50])).toEqual([["cut", 50 + frames]]);
      }
      expect(openingsIn([one, 50], [blank, 14], [one, 50])).toEqual([
        ["cut", 50],
        ["cut", 64],
      ]);
    }
  });
});
