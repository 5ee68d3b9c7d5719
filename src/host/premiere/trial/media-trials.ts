import { mediaLength } from "../../files.ts";
import type { Trial, TrialProbe } from "../../host-error.ts";
import type { PresetFile } from "../../preset-files.ts";
import { castClip } from "../answers.ts";
import { convertSequence } from "../convert-sequence.ts";
import { exportSequence } from "../export-sequence.ts";
import { importFile } from "../import-files.ts";
import { findItem, SourceMonitorPlayer } from "../project-bin.ts";
import { secondsFromTicks } from "../ticks.ts";
import { type Bench, TRIAL } from "./trial-bench.ts";

/** How long a sound is listened to, in milliseconds. */
const HEARD_MS = 600;

/** How much is exported, in seconds. */
const EXPORT_SECONDS = 2;

/** Longest time for exports, and for what waits for the project panel, in milliseconds. */
const EXPORT_LIMIT_MS = 240_000;
const SLOW_LIMIT_MS = 60_000;

/** How often the panel's timers should run while Premiere renders, in milliseconds. */
const TICK_MS = 100;

const SUBTITLE = "1\r\n00:00:01,000 --> 00:00:02,000\r\nOne line.\r\n";

/** What is tried with sounds, exports, files for other programs, captions and transcripts. */
export function mediaTrials(bench: Bench): TrialProbe[] {
  const { premiere, clock, files } = bench.options;
  return [
    {
      name: "Listening",
      code: "src/host/premiere/project-bin.ts src/host/uxp/sound-player.ts",
      run: async (trial) => {
        await bench.context(trial);
        const player = new SourceMonitorPlayer(premiere, clock);
        const shown = async () => (await premiere.SourceMonitor.getProjectItem().catch(() => null))?.getId() ?? null;
        const earlier = await shown();
        try {
          if (!(await player.play(await bench.wave(2)))) return "refused";
          const position = async () => secondsFromTicks(BigInt((await premiere.SourceMonitor.getPosition()).ticks));
          const from = await position();
          await clock.sleep(HEARD_MS, trial.signal);
          const to = await position();
          await player.stop();
          const isBack = (await shown()) === earlier;
          return `moved on by ${(to - from).toFixed(2)} s in ${HEARD_MS} ms; ${isBack ? "shows what it showed" : "shows something else"}`;
        } finally {
          await player.stop();
        }
      },
    },
    ...["picture", "sound"].map((content) => ({
      name: `Export of ${content} with each preset`,
      code: "src/host/premiere/export-sequence.ts src/host/premiere/wait-for-export.ts src/host/uxp/preset-files.ts",
      limitMs: EXPORT_LIMIT_MS,
      run: async (trial: Trial) => {
        await bench.context(trial);
        const found: string[] = [];
        for (const preset of await bench.options.presets.list()) {
          if (/wav/i.test(preset.path) !== (content === "sound")) continue;
          const said = await exported(bench, preset, trial).catch(
            (error: unknown) => `raises ${error instanceof Error ? error.message : error}`,
          );
          found.push(`${preset.origin}: ${said}`);
        }
        return found.length === 0 ? "no preset" : found.join("; ");
      },
    })),
    ...(["aaf", "otio", "xml"] as const).map((form) => ({
      name: `Converting to ${form.toUpperCase()}`,
      code: "src/host/premiere/convert-sequence.ts",
      limitMs: SLOW_LIMIT_MS,
      run: async (trial: Trial) => {
        const { before } = await bench.context(trial);
        const path = await bench.file(`.${form}`);
        await files.remove(path);
        await convertSequence(bench.options, before.reference, { form, path }, trial.signal);
        return `${await files.size(path)} bytes`;
      },
    })),
    {
      name: "Import of captions",
      code: "src/host/premiere/import-files.ts panel/controllers/deliver/write-delivery.ts",
      limitMs: SLOW_LIMIT_MS,
      run: async (trial) => {
        const context = await bench.context(trial);
        const path = await bench.file(".srt");
        await files.writeText(path, SUBTITLE);
        const [id] = await importFile(context, path);
        const item = id === undefined ? null : await findItem(premiere, id);
        const clip = item === null ? null : await castClip(premiere, item);
        const told = clip === null ? null : await clip.getMediaFilePath().catch(() => "");
        return clip === null
          ? "shown, as no clip"
          : `shown, as a clip ${told === null || told === "" ? "without" : "with"} a path`;
      },
    },
    {
      name: "Transcript",
      code: "src/host/premiere/transcript.ts src/host/premiere/transcript.ts",
      run: async (trial) => {
        const { before } = await bench.context(trial);
        const { Transcript } = premiere;
        if (!("hasTranscript" in Transcript)) return "cannot be asked for";
        const clips = before.audioTracks.flatMap((track) => track.clips.filter(({ name }) => !name.startsWith(TRIAL)));
        const ids = new Set(clips.flatMap(({ itemId }) => itemId ?? []));
        let count = 0;
        let shape = "";
        for (const id of ids) {
          const item = await findItem(premiere, id);
          const clip = item === null ? null : await castClip(premiere, item);
          if (clip === null || !(await Transcript.hasTranscript(clip))) continue;
          count += 1;
          shape ||= `: ${shapeOf(await Transcript.exportToJSON(clip))}`;
        }
        return `${count} of ${ids.size} sources have one${shape}`;
      },
    },
  ];
}

/** Exports a stretch with one preset, and tells what came of it. */
async function exported({ options }: Bench, preset: PresetFile, { signal }: Trial): Promise<string> {
  const { clock, files } = options;
  const range = { start: 0, end: EXPORT_SECONDS };
  const content = /wav/i.test(preset.path) ? ({ content: "sound" } as const) : {};
  let [longest, last, isOver] = [0, clock.now(), false];
  const tick = async () => {
    while (!isOver) {
      await clock.sleep(TICK_MS, signal).catch(() => undefined);
      longest = Math.max(longest, clock.now() - last);
      last = clock.now();
      isOver ||= signal.aborted;
    }
  };
  const started = clock.now();
  const ticking = tick();
  try {
    const alone = { ...options, presets: { list: async () => [preset] } };
    const { path, sizeBytes } = await exportSequence(alone, { range, preset: preset.path, ...content }, { signal });
    const took = clock.now() - started;
    const length = await mediaLength(files, path);
    await files.remove(path);
    return `${sizeBytes} bytes, ${length?.toFixed(3) ?? "no stated length"} s in ${took} ms; timers late by ${longest - TICK_MS} ms`;
  } finally {
    isOver = true;
    await ticking;
  }
}

/** Members that a transcript is documented to have. Whatever else it has is only counted: it may be a word of the programme. */
const DOCUMENTED = new Set(
  "language speakers id name segments start duration speaker words text confidence eos type tags".split(" "),
);

/** How a transcript is built, without a word of it: which members it has, and how many of each. */
function shapeOf(json: string): string {
  const counts = new Map<string, number>();
  // A visitor of every value; what it gives is not used.
  JSON.parse(json, (key, value: unknown) => {
    const name = DOCUMENTED.has(key) ? key : "others";
    if (!/^\d*$/.test(key)) counts.set(name, (counts.get(name) ?? 0) + 1);
    return value;
  });
  return [...counts].map(([name, count]) => `${name} ${count}`).join(", ");
}
