import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defined } from "../../../src/core/objects.ts";
import type { TrackKind, Voicing } from "../../../src/core/settings.ts";
import { STEREO } from "../../../src/engine/loudness/channel-layout.ts";
import { mixNarration } from "../../../src/engine/mix/mix-narration.ts";
import { fitAsKept, voicingOf } from "../../../src/engine/pipeline/fit-kept.ts";
import { EspeakVoice } from "../../../src/engine/voice/espeak.ts";
import { NarrationCache } from "../../../src/engine/voice/narration-cache.ts";
import { Narrator } from "../../../src/engine/voice/narrator.ts";
import { timed } from "../../common/measure.ts";
import { print } from "../../common/report.ts";

// Voices and mixes 200 lines of twenty minutes (or as many as are asked for), changes 3 of them, does it again: how many lines are spoken, how much
// processor time it takes, and which samples differ.

const LINES = Number(process.argv[2] ?? 200);
const CHANGED = [0.085, 0.44, 0.765].map((share) => Math.floor(share * LINES));
const SECONDS_EACH = 6;
const RATE = 48_000;
const SAMPLES = LINES * SECONDS_EACH * RATE;
/** Where a changed line may be heard: the programme's glides and the limiter's recovery are in it. */
const RAMPS = { before: 0.16, after: 1.5 };

const folder = await mkdtemp(join(tmpdir(), "aside-revoice-"));
const NO_VOICING: Voicing = { track: "mixed", lines: [] };

const textOf = (index: number, isChanged: boolean) =>
  `Line ${index}: a woman ${isChanged ? "is" : "sits"} at a desk by the window.`;

/** Noise with a beat, loud enough that the limiter works. */
const programme = {
  layout: STEREO,
  *read() {
    let seed = 1;
    for (let at = 0; at < SAMPLES; at += RATE) {
      const plane = Float32Array.from({ length: RATE }, (_, i) => {
        seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) | 0;
        return (seed / 0x8000_0000) * (i % 12_000 < 200 ? 0.95 : 0.2);
      });
      yield [plane, plane.slice()];
    }
  },
};

async function run(track: TrackKind, name: string, changed: readonly number[], earlier?: Voicing) {
  const narrator = new Narrator(new EspeakVoice(), new NarrationCache(join(folder, track)), {
    language: "en-US",
    voice: "Achernar",
  });
  const script = Array.from({ length: LINES }, (_, index) => ({
    id: `cue-${index}`,
    wordings: [textOf(index, changed.includes(index))],
    picture: { start: index * SECONDS_EACH + 1, end: earlier?.lines[index] ? endOf(earlier.lines[index]) : 1e6 },
    importance: 1,
  }));
  const { signal } = new AbortController();
  const fitted = await timed(() =>
    fitAsKept(script, earlier ?? { ...NO_VOICING, track }, narrator, signal, () => undefined),
  );
  const { cues } = fitted.result;
  const mixed = await timed(() =>
    mixNarration({
      track,
      programme,
      sampleCount: SAMPLES,
      music: [],
      path: join(folder, name),
      ...defined({ kept: earlier }),
      lines: cues.map(({ id, start, text, rate, programmeLufs }) => ({
        cueId: id,
        start,
        text,
        ...defined({ programmeLufs }),
        load: async (stop?: AbortSignal) => (await narrator.speak(text, stop, rate)).line,
      })),
    }),
  );
  const voiceSeconds = fitted.processorSeconds;
  const seconds = voiceSeconds + mixed.processorSeconds;
  const voicing = voicingOf(mixed.result, cues, track);
  return { spoken: narrator.spokenAnew, voiceSeconds, seconds, voicing };
}

function endOf({ start, seconds }: Voicing["lines"][number]): number {
  return start + seconds;
}

/** Samples that differ, and how many of them lie outside the changed lines. */
async function compare(a: string, b: string, voicings: readonly Voicing[]) {
  const [one, other] = [await soundIn(a), await soundIn(b)];
  const frame = one.length / SAMPLES;
  const allowed = CHANGED.map((index) => ({
    from: ((voicings[0]?.lines[index]?.start ?? 0) - RAMPS.before) * RATE,
    to: (Math.max(...voicings.map(({ lines }) => (lines[index] ? endOf(lines[index]) : 0))) + RAMPS.after) * RATE,
  }));
  let differing = 0;
  let outside = 0;
  for (let at = 0; at < SAMPLES; at++) {
    const [from, to] = [at * frame, (at + 1) * frame];
    if (one.compare(other, from, to, from, to) === 0) continue;
    differing += 1;
    if (!allowed.some((range) => at >= range.from && at <= range.to)) outside += 1;
  }
  return { differing, outside };
}

async function soundIn(name: string): Promise<Buffer> {
  const file = await readFile(join(folder, name));
  const chunk = file.indexOf("data", 12, "latin1");
  return file.subarray(chunk + 8, chunk + 8 + file.readUInt32LE(chunk + 4));
}

let isGood = true;
for (const track of ["ad_only", "mixed"] as const) {
  const first = await run(track, "a.wav", []);
  const second = await run(track, "b.wav", CHANGED, first.voicing);
  const { differing, outside } = await compare("a.wav", "b.wav", [first.voicing, second.voicing]);
  isGood &&= second.spoken === CHANGED.length && outside === 0 && differing > 0;
  print(
    `${track}: all ${first.spoken} spoken, ${first.voiceSeconds.toFixed(1)} s voice of ${first.seconds.toFixed(1)} s; ` +
      `${CHANGED.length} changed: ${second.spoken} spoken, ${second.voiceSeconds.toFixed(1)} s voice of ` +
      `${second.seconds.toFixed(1)} s, ratio ${(second.seconds / first.seconds).toFixed(3)}; ` +
      `${differing} of ${SAMPLES} samples differ, ${outside} of them outside the changed lines`,
  );
}
await rm(folder, { recursive: true, force: true });
process.exitCode = isGood ? 0 : 1;
