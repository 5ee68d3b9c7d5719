import type { JobReport } from "../../contract/job.ts";
import type { Cue } from "../../core/cue.ts";
import type { DescriptionSettings, TrackKind, VoiceSettings } from "../../core/settings.ts";

/** Kinds of job, after the three generation endpoints. */
export type JobKind = "text" | "audio" | "video";

/** Everything the pipeline needs to do one job: plain data, sent to the job's child process. */
export interface JobOrder {
  readonly jobId: string;
  readonly kind: JobKind;
  readonly settings: DescriptionSettings & VoiceSettings;
  /** What an audio job returns; ignored by the others. */
  readonly track: TrackKind;
  /** Output height of a video job, or `Auto`; ignored by the others. */
  readonly resolution: string;
  /** The programme on local disk. */
  readonly mediaPath: string;
  /** Folder of this job alone: checkpoints of finished stages survive a crash here; removed when the job ends. */
  readonly workFolder: string;
  /** Folder of the media: what depends on the programme alone (its analysis) is kept here for later jobs. */
  readonly mediaFolder: string;
  /** Folder of the team: spoken lines are kept here by the hash of what they were made from. */
  readonly narrationFolder: string;
}

/** What a finished pipeline hands back. */
export interface JobResult {
  /** The descriptions in the format that was asked for. */
  readonly content: string;
  readonly cues: readonly Cue[];
  /** Files in the work folder that become artifacts, by kind. */
  readonly files: { readonly audio?: string; readonly video?: string; readonly worksheet?: string };
  readonly report: JobReport;
}
