import { defined } from "../../src/core/defined.ts";
import type { RunPart, StepName, StepProgress } from "../../src/workflow/describe/run.ts";

/** How far the job under way is. */
export interface JobProgress {
  readonly runId: string;
  /** Which of several stretches it is at. */
  readonly part?: RunPart;
  /** Steps that are done, of this stretch where there are several. */
  readonly done: readonly StepName[];
  readonly step?: StepName;
  readonly fraction?: number;
  readonly detail?: string;
  /** When the job was begun or gone on with, in milliseconds since the Unix epoch. */
  readonly since: number;
  readonly isCancelling: boolean;
  /** Whether the upload is to pause after the slice under way, or has. */
  readonly pause: "none" | "asked" | "held";
}

/** The progress of a job that begins or is gone on with. `now`: in milliseconds since the Unix epoch. */
export function firstProgress(runId: string, now: number): JobProgress {
  return { runId, done: [], since: now, isCancelling: false, pause: "none" };
}

/** The progress once a step has told of itself. */
export function afterStep(
  progress: JobProgress,
  { step, state: stage, fraction, detail, part }: StepProgress,
): JobProgress {
  const { runId, since, isCancelling } = progress;
  const before = progress.part?.number === part?.number ? progress.done : [];
  return {
    runId,
    since,
    isCancelling,
    // Only an upload can be held.
    pause: step === "upload" && stage !== "done" ? progress.pause : "none",
    done: stage === "done" ? [...before, step] : before,
    step,
    ...defined({ part, fraction, detail }),
  };
}
