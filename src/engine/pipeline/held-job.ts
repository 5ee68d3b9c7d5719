import type { HeldReport, VideoReport } from "../../contract/job.ts";
import { type HeldProgramme, holdProgramme } from "../../core/held-programme.ts";
import { toThousandth } from "../../core/time-range.ts";
import type { MediaProbe } from "../ffmpeg/probe/media-streams.ts";
import type { MadeMovie } from "../ffmpeg/render-movie.ts";
import type { FittedCue } from "./fit.ts";
import type { SoundParts } from "./make-sound.ts";

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
  return {
    duration_seconds: toThousandth(durationSeconds + map.addedSeconds),
    pauses: map.holds.map(({ at, seconds }) => ({
      at: toThousandth(at),
      video_time: toThousandth(map.arrival(at)),
      seconds: toThousandth(seconds),
    })),
    cues: cues.map(({ id, start, end }) => ({ id, start: toThousandth(start), end: toThousandth(end) })),
  };
}

/** When each line is heard, and how long the programme runs under it before it is held. */
export function heldLines(cues: readonly FittedCue[], { map, cues: heard }: HeldProgramme): SoundParts["lines"] {
  return heard.map(({ id, text, start, end }, index) => ({
    id,
    text,
    start,
    rate: cues[index]?.rate ?? 1,
    runningSeconds: Math.max(0, Math.min(end, map.arrival(nextPause(map.programmeTime(start), map.holds))) - start),
  }));
}

/** The instant of the first pause at or after a time of the programme; infinite when there is none. */
function nextPause(programmeSeconds: number, holds: HeldProgramme["map"]["holds"]): number {
  return holds.find(({ at }) => at >= programmeSeconds)?.at ?? Number.POSITIVE_INFINITY;
}

/** What a video is, in the words of the interface. */
export function videoReport(
  held: HeldProgramme,
  durationSeconds: number,
  made: Pick<MadeMovie, "isPictureCopied" | "encodedSeconds">,
): VideoReport {
  return {
    picture: made.isPictureCopied ? "copied" : "encoded",
    ...(made.encodedSeconds > 0 ? { encoded_seconds: toThousandth(made.encodedSeconds) } : {}),
    ...heldReport(held, durationSeconds),
  };
}
