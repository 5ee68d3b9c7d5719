import type { HeldReport } from "../../contract/job.ts";
import { type HeldProgramme, holdProgramme } from "../../core/held-programme.ts";
import type { MediaProbe } from "../ffmpeg/probe/media-probe.ts";
import type { FittedCue } from "./fit.ts";

/** A programme held where its cues ask for it, on the frames of its picture. */
export function heldFor(cues: readonly FittedCue[], { picture }: MediaProbe, durationSeconds: number): HeldProgramme {
  return holdProgramme(cues, {
    rate: picture?.isVariableRate === false ? picture.rate : null,
    firstFrameSeconds: picture?.startSeconds ?? 0,
    durationSeconds,
  });
}

/** Its pauses, and when each cue is heard, in the words of the interface: seconds, to a thousandth. */
export function heldReport({ map, cues }: HeldProgramme, durationSeconds: number): HeldReport {
  const round = (seconds: number) => Math.round(seconds * 1000) / 1000;
  return {
    duration_seconds: round(durationSeconds + map.addedSeconds),
    pauses: map.holds.map(({ at, seconds }) => ({
      at: round(at),
      video_time: round(map.arrival(at)),
      seconds: round(seconds),
    })),
    cues: cues.map(({ id, start, end }) => ({ id, start: round(start), end: round(end) })),
  };
}
