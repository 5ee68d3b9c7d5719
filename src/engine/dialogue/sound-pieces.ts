import { mergeRanges, type TimeRange } from "../../core/time-range.ts";
import { waveHeader } from "../../formats/wave/write-wave.ts";
import { decodeProgramme } from "../ffmpeg/decode/decode-programme.ts";

/** Samples per second of what is sent: what models listen at, and what detectors do. */
export const SENT_RATE = 16_000;

/** Seconds of sound in one piece at most: 19 MB as it is sent, where 25 MB is the usual limit. */
const LONGEST_SECONDS = 600;

/** Seconds without speech that are not worth sending. */
const SKIPPED_SECONDS = 20;

/** Seconds kept before and after speech: a detector may miss a faint beginning. */
const MARGIN_SECONDS = 0.5;

/**
 * Stretches of a programme to send to a transcription server: all speech that was heard, in pieces of ten minutes at most, cut
 * where nobody speaks unless somebody speaks on for longer. Seconds on the programme clock, in order.
 */
export function planPieces(speech: readonly TimeRange[], durationSeconds: number): TimeRange[] {
  const spoken = mergeRanges(
    speech.map(({ start, end }) => ({
      start: Math.max(0, start - MARGIN_SECONDS),
      end: Math.min(durationSeconds, end + MARGIN_SECONDS),
    })),
  );
  const pieces: TimeRange[] = [];
  for (const range of spoken) {
    const last = pieces.at(-1);
    const isNear = last !== undefined && range.start - last.end <= SKIPPED_SECONDS;
    if (isNear && range.end - last.start <= LONGEST_SECONDS) {
      pieces.splice(-1, 1, { start: last.start, end: range.end });
      continue;
    }
    for (let start = range.start; start < range.end; start += LONGEST_SECONDS)
      pieces.push({ start, end: Math.min(range.end, start + LONGEST_SECONDS) });
  }
  return pieces;
}

/**
 * The sound of each piece as a WAV file: one channel of what detectors take for dialogue, 16 bits. One is held at a time.
 *
 * @param pieces In order, disjoint.
 * @throws MediaProcessError when the file cannot be opened; the signal's reason when it aborts.
 */
export async function* soundOfPieces(
  path: string,
  pieces: readonly TimeRange[],
  durationSeconds: number,
  signal: AbortSignal,
): AsyncGenerator<{ readonly piece: TimeRange; readonly wave: Uint8Array<ArrayBuffer> }, void> {
  const waiting = pieces.map((piece) => ({ piece, from: samplesAt(piece.start), to: samplesAt(piece.end) }));
  let wave = new Int16Array(0);
  let at = 0;
  for await (const part of decodeProgramme(path, { durationSeconds, withPicture: false, signal })) {
    if (part.kind === "picture") continue;
    // The end of the sound completes the piece it lies in.
    const dialogue = part.kind === "sound" ? part.block.dialogue : new Float32Array(0);
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      const { piece, from, to } = next;
      if (part.kind === "sound" && at + dialogue.length <= from) break;
      if (wave.length === 0) wave = new Int16Array(to - from);
      const first = Math.max(0, from - at);
      const last = Math.min(dialogue.length, to - at);
      for (let i = first; i < last; i++)
        wave[at + i - from] = Math.round(32_767 * Math.max(-1, Math.min(1, dialogue[i] ?? 0)));
      if (part.kind === "sound" && at + dialogue.length < to) break;
      waiting.shift();
      yield { piece, wave: sentWave(wave) };
      wave = new Int16Array(0);
    }
    at += dialogue.length;
  }
}

function samplesAt(seconds: number): number {
  return Math.round(seconds * SENT_RATE);
}

/** Samples as a WAV file of the kind that servers are sent: one channel, 16 kHz, 16 bits. */
export function sentWave(samples: Int16Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const format = { channels: 1, sampleRate: SENT_RATE, bits: 16, encoding: "integer", channelMask: 0 } as const;
  const header = waveHeader({ format, sampleCount: samples.length });
  const bytes = new Uint8Array(header.length + samples.byteLength);
  bytes.set(header);
  bytes.set(new Uint8Array(samples.buffer), header.length);
  return bytes;
}
