// Whole jobs on the labelled films of the shared media folder, by the command line: how much of the narration's sound lies
// over true speech: npm run tool -- bench:narration
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXIT } from "../../../src/cli/shell/usage-error.ts";
import { mergeRanges, type TimeRange, totalDuration } from "../../../src/core/time-range.ts";
import { LEVELS_PER_SECOND, LevelTrack } from "../../../src/engine/analyse/sound/level-track.ts";
import { decodeSound } from "../../../src/engine/ffmpeg/decode/decode-sound.ts";
import { probeMedia } from "../../../src/engine/ffmpeg/probe/probe.ts";
import { runAside } from "../../common/aside.ts";
import { print } from "../../common/report.ts";
import { common } from "./hearing-score.ts";
import { type LabelledSound, labelledSounds } from "./labelled-sound.ts";

/** Seconds between the lines of the dense script: far more than fit, so that every gap is tried. */
const LINE_SECONDS = 1.5;

/** Level from which the narration counts as heard, in dBFS. */
const AUDIBLE_DBFS = -60;

const FILMS = /\.(?:mp4|webm)$/u;
const names = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "aside-bench-narration-"));
try {
  print(`${"file".padEnd(38)}${"text".padEnd(14)}  cues  narration  over true speech`);
  for (const film of await labelledSounds()) {
    if (!FILMS.test(film.path) || (names.length > 0 && !names.includes(film.name))) continue;
    const durationSeconds = (await probeMedia(film.path)).durationSeconds ?? 0;
    const script = join(folder, "script.txt");
    await writeFile(script, denseScript(durationSeconds));
    await job(film, durationSeconds, "dense script", ["--script", script]);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function job(film: LabelledSound, durationSeconds: number, text: string, options: string[]): Promise<void> {
  const out = await mkdtemp(join(folder, "out-"));
  const args = ["describe", film.path, "--out", out, "--data", join(folder, "data"), "--json", ...options];
  const { code, complaint } = await runAside(args);
  const name = `${film.name.slice(0, 37).padEnd(38)}${text.padEnd(14)}`;
  // A script this dense is never placed whole, which is a finding.
  if (code !== EXIT.done && code !== EXIT.findings) {
    print(`${name}  ${/\b[a-z]+(?:_[a-z]+)+\b/u.exec(complaint)?.[0] ?? complaint.trim()}`);
    return;
  }
  const narration = await audible(join(out, "narration.wav"), durationSeconds);
  const cues = mergeRanges(narration, 0.4).length;
  const seconds = `${totalDuration(narration).toFixed(1).padStart(9)} s`;
  print(`${name}${String(cues).padStart(6)}${seconds}${common(narration, film.speech).toFixed(2).padStart(16)} s`);
}

function denseScript(durationSeconds: number): string {
  const lines = Array.from({ length: Math.floor(durationSeconds / LINE_SECONDS) }, (_, index) => {
    const at = index * LINE_SECONDS;
    return `00:${String(Math.floor(at / 60)).padStart(2, "0")}:${(at % 60).toFixed(3).padStart(6, "0")} A man nods.`;
  });
  return lines.join("\n");
}

/** Where a sound is audible, to 10 ms. */
async function audible(path: string, durationSeconds: number): Promise<TimeRange[]> {
  const track = new LevelTrack(48_000);
  for await (const planes of decodeSound(path, { sampleRate: 48_000, durationSeconds })) track.add(planes);
  const steps = [...track.levels()].flatMap((level, step) =>
    level < AUDIBLE_DBFS ? [] : [{ start: step / LEVELS_PER_SECOND, end: (step + 1) / LEVELS_PER_SECOND }],
  );
  return mergeRanges(steps, 0.001);
}
