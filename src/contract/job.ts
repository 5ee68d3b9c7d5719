import { z } from "zod/mini";
import type { PauseToWrite } from "../core/pause-to-write.ts";
import type { UnplacedReason } from "../core/placement.ts";
import type { TextFormat } from "../core/settings.ts";
import type { VoicingOnWire } from "./voicing.ts";

/** Query of `get_results`. */
export const ResultsQuery = z.object({ job_id: z.string().check(z.minLength(1)) });

/** Job states our service reports. A reader counts every state but `done` and `failed` as in progress. */
export const JOB_STATUSES = ["queued", "processing", "done", "failed"] as const;

/** State of a job. */
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Reply of `get_results` for a job in progress. */
export interface RunningJobReply {
  readonly job_id: string;
  readonly status: "queued" | "processing";
  readonly media_id: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** Addition of this service: what the job is doing, and how much of it is done (0 to 1). */
  readonly progress?: { readonly stage: string; readonly fraction: number };
  /** Addition of this service: seconds, a whole number, after which it is worth asking again. */
  readonly retry_after?: number;
}

/** Text of a finished job. */
interface JobOutput {
  readonly format: TextFormat;
  readonly content: string;
}

/** Reply of `get_results` for a finished job. */
export interface DoneJobReply {
  readonly job_id: string;
  readonly status: "done";
  readonly media_id: string;
  readonly output: JobOutput;
  readonly created_at: string;
  readonly updated_at: string;
  readonly audio_signed_url?: string;
  readonly video_signed_url?: string;
  /** Addition of this service: the page on which the pauses of `report.to_write` are written, HTML without links to elsewhere. */
  readonly worksheet_signed_url?: string;
  /** Addition of this service: what was measured, what was decided, and what a person should look at. */
  readonly report?: JobReport;
}

/** What a finished job says about itself beside its result. */
export interface JobReport {
  /** Which describer wrote the text: `script`, `vision` or `text`. */
  readonly describer: string;
  /** Speech, music and silence as heard, in seconds on the programme clock: `[start, end, confidence]`. */
  readonly speech: readonly (readonly [number, number, number])[];
  readonly music: readonly (readonly [number, number, number])[];
  readonly silence: readonly (readonly [number, number])[];
  /** Starts of shots in seconds. */
  readonly shots: readonly number[];
  /** Sentences about what was left out, shortened or assumed. */
  readonly notes: readonly string[];
  /** Seconds spent in each stage of the job, by name. */
  readonly stage_seconds: Readonly<Record<string, number>>;
  /** Other wordings of the lines that were placed, the longest first; absent where nobody wrote any. */
  readonly wordings?: readonly LineWordings[];
  /** Lines that a person should look at, because their writer was not sure of them; absent where there are none. */
  readonly doubts?: readonly LineDoubt[];
  /** What was learned of the film, as text to be read and corrected; absent where nobody looked. */
  readonly bible?: string;
  /** How often a voice was asked to speak; what was kept from earlier jobs is not spoken. Absent where nothing speaks. */
  readonly lines_spoken?: number;
  /** How the narration stands in the sound; absent where none was made. */
  readonly mix?: {
    readonly channels: number;
    /** Loudness and highest true peak of the whole track; `null` for silence. */
    readonly integrated_lufs: number | null;
    readonly true_peak_dbtp: number | null;
    readonly cues: readonly MixCueReport[];
    /** What a later mix of other lines takes over; absent where a video was made. */
    readonly voicing?: VoicingOnWire;
  };
  /** What the video of a video job is. */
  readonly video?: VideoReport;
  /** Where an extended description without a video needs the programme held; absent where it never does. */
  readonly held?: HeldReport;
  /** Pauses that are left for a person to write, in order of time; absent where none is. Not part of the text. */
  readonly to_write?: readonly PauseToWrite[];
  /** Lines of a given script that have no place, in order of time; absent where all have one. Not part of the text. */
  readonly left_out?: readonly LeftOutLine[];
}

/** Why a line of a script has no place: as in `UnplacedReason`, or it begins after the programme's end. */
export const LEFT_OUT_REASONS = [
  "no-gap-near",
  "too-long",
  "longer-than-programme",
  "crowded",
  "added-time",
  "nothing-to-say",
  "after-end",
] as const satisfies readonly (UnplacedReason | "after-end")[];

/** A line of a given script that has no place. */
export interface LeftOutLine {
  /** Words and times are the script's, in seconds on the programme clock. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Seconds that the voice takes for it at its normal rate; 0 where it has no word to speak. */
  readonly seconds: number;
  readonly reason: (typeof LEFT_OUT_REASONS)[number];
}

/** A line that its writer is not sure of. */
export interface LineDoubt {
  /** The words as they are spoken. */
  readonly said: string;
  /** How sure, 0 to 1. */
  readonly confidence: number;
  /** Why, in a few words; empty where nobody says. */
  readonly why: string;
}

/** Other ways to say a line. */
interface LineWordings {
  /** The words that were chosen. */
  readonly said: string;
  /** `seconds` at the voice's normal rate. */
  readonly others: readonly { readonly text: string; readonly seconds: number }[];
}

/** Levels of one description in the finished sound, to a tenth. */
export interface MixCueReport {
  readonly id: string;
  readonly narration_lufs: number;
  /** The programme under it before it was lowered; `null` where there was nothing. */
  readonly programme_lufs: number | null;
  /** By how many dB the programme was lowered. */
  readonly ducked_db: number;
  /** Narration above the lowered programme in LU; `null` where there was nothing. */
  readonly margin_lu: number | null;
  readonly over_music: boolean;
}

/** A rendered video and its clock, in seconds. */
export interface VideoReport extends HeldReport {
  /** Whether the picture stream is the source's own, bit by bit, but for `encoded_seconds`. */
  readonly picture: "copied" | "encoded";
  /** Seconds of a copied picture that were encoded all the same: its pauses, and from each to the next key frame. */
  readonly encoded_seconds?: number;
}

/** A programme with its pauses in seconds: what a video has, or would have. */
export interface HeldReport {
  readonly duration_seconds: number;
  /** Where the programme is held: on its own clock, when that is in the video, and for how long. Empty in standard AD. */
  readonly pauses: readonly { readonly at: number; readonly video_time: number; readonly seconds: number }[];
  /** When each description is heard in the video. */
  readonly cues: readonly { readonly id: string; readonly start: number; readonly end: number }[];
}

/** Reply of `get_results` for a failed job. */
export interface FailedJobReply {
  readonly job_id: string;
  readonly status: "failed";
  readonly media_id: string;
  readonly error: string;
  readonly message: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Reply of `get_results`. */
export type JobReply = RunningJobReply | DoneJobReply | FailedJobReply;

/** Reply of `DELETE /jobs/{job_id}`. */
export interface DeleteReply {
  readonly status: "success";
  readonly message: string;
}
