import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { clipRanges, mergeRanges, type TimeRange } from "../../../src/core/time-range.ts";
import { sentWave } from "../../../src/engine/dialogue/transcriber.ts";
import { decodeProgramme } from "../../../src/engine/ffmpeg/decode/decode-programme.ts";
import { probeMedia } from "../../../src/engine/ffmpeg/probe/probe.ts";
import { sharedMedia } from "../../../test/shared-media.ts";
import type { LabelledSound } from "./labelled-sound.ts";
import { withoutPauses } from "./speaker-turns.ts";

/** Rate of what detectors hear. */
export const RATE = 16_000;

/** A voice of known times over music. */
export interface VoiceOverMusic extends LabelledSound {
  readonly music: string;
  /** How far the voice, where it is heard, lies above the music, in dB. */
  readonly above: number;
  /** Where the voice can be heard by itself. */
  readonly voiced: readonly TimeRange[];
}

/** Music and films without words: a file, and the part of it that is taken, in seconds. */
const FILES = [
  ["jazz", "negative/jazz-performance-audio-only.mp4", 0, 60],
  ["orchestra", "no-dialogue/big-buck-bunny-5min.mp4", 60, 150],
  ["piano", "no-dialogue/chaplin.mp4", 0, 90],
  ["battle", "no-dialogue/tears-of-steel-battle-clip-medium.webm", 0, 90],
] as const;

/** Longest part of a recording that is laid over music, in seconds. */
const LONGEST = 60;

/** How far voices lie above music, in dB. */
const ABOVE = [6, 0];

/**
 * Voices over five kinds of music, each as loud as `above` says where somebody speaks, as files in `folder`: one at a time, the
 * next in the place of the last.
 */
export async function* voicesOverMusic(
  voices: readonly LabelledSound[],
  folder: string,
): AsyncGenerator<VoiceOverMusic> {
  const files = FILES.map(async ([name, file, from, to]) => {
    const sound = await dialogueOf(sharedMedia(file));
    return [name, sound.subarray(from * RATE, to * RATE)] as const;
  });
  const music = [["beat", beat(LONGEST)] as const, ...(await Promise.all(files))];
  for (const recording of voices) {
    const voice = (await dialogueOf(recording.path)).subarray(0, LONGEST * RATE);
    const until = { start: 0, end: voice.length / RATE };
    const spoken = clipRanges(recording.speech, until);
    const voiced = recording.kind === "turns" ? await withoutPauses(recording.path, spoken) : spoken;
    for (const [name, bed] of music) {
      for (const above of ABOVE) {
        const path = join(folder, "voice-over-music.wav");
        const mixed = over(voice, bed, voiced, above);
        await writeFile(path, sentWave(Int16Array.from(mixed, (sample) => Math.round(32_767 * sample))));
        yield { ...recording, path, speech: spoken, voiced, labelled: until, music: name, above };
      }
    }
  }
}

/** A voice over a film or music, by the energy of both where somebody speaks. Beyond full scale it is cut off. */
export function over(
  voice: Float32Array,
  bed: Float32Array,
  speech: readonly TimeRange[],
  above: number,
): Float32Array<ArrayBuffer> {
  const under = voice.map((_, i) => bed[i % bed.length] ?? 0);
  const gain = Math.sqrt(energyIn(under, speech) / energyIn(voice, speech)) * 10 ** (above / 20);
  const mixed = voice.map((sample, i) => gain * sample + (under[i] ?? 0));
  const peak = mixed.reduce((most, sample) => Math.max(most, Math.abs(sample)), 1);
  return Float32Array.from(mixed, (sample) => sample / peak);
}

function energyIn(sound: Float32Array, ranges: readonly TimeRange[]): number {
  let energy = 1e-9;
  for (const { start, end } of mergeRanges(ranges)) {
    for (const sample of sound.subarray(Math.round(start * RATE), Math.round(end * RATE))) energy += sample * sample;
  }
  return energy;
}

/** The dialogue of a file as detectors hear it. */
export async function dialogueOf(path: string): Promise<Float32Array> {
  const durationSeconds = (await probeMedia(path)).durationSeconds ?? 0;
  const dialogue = new Float32Array(Math.ceil(durationSeconds * RATE));
  let filled = 0;
  for await (const part of decodeProgramme(path, { durationSeconds, withPicture: false })) {
    if (part.kind !== "sound") continue;
    const sound = part.block.dialogue.subarray(0, dialogue.length - filled);
    dialogue.set(sound, filled);
    filled += sound.length;
  }
  return dialogue;
}

/** Three notes that change every two seconds, with a beat. */
function beat(seconds: number): Float32Array {
  let state = 1;
  return Float32Array.from({ length: seconds * RATE }, (_, i) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const time = i / RATE;
    const bar = Math.floor(time / 2);
    const tone = (hertz: number) => Math.sin(2 * Math.PI * hertz * time);
    const notes = tone(196 + 49 * (bar % 3)) + 0.7 * tone(246.9 + 30 * (bar % 4)) + 0.5 * tone(392);
    const beat = time % 0.5;
    return 0.1 * notes * (0.5 + 0.5 * Math.exp(-3 * beat)) + 0.06 * (state / 2 ** 32) * Math.exp(-20 * beat);
  });
}
