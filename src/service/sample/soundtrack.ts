import type { TimeRange } from "../../core/time-range.ts";
import type { SpokenLine } from "../spoken-line.ts";

/** Samples per second of the sample's sound. */
export const SAMPLE_RATE = 48_000;

/** A line of dialogue with its place. */
export interface PlacedLine extends TimeRange {
  readonly spoken: SpokenLine;
}

/** Where music plays, in seconds; chords with soft starts and ends. */
const MUSIC: TimeRange = { start: 19.5, end: 36.5 };

/** Frequencies in hertz of each chord, low to high, two seconds apiece: A minor, F, C, G. */
const CHORDS = [
  [110, 220, 261.63, 329.63],
  [87.31, 174.61, 220, 261.63],
  [130.81, 196, 261.63, 329.63],
  [98, 196, 246.94, 293.66],
] as const;
const CHORD_SECONDS = 2.1;
const MUSIC_GAIN = 0.035;
/** Level of the sea: about -52 dBFS RMS, so that no stretch is digital silence. */
const SEA_GAIN = 0.0045;
const DIALOGUE_GAIN = 0.5;

/** The sample's sound in blocks of a tenth of a second, stereo: dialogue, music under part of it, and a calm sea. */
export function* soundtrackBlocks(lines: readonly PlacedLine[], seconds: number): Generator<Float32Array[]> {
  const sea = seaNoise();
  const length = SAMPLE_RATE / 10;
  for (let from = 0; from < seconds * SAMPLE_RATE; from += length) {
    const left = new Float32Array(length);
    const right = new Float32Array(length);
    for (let i = 0; i < length; i++) {
      const at = (from + i) / SAMPLE_RATE;
      const bed = SEA_GAIN * sea() * (1 + 0.5 * Math.sin(at * 0.9));
      const voice = DIALOGUE_GAIN * dialogueAt(lines, at);
      const [musicLeft, musicRight] = musicAt(at);
      left[i] = bed + voice + musicLeft;
      right[i] = bed + voice + musicRight;
    }
    yield [left, right];
  }
}

function dialogueAt(lines: readonly PlacedLine[], at: number): number {
  const line = lines.find(({ start, end }) => at >= start && at < end);
  if (line === undefined) return 0;
  const { samples, sampleRate } = line.spoken;
  const position = (at - line.start) * sampleRate;
  const index = Math.floor(position);
  const from = samples[index] ?? 0;
  return from + ((samples[index + 1] ?? 0) - from) * (position - index);
}

function musicAt(at: number): [number, number] {
  if (at < MUSIC.start || at >= MUSIC.end) return [0, 0];
  const since = at - MUSIC.start;
  const chord = CHORDS[Math.floor(since / CHORD_SECONDS) % CHORDS.length] ?? CHORDS[0];
  const within = since % CHORD_SECONDS;
  const swell = Math.min(1, within / 0.25) * Math.exp(-within * 0.5);
  const edge = Math.min(1, since / 1.5, (MUSIC.end - at) / 1.5);
  let left = 0;
  let right = 0;
  for (const [voice, frequency] of chord.entries()) {
    const tone = Math.sin(2 * Math.PI * frequency * at) + 0.3 * Math.sin(4 * Math.PI * frequency * at);
    left += tone * (voice % 2 === 0 ? 1 : 0.6);
    right += tone * (voice % 2 === 0 ? 0.6 : 1);
  }
  return [left * MUSIC_GAIN * swell * edge, right * MUSIC_GAIN * swell * edge];
}

/** Low-passed noise from a fixed seed, so that every run makes the same sample. */
function seaNoise(): () => number {
  let state = 0x9e3779b9;
  let smooth = 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    smooth += 0.08 * (state / 0x80000000 - smooth);
    return smooth * 5;
  };
}
