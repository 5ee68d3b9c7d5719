import { fileNameOf } from "../../core/file-name.ts";
import { type FrameRate, framesFromSeconds, secondsFromFrames } from "../../core/frame-rate.ts";
import { type Result, soundingCues } from "../../result/result.ts";
import type { OpenWave } from "../open-wave.ts";
import { type CutterFiles, openWaveCutter } from "../wave-cutter.ts";
import { type ClipPlace, clipPlaces } from "./cue-clips.ts";

/** The clip of one cue: its file, and where it lies. */
export interface NarrationClip {
  /** As the host's file port names it. */
  readonly path: string;
  readonly place: ClipPlace;
}

/** What clips are cut out of, and where they go. */
export interface ClipOrder {
  /** Its narration stands in `audio`; `voiced` tells where each cue is heard there. */
  readonly result: Pick<Result, "cues" | "mutedIds" | "voiced" | "pieces" | "audio" | "offsetSeconds">;
  /** Frame rate of the sequence. */
  readonly rate: FrameRate;
  /** Where the file of a clip goes, by its name. A file that is there is taken as this very cut. */
  readonly pathOf: (name: string) => string;
  readonly signal?: AbortSignal;
}

/**
 * The narration of a result as a clip for each cue that sounds: cut on frames out of the whole where the cue was voiced, and
 * placed where the cue is now. A cue that was never voiced has none; one whose voice is a file of its own keeps that file.
 *
 * @returns `null` where there is no narration, or none that can be cut.
 * @throws HostError when a file cannot be read or written; the signal's reason when it aborts.
 */
export async function cutNarrationClips(
  files: CutterFiles,
  order: ClipOrder,
): Promise<readonly NarrationClip[] | null> {
  const { result, rate, pathOf, signal } = order;
  const { audio, voiced, pieces = {}, offsetSeconds } = result;
  const wave = audio === undefined ? null : await openWaveCutter(files, audio.path);
  if (wave === null) return null;
  const cues = new Map(soundingCues(result).map((cue) => [cue.id, cue]));
  const spoken = [...cues.values()].flatMap((cue) => {
    const was = voiced[cue.id];
    return was === undefined || pieces[cue.id] !== undefined ? [] : [{ ...cue, start: was.start, end: was.end }];
  });
  /** How far a cue lies from where its sound was made, in whole frames. */
  const shiftOf = (cueId: string, madeAt: number) =>
    secondsFromFrames(framesFromSeconds((cues.get(cueId)?.start ?? madeAt) - madeAt, rate), rate);
  // A voice may go on behind the end that its service gave: no clip ends inside a word.
  const starts = spoken.map(({ start }) => start).sort((a, b) => a - b);
  const whole: typeof spoken = [];
  for (const cue of spoken) {
    const next = starts.find((start) => start > cue.start) ?? Number.POSITIVE_INFINITY;
    const begins = audio?.start ?? 0;
    whole.push({ ...cue, end: begins + (await soundEnd(wave, cue.end - begins, next - begins)) });
  }
  const clips: NarrationClip[] = [];
  for (const place of clipPlaces(whole, rate, offsetSeconds)) {
    signal?.throwIfAborted();
    const path = pathOf(place.name);
    const start = place.start - offsetSeconds - (audio?.start ?? 0);
    if ((await files.size(path)) === null) await wave.cut({ start, end: start + place.durationSeconds }, path);
    clips.push({
      path,
      place: { ...place, start: place.start + shiftOf(place.cueId, voiced[place.cueId]?.start ?? 0) },
    });
  }
  for (const [cueId, { path, start, durationSeconds }] of Object.entries(pieces)) {
    if (!cues.has(cueId)) continue;
    const madeAt = voiced[cueId]?.start ?? start;
    const place = {
      cueId,
      name: fileNameOf(path),
      start: start + offsetSeconds + shiftOf(cueId, madeAt),
      durationSeconds,
    };
    clips.push({ path, place });
  }
  return clips;
}

/** How far behind its stated end a voice is looked for, in steps; and what counts as silence, of full scale: -50 dB. */
const LONGEST_TAIL_SECONDS = 3;
const TAIL_STEP_SECONDS = 0.05;
const SILENCE = 10 ** (-50 / 20);

/** Where the sound that is heard at a time of a file ends, at the latest where the next one begins. Seconds from its start. */
async function soundEnd(wave: OpenWave, from: number, next: number): Promise<number> {
  const { sampleRate } = wave;
  const count = Math.round(TAIL_STEP_SECONDS * sampleRate);
  const latest = Math.min(next, from + LONGEST_TAIL_SECONDS);
  let end = from;
  while (end < latest) {
    const [left, right] = await wave.read(Math.round(end * sampleRate), count);
    const isHeard = [left, right].some((plane) => plane.some((sample) => Math.abs(sample) > SILENCE));
    if (!isHeard) break;
    end += TAIL_STEP_SECONDS;
  }
  return Math.min(end, Math.max(from, latest));
}
