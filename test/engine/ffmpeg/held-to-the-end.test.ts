import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { frameRate } from "../../../src/core/frame-rate.ts";
import { TimeMap } from "../../../src/core/time-map.ts";
import { CopiedPicture } from "../../../src/engine/ffmpeg/encode/copied-picture.ts";
import { EncodedPicture } from "../../../src/engine/ffmpeg/encode/encoded-picture.ts";
import { MovieFile } from "../../../src/engine/ffmpeg/movie-file.ts";
import { openMedia } from "../../../src/engine/ffmpeg/open.ts";
import { packetsOf } from "../../../src/engine/ffmpeg/packets.ts";
import { pictureStream } from "../../../src/engine/ffmpeg/probe/media-streams.ts";
import { makeMedia } from "../../made-media.ts";
import { framesOf, packetHashes, tracksOf } from "../../service/movie-facts.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const SECONDS = 4;
const FRAME = 1 / 25;

let folder = "";
beforeAll(async () => {
  folder = await temporaryFolder();
});

/** Makes a movie of a clip with frames made from two (their order of decoding is another), held as the map says. */
async function held(ending: "mp4" | "mkv", way: "copied" | "encoded", map: TimeMap): Promise<string> {
  const source = join(folder, `source.${ending}`);
  const graph = `testsrc2=size=160x90:rate=25:duration=${SECONDS}`;
  makeMedia(source, [{ graph, codec: "libx264", options: { preset: "medium", bf: "3", g: "25" } }]);
  using media = await openMedia(source);
  const picture = pictureStream(media.context);
  if (picture === null) throw new Error("the clip has no picture");
  const path = join(folder, `held-${way}.mp4`);
  const movie = new MovieFile(path);
  const clock = { originSeconds: 0, map, toleranceSeconds: 0.0005 };
  using track =
    way === "copied"
      ? new CopiedPicture(movie, media.context, picture, clock)
      : new EncodedPicture(movie, picture, clock, { height: null, rate: frameRate(25) });
  movie.begin();
  for await (const packet of packetsOf(media, [picture.index])) for (const _ of track.take(packet));
  for (const _ of track.take(null));
  await movie.finish();
  return path;
}

/** Behind the last frame; before the last frame, between its times of decoding and of showing; in the middle and at the end. */
const PAUSES = [
  [[SECONDS - 0.01, 3]],
  [[SECONDS - FRAME, 3]],
  [
    [2, 1.5],
    [SECONDS - 0.02, 2],
  ],
] as const;

test.each((["mp4", "mkv"] as const).flatMap((ending) => PAUSES.map((pauses) => [ending, pauses] as const)))(
  "a copied picture from %s lasts to the end of its pauses %j, bit by bit",
  async (ending, pauses) => {
    const map = new TimeMap(pauses.map(([at, seconds]) => ({ at, seconds })));
    const path = await held(ending, "copied", map);
    const [picture] = await tracksOf(path);
    expect(Math.abs((picture?.seconds ?? 0) - SECONDS - map.addedSeconds)).toBeLessThan(FRAME + 0.001);
    expect(await packetHashes(path)).toEqual(await packetHashes(join(folder, `source.${ending}`)));
    const frames = await framesOf(path);
    expect(frames).toHaveLength(25 * SECONDS);
    for (const [index, { at }] of frames.entries()) {
      expect(Math.abs(at - map.departure(index * FRAME + 0.001) + 0.001)).toBeLessThan(0.002);
    }
  },
);

test.each(PAUSES.map((pauses) => [pauses]))("an encoded picture repeats its last frame through %j", async (pauses) => {
  const map = new TimeMap(pauses.map(([at, seconds]) => ({ at, seconds })));
  const frames = await framesOf(await held("mp4", "encoded", map));
  const distances = frames.slice(1).map(({ at }, index) => at - (frames[index]?.at ?? 0));
  expect(Math.max(...distances)).toBeLessThan(1.6 * FRAME);
  expect((frames.at(-1)?.at ?? 0) + FRAME).toBeGreaterThan(SECONDS + map.addedSeconds - 1.6 * FRAME);
});
