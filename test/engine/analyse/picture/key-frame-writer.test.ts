import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { analyseProgramme } from "../../../../src/engine/analyse/analyse-programme.ts";
import { type KeyFrameCandidate, KeyFrameWriter } from "../../../../src/engine/analyse/picture/key-frame-writer.ts";
import { probeMedia } from "../../../../src/engine/ffmpeg/probe/probe.ts";
import type { KeyFrame } from "../../../../src/engine/programme-analysis.ts";
import { makeMedia } from "../../../made-media.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

/** A candidate whose picture is told by one number; all that were let go are in `gone`. */
function candidate(
  at: number,
  look: number,
  more: Partial<KeyFrameCandidate> = {},
  gone: number[] = [],
): KeyFrameCandidate {
  return {
    at,
    clearness: 1,
    isAtEdge: false,
    blocks: Float32Array.of(look, -look),
    toJpeg: () => Buffer.of(),
    [Symbol.dispose]: () => gone.push(at),
    ...more,
  };
}

/** Times of the pictures kept of one shot, which looks at each moment as `look` says. */
async function keptOf(seconds: number, look: (at: number) => number, step = 0.25): Promise<readonly KeyFrame[]> {
  using writer = new KeyFrameWriter(null);
  for (let at = 0; at < seconds; at += step) await writer.offer(candidate(at, look(at)));
  await writer.end();
  return writer.keyFrames;
}

const times = (frames: readonly KeyFrame[]) => frames.map(({ at }) => at);

describe("choosing key frames", () => {
  test("keeps one of a still shot, and one more in every ten seconds", async () => {
    expect(times(await keptOf(9, () => 0.1, 0.5))).toEqual([0]);
    expect(times(await keptOf(35, () => 0.1, 0.5))).toEqual([0, 10, 20, 30]);
  });

  test("keeps fewer than two a second of what moves all the time, however long", async () => {
    const frames = await keptOf(120, (at) => 0.2 * Math.sin(3 * at));
    expect(frames.length / 120).toBeGreaterThan(0.8);
    expect(frames.length / 120).toBeLessThan(1.9);
  });

  test("keeps what lies off the rest: a jump of 0.7 s, and a yawn of 2 s that changes little", async () => {
    const jump = await keptOf(8, (at) => (at >= 4 && at < 4.7 ? 0.2 : 0));
    expect(times(jump).filter((at) => at >= 4 && at < 4.7)).not.toEqual([]);
    const yawn = await keptOf(8, (at) => (at >= 4 && at < 6 ? 0.03 : 0));
    expect(times(yawn).filter((at) => at >= 4 && at < 6)).not.toEqual([]);
  });

  test("saves pictures up in stiller moments for faster ones", async () => {
    const isFast = (at: number) => at >= 10 && at < 13;
    const frames = times(await keptOf(20, (at) => (isFast(at) ? 0.25 * Math.sin(9 * at) : 0)));
    expect(frames.filter(isFast).length).toBeGreaterThanOrEqual(7);
  });

  test("gives every picture a file of its own, named by its milliseconds, and writes what it shows", async () => {
    const folder = await temporaryFolder();
    using writer = new KeyFrameWriter(folder);
    for (const [shot, starts] of [
      [1, [0, 0.3, 0.6]],
      [2, [1.1, 3600.25]],
    ] as const) {
      for (const at of starts) await writer.offer(candidate(at, shot + at, { toJpeg: () => Buffer.from(`at ${at}`) }));
      await writer.end();
    }
    expect(writer.keyFrames.map(({ at, file }) => [at, file])).toEqual([
      [0, "key-frame-000000000.jpg"],
      [0.3, "key-frame-000000300.jpg"],
      [0.6, "key-frame-000000600.jpg"],
      [1.1, "key-frame-000001100.jpg"],
      [3600.25, "key-frame-003600250.jpg"],
    ]);
    for (const { at, file } of writer.keyFrames) expect(await readFile(join(folder, file), "utf8")).toBe(`at ${at}`);
    expect(writer.keyFrames.map(({ novelty }) => novelty === 1)).toEqual([true, false, false, true, false]);
  });

  test("keeps the last picture where it differs, rather than one at the edge of the shot", async () => {
    using writer = new KeyFrameWriter(null);
    await writer.offer(candidate(0, 0));
    await writer.offer(candidate(0.5, 0.02));
    await writer.offer(candidate(1, 0.02));
    await writer.offer(candidate(1.2, 0.02, { isAtEdge: true }));
    await writer.end();
    expect(times(writer.keyFrames)).toEqual([0, 1]);
  });

  test("keeps the clearer one of two neighbours, and tells the clearest of the shot", async () => {
    using writer = new KeyFrameWriter(null);
    await writer.offer(candidate(0, 0));
    await writer.offer(candidate(0.25, 0, { clearness: 2 }));
    await writer.offer(candidate(0.5, 0, { clearness: 3 }));
    await writer.offer(candidate(2, 0.1, { clearness: 2.5, isAtEdge: true }));
    expect(await writer.end()).toBe(0.25);
    expect(times(writer.keyFrames)).toEqual([0.25, 2]);
  });

  test("keeps nothing of a dissolve, but where the shot has nothing else", async () => {
    using writer = new KeyFrameWriter(null);
    for (let at = 0; at < 3; at += 0.5) await writer.offer(candidate(at, 0.1 * at));
    await writer.end(1.2);
    expect(times(writer.keyFrames).filter((at) => at >= 1.2)).toEqual([]);
    await writer.offer(candidate(3, 0));
    await writer.offer(candidate(3.5, 0.2));
    await writer.end(2);
    expect(times(writer.keyFrames).at(-1)).toBe(3);
  });

  test("says how new each one is: 1 for the first of a shot, and below 1 for all others", async () => {
    using writer = new KeyFrameWriter(null);
    for (const [at, look] of [0, 0.05, 0.15, -0.9].entries()) await writer.offer(candidate(2 * at, look));
    await writer.end();
    await writer.offer(candidate(8, -0.9));
    await writer.end();
    const [first, second, third, fourth, other] = writer.keyFrames.map(({ novelty }) => novelty);
    expect([first, other]).toEqual([1, 1]);
    expect(second).toBeCloseTo(0.2, 5);
    expect(third).toBeCloseTo(0.4, 5);
    expect(fourth).toBe(0.99);
  });

  test("lets every candidate go once, chosen or not", async () => {
    const gone: number[] = [];
    using writer = new KeyFrameWriter(null);
    for (let i = 0; i < 40; i++) await writer.offer(candidate(i / 4, 0.2 * Math.sin(i), { clearness: i % 3 }, gone));
    await writer.end(9);
    expect(gone.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, i) => i / 4));
  });

  test("finds one in each of many shots of 0.3 s, and none between two pictures of a dissolve", async () => {
    const folder = await temporaryFolder();
    const graph = (name: string, text: string) => {
      const path = join(folder, name);
      makeMedia(path, [{ graph: text, codec: "libx264", options: { preset: "ultrafast" } }]);
      return path;
    };
    const scene = (name: string, seconds: number) =>
      `${name}=size=320x180:rate=25,trim=duration=${seconds},format=yuv420p,setsar=1`;
    const scenes = Array.from({ length: 8 }, (_, i) => `${scene(i % 2 ? "testsrc2" : "smptehdbars", 0.32)}[s${i}]`);
    const short = graph("short.mp4", `${scenes.join(";")};${scenes.map((_, i) => `[s${i}]`).join("")}concat=n=8`);
    const cut = await analyseProgramme(short, await probeMedia(short), { folder: join(folder, "short") });
    expect(cut.shots).toHaveLength(8);
    for (const { start, end } of cut.shots)
      expect(cut.keyFrames.filter(({ at }) => at >= start && at < end)).not.toEqual([]);
    const parts = `${scene("smptehdbars", 4)}[a];${scene("testsrc", 4)}[b]`;
    const mixed = graph("mixed.mp4", `${parts};[a][b]xfade=transition=fade:duration=1.6:offset=2.4`);
    const { keyFrames, shots } = await analyseProgramme(mixed, await probeMedia(mixed), { folder: join(folder, "m") });
    expect(shots).toHaveLength(2);
    expect(times(keyFrames).filter((at) => at > 2.8 && at < 3.6)).toEqual([]);
  }, 60_000);
});
