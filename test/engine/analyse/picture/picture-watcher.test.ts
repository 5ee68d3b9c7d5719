import { readdir } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import {
  PictureWatcher,
  type WatchedFrame,
  type WatchedShot,
} from "../../../../src/engine/analyse/picture/picture-watcher.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { barAt, painted } from "../../drawn-letters.ts";
import { HEIGHT, type Scene, WIDTH, waves } from "./drawn-frames.ts";

/** Twenty-five frames a second of scenes after each other, each of so many frames. */
type Film = readonly (readonly [Scene, number])[];

/** What was held of a film and let go, and which frames were looked at closely. */
interface Held {
  readonly looks: number[];
  open: number;
}

function* framesOf(film: Film, held: Held): Generator<WatchedFrame> {
  let index = 0;
  for (const [scene, count] of film) {
    const luma = painted(WIDTH, HEIGHT, (x, y) => Math.max(0, Math.min(255, Math.round(scene(x, y))))).rows;
    // Lettering is looked for in a larger picture than movement is.
    const large = () => painted(4 * WIDTH, 4 * HEIGHT, (x, y) => scene(x / 4, y / 4));
    for (let frame = 0; frame < count; frame++) {
      const at = index++ / 25;
      const grey = new Uint8Array(luma.length).fill(128);
      const small = { width: WIDTH, height: HEIGHT, luma, blue: grey, red: grey, isFullRange: true };
      const hold = () => {
        held.open++;
        held.looks.push(at);
        return { luma: large(), toJpeg: () => Buffer.from(`${at}`), [Symbol.dispose]: () => void held.open-- };
      };
      yield { at, small, hold };
    }
  }
}

/** What is seen in a film, and what was told of each shot as soon as it was over. */
async function watched(film: Film, { folder = null, seconds }: { folder?: string | null; seconds?: number } = {}) {
  const held: Held = { looks: [], open: 0 };
  const told: WatchedShot[] = [];
  using watcher = new PictureWatcher(folder, (shot) => told.push(shot));
  for (const frame of framesOf(film, held)) await watcher.add(frame);
  const frames = film.reduce((sum, [, count]) => sum + count, 0);
  const findings = await watcher.finish(seconds ?? frames / 25);
  expect(held.open).toBe(0);
  expect(told.map(({ shot }) => shot)).toEqual(findings.shots);
  return { ...findings, told, looks: held.looks };
}

const [one, other] = [waves(2), waves(5, 1)];
const bold: Scene = (x) => (x < 20 ? 10 : 240);
const black: Scene = () => 0;

/** Where shots begin and end, in frames, and how each opens. */
const edges = ({ shots }: Awaited<ReturnType<typeof watched>>) =>
  shots.map(({ start, end, opening }) => [opening, Math.round(start * 25), Math.round(end * 25)]);

describe("the shots of a picture", () => {
  test("cover the programme, to the frame, and the last one lasts to its end", async () => {
    const film: Film = [
      [one, 50],
      [bold, 30],
      [other, 60],
    ];
    expect(edges(await watched(film, { seconds: 6 }))).toEqual([
      ["start", 0, 50],
      ["cut", 50, 80],
      ["cut", 80, 150],
    ]);
    // A header that says less than there is does not cut the picture off.
    expect(edges(await watched([[one, 50]], { seconds: 1 }))).toEqual([["start", 0, 49]]);
    expect((await watched([])).shots).toEqual([]);
  });

  test("are none of three frames", async () => {
    const short = (frames: number): Film => [
      [one, 50],
      [other, frames],
      [bold, 50],
    ];
    expect(edges(await watched(short(3))).length).toBe(2);
    expect(edges(await watched(short(5))).length).toBe(3);
  });

  test("that change slowly are parted where the new picture stands alone, with no cut on the way", async () => {
    const mixed = Array.from({ length: 20 }, (_, index): readonly [Scene, number] => {
      const share = (index + 1) / 21;
      return [(x, y) => (1 - share) * one(x, y) + share * other(x, y), 1];
    });
    const { shots, told } = await watched([[one, 60], ...mixed, [other, 75]]);
    expect(shots.map(({ opening }) => opening)).toEqual(["start", "dissolve"]);
    expect(Math.abs((shots[1]?.start ?? 0) - 80 / 25)).toBeLessThan(0.21);
    // No picture is kept in which both are seen.
    for (const { at } of told.flatMap(({ keyFrames }) => keyFrames)) expect(at <= 2.52 || at >= 3).toBe(true);
  });

  test("are told of as soon as each is over, with the pictures kept of it and of no other", async () => {
    const film: Film = [
      [one, 50],
      [bold, 50],
      [other, 50],
    ];
    const { told, keyFrames } = await watched(film);
    for (const { shot, keyFrames: own } of told) {
      expect(own.length).toBeGreaterThan(0);
      for (const { at } of own) expect(at >= shot.start && at < shot.end).toBe(true);
      expect(own.some(({ at }) => at === shot.keyFrameAt)).toBe(true);
    }
    expect(told.flatMap(({ keyFrames: own }) => own)).toEqual(keyFrames);
    let toldAt = Number.NaN;
    let at = 0;
    using watcher = new PictureWatcher(null, ({ shot }) => {
      if (shot.start === 0) toldAt = at;
    });
    for (const frame of framesOf(film, { looks: [], open: 0 })) {
      ({ at } = frame);
      await watcher.add(frame);
    }
    expect(toldAt).toBeLessThan(2 + 0.8);
  });
});

describe("frames that are looked at closely", () => {
  test("are two a second of a still picture, and one soon after each cut", async () => {
    expect((await watched([[one, 100]])).looks).toEqual([0, 0.52, 1.04, 1.56, 2.08, 2.6, 3.12, 3.64]);
    const { looks } = await watched([
      [one, 55],
      [bold, 45],
    ]);
    expect(looks).toContain(57 / 25);
  });

  test("are up to four a second of one that moves", async () => {
    const pan = Array.from({ length: 100 }, (_, index): readonly [Scene, number] => [waves(3, index / 6), 1]);
    const { looks } = await watched(pan);
    expect(looks.length).toBeGreaterThan(12);
    expect(looks.length).toBeLessThanOrEqual(17);
  });

  test("are let go of when the work ends in the middle", async () => {
    const held: Held = { looks: [], open: 0 };
    {
      using watcher = new PictureWatcher(null);
      for (const frame of framesOf([[one, 60]], held)) await watcher.add(frame);
      expect(held.open).toBeGreaterThan(0);
    }
    expect(held.open).toBe(0);
  });
});

describe("what is told of a picture", () => {
  test("is whether anything is seen in it at all", async () => {
    expect((await watched([[black, 50]])).hasVisiblePicture).toBe(false);
    expect((await watched([[black, 25], [one, 5], [black, 25]])).hasVisiblePicture).toBe(true); // biome-ignore format: one line
    expect((await watched([])).hasVisiblePicture).toBe(false);
  });

  test("is its colours in even distances, and its title cards", async () => {
    const [white] = (await watched([[() => 250, 50]])).shots;
    expect(white?.colours).toEqual([{ name: "white", share: 1 }]);
    const bars = { left: 14, top: 16, count: 6, height: 5, width: 2, gap: 4 };
    const title: Scene = (x, y) => (barAt(bars, x, y) >= 0 ? 230 : 10);
    const { shots, lettering, told } = await watched([[title, 75], [one, 50]], { folder: await temporaryFolder() }); // biome-ignore format: one line
    expect(shots.map(({ titleCard }) => titleCard)).toEqual([true, false]);
    expect(lettering).toMatchObject([{ start: 0, end: 3 }]);
    expect(told.map((shot) => shot.lettering.length)).toEqual([1, 0]);
  });

  test("is kept as files where a folder is named, each once", async () => {
    const folder = await temporaryFolder();
    const { keyFrames } = await watched([[one, 50], [bold, 50]], { folder }); // biome-ignore format: one line
    expect((await readdir(folder)).sort()).toEqual(keyFrames.map(({ file }) => file).sort());
  });
});
