import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AV_CHANNEL_LAYOUT_STEREO } from "node-av/constants";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SoundEncoder } from "../../../../src/engine/ffmpeg/encode/sound-encoder.ts";
import { SoundTrack } from "../../../../src/engine/ffmpeg/encode/sound-track.ts";
import { MovieFile } from "../../../../src/engine/ffmpeg/movie-file.ts";
import { openMedia } from "../../../../src/engine/ffmpeg/open.ts";
import { packetsOf } from "../../../../src/engine/ffmpeg/packets.ts";
import { TruePeakMeter } from "../../../../src/engine/loudness/true-peak.ts";
import { WaveFile } from "../../../../src/engine/mix/wave-file.ts";
import { soundOf } from "../../../service/movie-facts.ts";

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

const LABEL = { title: "", language: "und", disposition: 0 };

async function encoded(samples: Float32Array): Promise<{ readonly path: string; readonly truePeak: number | null }> {
  const [sound, path] = [join(folder, "sound.wav"), join(folder, "track.mp4")];
  await writeSound(sound, samples);
  const movie = new MovieFile(path);
  await using encoding = new SoundEncoder(new AbortController().signal);
  using track = new SoundTrack(movie, encoding, orderOf(sound, samples.length), LABEL);
  movie.begin();
  for (let seconds = 0; seconds < samples.length / RATE; seconds += 0.7) await track.advance(seconds);
  await track.advance(Number.POSITIVE_INFINITY);
  await movie.finish();
  return { path, truePeak: track.truePeak };
}

function orderOf(path: string, samples: number) {
  return {
    path,
    sampleRate: RATE,
    layout: AV_CHANNEL_LAYOUT_STEREO,
    durationSeconds: samples / RATE,
    isHeard: true,
  };
}

async function writeSound(path: string, samples: Float32Array): Promise<void> {
  const file = await WaveFile.create({
    path,
    channels: 2,
    channelMask: 3,
    sampleRate: RATE,
    bits: 24,
    sampleCount: samples.length,
    isGainOpen: false,
    markers: [],
    broadcast: { description: "", originator: "", timeReferenceSamples: 0 },
  });
  await file.write([samples, samples]);
  await file.finish(1, undefined);
}

test.each([
  ["at once", [0], 1.03],
  ["after silence of any length", [0.5, 1.01, 1.7, 3.313, 5.9], 7],
  ["late in a long sound", [3, 21.5], 23],
  ["after silence up to the end", [2], 2.4],
  ["never", [], 3.001],
])(
  "sound that begins %s stands where it stood, to the sample, and silence stays silent",
  async (_, starts, seconds) => {
    const samples = tones(starts, seconds);
    const { path, truePeak } = await encoded(samples);
    const { samples: heard } = await soundOf(path, 0);
    const peaks = new TruePeakMeter(1);
    peaks.add([heard]);
    expect(truePeak).toBeCloseTo(peaks.finish(), 6);
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
  const { path } = await encoded(tones([0.2, 2.5], 4));
  using media = await openMedia(path);
  const times: number[] = [];
  for await (const { pts } of packetsOf(media, [0])) times.push(Number(pts));
  expect(times).toEqual(times.map((_, index) => (times[0] ?? 0) + 1_024 * index));
  expect(times.length).toBe(Math.ceil((4 * RATE) / 1_024) + 1);
});

test("a sound that cannot be read is told of, and what is there breaks off", async () => {
  const movie = new MovieFile(join(folder, "gone.mp4"));
  await using encoding = new SoundEncoder(new AbortController().signal);
  using track = new SoundTrack(movie, encoding, orderOf(join(folder, "gone.wav"), RATE), LABEL);
  movie.begin();
  await expect(track.advance(1)).rejects.toMatchObject({
    code: "media_unwritable",
    cause: { message: expect.stringContaining("gone.wav") },
  });
  await movie.discard();
});

test("a sound that is cancelled gives the signal's own reason, however much is there already", async () => {
  const sound = join(folder, "cancelled.wav");
  const samples = tones([1], 30);
  await writeSound(sound, samples);
  const movie = new MovieFile(join(folder, "cancelled.mp4"));
  const cancelling = new AbortController();
  await using encoding = new SoundEncoder(cancelling.signal);
  using track = new SoundTrack(movie, encoding, orderOf(sound, samples.length), LABEL);
  movie.begin();
  await track.advance(0.1);
  cancelling.abort("enough");
  await expect(track.advance(Number.POSITIVE_INFINITY)).rejects.toBe("enough");
  await movie.discard();
});

test("breaking off ends the thread, however little was taken", async () => {
  const sound = join(folder, "long.wav");
  const samples = tones([1], 30);
  await writeSound(sound, samples);
  const movie = new MovieFile(join(folder, "broken-off.mp4"));
  const encoding = new SoundEncoder(new AbortController().signal);
  using track = new SoundTrack(movie, encoding, orderOf(sound, samples.length), LABEL);
  movie.begin();
  await track.advance(0.1);
  await encoding[Symbol.asyncDispose]();
  await expect(track.advance(Number.POSITIVE_INFINITY)).rejects.toMatchObject({ code: "media_unwritable" });
  await movie.discard();
});

function energy(samples: Float32Array): number {
  return samples.reduce((sum, sample) => sum + sample * sample, 0);
}
