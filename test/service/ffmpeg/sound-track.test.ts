import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AV_CHANNEL_LAYOUT_STEREO } from "node-av/constants";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MovieFile } from "../../../src/service/ffmpeg/movie-file.ts";
import { openMedia } from "../../../src/service/ffmpeg/open.ts";
import { packetsOf } from "../../../src/service/ffmpeg/packets.ts";
import { SoundTrack } from "../../../src/service/ffmpeg/sound-track.ts";
import { soundOf } from "../movie-facts.ts";

const RATE = 48_000;

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "aside-sound-track-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** A tone that is there from each start for 0.4 s; digital silence around it. */
function tones(starts: readonly number[], seconds: number): Float32Array {
  const samples = new Float32Array(Math.round(seconds * RATE));
  for (const start of starts) {
    const from = Math.round(start * RATE);
    for (let i = 0; i < 0.4 * RATE && from + i < samples.length; i++) {
      samples[from + i] = 0.3 * Math.sin((Math.PI * i) / (0.4 * RATE)) * Math.sin((2 * Math.PI * 440 * i) / RATE);
    }
  }
  return samples;
}

async function encoded(samples: Float32Array): Promise<string> {
  async function* blocks() {
    for (let at = 0; at < samples.length; at += 5_000) {
      const block = samples.slice(at, at + 5_000);
      yield [block, block];
    }
  }
  const path = join(folder, "track.mp4");
  const movie = new MovieFile(path);
  const sound = { sampleRate: RATE, layout: AV_CHANNEL_LAYOUT_STEREO, blocks: blocks() };
  using track = new SoundTrack(movie, sound, { title: "", language: "und", disposition: 0 });
  movie.begin();
  for (let seconds = 0; seconds < samples.length / RATE; seconds += 0.7) await track.advance(seconds);
  await track.advance(Number.POSITIVE_INFINITY);
  await movie.finish();
  return path;
}

test.each([
  ["at once", [0], 1.03],
  ["after silence of any length", [0.5, 1.01, 1.7, 3.313, 5.9], 7],
  ["after silence up to the end", [2], 2.4],
  ["never", [], 3.001],
])(
  "sound that begins %s stands where it stood, to the sample, and silence stays silent",
  async (_, starts, seconds) => {
    const samples = tones(starts, seconds);
    const { samples: heard } = await soundOf(await encoded(samples), 0);
    expect(heard).toHaveLength(samples.length);
    const [signal, error] = [energy(samples), energy(samples.map((sample, i) => sample - (heard[i] ?? 0)))];
    expect(error).toBeLessThanOrEqual(1e-4 * signal);
    // A frame of AAC reaches over its neighbours.
    const isSilent = (at: number) =>
      samples.subarray(Math.max(0, at - 4_096), at + 4_096).every((sample) => sample === 0);
    const places = Array.from({ length: Math.floor(samples.length / 512) }, (_, index) => 512 * index).filter(isSilent);
    expect(places.every((at) => heard[at] === 0)).toBe(true);
  },
);

test("packets follow each other without a hole through sound and silence", async () => {
  const path = await encoded(tones([0.2, 2.5], 4));
  using media = await openMedia(path);
  const times: number[] = [];
  for await (const { pts } of packetsOf(media, [0])) times.push(Number(pts));
  expect(times).toEqual(times.map((_, index) => (times[0] ?? 0) + 1_024 * index));
  expect(times.length).toBe(Math.ceil((4 * RATE) / 1_024) + 1);
});

function energy(samples: Float32Array): number {
  return samples.reduce((sum, sample) => sum + sample * sample, 0);
}
