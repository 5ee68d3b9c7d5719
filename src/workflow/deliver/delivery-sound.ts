import type { Cue } from "../../core/cue.ts";
import { type DuckGlide, planDucking } from "../../core/duck-plan.ts";
import { secondsFromFrames } from "../../core/frame-rate.ts";
import { meanLevel, SILENCE_LUFS, type SoundMeasure } from "../../core/measures.ts";
import type { FrameGrid } from "../../core/settings.ts";
import { nominalFrameRate } from "../../core/timecode.ts";
import type { BroadcastOrder, Leader } from "../../formats/wave/broadcast-copy.ts";
import { type BroadcastExtension, codingHistoryLine } from "../../formats/wave/broadcast-extension.ts";
import type { StatedFormat } from "../../formats/wave/wave-format.ts";

/** What stands before the programme in the sounds of a delivery. */
export interface DeliveryLeader {
  /** Length in whole seconds of timecode, {@link POP_SECONDS} to {@link LONGEST_LEADER_SECONDS}. */
  readonly seconds: number;
  /** Whether a 2-pop is in it: a frame of 1 kHz, two seconds before the programme. */
  readonly hasPop: boolean;
}

/** A programme and what stands before it. */
interface LedProgramme {
  readonly grid: FrameGrid;
  readonly leader?: DeliveryLeader;
}

/** What a sound of a delivery says of itself by. */
interface SoundOrder extends LedProgramme {
  readonly title: string;
  /** BCP-47 code. */
  readonly language: string;
  /** ISO 8601, in UTC. */
  readonly createdAt: string;
  readonly reference?: string;
  /** Where the delivery comes from, as far as it is known. */
  readonly origin: { readonly jobId: string } | null;
}

/** A 2-pop begins so many seconds of timecode before the programme: on the 2 of the countdown, hence its name. */
export const POP_SECONDS = 2;

/** Length of a countdown leader in seconds of timecode (SMPTE universal leader). */
export const USUAL_LEADER_SECONDS = 8;

/** A longer leader would be no leader any more. */
export const LONGEST_LEADER_SECONDS = 60;

/** Bytes of an earlier coding history that are kept at most: a head that is longer is not found again by its readers. */
const HISTORY_BYTES = 16_384;

/** What each sound is, as its description says it. */
const SOUND_WORDS = {
  narration: "audio description alone",
  mix: "programme with audio description",
  adm: "programme, and audio description as its own object",
} as const;

/** The leader of a delivery as sound: on whole frames of its programme; `undefined` without one. */
export function soundLeader({ grid, leader }: LedProgramme): Leader | undefined {
  if (leader === undefined) return undefined;
  const seconds = (frames: number) => secondsFromFrames(frames, grid.rate);
  const pop = {
    beforeSeconds: seconds(POP_SECONDS * nominalFrameRate(grid.rate)),
    seconds: seconds(1),
  };
  return { seconds: seconds(leaderFrames({ grid, leader })), ...(leader.hasPop ? { pop } : {}) };
}

/** Timecode at which the sounds of a delivery begin, in seconds from midnight: their leader's start. Below 0 where it does not fit. */
export function soundStartSeconds(order: LedProgramme): number {
  return secondsFromFrames(order.grid.startFrame - leaderFrames(order), order.grid.rate);
}

function leaderFrames({ grid, leader }: LedProgramme): number {
  return (leader?.seconds ?? 0) * nominalFrameRate(grid.rate);
}

/**
 * What a sound of a delivery says of itself as Broadcast Wave. Where the sound was made before, its date and its coding history
 * stay; the date of a delivery is in UTC.
 *
 * @param source What the file says that it is made from.
 * @param format As it is delivered.
 * @param done What was done to its samples, for the coding history.
 */
export function broadcastOrder(
  order: SoundOrder,
  kind: keyof typeof SOUND_WORDS,
  source: BroadcastExtension | undefined,
  format: Pick<StatedFormat, "sampleRate" | "bits" | "channels">,
  done: readonly string[] = [],
): BroadcastOrder {
  const { grid, title, language, createdAt, origin } = order;
  const leader = soundLeader(order);
  const steps = [...done, ...(leader === undefined ? [] : ["leader added"])];
  const line = codingHistoryLine(format, ["Aside", SOUND_WORDS[kind], ...steps].join("; "));
  // 36 characters with hyphens, 32 without: a job's number fits, and nobody else has it.
  const reference = order.reference ?? origin?.jobId.replaceAll("-", "") ?? "";
  return {
    startSeconds: secondsFromFrames(grid.startFrame, grid.rate),
    broadcast: {
      description: `${title}: ${SOUND_WORDS[kind]} (${language})`,
      originator: "Aside",
      originatorReference: reference,
      origination: source?.origination ?? { date: createdAt.slice(0, 10), time: createdAt.slice(11, 19) },
      codingHistory: [...latest(source?.codingHistory ?? []), line],
    },
    ...(leader === undefined ? {} : { leader }),
  };
}

/** The latest lines of a history, as many as fit. */
function latest(lines: readonly string[]): string[] {
  let bytes = 0;
  const kept: string[] = [];
  for (const line of [...lines].reverse()) {
    bytes += line.length + 2;
    if (bytes > HISTORY_BYTES) break;
    kept.unshift(line);
  }
  return kept;
}

/**
 * How the programme is lowered for a narration that goes beside it, as our own mix would lower it: by what both were measured to be.
 *
 * @param cues In order of time, each as long as it is spoken.
 * @param programme Heard too: over music the programme is lowered less.
 * @returns In order of time and disjoint, on the programme clock.
 */
export function deliveryFades(
  cues: readonly Cue[],
  narration: SoundMeasure,
  programme: SoundMeasure,
): readonly DuckGlide[] {
  const lines = cues.flatMap((cue) => {
    const narrationLufs = meanLevel(narration.levels, [cue]) ?? SILENCE_LUFS;
    const programmeLufs = meanLevel(programme.levels, [cue]) ?? SILENCE_LUFS;
    if (narrationLufs <= SILENCE_LUFS || programmeLufs <= SILENCE_LUFS) return [];
    return [{ cueId: cue.id, start: cue.start, end: cue.end, narrationLufs, programmeLufs }];
  });
  return planDucking(lines, programme.heard?.music ?? []).glides;
}
