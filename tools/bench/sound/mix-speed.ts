// Mixing against a bare decode of the same sound, in one run: npm run tool -- bench:mix-speed [minutes, default 60]
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeSound } from "../../../src/engine/ffmpeg/decode/decode-sound.ts";
import { probeMedia } from "../../../src/engine/ffmpeg/probe/probe.ts";
import { type MixOrder, mixNarration } from "../../../src/engine/mix/mix-narration.ts";
import type { NarrationLine } from "../../../src/engine/mix/narration-track.ts";
import { MIX_SAMPLE_RATE, programmeSound, trackSamples } from "../../../src/engine/mix/programme-sound.ts";
import { EspeakVoice } from "../../../src/engine/voice/espeak.ts";
import { NarrationCache } from "../../../src/engine/voice/narration-cache.ts";
import { Narrator } from "../../../src/engine/voice/narrator.ts";
import { makeMedia } from "../../../test/made-media.ts";
import { type Taken, timed } from "../../common/measure.ts";
import { print } from "../../common/report.ts";

const minutes = Number(process.argv[2] ?? 60);
/** Noise and a chord that swell between -45 and -12 dBFS, as FFmpeg computes them; a second channel a fifth above. */
const SWELLING = [220, 330]
  .map((hertz) => `pow(10\\,(-28+16*sin(floor(t)/7))/20)*(random(0)-0.5+0.7*sin(2*PI*${hertz}*t))`)
  .join("|");
const folder = await mkdtemp(join(tmpdir(), "aside-bench-mix-"));
try {
  const source = join(folder, "programme.mp4");
  const length = `duration=${minutes * 60}`;
  makeMedia(source, [
    { graph: `color=color=gray:size=64x36:rate=1:${length}`, codec: "libx264", options: { preset: "ultrafast" } },
    { graph: `aevalsrc=exprs=${SWELLING}:sample_rate=48000:${length}`, codec: "aac" },
  ]);
  const probe = await probeMedia(source);
  const seconds = probe.durationSeconds ?? minutes * 60;
  const options = { sampleRate: MIX_SAMPLE_RATE, durationSeconds: seconds };
  const decode = await timed(async () => {
    for await (const _ of decodeSound(source, options));
  });
  print(`${(seconds / 60).toFixed(0)} min stereo AAC, ${lineCount()} lines of narration`);
  print(`bare decode            ${row(decode, decode, seconds)}`);

  const narrator = new Narrator(new EspeakVoice(), new NarrationCache(join(folder, "lines")), {
    language: "en-US",
    voice: "Achernar",
  });
  const lines = await timed(async () => {
    for (const { text } of narrationLines(narrator)) await narrator.speak(text);
  });
  print(`speaking the lines     ${row(lines, decode, seconds)}`);

  const order: MixOrder = {
    track: "mixed",
    programme: programmeSound(source, probe, seconds),
    sampleCount: trackSamples(seconds),
    lines: narrationLines(narrator),
    music: [],
    path: join(folder, "track.wav"),
  };
  for (const [name, variant] of [
    ["mixed", order],
    ["mixed, volume max -6", { ...order, volume: { option: "max", levelDbfs: -6 } }],
    ["ad_only", { ...order, track: "ad_only" }],
  ] as const satisfies readonly (readonly [string, MixOrder])[]) {
    const taken = await timed(() => mixNarration(variant));
    const { peakMegabytes, result } = taken;
    const { size } = await stat(variant.path);
    const levels = `${result.integratedLufs?.toFixed(1)} LUFS, ${result.truePeakDbtp?.toFixed(2)} dBTP`;
    print(
      `${name.padEnd(22)} ${row(taken, decode, seconds)}  ${peakMegabytes} MB  ${(size / 2 ** 20).toFixed(0)} MiB  ${levels}`,
    );
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

function row(taken: Taken<unknown>, decode: Taken<unknown>, seconds: number): string {
  const speed = (seconds / taken.processorSeconds).toFixed(0).padStart(5);
  const ratio = (taken.processorSeconds / decode.processorSeconds).toFixed(2).padStart(5);
  const processor = taken.processorSeconds.toFixed(1).padStart(6);
  return `${taken.wallSeconds.toFixed(1).padStart(6)} s  ${processor} s processor  ${speed} x  ${ratio} of decode`;
}

function lineCount(): number {
  return Math.floor((minutes * 60 - 10) / 15);
}

/** A line every quarter of a minute: a densely described film. */
function narrationLines(narrator: Narrator): NarrationLine[] {
  return Array.from({ length: lineCount() }, (_, index) => {
    const text = `In room ${index + 1}, a woman opens a letter and walks to the window.`;
    return {
      cueId: `cue-${index + 1}`,
      start: 5 + 15 * index,
      text,
      load: async () => (await narrator.speak(text)).line,
    };
  });
}
