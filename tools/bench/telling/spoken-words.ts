import type { Cue } from "../../../src/core/cue.ts";
import type { SpokenWord } from "../../../src/core/dialogue.ts";
import { confidentRanges } from "../../../src/core/gap.ts";
import {
  clipRanges,
  mergeRanges,
  rangeDuration,
  shiftRange,
  subtractRanges,
  type TimeRange,
  totalDuration,
} from "../../../src/core/time-range.ts";
import { analyseSound } from "../../../src/engine/analyse/sound/analyse-sound.ts";
import { soundOfPieces } from "../../../src/engine/dialogue/transcribe.ts";
import { probeMedia } from "../../../src/engine/ffmpeg/probe/probe.ts";
import { readCues } from "../../../src/formats/index.ts";
import { quantile } from "../../common/measure.ts";

/** All that is said in a film, and what tells where in it a piece of its sound lies. */
export interface SpokenFilm {
  /** In order, seconds on the programme clock. */
  readonly words: readonly SpokenWord[];
  /** Samples of one channel at 16 kHz, 16 bits, as a transcription server is sent them. */
  readonly sound: Buffer;
}

/** Samples of 20 ms, in which it is measured how loud the sound is. */
const BLOCK = 320;

/** Seconds and decibels below loud speech from which a quiet stretch parts two words. */
const PAUSE = { seconds: 0.12, db: 20 };

/** Seconds by which a word may be moved to end at a pause; a sign after it makes that likelier by as much as half a second. */
const MOVED = { seconds: 0.8, sign: 0.5 };

/**
 * The words of a film's captions with times: each caption's words lie where speech is heard inside it, each as long as it is
 * written, and end where the sound pauses. A caption under which nothing is heard keeps its own times.
 */
export async function spokenFilm(path: string, captions: string): Promise<SpokenFilm> {
  const probe = await probeMedia(path, null);
  const durationSeconds = probe.durationSeconds ?? 0;
  const speech = confidentRanges((await analyseSound(path, { durationSeconds, probe })).speech);
  const whole = [{ start: 0, end: durationSeconds }];
  const pieces = soundOfPieces(path, whole, durationSeconds, new AbortController().signal);
  for await (const { samples } of pieces) {
    const heard = speech.flatMap((range) => subtractRanges(range, quietIn(samples)));
    return { words: timedWords(readCues(captions).cues, heard), sound: Buffer.from(samples.buffer) };
  }
  return { words: [], sound: Buffer.alloc(0) };
}

/** Where it is quiet between words, in seconds. */
function quietIn(samples: Int16Array): TimeRange[] {
  const levels = Array.from({ length: Math.floor(samples.length / BLOCK) }, (_, block) => {
    const power = samples.subarray(block * BLOCK, (block + 1) * BLOCK).reduce((sum, sample) => sum + sample ** 2, 1);
    return 10 * Math.log10(power);
  });
  const loud = quantile(levels, 0.9);
  const quiet = levels.flatMap((level, block) =>
    level < loud - PAUSE.db ? [{ start: block * 0.02, end: (block + 1) * 0.02 }] : [],
  );
  return mergeRanges(quiet, 0.001).filter((range) => rangeDuration(range) >= PAUSE.seconds);
}

/** Words of captions over the stretches in which somebody speaks. */
function timedWords(captions: readonly Cue[], heard: readonly TimeRange[]): SpokenWord[] {
  const words = captions.flatMap((cue) => {
    const inside = clipRanges(heard, cue);
    const texts = cue.text.split(/\s+/).filter((text) => /[\p{L}\p{N}]/u.test(text));
    return spread(texts, inside.length === 0 ? [cue] : inside);
  });
  // Each stretch ends with the word that ends nearest to it, best one before a sign.
  const timed: SpokenWord[] = [];
  let places: TimeRange[] = [];
  for (const place of heard) {
    places.push(place);
    const near = words
      .map(({ end, text }, index) => ({
        index,
        off: Math.abs(end - place.end),
        sign: /[.,;:?!]$/.test(text) ? MOVED.sign : 0,
      }))
      .filter(({ index, off }) => index >= timed.length && off <= MOVED.seconds)
      .sort((a, b) => a.off - a.sign - (b.off - b.sign))[0];
    if (near === undefined) continue;
    const texts = words.slice(timed.length, near.index + 1).map(({ text }) => text);
    timed.push(...spread(texts, places));
    places = [];
  }
  return [...timed, ...words.slice(timed.length)];
}

/** Words one after the other over stretches of time, each as long as it is written. */
function spread(texts: readonly string[], places: readonly TimeRange[]): SpokenWord[] {
  const perLetter = totalDuration(places) / texts.reduce((sum, text) => sum + text.length, 0);
  let left = [...places];
  let at = left[0]?.start ?? 0;
  return texts.map((text) => {
    const seconds = text.length * perLetter;
    // A word that hardly fits belongs behind the pause.
    while (left.length > 1 && (left[0]?.end ?? 0) - at < seconds / 2) {
      left = left.slice(1);
      at = left[0]?.start ?? at;
    }
    const start = at;
    at = Math.max(start + 0.05, Math.min(start + seconds, left[0]?.end ?? start + seconds));
    return { start, end: at, text };
  });
}

/** Bytes of a second of that sound. */
const SECOND_BYTES = 32_000;

/** What is said in a piece that is sent, as a server answers in OpenAI's form; it knows the piece by its samples. */
export function transcriptionAnswer({ words, sound }: SpokenFilm, sent: Buffer): object {
  const data = sent.indexOf("data", sent.indexOf("RIFF"), "latin1");
  const samples = sent.subarray(data + 8, data + 8 + sent.readUInt32LE(data + 4));
  let at = sound.indexOf(samples);
  while (at % 2 === 1) at = sound.indexOf(samples, at + 1);
  if (at < 0) throw new Error("a piece that is not of this film");
  const piece = { start: at / SECOND_BYTES, end: (at + samples.length) / SECOND_BYTES };
  const inside = words
    .filter(({ start, end }) => rangeDuration({ start, end }) > 0 && start >= piece.start && start < piece.end)
    .map((word) => shiftRange(word, -piece.start));
  const sentences: SpokenWord[][] = [];
  for (const word of inside) {
    const last = sentences.at(-1);
    if (last === undefined || /[.!?]$/.test(last.at(-1)?.text ?? "")) sentences.push([word]);
    else last.push(word);
  }
  const segments = sentences.map((one) => ({
    start: one[0]?.start ?? 0,
    end: one.at(-1)?.end ?? 0,
    text: one.map(({ text }) => text).join(" "),
  }));
  return {
    text: segments.map(({ text }) => text).join(" "),
    language: "en",
    segments,
    words: inside.map(({ start, end, text }) => ({ word: text, start, end })),
  };
}
