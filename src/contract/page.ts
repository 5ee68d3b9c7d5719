import type { DescriptionSettings, TrackKind, VoiceSettings } from "../core/settings.ts";
import type { JobStatus } from "./job.ts";

/** Where the service serves its page. Everything below it is the page's own, and changes with it. */
export const PAGE_PATH = "/home";

/** Where the page asks for what no other client needs, with an administrator's key, or, for one film, a reviewer's. */
export const DESK_PATH = `${PAGE_PATH}/desk`;

/** What a log-in link leads to: the secret stands behind `#`, which no browser sends. */
export function logInAddress(base: string, token: string): string {
  return `${base}${PAGE_PATH}#${token}`;
}

/** `POST /home/log-in`: what the secret of a link is traded for. */
export interface LogInReply {
  /** An administrator's key that ends by itself; of a link for a review, that link's own secret. */
  readonly key: string;
  readonly key_id: string;
  /** Team that the key is of. */
  readonly team: string;
  /** Version of the service. */
  readonly version: string;
  /** Where the link is for reviewing one film: what it opens, and until when, as ISO 8601. The key opens nothing else. */
  readonly review?: {
    readonly job_id: string;
    readonly media_id: string;
    /** Run under which the page keeps the film's result. */
    readonly run_id: string;
    readonly expires_at: string;
  };
}

/** `POST /home/desk/links`: a log-in link of the caller's team. */
export interface LinkReply {
  readonly token: string;
}

/** A job as the page's queue lists it. Times are ISO 8601. */
export interface DeskJob {
  readonly job_id: string;
  readonly media_id: string;
  readonly kind: "text" | "audio" | "video";
  readonly status: JobStatus;
  readonly file_name: string | null;
  readonly stage: string | null;
  /** 0 to 1. */
  readonly fraction: number | null;
  /** Code and sentence of a failed job. */
  readonly error: string | null;
  readonly message: string | null;
  readonly created_at: string;
  readonly finished_at: string | null;
}

/** `GET /home/desk/jobs/{job_id}/order`: what was asked for. */
export interface DeskOrder {
  readonly kind: DeskJob["kind"];
  /** Counts for `audio` alone. */
  readonly track: TrackKind;
  readonly settings: DescriptionSettings & VoiceSettings;
}

/** `GET /home/desk/media/{media_id}`: a programme that the service has. */
export interface DeskMedia {
  readonly file_name: string | null;
  readonly content_type: string;
  readonly duration_seconds: number | null;
  readonly frame_rate: number | null;
  readonly size_bytes: number | null;
  /** A signed address that a player reads, for a quarter of an hour. */
  readonly signed_url: string;
}

/** A key as the page lists it. */
export interface DeskKey {
  readonly id: string;
  readonly name: string;
  readonly team: string;
  readonly is_administrator: boolean;
  readonly created_at: string;
}

/** `GET /home/desk/state`: what the service keeps, and who may use it. */
export interface DeskState {
  readonly version: string;
  /** A newer one that is there; `null` where none is known, or nobody looks. */
  readonly new_version: string | null;
  readonly free_bytes: number;
  readonly media: { readonly count: number; readonly bytes: number };
  readonly results: { readonly count: number; readonly bytes: number };
  /** Days; `null` is for ever. */
  readonly retention: { readonly media_days: number | null; readonly result_days: number | null };
  readonly keys: readonly DeskKey[];
}

/** `POST /home/desk/keys`: the only time that the key is known. */
export interface NewKeyReply {
  readonly key: string;
}

/** `POST /home/desk/examine`: how each part of the service is. */
export interface ExamineReply {
  readonly findings: readonly {
    readonly name: string;
    readonly state: "good" | "warning" | "bad";
    readonly detail: string;
  }[];
}

/** `POST /home/desk/backup`: what was backed up, and where on the service's computer. */
export interface BackupReply {
  readonly folder: string;
  readonly objects: number;
  readonly bytes: number;
}

/** `GET /home/desk/log`: the last lines, oldest first. */
export interface LogReply {
  readonly lines: readonly string[];
}

/** `GET /home/desk/texts`: paths of the texts that the page keeps. */
export interface TextsReply {
  readonly paths: readonly string[];
}
