import { copyFile, mkdir, mkdtemp, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Stream } from "node-av/lib";
import { SAMPLE_CLIP } from "../../src/cli/sample.ts";
import { check, MovieFile } from "../../src/engine/ffmpeg/movie-file.ts";
import { openMedia } from "../../src/engine/ffmpeg/open.ts";
import { packetsOf } from "../../src/engine/ffmpeg/packets.ts";
import { makeMedia } from "../../test/made-media.ts";

/** Seconds of the scene that a long film repeats. */
const SCENE_SECONDS = 40;

/** Height of the picture, frame rate, and strength of the grain that gives it the bit rate of a camera's. */
const PICTURES = {
  "1080p": { scale: "1920:1080", grain: 10, rate: "7M" },
  "360p": { scale: "640:360", grain: 4, rate: "500k" },
} as const;

/** Sizes of picture that a film can be made in. */
export type FilmSize = keyof typeof PICTURES;

/**
 * A synthetic film: the sample clip's drawn scenes, dialogue and music with moving grain, H.264 and AAC at 25 frames a second,
 * again and again until it is long enough. It is made once and kept.
 *
 * @param folder Where films are kept.
 * @returns its path.
 */
export async function longFilm(folder: string, size: FilmSize, minutes: number): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${size}-${minutes}min.mp4`);
  await made(path, async (making) => repeat(await scene(folder, size), making, minutes * 60, SCENE_SECONDS));
  return path;
}

async function scene(folder: string, size: FilmSize): Promise<string> {
  const path = join(folder, `${size}-scene.mp4`);
  await made(path, async (making) => {
    const drawn = join(dirname(making), "drawn.mp4");
    await copyFile(SAMPLE_CLIP, drawn);
    const { scale, grain, rate } = PICTURES[size];
    makeMedia(making, [
      {
        graph: `movie=${drawn},fps=25,scale=${scale},noise=alls=${grain}:allf=t,trim=duration=${SCENE_SECONDS}`,
        codec: "libx264",
        options: { preset: "veryfast", b: rate, maxrate: rate, bufsize: rate },
      },
      { graph: `amovie=${drawn},atrim=duration=${SCENE_SECONDS}`, codec: "aac", options: { b: "128k" } },
    ]);
  });
  return path;
}

/** Makes a file in a folder of its own where it is not there yet: another bench may be making the same one. */
async function made(path: string, make: (making: string) => Promise<void>): Promise<void> {
  if ((await stat(path).catch(() => null)) !== null) return;
  const folder = await mkdtemp(`${path}-`);
  try {
    const making = join(folder, basename(path));
    await make(making);
    await rename(making, path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Puts the first `sceneSeconds` of a film with one picture and one sound one after the other, until `seconds` are full. */
export async function repeat(path: string, into: string, seconds: number, sceneSeconds: number): Promise<void> {
  const movie = new MovieFile(into);
  try {
    let tracks: Stream[] | null = null;
    for (let start = 0; start < seconds; start += sceneSeconds) {
      using media = await openMedia(path);
      const { streams } = media.context;
      tracks ??= streams.map((stream) => copiedTrack(movie, stream));
      if (start === 0) movie.begin();
      for await (const packet of packetsOf(media, [0, 1])) {
        const [stream, track] = [streams[packet.streamIndex], tracks[packet.streamIndex]];
        if (stream === undefined || track === undefined) continue;
        const { num, den } = stream.timeBase;
        const at = (Number(packet.pts) * num) / den;
        if (at < 0 || at >= sceneSeconds - 0.001 || start + at >= seconds) continue;
        const shift = BigInt(Math.round((start * den) / num));
        packet.pts += shift;
        packet.dts += shift;
        movie.write(packet, track, stream.timeBase);
      }
    }
    await movie.finish();
  } finally {
    await movie.discard();
  }
}

/** Adds a track that a stream's packets are copied into. */
export function copiedTrack(movie: MovieFile, stream: Stream): Stream {
  const track = movie.addTrack(stream.timeBase, { title: "", language: "und", disposition: 0 });
  check(stream.codecpar.copy(track.codecpar));
  track.codecpar.codecTag = 0;
  return track;
}
