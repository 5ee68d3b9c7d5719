import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { decibelsFromGain, gainFromDecibels } from "../../../core/level.ts";
import { LoudnessMeter } from "../../../engine/loudness/loudness-meter.ts";
import { resample } from "../../../engine/mix/resample.ts";
import { spokenFromBytes } from "../../../engine/voice/spoken-from-bytes.ts";
import { cueClipName, isClipOfCue } from "../../../workflow/place/narration-clips.ts";
import type { WaveStem } from "../../out-folder/wave-stem.ts";
import { UsageError } from "../../shell/usage-error.ts";
import { fileFingerprint } from "../../source/programme.ts";

/** A person's recording of one cue. Its file is read, and never written. */
export interface CueRecording {
  readonly path: string;
  readonly fingerprint: string;
}

/** Highest sample of a recording in the narration: room is left for peaks between samples. */
const HIGHEST_PEAK_DBFS = -3;

/**
 * Finds the recordings in a folder: WAV files named by their cue (`cue-0007.wav`, `cue-0007 take 2.wav`), or as a clip of
 * ours is. Of several for one cue, the last by name counts. Files of no cue are left alone.
 *
 * @throws UsageError when the folder cannot be read.
 */
export async function findRecordings(
  folder: string,
  cueIds: readonly string[],
): Promise<ReadonlyMap<string, CueRecording>> {
  const names = await readdir(folder).catch(() => {
    throw new UsageError(`--recordings: "${basename(folder)}" is no folder that can be read`);
  });
  const found = new Map<string, CueRecording>();
  for (const name of names.filter((one) => /\.wav$/i.test(one)).sort()) {
    const cueId = cueIds.find((id) => isRecordingOf(name, id));
    if (cueId === undefined) continue;
    const path = join(folder, name);
    found.set(cueId, { path, fingerprint: await fileFingerprint(path) });
  }
  return found;
}

/** A recording as it is heard in the narration. */
export interface RecordedLine {
  readonly samples: Float32Array;
  readonly seconds: number;
}

/**
 * Reads a recording for a narration file: its channels as one, silence at the ends cut off, at the file's rate, and at the
 * narration's loudness.
 *
 * @param narrationLufs Loudness of the narration around it, heard from all of its channels; `null` leaves the level as it is.
 * @throws UsageError when it cannot be read.
 */
export async function readRecording(
  { path }: CueRecording,
  stem: Pick<WaveStem, "sampleRate">,
  narrationLufs: number | null,
): Promise<RecordedLine> {
  const name = basename(path);
  const { samples, sampleRate } = await readFile(path)
    .then((bytes) => spokenFromBytes(bytes, `"${name}"`))
    .catch((error: unknown) => {
      throw new UsageError(`--recordings: "${name}" cannot be read as a recording: ${reasonOf(error)}`);
    });
  const line = resample(samples, sampleRate, stem.sampleRate);
  const gain = gainFor(line, stem.sampleRate, narrationLufs);
  return { samples: line.map((sample) => sample * gain), seconds: line.length / stem.sampleRate };
}

function isRecordingOf(name: string, cueId: string): boolean {
  const stem = cueClipName(cueId).replace(/^aside-|\.wav$/g, "");
  const [, rest] = name.startsWith(stem) ? ["", name.slice(stem.length)] : [];
  return isClipOfCue(name, cueId) || (rest !== undefined && /^(?:\.wav$|[ _.(])/i.test(rest));
}

function gainFor(line: Float32Array, sampleRate: number, narrationLufs: number | null): number {
  const peak = line.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  if (narrationLufs === null || peak === 0) return 1;
  // Both channels of the narration carry the line.
  const meter = new LoudnessMeter(sampleRate, [1, 1]);
  meter.add([line, line]);
  const lufs = meter.seconds < 0.5 ? meter.between(0, meter.seconds) : meter.integrated();
  if (!Number.isFinite(lufs)) return 1;
  return gainFromDecibels(Math.min(narrationLufs - lufs, HIGHEST_PEAK_DBFS - decibelsFromGain(peak)));
}

function reasonOf(error: unknown): string {
  return error instanceof Error && !("code" in error && error.code === "ENOENT") ? error.message : "it is not there";
}
