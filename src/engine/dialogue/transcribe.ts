import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TranscriptLine } from "../../core/dialogue.ts";
import { mergeRanges, overlapWithRanges, shiftRange, type TimeRange } from "../../core/time-range.ts";
import { decodeProgramme } from "../ffmpeg/decode/decode-programme.ts";
import { writeFinishedFile } from "../finished-file.ts";
import { TranscriptionError } from "./ask-transcription.ts";
import { type PieceLimits, SENT_RATE, SERVER_PIECES, type Transcriber } from "./transcriber.ts";

/** What is to be transcribed. */
export interface TranscriptionOrder {
  readonly mediaPath: string;
  readonly durationSeconds: number;
  /** The sound tracks that are the programme's, counted from 1, where that is not for the file itself to say. */
  readonly tracks?: readonly number[];
  /** What was heard as speech, seconds on the programme clock. */
  readonly speech: readonly TimeRange[];
  /** Where the sound dips inside long speech: what has to be cut is cut there. Default nowhere. */
  readonly dips?: readonly number[];
  /** First subtag of a BCP-47 code; `null` leaves it to the model. */
  readonly language: string | null;
  /** Folder of this media alone, where answers are kept; made when missing. */
  readonly folder: string;
}

/** What a server heard. */
export interface Transcription {
  /** In order, seconds on the programme clock. */
  readonly lines: readonly TranscriptLine[];
  /** Requests that were sent; the answers of an earlier run are not asked for again. */
  readonly requests: number;
  /** Lines left out because nothing is heard under them. */
  readonly invented: number;
  /** Why it is not whole; `null` where it is. */
  readonly failure: TranscriptionError | null;
}

/** Raised when what is sent, or the reading of answers, changes: kept answers are then asked for again. */
const KEPT_VERSION = 1;

/** Seconds around what was heard in which a line may still lie: times of models are off by as much. */
const TOLERANCE_SECONDS = 0.3;

/**
 * What is said in a programme, by a transcriber. Only sound in which speech was heard is sent, and each answer is kept, so
 * that it is paid once. One that fails ends it: what was answered before counts.
 *
 * @param onProgress Share of what has to be asked that is answered, 0 to 1.
 * @throws MediaProcessError when the file cannot be opened; the signal's reason when it aborts.
 */
export async function transcribe(
  order: TranscriptionOrder,
  transcriber: Transcriber,
  signal: AbortSignal,
  onProgress: (fraction: number) => void = () => undefined,
): Promise<Transcription> {
  const { mediaPath, durationSeconds, tracks, language, folder } = order;
  const heard = mergeRanges(
    order.speech.map(({ start, end }) => ({ start: start - TOLERANCE_SECONDS, end: end + TOLERANCE_SECONDS })),
  );
  const pieces = planPieces(order.speech, durationSeconds, { ...transcriber.pieces, dips: order.dips });
  const pathOf = (piece: TimeRange) =>
    join(folder, `${keyOf([KEPT_VERSION, ...transcriber.identity, language, piece, ...(tracks ?? [])])}.json`);
  const answers = new Map<TimeRange, readonly TranscriptLine[]>();
  for (const piece of pieces) {
    const kept = await readKept(pathOf(piece));
    if (kept !== null) answers.set(piece, kept);
  }
  const missing = pieces.filter((piece) => !answers.has(piece));
  let requests = 0;
  let failure: TranscriptionError | null = null;
  await mkdir(folder, { recursive: true });
  try {
    for await (const { piece, samples } of missing.length === 0
      ? []
      : soundOfPieces(mediaPath, missing, durationSeconds, signal, tracks)) {
      requests++;
      const lines = await transcriber.ask(samples, language, signal);
      answers.set(piece, lines);
      await writeFinishedFile(pathOf(piece), JSON.stringify(lines));
      onProgress(requests / missing.length);
    }
  } catch (error) {
    if (!(error instanceof TranscriptionError)) throw error;
    failure = error;
  }
  const told = pieces.flatMap((piece) => (answers.get(piece) ?? []).map((line) => shiftLine(line, piece.start)));
  const lines = told.filter((line) => overlapWithRanges(line, heard) > 0);
  return { lines, requests, invented: told.length - lines.length, failure };
}

function shiftLine(line: TranscriptLine, seconds: number): TranscriptLine {
  const { words } = line;
  return {
    ...shiftRange(line, seconds),
    ...(words === undefined ? {} : { words: words.map((word) => shiftRange(word, seconds)) }),
  };
}

function keyOf(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

async function readKept(path: string): Promise<readonly TranscriptLine[] | null> {
  try {
    // Written by this module alone, whole or not at all; its name holds the hash of everything it depends on.
    return JSON.parse(await readFile(path, "utf8")) as readonly TranscriptLine[];
  } catch {
    // Absent: the usual case.
    return null;
  }
}

/** Seconds kept before and after speech: a detector may miss a faint beginning. */
const MARGIN_SECONDS = 0.5;

/**
 * Stretches of a programme to ask a transcriber about: all speech that was heard, in pieces as long as it takes, cut where nobody
 * speaks; where somebody speaks on for longer, at a dip of the sound if there is one. Seconds on the programme clock, in order.
 */
export function planPieces(
  speech: readonly TimeRange[],
  durationSeconds: number,
  { longest, skipped, dips = [] }: PieceLimits & { readonly dips?: readonly number[] | undefined } = SERVER_PIECES,
): TimeRange[] {
  const spoken = mergeRanges(
    speech.map(({ start, end }) => ({
      start: Math.max(0, start - MARGIN_SECONDS),
      end: Math.min(durationSeconds, end + MARGIN_SECONDS),
    })),
  );
  const pieces: TimeRange[] = [];
  for (const range of spoken) {
    const last = pieces.at(-1);
    const isNear = last !== undefined && range.start - last.end <= skipped;
    if (isNear && range.end - last.start <= longest) {
      pieces.splice(-1, 1, { start: last.start, end: range.end });
      continue;
    }
    for (let start = range.start; start < range.end; ) {
      const limit = start + longest;
      // A cut in the first half would make more pieces than it saves words.
      const dip = dips.findLast((at) => at > start + longest / 2 && at < limit);
      const end = range.end <= limit ? range.end : (dip ?? limit);
      pieces.push({ start, end });
      start = end;
    }
  }
  return pieces;
}

/**
 * The sound of each piece: one channel of what detectors take for dialogue, 16 kHz, 16 bits. One is held at a time.
 *
 * @param pieces In order, disjoint.
 * @param tracks The sound tracks that are the programme's; what the file says of them decides where absent.
 * @throws MediaProcessError when the file cannot be opened; the signal's reason when it aborts.
 */
export async function* soundOfPieces(
  path: string,
  pieces: readonly TimeRange[],
  durationSeconds: number,
  signal: AbortSignal,
  tracks?: readonly number[],
): AsyncGenerator<{ readonly piece: TimeRange; readonly samples: Int16Array<ArrayBuffer> }, void> {
  const waiting = pieces.map((piece) => ({ piece, from: samplesAt(piece.start), to: samplesAt(piece.end) }));
  let samples = new Int16Array(0);
  let at = 0;
  for await (const part of decodeProgramme(path, { durationSeconds, withPicture: false, tracks, signal })) {
    if (part.kind === "picture") continue;
    // The end of the sound completes the piece it lies in.
    const dialogue = part.kind === "sound" ? part.block.dialogue : new Float32Array(0);
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      const { piece, from, to } = next;
      if (part.kind === "sound" && at + dialogue.length <= from) break;
      if (samples.length === 0) samples = new Int16Array(to - from);
      const first = Math.max(0, from - at);
      const last = Math.min(dialogue.length, to - at);
      for (let i = first; i < last; i++)
        samples[at + i - from] = Math.round(32_767 * Math.max(-1, Math.min(1, dialogue[i] ?? 0)));
      if (part.kind === "sound" && at + dialogue.length < to) break;
      waiting.shift();
      yield { piece, samples };
      samples = new Int16Array(0);
    }
    if (waiting.length === 0) return;
    at += dialogue.length;
  }
}

function samplesAt(seconds: number): number {
  return Math.round(seconds * SENT_RATE);
}
