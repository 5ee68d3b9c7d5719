import type { StepProgress } from "../../src/workflow/describe/run.ts";
import type { JobProgress } from "./panel-state.ts";

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
    ...(part === undefined ? {} : { part }),
    ...(fraction === undefined ? {} : { fraction }),
    ...(detail === undefined ? {} : { detail }),
  };
}
