import { describe, expect, test } from "vitest";
import { COLOUR_NAMES } from "../../../../src/engine/analyse/picture/colour-names.ts";
import { ShotMeasures } from "../../../../src/engine/analyse/picture/shot-measures.ts";
import { frame, HEIGHT, type Scene, WIDTH, waves } from "./drawn-frames.ts";

/** A shot of these scenes, each of so many frames, 25 a second, from the tenth second on. */
function shotOf(...scenes: readonly (readonly [Scene, number])[]) {
  const shot = new ShotMeasures(10, "fade");
  let at = 0;
  for (const [scene, count] of scenes)
    for (let index = 0; index < count; index++) shot.add(frame(10 + at++ / 25, scene));
  return shot;
}
const finished = (...scenes: readonly (readonly [Scene, number])[]) => {
  const frames = scenes.reduce((sum, [, count]) => sum + count, 0);
  return shotOf(...scenes).finish(10 + frames / 25, 10.5);
};
/** Frames on which everything moves on, so far each. */
const moving = (frames: number, step: number) =>
  Array.from({ length: frames }, (_, index): readonly [Scene, number] => [waves(4, step * index), 1]);

describe("a shot", () => {
  test("says where it lies, how it opens, and how bright and rich in contrast it is", () => {
    const half: Scene = (x) => (x < WIDTH / 2 ? 51 : 153);
    expect(finished([half, 25])).toMatchObject({
      start: 10,
      end: 11,
      opening: "fade",
      keyFrameAt: 10.5,
      saturation: 0,
    });
    expect(finished([half, 25]).brightness).toBeCloseTo(0.4, 5);
    expect(finished([half, 25]).contrast).toBeCloseTo(0.2, 5);
    const rising = finished([() => 51, 10], [() => 153, 10]);
    expect(rising.brightness).toBeCloseTo(0.4, 5);
    expect(rising.contrast).toBeCloseTo(0, 5);
  });

  test("is measured between black bars that stand throughout it", () => {
    const barred =
      (rows: number): Scene =>
      (x, y) =>
        y < rows || y >= HEIGHT - rows ? 0 : x < WIDTH / 2 ? 51 : 153;
    const bare = finished([barred(0), 25]);
    const between = finished([barred(9), 25]);
    expect(between.brightness).toBeCloseTo(bare.brightness, 5);
    expect(between.contrast).toBeCloseTo(bare.contrast, 5);
    // What is black for a while alone is no bar; a black frame says nothing of bars.
    expect(finished([barred(9), 10], [barred(0), 10]).brightness).toBeCloseTo(0.3, 5);
    expect(finished([barred(9), 10], [() => 0, 10]).brightness).toBeCloseTo(0.2, 5);
  });

  test("is frozen while its picture is the same for half a second and more, and all such stretches add up", () => {
    const frozen = (...scenes: readonly (readonly [Scene, number])[]) => finished(...scenes).frozenSeconds;
    expect(frozen([waves(2), 25])).toBeCloseTo(1, 5);
    expect(frozen([waves(2), 13], [waves(5), 1])).toBe(0);
    expect(frozen([waves(2), 14], [waves(5), 1])).toBeCloseTo(0.52, 5);
    expect(frozen([waves(2), 26], ...moving(10, 1), [waves(5), 51])).toBeCloseTo(1 + 51 / 25, 5);
  });

  test("is still, slow or fast by what moves usually", () => {
    expect(finished([waves(4), 50]).motion).toBe("still");
    expect(finished(...moving(50, 0.005)).motion).toBe("still");
    expect(finished(...moving(50, 0.03)).motion).toBe("slow");
    expect(finished(...moving(50, 0.3)).motion).toBe("fast");
    // Once is not usually.
    expect(finished([waves(4), 25], [waves(7), 25]).motion).toBe("still");
  });
});

describe("what stills of a shot show", () => {
  const named = (colours: Readonly<Record<string, number>>) =>
    Uint32Array.from(COLOUR_NAMES, (name) => colours[name] ?? 0);

  test("names at most three colours, the largest first, of a tenth of the picture at the least", () => {
    const shot = shotOf([waves(2), 5]);
    shot.addStill({ named: named({ red: 20, blue: 10, green: 40 }), pixels: 100 }, false);
    shot.addStill({ named: named({ red: 20, yellow: 24, blue: 10, grey: 19 }), pixels: 100 }, false);
    expect(shot.finish(11, 10).colours).toEqual([
      { name: "red", share: 0.2 },
      { name: "green", share: 0.2 },
      { name: "yellow", share: 0.12 },
    ]);
    const few = shotOf([waves(2), 5]);
    few.addStill({ named: named({ red: 10, blue: 9 }), pixels: 100 }, false);
    expect(few.finish(11, 10).colours).toEqual([{ name: "red", share: 0.1 }]);
  });

  test("counts no bar as black", () => {
    const shot = shotOf([(_, y) => (y < 9 || y >= HEIGHT - 9 ? 0 : 120), 5]);
    shot.addStill({ named: named({ black: 60, blue: 40 }), pixels: 100 }, false);
    expect(shot.finish(11, 10).colours).toEqual([
      { name: "blue", share: 0.8 },
      { name: "black", share: 0.2 },
    ]);
  });

  test("makes it a title card where three of five look like one", () => {
    const card = (...titles: readonly boolean[]) => {
      const shot = shotOf([waves(2), 5]);
      for (const isTitle of titles) shot.addStill({ named: named({}), pixels: 1 }, isTitle);
      return shot.finish(11, 10).titleCard;
    };
    expect(card(true, true, false, true, false)).toBe(true);
    expect(card(true, false, false, true, false)).toBe(false);
    expect(card()).toBe(false);
  });
});
