import type { PlacedResult, Result } from "../../../result/result.ts";
import type { OutFolder } from "../../out-folder/out-folder.ts";
import type { Surroundings } from "../../service-run/service-run.ts";
import type { EditedFiles } from "./edited-files.ts";
import type { RevoiceCall } from "./revoice-call.ts";
import type { RevoicePlan } from "./revoice-plan.ts";

/** What was found out of date, and what was done: printed as JSON. */
export interface RevoiceReport {
  readonly folder: string;
  readonly is_dry_run: boolean;
  readonly stale: readonly {
    readonly id: string;
    readonly timecode: string;
    readonly text: string;
    readonly reasons: readonly string[];
    readonly why: readonly string[];
    readonly spoken_anew: boolean;
  }[];
  readonly too_long: readonly {
    readonly id: string;
    readonly needed_seconds: number;
    readonly gap_seconds: number;
    readonly taken?: string;
    readonly remedies: readonly { readonly kind: string; readonly possible: boolean; readonly outcome: string }[];
  }[];
  /** How often a voice was asked; absent where nobody counted, or nobody was asked. */
  readonly lines_spoken?: number;
  readonly notices: readonly string[];
  /** Names of the files that were written; none when nothing was out of date. */
  readonly files: readonly string[];
}

/** One re-voicing under way. */
export interface RevoiceRun {
  readonly call: RevoiceCall;
  readonly surroundings: Surroundings;
  readonly folder: OutFolder;
  /** Hidden folder of this run inside the results folder. */
  readonly runFolder: string;
  readonly runId: string;
  readonly record: PlacedResult;
  readonly files: EditedFiles;
  readonly plan: RevoicePlan;
  readonly isInClips: boolean;
}

/** Name of the sound file of a result. */
export function audioName({ track }: Pick<Result, "track">): string {
  return track === "mixed" ? "mixed.wav" : "narration.wav";
}
