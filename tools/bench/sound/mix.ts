// Levels, peaks, lengths and slopes of finished audio jobs, measured from the sound alone: npm run tool -- bench:mix
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { avChannelLayoutDefault } from "node-av/lib";
import { DEFAULT_SETTINGS, type TrackKind } from "../../../src/core/settings.ts";
import { decodeSound } from "../../../src/engine/ffmpeg/decode/decode-sound.ts";
import { probeMedia } from "../../../src/engine/ffmpeg/probe/probe.ts";
import { type ChannelLayout, channelLayout, STEREO } from "../../../src/engine/loudness/channel-layout.ts";
import { LoudnessMeter } from "../../../src/engine/loudness/loudness-meter.ts";
import { runPipeline } from "../../../src/engine/pipeline/pipeline.ts";
import { ffmpegLoudness } from "../../../test/engine/mix/ffmpeg-loudness.ts";
import { readSoundFile } from "../../../test/engine/mix/sound-files.ts";
import { quantile } from "../../common/measure.ts";
import { printHead, printRow } from "../../common/report.ts";

const RATE = 48_000;
const FILES = [
  "constructed/placed-speech-silence.mp4",
  "constructed/placed-speech-music.mp4",
  "speech/sintel-excerpt.mp4",
  "no-dialogue/tears-of-steel-battle-clip-medium.webm",
  "described/rabbit/video.mp4",
  "no-dialogue/chaplin.mp4",
  "containers/sintel-5s.webm",
];

/** A bed below this is silence: nothing stands above it by any number. */
const SILENCE_LUFS = -70;

/** Seconds between the lines of the script. */
const LINE_SECONDS = 7;

/** Longer than any slope: beyond it a neighbouring cue holds the bed down. */
const LONGEST_SLOPE = 0.8;

const folder = await mkdtemp(join(tmpdir(), "aside-bench-mix-"));
process.env["ASIDE_VISION_URL"] = "off";
try {
  printHead(
    "file",
    "channels",
    "cues",
    "over music: LU, least and median",
    "over the rest",
    "narration LUFS",
    "dBTP",
    "samples too many",
    "down",
    "up",
  );
  for (const name of FILES) await measure(name);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function measure(name: string): Promise<void> {
  const media = fileURLToPath(new URL(`../../../../shared/media/${name}`, import.meta.url));
  const probe = await probeMedia(media);
  const durationSeconds = probe.durationSeconds ?? 0;
  const script = Array.from(
    { length: Math.ceil(durationSeconds / LINE_SECONDS) },
    (_, index) => `${clock(index * LINE_SECONDS)} A woman opens the letter.`,
  ).join("\n");
  const mixed = await job(media, name, "mixed", script);
  const alone = await job(media, name, "ad_only", script);
  const cues = mixed.report.mix?.cues ?? [];
  const layout = channelLayout(probe.sound?.layout ?? "stereo", probe.sound?.channels ?? 2);
  const original = await whole(media, durationSeconds);
  const carried = layout.narration.length === 1 ? Math.SQRT2 : 1;
  const narration = Array.from({ length: layout.channels }, (_, channel) =>
    layout.narration.includes(channel)
      ? scaled(alone.planes[0] ?? new Float32Array(), carried)
      : new Float32Array(mixed.length),
  );
  const bed = mixed.planes.map((plane, channel) => difference(plane, narration[channel] ?? plane));
  const [voiceMeter, bedMeter] = [metered(narration, layout), metered(bed, layout)];
  const measured = mixed.cues.map(({ id, start, end }) => {
    const cue = cues.find((one) => one.id === id);
    const under = bedMeter.between(start, end);
    const lu = under < SILENCE_LUFS ? Number.NaN : voiceMeter.between(start, end) - under;
    return { start, end, lu, isOverMusic: cue?.over_music === true, duckedDb: cue?.ducked_db ?? 0 };
  });
  const { truePeakDbtp } = ffmpegLoudness(mixed.planes, RATE, avChannelLayoutDefault(layout.channels));
  const aloneLufs = metered(alone.planes, STEREO).integrated();
  const slopes = measured.filter(({ duckedDb }) => duckedDb >= 3).map((cue) => slopesOf(original, bed, cue));
  const column = (isOverMusic: boolean) => leastAndMedian(measured.filter((cue) => cue.isOverMusic === isOverMusic));
  printRow(
    name,
    `${mixed.planes.length} of ${probe.sound?.channels ?? 0}`,
    `${measured.length}`,
    column(true),
    column(false),
    aloneLufs.toFixed(1),
    truePeakDbtp.toFixed(1),
    `${mixed.length - Math.round(durationSeconds * RATE)}`,
    middle(slopes.map(({ down }) => down)),
    middle(slopes.map(({ up }) => up)),
  );
}

async function job(mediaPath: string, name: string, track: TrackKind, script: string) {
  const workFolder = join(folder, `${name.replaceAll("/", "-")}-${track}`);
  const mediaFolder = join(folder, `${name.replaceAll("/", "-")}-analysis`);
  for (const made of [workFolder, mediaFolder]) await mkdir(made, { recursive: true });
  const order = {
    jobId: track,
    kind: "audio" as const,
    settings: { ...DEFAULT_SETTINGS, script },
    track,
    resolution: "Auto",
    mediaPath,
    workFolder,
    mediaFolder,
    narrationFolder: join(folder, "lines"),
  };
  const context = { signal: new AbortController().signal, onProgress: () => undefined };
  const { files, report, cues } = await runPipeline(order, context);
  const sound = await readSoundFile(files.audio ?? "");
  return { ...sound, report, cues };
}

async function whole(path: string, durationSeconds: number): Promise<Float32Array[]> {
  const planes: Float32Array[] = [];
  let at = 0;
  for await (const block of decodeSound(path, { sampleRate: RATE, durationSeconds })) {
    for (const [channel, samples] of block.entries()) {
      planes[channel] ??= new Float32Array(Math.round(durationSeconds * RATE));
      planes[channel]?.set(samples, at);
    }
    at += block[0]?.length ?? 0;
  }
  return planes;
}

/**
 * How long the bed takes down before a cue and up after it, in seconds: from where its gain leaves the original's level by
 * 0.3 dB, in steps of 5 ms. Not a number where other cues or silence lie too near to tell.
 */
function slopesOf(
  original: readonly Float32Array[],
  bed: readonly Float32Array[],
  cue: { readonly start: number; readonly end: number },
) {
  const step = 0.005;
  const gain = (at: number) => {
    const [from, to] = [Math.round(at * RATE), Math.round((at + step) * RATE)];
    const energy = (planes: readonly Float32Array[]) =>
      planes.reduce((sum, plane) => plane.subarray(from, to).reduce((all, value) => all + value * value, sum), 0);
    const [before, after] = [energy(original), energy(bed)];
    return before < 1e-5 ? Number.NaN : 10 * Math.log10(after / before);
  };
  const walk = (from: number, direction: 1 | -1) => {
    for (let gone = 0; gone < LONGEST_SLOPE; gone += step) {
      const db = gain(from + direction * gone);
      if (Number.isNaN(db)) return Number.NaN;
      if (db > -0.3) return gone;
    }
    return Number.NaN;
  };
  return { down: walk(cue.start - step, -1), up: walk(cue.end, 1) };
}

function metered(planes: readonly Float32Array[], layout: ChannelLayout): LoudnessMeter {
  const meter = new LoudnessMeter(RATE, layout.weights);
  meter.add(planes);
  return meter;
}

function leastAndMedian(cues: readonly { lu: number }[]): string {
  const values = cues.map(({ lu }) => lu).filter(Number.isFinite);
  if (values.length === 0) return "";
  return `${Math.min(...values).toFixed(1)}, ${quantile(values, 0.5).toFixed(1)}`;
}

function middle(values: readonly number[]): string {
  const known = values.filter(Number.isFinite);
  return known.length === 0 ? "" : `${quantile(known, 0.5).toFixed(2)} s`;
}

function scaled(plane: Float32Array, gain: number): Float32Array {
  return plane.map((value) => value * gain);
}

function difference(a: Float32Array, b: Float32Array): Float32Array {
  return a.map((value, i) => value - (b[i] ?? 0));
}

function clock(seconds: number): string {
  return `00:${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}
