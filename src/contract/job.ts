import * as z from "zod/mini";
import { JOB_FINDING_RULES, LEFT_OUT_REASONS, MOST_MOMENTS, TEXT_FORMATS } from "./choices.ts";
import { VoicingSchema } from "./generation.ts";

/** Query of `get_results`. */
export const ResultsQuery = z.object({ job_id: z.string().check(z.minLength(1)) });

/** Job states our service reports. A reader counts every state but `done` and `failed` as in progress. */
export const JOB_STATUSES = ["queued", "processing", "done", "failed"] as const;

/** State of a job. */
export type JobStatus = (typeof JOB_STATUSES)[number];

const list = <Item extends z.ZodMiniType>(item: Item) => z.readonly(z.array(item));

/** What was heard, in seconds on the programme clock: `[start, end, confidence]`, and `[start, end]` of silence. */
export const heardRanges = {
  speech: list(z.readonly(z.tuple([z.number(), z.number(), z.number()]))),
  music: list(z.readonly(z.tuple([z.number(), z.number(), z.number()]))),
  silence: list(z.readonly(z.tuple([z.number(), z.number()]))),
  /** Where the sound cannot be decoded, or is missing, so that nobody can tell whether somebody speaks; absent where all is known. */
  unknown: z.exactOptional(list(z.readonly(z.tuple([z.number(), z.number()])))),
};

const LineDoubtSchema = z.strictObject({
  /** The words as they are spoken. */
  said: z.string(),
  /** How sure, 0 to 1. */
  confidence: z.number(),
  /** Why, in a few words; empty where nobody says. */
  why: z.string(),
});

const JobFindingSchema = z.strictObject({
  rule: z.enum(JOB_FINDING_RULES),
  /** `fail` for what was asked for and did not come about, `warn` for what a person should look at, `note` for the rest. */
  severity: z.enum(["fail", "warn", "note"]),
  /** A sentence for people. */
  message: z.string(),
  /** The words of the line that it is about, as they are spoken; absent where it is about none. */
  said: z.exactOptional(z.string()),
  /** Where on the programme clock, in seconds; absent where it is about the whole. */
  start: z.exactOptional(z.number()),
  end: z.exactOptional(z.number()),
});

const LineWordingsSchema = z.strictObject({
  /** The words that were chosen. */
  said: z.string(),
  /** `seconds` at the voice's normal rate. */
  others: list(z.strictObject({ text: z.string(), seconds: z.number() })),
});

const MixCueSchema = z.strictObject({
  id: z.string(),
  narration_lufs: z.number(),
  /** The programme under it before it was lowered; `null` where there was nothing. */
  programme_lufs: z.nullable(z.number()),
  /** By how many dB the programme was lowered. */
  ducked_db: z.number(),
  /** Narration above the lowered programme in LU; `null` where there was nothing. */
  margin_lu: z.nullable(z.number()),
  over_music: z.boolean(),
});

const HeldSchema = z.strictObject({
  duration_seconds: z.number(),
  /** Where the programme is held: on its own clock, when that is in the video, and for how long. Empty in standard AD. */
  pauses: list(z.strictObject({ at: z.number(), video_time: z.number(), seconds: z.number() })),
  /** When each description is heard in the video. */
  cues: list(z.strictObject({ id: z.string(), start: z.number(), end: z.number() })),
});

const VideoSchema = z.strictObject({
  /** Whether the picture stream is the source's own, bit by bit, but for `encoded_seconds`. */
  picture: z.enum(["copied", "encoded"]),
  /** Seconds of a copied picture that were encoded all the same: its pauses, and from each to the next key frame. */
  encoded_seconds: z.exactOptional(z.number()),
  ...HeldSchema.shape,
});

/** `PauseToWrite`. */
const PauseSchema = z.strictObject({
  id: z.string(),
  start: z.number(),
  end: z.number(),
  words: z.int(),
  unit: z.exactOptional(z.literal("characters")),
  hints: list(z.string()),
  before: z.exactOptional(z.string()),
  after: z.exactOptional(z.string()),
});

const LeftOutSchema = z.strictObject({
  /** Words and times are the script's, in seconds on the programme clock. */
  text: z.string(),
  start: z.number(),
  end: z.number(),
  /** Seconds that the voice takes for it at its normal rate; 0 where it has no word to speak. */
  seconds: z.number(),
  reason: z.enum(LEFT_OUT_REASONS),
});

const DialogueSchema = z.strictObject({
  start: z.number(),
  end: z.number(),
  text: z.string(),
  /** A name, or a label such as `A`; absent where nothing tells who speaks. */
  speaker: z.exactOptional(z.string()),
});

const ReportSchema = z.strictObject({
  /** Which describer wrote the text: `script`, `vision` or `text`. */
  describer: z.string(),
  ...heardRanges,
  /** Where somebody sings, as `silence`; absent where nobody does, or nobody listened for it. */
  singing: z.exactOptional(list(z.readonly(z.tuple([z.number(), z.number()])))),
  /** How loud the programme is in equal parts: the loudest sample of each, in dB above -60 dBFS, 0 to 60. Absent without sound. */
  levels: z.exactOptional(list(z.number())),
  /** Starts of shots in seconds. */
  shots: list(z.number()),
  /** What is said, in order of time; absent where neither captions nor a transcription tell. */
  dialogue: z.exactOptional(list(DialogueSchema)),
  /** Sentences about what was left out, shortened or assumed. */
  notes: list(z.string()),
  /** Seconds spent in each stage of the job, by name. */
  stage_seconds: z.readonly(z.record(z.string(), z.number())),
  /** Other wordings of the lines that were placed, the longest first; absent where nobody wrote any. */
  wordings: z.exactOptional(list(LineWordingsSchema)),
  /** Lines that a person should look at, because their writer was not sure of them; absent where there are none. */
  doubts: z.exactOptional(list(LineDoubtSchema)),
  /** What the service found of its own work, beside what checks of the text find; absent where there is nothing. */
  findings: z.exactOptional(list(JobFindingSchema)),
  /** What was learned of the film, as text to be read and corrected; absent where nobody looked. */
  bible: z.exactOptional(z.string()),
  /** How often a voice was asked to speak; what was kept from earlier jobs is not spoken. Absent where nothing speaks. */
  lines_spoken: z.exactOptional(z.int()),
  /** How the narration stands in the sound; absent where none was made. */
  mix: z.exactOptional(
    z.strictObject({
      channels: z.number(),
      /** Loudness and highest true peak of the whole track; `null` for silence. */
      integrated_lufs: z.nullable(z.number()),
      true_peak_dbtp: z.nullable(z.number()),
      cues: list(MixCueSchema),
      /** What a later mix of other lines takes over; absent where a video was made. */
      voicing: z.exactOptional(VoicingSchema),
    }),
  ),
  /** What the video of a video job is. */
  video: z.exactOptional(VideoSchema),
  /** Where an extended description without a video needs the programme held; absent where it never does. */
  held: z.exactOptional(HeldSchema),
  /** Pauses that are left for a person to write, in order of time; absent where none is. Not part of the text. */
  to_write: z.exactOptional(list(PauseSchema)),
  /** Lines of a given script that have no place, in order of time; absent where all have one. Not part of the text. */
  left_out: z.exactOptional(list(LeftOutSchema)),
});

const jobFacts = {
  job_id: z.string(),
  media_id: z.guid(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
};

/** What a job is doing, and how much of it is done, 0 to 1. */
const ProgressSchema = z.strictObject({ stage: z.string(), fraction: z.number() });

/** What a job has asked models, voices and transcriptions for so far, in all its runs. Money is in the currency of the stated prices. */
const JobCostSchema = z.strictObject({
  /** Requests that were answered or are under way; what was refused is charged by nobody. */
  requests: z.int(),
  /** Answers that could not be used. */
  useless: z.int(),
  /** Those of `requests` for which no price is stated: what they cost is not known, and not in the sums. */
  unpriced: z.int(),
  /** `null` where no price is stated. Of an answer that does not tell what it took, what was reserved. */
  spent: z.nullable(z.number()),
  /** For what is under way, at the most; `null` where no price is stated. */
  reserved: z.nullable(z.number()),
  /** Most that the job may cost; `null` for no limit. */
  ceiling: z.nullable(z.number()),
});

/** Addition of this service: absent for a job that has asked nobody. */
const cost = z.exactOptional(JobCostSchema);

/** Reply of `get_results` for a job in progress. */
export const RunningJobReplySchema = z.strictObject({
  ...jobFacts,
  status: z.enum(["queued", "processing"]),
  /** Addition of this service: what the job is doing, and how much of it is done (0 to 1). */
  progress: z.exactOptional(ProgressSchema),
  /** Addition of this service: seconds, a whole number, after which it is worth asking again. */
  retry_after: z.exactOptional(z.int()),
  cost,
});

/** Reply of `get_results` for a finished job. */
export const DoneJobReplySchema = z.strictObject({
  ...jobFacts,
  status: z.literal("done"),
  output: z.strictObject({ format: z.enum(TEXT_FORMATS), content: z.string() }),
  audio_signed_url: z.exactOptional(z.url()),
  video_signed_url: z.exactOptional(z.url()),
  /** Addition of this service: the page on which the pauses of `report.to_write` are written, HTML without links to elsewhere. */
  worksheet_signed_url: z.exactOptional(z.url()),
  /** Addition of this service: what was measured, what was decided, and what a person should look at. */
  report: z.exactOptional(ReportSchema),
  cost,
});

/** Reply of `get_results` for a failed job, and of `POST /jobs/{job_id}/cancel`. */
export const FailedJobReplySchema = z.strictObject({
  ...jobFacts,
  status: z.literal("failed"),
  error: z.string(),
  message: z.string(),
  /** Addition of this service, of a cancelled job: where it stood. */
  progress: z.exactOptional(ProgressSchema),
  cost,
});

/** Reply of `DELETE /jobs/{job_id}`. */
export const DeleteReplySchema = z.strictObject({ status: z.literal("success"), message: z.string() });

/** What a job has asked for so far, and what it cost. */
export type JobCost = z.output<typeof JobCostSchema>;

/** A line that its writer is not sure of. */
export type LineDoubt = z.output<typeof LineDoubtSchema>;

/** What our service found of its own work. */
export type JobFinding = z.output<typeof JobFindingSchema>;

/** Levels of one description in the finished sound, to a tenth. */
export type MixCueReport = z.output<typeof MixCueSchema>;

/** A rendered video and its clock, in seconds. */
export type VideoReport = z.output<typeof VideoSchema>;

/** A programme with its pauses in seconds: what a video has, or would have. */
export type HeldReport = z.output<typeof HeldSchema>;

/** A line of a given script that has no place. */
export type LeftOutLine = z.output<typeof LeftOutSchema>;

/** What a finished job says about itself beside its result. */
export type JobReport = z.output<typeof ReportSchema>;

/** Reply of `get_results`. */
export type JobReply = z.output<typeof RunningJobReplySchema | typeof DoneJobReplySchema | typeof FailedJobReplySchema>;

/** Reply of `get_results` for a failed job, and of `POST /jobs/{job_id}/cancel`. */
export type FailedJobReply = z.output<typeof FailedJobReplySchema>;

/** Reply of `DELETE /jobs/{job_id}`. */
export type DeleteReply = z.output<typeof DeleteReplySchema>;

/** `POST jobs/{job_id}/pictures`, an addition of this service: small pictures of moments of a job's programme. */
export const MomentsRequest = z.object({
  /** Seconds on the programme clock. */
  at: z.array(z.number().check(z.minimum(0))).check(z.minLength(1), z.maxLength(MOST_MOMENTS)),
});

const MomentSchema = z.strictObject({
  /** The time that was asked for. */
  at: z.number(),
  /** The time of the picture, in seconds on the programme clock. */
  time: z.number(),
  width: z.int(),
  height: z.int(),
  /** The picture as JPEG, Base64. */
  jpeg: z.string(),
});

/** Reply of `POST jobs/{job_id}/pictures`: one for each time, in the order in which they were asked for. */
export const MomentsReplySchema = z.strictObject({
  pictures: z.readonly(z.array(MomentSchema)),
  ignored: z.exactOptional(z.readonly(z.array(z.string()))),
});

/** A picture of a moment. */
export type Moment = z.output<typeof MomentSchema>;

/** Reply of `POST jobs/{job_id}/pictures`. */
export type MomentsReply = z.output<typeof MomentsReplySchema>;
