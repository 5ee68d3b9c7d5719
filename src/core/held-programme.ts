import type { Cue } from "./cue.ts";
import { type FrameRate, framesFromSeconds, secondsFromFrames } from "./frame-rate.ts";
import { type Hold, TimeMap } from "./time-map.ts";

/** A description that may hold the programme, on the programme clock. */
export interface HoldingCue extends Cue {
  /** Length of the narration in seconds. */
  readonly narrationSeconds: number;
  /** Seconds the programme is held at `end`; 0 for none. */
  readonly holdSeconds: number;
}

/** The picture's frames, which holds are laid on. */
export interface FrameClock {
  /** `null` for a picture whose frames come at uneven times: holds are not moved then. */
  readonly rate: FrameRate | null;
  /** Seconds on the programme clock of the first frame. */
  readonly firstFrameSeconds: number;
  /** Length of the programme in seconds. */
  readonly durationSeconds: number;
}

/** A programme with its holds, and when each description is heard in it. */
export interface HeldProgramme {
  readonly map: TimeMap;
  /** In the order given, with the narration's start and end on the video's clock. */
  readonly cues: readonly Cue[];
}

/** Quiet between the end of a narration and the programme that goes on, and between two narrations, in seconds. */
const BREATH_SECONDS = 0.2;

/** Length of a frame where the rate is not known. */
const ASSUMED_FRAME_SECONDS = 0.04;

/**
 * Lays the holds of extended descriptions on the picture's frames: each begins where a frame begins and lasts a whole
 * number of frames, so that a picture of even rate stays one. Descriptions that hold the programme at the same frame
 * share a hold and are heard one after another. A hold never stands before the first frame or after the last.
 *
 * @param cues In programme order.
 */
export function holdProgramme(cues: readonly HoldingCue[], clock: FrameClock): HeldProgramme {
  const groups = groupByFrame(cues, clock);
  const halfFrame = frameSeconds(clock) / 2;
  const holds: Hold[] = [];
  const heard: Cue[] = [];
  let added = 0;
  let ended = Number.NEGATIVE_INFINITY;
  for (const { at, cues: group } of groups) {
    const held = at === null ? 0 : at + added;
    for (const { id, text, start, narrationSeconds } of group) {
      // A cue that begins with its hold may stand half a frame before the frame that the hold was laid on.
      const isRunning = at === null || start < at - halfFrame;
      const from = isRunning ? Math.max(ended, start + added) : Math.max(ended + BREATH_SECONDS, held);
      ended = from + narrationSeconds;
      heard.push({ id, text, start: from, end: ended });
    }
    if (at === null) continue;
    const seconds = wholeFrames(Math.max(0, ended + BREATH_SECONDS - held), clock.rate);
    if (seconds > 0) holds.push({ at, seconds });
    added += seconds;
  }
  return { map: new TimeMap(holds), cues: heard };
}

interface HeldGroup {
  /** Where the programme is held; `null` when it is not. */
  readonly at: number | null;
  readonly cues: HoldingCue[];
}

function groupByFrame(cues: readonly HoldingCue[], clock: FrameClock): HeldGroup[] {
  const groups: HeldGroup[] = [];
  for (const cue of cues) {
    const at = cue.holdSeconds > 0 ? onFrame(cue.end, clock) : null;
    const last = groups.at(-1);
    if (last !== undefined && at !== null && last.at === at) last.cues.push(cue);
    else groups.push({ at, cues: [cue] });
  }
  return groups;
}

/** The nearest instant at which a frame begins, with a frame before it and one after. */
function onFrame(seconds: number, clock: FrameClock): number {
  const { rate, firstFrameSeconds, durationSeconds } = clock;
  const frame = frameSeconds(clock);
  const first = firstFrameSeconds + frame;
  const last = Math.max(first, durationSeconds - frame);
  const clipped = Math.min(last, Math.max(first, seconds));
  if (rate === null) return clipped;
  const count = framesFromSeconds(clipped - firstFrameSeconds, rate);
  return firstFrameSeconds + secondsFromFrames(count, rate);
}

function frameSeconds({ rate }: FrameClock): number {
  return rate === null ? ASSUMED_FRAME_SECONDS : secondsFromFrames(1, rate);
}

function wholeFrames(seconds: number, rate: FrameRate | null): number {
  return rate === null ? seconds : secondsFromFrames(framesFromSeconds(seconds, rate, "ceil"), rate);
}
