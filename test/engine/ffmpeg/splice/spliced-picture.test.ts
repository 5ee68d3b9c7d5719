import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { frameRate } from "../../../../src/core/frame-rate.ts";
import { TimeMap } from "../../../../src/core/time-map.ts";
import { MovieFile } from "../../../../src/engine/ffmpeg/movie-file.ts";
import { openMedia } from "../../../../src/engine/ffmpeg/open.ts";
import { packetsOf } from "../../../../src/engine/ffmpeg/packets.ts";
import { originSeconds, pictureStream } from "../../../../src/engine/ffmpeg/probe/media-streams.ts";
import { SplicedPicture, spliceShape } from "../../../../src/engine/ffmpeg/splice/spliced-picture.ts";
import { makeMedia } from "../../../made-media.ts";
import { packetHashes, picturesOf } from "../../../service/movie-facts.ts";
import { sharedMedia } from "../../../shared-media.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { IS_THOROUGH, thoroughTest } from "../../../thorough/thorough-test.ts";

const RATE = frameRate(25);
const SECONDS = 6;
/** In the middle of a group, right before a key frame, twice in one group, and before the last frame. */
const MAP = new TimeMap([
  { at: 0.52, seconds: 0.4 },
  { at: 2, seconds: 1 },
  { at: 3.2, seconds: 0.2 },
  { at: 3.48, seconds: 0.6 },
  { at: SECONDS - 0.04, seconds: 0.4 },
]);

let folder = "";
beforeAll(async () => {
  folder = await temporaryFolder();
});

/** Splices pauses into a file; `null` where nothing can be put between its frames. */
async function splice(source: string, map = MAP): Promise<{ path: string; encodedFrames: number } | null> {
  using media = await openMedia(source);
  const picture = pictureStream(media.context);
  const shape = picture === null ? null : spliceShape(media.context, picture, RATE);
  if (picture === null || shape === null) return null;
  const path = join(folder, "spliced.mp4");
  const movie = new MovieFile(path);
  try {
    const clock = { originSeconds: originSeconds(picture, null), map, toleranceSeconds: 0.02 };
    using track = new SplicedPicture(movie, media.context, shape, clock);
    movie.begin();
    for await (const packet of packetsOf(media, [picture.index])) for (const _ of track.take(packet));
    for (const _ of track.take(null));
    await movie.finish();
    return { path, encodedFrames: track.encodedFrames };
  } finally {
    await movie.discard();
  }
}

/** A clip of six seconds with noise in it, as x264 makes it. */
function clip(options: Readonly<Record<string, string>>): string {
  const path = join(folder, "source.mp4");
  const graph = `testsrc2=size=200x120:rate=25:duration=${SECONDS},noise=alls=8:allf=t`;
  makeMedia(path, [{ graph, codec: "libx264", options }]);
  return path;
}

/** Pictures that take their encoder long. */
const SLOW_TO_MAKE: readonly (readonly [string, Record<string, string>])[] = [
  ["pyramids of frames made from two", { preset: "slow", bf: "3", g: "50" }],
  ["the most that x264 does", { preset: "veryslow", g: "25" }],
];

test.each<readonly [string, Record<string, string>]>([
  ...(IS_THOROUGH ? SLOW_TO_MAKE : []),
  ["no arithmetic code", { preset: "fast", profile: "baseline", g: "50" }],
  ["the main profile, key frames far apart", { preset: "medium", profile: "main" }],
  ["no filter between blocks", { preset: "ultrafast", g: "25" }],
])("a pause has frames of its own in a picture with %s", async (_, options) => {
  const isKeyRare = !("g" in options);
  const source = clip(options);
  const made = await splice(source);
  const [before, after] = [await picturesOf(source), await picturesOf(made?.path ?? "")];
  expect(before).toHaveLength(25 * SECONDS);
  expect(after).toHaveLength(25 * (SECONDS + MAP.addedSeconds));
  const differences = after.map(({ at, luma }, index) => {
    expect(at).toBeCloseTo(index / 25, 3);
    const moment = MAP.programmeTime(at + 0.01);
    const isHeld = MAP.holds.some((pause) => pause.at === moment);
    const shown = before[Math.floor(25 * moment + 0.01) - (isHeld ? 1 : 0)]?.luma ?? Buffer.alloc(0);
    return meanDifference(luma, shown);
  });
  for (const pause of MAP.holds) {
    const first = Math.round(25 * MAP.arrival(pause.at));
    const held = after.slice(first, first + Math.round(25 * pause.seconds));
    const changes = held.filter(({ luma }, index) => index > 0 && !luma.equals(held[index - 1]?.luma ?? luma));
    // A key frame that is due is another picture by a little.
    expect(changes.length).toBeLessThanOrEqual(isKeyRare ? 1 : 0);
  }
  // Of 255; a neighbouring frame is far beyond it.
  expect(Math.max(...differences)).toBeLessThan(2);
  expect(differences.filter((difference) => difference === 0).length).toBe(after.length - (made?.encodedFrames ?? 0));
  const coded = await packetHashes(source);
  const kept = (await packetHashes(made?.path ?? "")).filter((hash) => coded.includes(hash));
  expect(kept).toHaveLength(after.length - (made?.encodedFrames ?? 0));
});

test("a long pause has a key frame every five seconds, and hardly any bytes beside them", async () => {
  const map = new TimeMap([{ at: 2, seconds: 12 }]);
  const made = await splice(clip({ preset: "medium", g: "50" }), map);
  const sizes = await packetSizes(made?.path ?? "");
  const held = sizes.slice(25 * 2, 25 * 14);
  expect(sizes).toHaveLength(25 * (SECONDS + 12));
  expect(held.flatMap(({ isKey }, index) => (isKey ? [index] : []))).toEqual([0, 125, 250]);
  expect(Math.max(...held.filter(({ isKey }) => !isKey).map(({ bytes }) => bytes))).toBeLessThan(32);
});

thoroughTest(
  "nothing is put between frames that are no H.264, in another container, or set up in a way of their own",
  async () => {
    expect(await splice(sharedMedia("containers/h265-aac.mp4"))).toBeNull();
    const matroska = join(folder, "source.mkv");
    makeMedia(matroska, [{ graph: "testsrc2=size=64x64:rate=25:duration=1", codec: "libx264" }]);
    expect(await splice(matroska)).toBeNull();
    for (const parameters of ["interlaced=1", "cqm=jvt"]) {
      expect(await splice(clip({ "x264-params": parameters }))).toBeNull();
    }
  },
);

async function packetSizes(path: string): Promise<{ bytes: number; isKey: boolean }[]> {
  using media = await openMedia(path);
  const sizes: { bytes: number; isKey: boolean }[] = [];
  for await (const { size, isKeyframe } of packetsOf(media, [0])) sizes.push({ bytes: size, isKey: isKeyframe });
  return sizes;
}

function meanDifference(a: Buffer, b: Buffer): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  let sum = 0;
  for (const [index, value] of a.entries()) sum += Math.abs(value - (b[index] ?? 0));
  return sum / a.length;
}
