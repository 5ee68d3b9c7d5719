import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parsedJson } from "../../core/objects.ts";
import { mergeRanges, overlapWithRanges, rangeDuration, type TimeRange, totalDuration } from "../../core/time-range.ts";
import { writeFinishedFile } from "../finished-file.ts";
import { hearPiece } from "../local/ask-speech.ts";
import { SpeechEngineError } from "../local/speech-engine.ts";
import type { HeardKind } from "../local/speech-orders.ts";
import { type InstalledHearing, orderedModel } from "../local/speech-setup.ts";
import { soundOfPieces } from "./transcribe.ts";

/** Kinds of AudioSet, by their names there, in which somebody sings words; humming, whistling and beatboxing have none. */
const SUNG_KINDS: ReadonlySet<string> = new Set([
  ...["Singing", "Male singing", "Female singing", "Child singing", "Synthetic singing"],
  ...["Choir", "Chant", "Mantra", "Rapping", "Yodeling"],
  ...["A capella", "Vocal music", "Song", "Lullaby", "Opera"],
]);

/**
 * Seconds of one piece. Such models learn from clips of ten; half of that still holds a sung line, which takes two to five
 * seconds, and leaves a piece free in every instrumental break of ten.
 */
const PIECE_SECONDS = 5;

/**
 * How likely singing must be somewhere in a stretch, and how likely in each piece of it. People who labelled AudioSet often
 * called a song "Music" and no more, so that models stay well below 1 at clear singing, and close to 0 where nobody sings.
 */
const SUNG = { reach: 0.3, stay: 0.15 };

/** A piece that was listened to. */
export interface ListenedPiece extends TimeRange {
  /** How likely somebody sings in it, 0 to 1. */
  readonly probability: number;
}

/** How likely it is that words are sung: as the likeliest of the kinds, for one holds the other. */
export function sungProbability(kinds: readonly HeardKind[]): number {
  return Math.max(0, ...kinds.filter(({ name }) => SUNG_KINDS.has(name)).map(({ probability }) => probability));
}

/** Where somebody sings: stretches of pieces side by side in which it is likely enough. Ordered and disjoint. */
export function decideSinging(pieces: readonly ListenedPiece[]): TimeRange[] {
  const ordered = pieces.filter(({ probability }) => probability >= SUNG.stay).sort((a, b) => a.start - b.start);
  const sure = ordered.filter(({ probability }) => probability >= SUNG.reach);
  return mergeRanges(ordered).filter((range) => overlapWithRanges(range, sure) > 0);
}

/** The pieces that cover ranges: of one grid for the whole programme, so that what was kept of them stays of use. */
export function planListening(where: readonly TimeRange[], durationSeconds: number): TimeRange[] {
  const count = Math.ceil(durationSeconds / PIECE_SECONDS);
  const grid = Array.from({ length: count }, (_, index) => ({
    start: index * PIECE_SECONDS,
    end: Math.min(durationSeconds, (index + 1) * PIECE_SECONDS),
  }));
  const ranges = mergeRanges(where);
  // What is left at the end may be shorter than a model takes.
  return grid.filter((piece) => rangeDuration(piece) >= SHORTEST_SECONDS && overlapWithRanges(piece, ranges) > 0);
}

/** Least that is listened to, in seconds: nobody sings a word in less. */
const SHORTEST_SECONDS = 0.5;

/** In what singing is listened for. */
export interface SingingOrder {
  readonly mediaPath: string;
  readonly durationSeconds: number;
  /** The sound tracks that are the programme's, counted from 1, where that is not for the file itself to say. */
  readonly tracks?: readonly number[];
  /** Where somebody may sing: music, and what hardly sounded like speech. Seconds on the programme clock, any order. */
  readonly where: readonly TimeRange[];
  /** Folder of this media alone, where answers are kept; made when missing. */
  readonly folder: string;
}

/** What was heard of singing. */
export interface HeardSinging {
  /** Where somebody sings, in seconds on the programme clock; ordered and disjoint. */
  readonly ranges: readonly TimeRange[];
  /** Seconds that were listened to, now or in an earlier run. */
  readonly listenedSeconds: number;
  /** Why it is not whole; `null` where it is. */
  readonly failure: SpeechEngineError | null;
}

/** Raised when pieces, or the kinds that count, change: kept answers are then asked for again. */
const KEPT_VERSION = 1;

/**
 * Listens for singing, piece by piece. What was answered is kept with the media, for this version of the model, also where it is
 * cancelled or fails. It takes another pass over the sound alone, up to the last piece.
 *
 * @param onProgress Share that is done, 0 to 1.
 * @throws MediaProcessError when the file cannot be opened; the signal's reason when it aborts.
 */
export async function listenForSinging(
  { mediaPath, durationSeconds, tracks, where, folder }: SingingOrder,
  { setup, model }: InstalledHearing,
  signal: AbortSignal,
  onProgress: (fraction: number) => void = () => undefined,
): Promise<HeardSinging> {
  const pieces = planListening(where, durationSeconds);
  const identity = [KEPT_VERSION, PIECE_SECONDS, model.id, orderedModel(model).version, setup.version, tracks ?? []];
  const path = join(folder, `${createHash("sha256").update(JSON.stringify(identity)).digest("hex")}.json`);
  const known = await readKept(path);
  const missing = pieces.filter(({ start }) => !known.has(start));
  let failure: SpeechEngineError | null = null;
  let asked = 0;
  try {
    for await (const { piece, samples } of missing.length === 0
      ? []
      : soundOfPieces(mediaPath, missing, durationSeconds, signal, tracks)) {
      const sound = Float32Array.from(samples, (sample) => sample / 32_768);
      known.set(
        piece.start,
        sungProbability(await hearPiece(setup, { kind: "tag", model: model.id, samples: sound }, signal)),
      );
      onProgress(++asked / missing.length);
    }
  } catch (error) {
    if (!(error instanceof SpeechEngineError)) throw error;
    failure = error;
  } finally {
    if (asked > 0) {
      await mkdir(folder, { recursive: true });
      await writeFinishedFile(path, JSON.stringify([...known]));
    }
  }
  const listened = pieces.flatMap((piece): ListenedPiece[] => {
    const probability = known.get(piece.start);
    return probability === undefined ? [] : [{ ...piece, probability }];
  });
  return { ranges: decideSinging(listened), listenedSeconds: totalDuration(listened), failure };
}

/** How likely singing is by the start of each piece. */
async function readKept(path: string): Promise<Map<number, number>> {
  // Absent the first time, which is the usual case; else written by this module alone, whole or not at all.
  const kept = parsedJson(await readFile(path, "utf8").catch(() => ""));
  return new Map(Array.isArray(kept) ? (kept as [number, number][]) : []);
}
