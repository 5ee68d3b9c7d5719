// An extended video of a real film: what it costs beside a plain copy, one encode of what is new and one encode of all, and
// whether picture and sound stay in step: npm run tool -- bench:extended [file, default big-buck-bunny-5min.mp4]
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { framesPerSecond } from "../../../src/core/frame-rate.ts";
import { DEFAULT_SETTINGS, type DescriptionSettings } from "../../../src/core/settings.ts";
import { probeMedia } from "../../../src/engine/ffmpeg/probe/probe.ts";
import { runPipeline } from "../../../src/engine/pipeline/pipeline.ts";
import { formatClockTime } from "../../../src/formats/clock-time.ts";
import { framesOf, levelOf, soundOf } from "../../../test/service/movie-facts.ts";
import { type Taken, timed } from "../../common/measure.ts";
import { print } from "../../common/report.ts";
import { copyMovie, encodeMovie, finishedSounds } from "./reference-movie.ts";

/** A line about every half minute, each longer than the gap it is given. */
const LINES = [
  "A small bird sits on a branch, ruffles its feathers, looks up into the light between the leaves, and lets itself fall.",
  "A very large grey rabbit steps out of a burrow beneath a tree, stretches its arms, and yawns at the morning.",
  "A white butterfly with dark spots flutters across the meadow and settles on a red apple beside the rabbit.",
];
const EVERY_SECONDS = 30;
/** How far a sound may be away from its picture: within a frame nobody hears it. */
const SOUND_WINDOW = 0.5;

const film =
  process.argv[2] ??
  fileURLToPath(new URL("../../../../shared/media/no-dialogue/big-buck-bunny-5min.mp4", import.meta.url));
const folder = await mkdtemp(join(tmpdir(), "aside-bench-extended-"));
process.env["ASIDE_VISION_URL"] = "off";
try {
  const probe = await probeMedia(film);
  const duration = probe.durationSeconds ?? 0;
  const rate = probe.picture?.rate;
  if (rate === undefined || rate === null) throw new Error("the film has no even frame rate");
  const height = probe.picture?.height ?? 0;
  const half = 2 * Math.round(height / 4);
  // The first job analyses the film and speaks the lines; what it leaves serves the others, and so do the sounds.
  const first = await job("extended", "Auto", duration);
  const sounds = await finishedSounds(first.path, folder);
  const reference = join(folder, "reference.mp4");
  const whole = { height, rate };
  print("".padEnd(50) + "on the clock / of the processors".padStart(34));
  const a = await told("a  plain copy of picture and sound", () => copyMovie(film, reference));
  const b = await told("b  picture copied, the two sounds encoded", () =>
    encodeMovie(film, reference, "copied", sounds),
  );
  const c = await told("c  our standard video", () => job("standard", "Auto", duration));
  const d = await told("d  our extended video, picture spliced", () => job("extended", "Auto", duration));
  const e = await told("e  picture as long and two sounds encoded", () =>
    encodeMovie(first.path, reference, whole, sounds),
  );
  const smaller = await told(`e½ the same, ${half} lines high`, () =>
    encodeMovie(first.path, reference, { height: half, rate }, sounds),
  );
  const f = await told(`f  our extended video, ${half} lines high`, () => job("extended", String(half), duration));
  for (const [name, ours, other] of [
    ["c / a", c, a],
    ["d / a", d, a],
    ["c / b", c, b],
    ["d / b", d, b],
    ["d / e", d, e],
    ["f / e½", f, smaller],
  ] as const) {
    print(
      `${name.padEnd(8)}${(ours.wallSeconds / other.wallSeconds).toFixed(2)} / ${(ours.processorSeconds / other.processorSeconds).toFixed(2)}`,
    );
  }
  const { path, video } = d.result;
  print(
    `${video.pauses.length} pauses, ${video.pauses.reduce((sum, one) => sum + one.seconds, 0).toFixed(1)} s held for ` +
      `${video.cues.reduce((sum, { start, end }) => sum + end - start, 0).toFixed(1)} s of narration; picture ${video.picture}, ${(video.encoded_seconds ?? 0).toFixed(1)} s of it encoded`,
  );
  await compare(path, video.pauses, 1 / framesPerSecond(rate));
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Runs something and prints what it took. */
async function told<Result>(name: string, work: () => Promise<Result>): Promise<Taken<Result>> {
  const taken = await timed(work);
  print(`${name.padEnd(50)}${taken.wallSeconds.toFixed(1).padStart(8)} s / ${taken.processorSeconds.toFixed(1)} s`);
  return taken;
}

/** Runs a video job in this process. Nobody is said to speak but for a moment at each line, which extended AD holds. */
async function job(type: DescriptionSettings["type"], resolution: string, duration: number) {
  const starts = Array.from({ length: Math.floor(duration / EVERY_SECONDS) }, (_, index) => 10 + index * EVERY_SECONDS);
  const cue = (start: number, end: number, text: string) =>
    `${formatClockTime(start)} --> ${formatClockTime(end)}\n${text}\n`;
  const script = starts.map((start, index) => cue(start, start + 0.5, LINES[index % LINES.length] ?? ""));
  const captions = [0, ...starts].map((start, index) =>
    cue(start === 0 ? 0 : start + 0.6, Math.max(start + 1, (starts[index] ?? duration) - 0.6), `Line ${index}.`),
  );
  const workFolder = await mkdtemp(join(folder, "work-"));
  const { files, report } = await runPipeline(
    {
      kind: "video",
      settings: {
        ...DEFAULT_SETTINGS,
        type,
        autoFit: false,
        script: `WEBVTT\n\n${script.join("\n")}`,
        captions: { content: `WEBVTT\n\n${captions.join("\n")}`, format: "vtt" },
      },
      track: "mixed",
      resolution,
      mediaPath: film,
      workFolder,
      mediaFolder: join(folder, "media"),
      narrationFolder: join(folder, "narration"),
    },
    { signal: new AbortController().signal, onProgress: () => {} },
  );
  if (files.video === undefined || report.video === undefined) throw new Error("no video was made");
  return { path: files.video, video: report.video };
}

/** Holds every frame of the video against the film's, and its sound after each pause against the film's sound. */
async function compare(
  path: string,
  pauses: readonly { readonly at: number; readonly video_time: number; readonly seconds: number }[],
  frame: number,
): Promise<void> {
  const [before, after] = [await framesOf(film), await framesOf(path)];
  const delay = (at: number) =>
    pauses.reduce((sum, pause) => sum + (pause.at <= at + frame / 2 ? pause.seconds : 0), 0);
  const first = after[0]?.at ?? 0;
  const uneven = Math.max(...after.map(({ at }, index) => Math.abs(at - first - index * frame)));
  const indexOf = (at: number) => Math.round((at + delay(at) - first) / frame);
  const alike = before.filter(({ at, hash }) => after[indexOf(at)]?.hash === hash).length;
  const worst = Math.max(...before.map(({ at }) => Math.abs((after[indexOf(at)]?.at ?? Infinity) - at - delay(at))));
  print(
    `${after.length} frames, at most ${(1000 * uneven).toFixed(1)} ms from an even rate; ${alike} of the film's ${before.length} bit by bit, ` +
      `worst time off by ${(1000 * worst).toFixed(1)} ms (frame ${(1000 * frame).toFixed(1)} ms)`,
  );
  const [original, mixed] = [await soundOf(film, 1), await soundOf(path, 1)];
  for (const at of [5, ...pauses.map((pause) => pause.at + 3)]) {
    const found = shiftOf(original, mixed, at, at + delay(at));
    print(`  sound at ${at.toFixed(2)} s is ${(1000 * found).toFixed(1)} ms off`);
  }
}

type Sound = Awaited<ReturnType<typeof soundOf>>;

/** By how much a stretch of sound comes late in another, in seconds: the shift at which the two are most alike. */
function shiftOf(original: Sound, mixed: Sound, at: number, expectedAt: number): number {
  if (levelOf(original, at, at + SOUND_WINDOW) < -60) return Number.NaN;
  const { sampleRate } = original;
  const from = Math.round(at * sampleRate);
  const length = Math.round(SOUND_WINDOW * sampleRate);
  let best = { shift: 0, alike: Number.NEGATIVE_INFINITY };
  const reach = Math.round(0.06 * sampleRate);
  for (let shift = -reach; shift <= reach; shift += 4) {
    const to = Math.round(expectedAt * sampleRate) + shift;
    let sum = 0;
    let energy = 1e-9;
    for (let i = 0; i < length; i += 3) {
      const sample = mixed.samples[to + i] ?? 0;
      sum += (original.samples[from + i] ?? 0) * sample;
      energy += sample * sample;
    }
    const alike = sum / Math.sqrt(energy);
    if (alike > best.alike) best = { shift, alike };
  }
  return best.shift / sampleRate;
}
