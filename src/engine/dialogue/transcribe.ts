import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { mergeRanges, overlapWithRanges, shiftRange, type TimeRange } from "../../core/time-range.ts";
import type { TranscriptLine } from "../../core/transcript.ts";
import { writeFinishedFile } from "../finished-file.ts";
import { askTranscription } from "./ask-transcription.ts";
import { planPieces, soundOfPieces } from "./sound-pieces.ts";
import { TranscriptionError } from "./transcription-error.ts";
import type { TranscriptionSettings } from "./transcription-settings.ts";

/** What is to be transcribed. */
export interface TranscriptionOrder {
  readonly mediaPath: string;
  readonly durationSeconds: number;
  /** What was heard as speech, seconds on the programme clock. */
  readonly speech: readonly TimeRange[];
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
 * What is said in a programme, by a transcription server. Only sound in which speech was heard is sent, and each answer is kept, so
 * that it is paid once. A server that fails ends it: what was answered before counts.
 *
 * @throws MediaProcessError when the file cannot be opened; the signal's reason when it aborts.
 */
export async function transcribe(
  order: TranscriptionOrder,
  settings: TranscriptionSettings,
  signal: AbortSignal,
): Promise<Transcription> {
  const { mediaPath, durationSeconds, language, folder } = order;
  const heard = mergeRanges(
    order.speech.map(({ start, end }) => ({ start: start - TOLERANCE_SECONDS, end: end + TOLERANCE_SECONDS })),
  );
  const pieces = planPieces(order.speech, durationSeconds);
  const pathOf = (piece: TimeRange) =>
    join(folder, `${keyOf([KEPT_VERSION, settings.baseUrl, settings.model, language, piece])}.json`);
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
    for await (const { piece, wave } of missing.length === 0
      ? []
      : soundOfPieces(mediaPath, missing, durationSeconds, signal)) {
      requests++;
      const lines = await askTranscription(wave, language, settings, signal);
      answers.set(piece, lines);
      await writeFinishedFile(pathOf(piece), JSON.stringify(lines));
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
