import { MOST_MOMENTS } from "../../src/contract/choices.ts";
import type { JobCost } from "../../src/contract/job.ts";
import type { Cue } from "../../src/core/cue.ts";
import { defined } from "../../src/core/objects.ts";
import { readBible } from "../../src/formats/bible-text.ts";
import type { RunPart, StepName, StepProgress } from "../../src/workflow/describe/run.ts";
import type { Pictures, ReviewState } from "./review-state.ts";
import { rowListOf, rowWindow, scriptRows } from "./script-rows.ts";

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
  /** What the service's job has asked for so far, where it says so. */
  readonly cost?: JobCost;
  /** When the job was begun or gone on with, in milliseconds since the Unix epoch. */
  readonly since: number;
  /** When the step was begun, likewise. */
  readonly stepSince: number;
  /** Where it was when what it is doing now was begun: the step, or the service's stage of it. */
  readonly from: { readonly at: number; readonly fraction: number };
  /** How long the steps took that are done, in milliseconds. */
  readonly took: Readonly<Partial<Record<StepName, number>>>;
  readonly isCancelling: boolean;
  /** Whether the editor is asked what is to stop: the job, or the waiting for it. */
  readonly isAsking: boolean;
  /** Whether the upload is to pause after the slice under way, or has. */
  readonly pause: "none" | "asked" | "held";
}

/** The progress of a job that begins or is gone on with. `now`: in milliseconds since the Unix epoch. */
export function firstProgress(runId: string, now: number): JobProgress {
  const times = { since: now, stepSince: now, from: { at: now, fraction: 0 }, took: {} };
  return { runId, done: [], ...times, isCancelling: false, isAsking: false, pause: "none" };
}

/** The progress once a step has told of itself. `now`: in milliseconds since the Unix epoch. */
export function afterStep(
  progress: JobProgress,
  { step, state: stage, fraction, detail, part, cost }: StepProgress,
  now: number,
): JobProgress {
  const { runId, since, isCancelling, isAsking } = progress;
  const isSamePart = progress.part?.number === part?.number;
  const before = isSamePart ? progress.done : [];
  const isSameStep = progress.step === step && isSamePart;
  const stepSince = isSameStep ? progress.stepSince : now;
  const took = isSamePart ? progress.took : {};
  const isSameStage = isSameStep && (step !== "wait" || progress.detail === detail);
  return {
    runId,
    since,
    stepSince,
    from: isSameStage ? progress.from : { at: now, fraction: fraction ?? 0 },
    took: stage === "done" ? { ...took, [step]: now - stepSince } : took,
    isCancelling,
    isAsking: isAsking && progress.step === step,
    // Only an upload can be held.
    pause: step === "upload" && stage !== "done" ? progress.pause : "none",
    done: stage === "done" ? [...before, step] : before,
    step,
    ...defined({ part, fraction, detail, cost }),
  };
}

/** The least of a step, and the shortest time, from which the rest of it is reckoned. */
const RECKONED_FROM = { fraction: 0.05, milliseconds: 3000 } as const;

/**
 * How long the step under way will go on if it goes on as since its present stage began, in milliseconds: looking at a film takes
 * seconds, and asking a model about it may take an hour.
 *
 * @returns `null` while too little of it is done to tell, or nothing measures it.
 */
export function timeLeft({ fraction = 0, from }: JobProgress, now: number): number | null {
  const spent = now - from.at;
  const gained = fraction - from.fraction;
  if (gained < RECKONED_FROM.fraction || fraction > 1 || spent < RECKONED_FROM.milliseconds) return null;
  return (spent * (1 - fraction)) / gained;
}

/** Most pictures that are kept, some 4 kB each: those seen last. */
const MOST_PICTURES = 400;

/** What the picture of a cue is kept under: the time that it shows. */
export function pictureKey({ start }: Pick<Cue, "start">): string {
  return start.toFixed(2);
}

/** The times of the cues in sight whose pictures are still to be fetched, in seconds on the programme clock. */
export function missingPictures(review: ReviewState): readonly number[] {
  const { pictures } = review;
  // After a re-cut the service's programme is another one.
  if (pictures === null || review.result.isRecut === true) return [];
  const rows = scriptRows(review);
  const { first, end } = rowWindow(rowListOf(review, rows));
  return rows
    .slice(first, end)
    .flatMap((row) => (row.kind === "cue" && pictures[pictureKey(row.cue)] === undefined ? [row.cue.start] : []));
}

/** The times of the pictures of persons that are still to be fetched, as many as the service gives at once; seconds likewise. */
export function missingPortraits({ pictures, result }: ReviewState): readonly number[] {
  if (pictures === null || result.isRecut === true) return [];
  return readBible(result.bible?.text ?? "")
    .bible.persons.flatMap(({ pictureAt }) =>
      pictureAt === undefined || pictures[pictureKey({ start: pictureAt })] !== undefined ? [] : [pictureAt],
    )
    .slice(0, MOST_MOMENTS);
}

/** Pictures with further ones; of too many those that were fetched first go. */
export function withPictures(pictures: Pictures, more: Pictures): Pictures {
  return Object.fromEntries(Object.entries({ ...pictures, ...more }).slice(-MOST_PICTURES));
}
