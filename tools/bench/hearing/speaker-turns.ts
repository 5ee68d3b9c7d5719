import { rangeDuration, subtractRanges, type TimeRange } from "../../../src/core/time-range.ts";
import { LEVELS_PER_SECOND, LevelTrack } from "../../../src/engine/analyse/sound/level-track.ts";
import { HighPass } from "../../../src/engine/analyse/sound/voice-features.ts";
import { decodeSound } from "../../../src/engine/ffmpeg/decode/decode-sound.ts";

/** A turn's loud level is exceeded in this share of its time; a pause lies so many decibels below, for so many seconds. */
const PAUSE = { loudShare: 0.1, below: 20, seconds: 0.2 };

/** Below the voice lies the rumble of the room. */
const VOICE_HERTZ = 150;

/**
 * Speaker turns without the pauses that labellers left in them, by the level of its first channel
 * alone: what lies 20 dB below the loud moments of
 * its turn for 0.2 s and more.
 */
export async function withoutPauses(path: string, turns: readonly TimeRange[]): Promise<TimeRange[]> {
  const [sampleRate, end] = [16_000, Math.max(0, ...turns.map((turn) => turn.end))];
  const track = new LevelTrack(sampleRate);
  const voice = new HighPass(sampleRate, VOICE_HERTZ);
  for await (const [sound] of decodeSound(path, { sampleRate, durationSeconds: end })) {
    if (sound !== undefined) track.add([voice.filter(sound)]);
  }
  const levels = track.levels();
  return turns.flatMap((turn) => subtractRanges(turn, pauses(levels, turn)));
}

function pauses(levels: Float32Array, turn: TimeRange): TimeRange[] {
  const first = Math.round(turn.start * LEVELS_PER_SECOND);
  const within = levels.subarray(first, Math.round(turn.end * LEVELS_PER_SECOND));
  const loud = within.toSorted().at(Math.floor(-PAUSE.loudShare * within.length)) ?? 0;
  const found: TimeRange[] = [];
  for (let step = 0; step < within.length; step++) {
    const start = step;
    while (step < within.length && (within[step] ?? 0) < loud - PAUSE.below) step++;
    const pause = { start: (first + start) / LEVELS_PER_SECOND, end: (first + step) / LEVELS_PER_SECOND };
    if (rangeDuration(pause) >= PAUSE.seconds) found.push(pause);
  }
  return found;
}
