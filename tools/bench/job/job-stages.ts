import type { Usage } from "../../common/measure.ts";
import { row as cells } from "../../common/report.ts";

/** Where the time of a job went: its name, and its seconds by step; what a job has not is absent. */
interface JobTime {
  readonly name: string;
  readonly seconds: ReadonlyMap<string, number>;
  /** On the clock, from the command's start to its end. */
  readonly total: number;
}

const START = "start of command and service";
/** What the command waited beyond the stages: for the job's process to start, and for its own polls. */
const WAITING = "waiting beside the stages";
const REST = "the rest";

/** The steps of a job in order. */
const STEPS = [START, "upload", "verify", "analyse", "describe", "fit", "worksheet", "mix", WAITING, "fetch", REST];

/** Seconds by step and by stage, in the report that the command line prints. */
interface Report {
  readonly step_seconds: Readonly<Record<string, number>>;
  readonly service_report?: { readonly stage_seconds?: Readonly<Record<string, number>> };
}

/** Reads where the time of a job went off what its command printed. */
export function jobTime(name: string, { output, wallSeconds }: Usage): JobTime {
  const report: Report = JSON.parse(output);
  const { upload = 0, verify = 0, wait = 0, fetch = 0, ...others } = report.step_seconds;
  const stages = report.service_report?.stage_seconds ?? {};
  const rest = sum(Object.values(others));
  const known: Readonly<Record<string, number>> = {
    ...stages,
    upload,
    verify,
    fetch,
    [REST]: rest,
    [START]: wallSeconds - upload - verify - wait - fetch - rest,
    [WAITING]: wait - sum(Object.values(stages)),
  };
  return { name, seconds: new Map(Object.entries(known)), total: wallSeconds };
}

/** The steps of jobs side by side with their shares, as a table of Markdown. */
export function stageTable(jobs: readonly JobTime[]): string {
  const heads = jobs.flatMap(({ name }) => [name, "share"]);
  const row = (name: string, secondsOf: (job: JobTime) => number | undefined) =>
    cells([
      name,
      ...jobs.flatMap((job) => {
        const seconds = secondsOf(job);
        return seconds === undefined
          ? ["", ""]
          : [`${seconds.toFixed(1)} s`, `${((100 * seconds) / job.total).toFixed(0)} %`];
      }),
    ]);
  return [
    cells(["Step", ...heads]),
    cells(["---", ...heads.map(() => "---")]),
    ...STEPS.map((step) => row(step, ({ seconds }) => seconds.get(step))),
    row("**all**", ({ total }) => total),
  ].join("\n");
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
