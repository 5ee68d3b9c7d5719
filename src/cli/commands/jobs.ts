import { JOB_STATUSES, type JobCost } from "../../contract/job.ts";
import { defined } from "../../core/objects.ts";
import type { Administration, JobFilter, JobSummary } from "../../service/admin/administration.ts";
import { SYSTEM_CLOCK } from "../../service/system-clock.ts";
import { costWords } from "../../workflow/describe/stop-run.ts";
import { RECORDS_OPTIONS, withAdministration } from "../service-run/service-options.ts";
import { serviceFrom } from "../shell/arguments.ts";
import { type Arguments, actionOf, type Command, type CommandContext } from "../shell/command.ts";
import { tableOf } from "../shell/output.ts";
import { showingProgress } from "../shell/progress.ts";
import { jobsOf } from "../shell/running-jobs.ts";
import { EXIT, type ExitCode, UsageError } from "../shell/usage-error.ts";

const ACTIONS = ["list", "show", "watch", "cancel", "retry", "purge"] as const;

/** How often a job of one's own service is looked at while it is watched, in milliseconds. */
const LOOK_MS = 1_000;

/** Lists, shows, watches, cancels, repeats and forgets the jobs of a service, whether it runs or not. */
export const JOBS: Command = {
  name: "jobs",
  summary: "List, show, watch, cancel, repeat and forget the jobs of a service.",
  synopsis: "[list]|show ID|watch ID|cancel ID|retry ID|purge [options]",
  notes: [
    "Without --server it is a service of your own, on this computer, and the jobs are those of every team there.",
    "The service may run meanwhile. A job that is repeated is a new job: an outcome once reported never changes.",
  ],
  options: {
    status: { value: "STATUS", help: `With list: only jobs that are ${JOB_STATUSES.join(", ")}.` },
    team: { value: "NAME", help: "With list: only jobs of this team." },
    limit: { value: "NUMBER", help: "With list: at most this many, newest first (default: 50)." },
    days: { value: "NUMBER", help: "With purge: forget jobs that ended longer ago than this, with their results." },
    server: {
      value: "URL",
      help: "With watch and cancel: the service at this address; its key comes from ASIDE_API_KEY.",
    },
    ...RECORDS_OPTIONS,
    json: { help: "Print JSON, and nothing else, on standard output." },
  },
  async run(given, context) {
    const asked = given.positionals.length === 0 ? { ...given, positionals: ["list"] } : given;
    const { action, id } = actionOf(JOBS, asked, ACTIONS, ["show", "watch", "cancel", "retry"]);
    const { server } = serviceFrom(given, context.env);
    const isJson = given.values["json"] === true;
    if (server !== undefined) return atServer(action, id, server, { ...context, isJson });
    const work = { list, show, watch, cancel, retry, purge }[action];
    const request = { id, filter: filterFrom(given), days: action === "purge" ? daysFrom(given) : 0 };
    return withAdministration(given, context, (administration) =>
      work(administration, request, { ...context, isJson }),
    );
  },
};

interface JobsRequest {
  readonly id: string;
  readonly filter: JobFilter;
  readonly days: number;
}

type JobsContext = CommandContext & { readonly isJson: boolean };

async function list(administration: Administration, { filter }: JobsRequest, context: JobsContext): Promise<ExitCode> {
  const jobs = await administration.listJobs(filter);
  if (context.isJson) context.output.print(JSON.stringify(jobs));
  else if (jobs.length === 0) context.output.print("There are no such jobs.");
  else context.output.print(tableOf(["ID", "TEAM", "KIND", "STATUS", "MADE", "USED", "FILE"], jobs.map(rowOf)));
  return EXIT.done;
}

async function show(administration: Administration, { id }: JobsRequest, context: JobsContext): Promise<ExitCode> {
  const job = await administration.showJob(id);
  if (job === null) return unknown(id, context);
  const lines = Object.entries({ ...job, cost: usedBy(job.cost) }).map(([name, value]) =>
    `${name.padEnd(14)}${value ?? ""}`.trimEnd(),
  );
  context.output.print(context.isJson ? JSON.stringify(job) : lines.join("\n"));
  return EXIT.done;
}

async function cancel(administration: Administration, { id }: JobsRequest, context: JobsContext): Promise<ExitCode> {
  const outcome = await administration.cancelJob(id);
  if (outcome === "unknown") return unknown(id, context);
  return outcome === "over"
    ? isOver(id, context)
    : isCancelled(id, (await administration.showJob(id))?.cost ?? null, context);
}

async function watch(administration: Administration, { id }: JobsRequest, context: JobsContext): Promise<ExitCode> {
  jobsOf(context.signal).begin({ jobId: id, host: "this computer", stopCommand: `aside jobs cancel ${id}` });
  const over = await showingProgress(context.isJson ? null : context.screen, async (progress) => {
    progress.update({ step: "wait", state: "begun" });
    for (;;) {
      const job = await administration.showJob(id);
      if (job === null || job.finishedAt !== null) return job;
      progress.update({
        step: "wait",
        state: "under-way",
        detail: detailOf(job.stage ?? job.status, job.cost),
        ...(job.fraction === null ? {} : { fraction: job.fraction }),
      });
      await SYSTEM_CLOCK.sleep(LOOK_MS, context.signal);
    }
  });
  return over === null ? unknown(id, context) : ended(over, context);
}

/** Watches or cancels a job of a service elsewhere, by its interface. @throws UsageError for anything else. */
async function atServer(
  action: (typeof ACTIONS)[number],
  id: string,
  server: { readonly url: string; readonly apiKey: string },
  context: JobsContext,
): Promise<ExitCode> {
  if (action !== "watch" && action !== "cancel") throw new UsageError("--server goes with watch ID and cancel ID");
  // Loaded here alone: help and version start without them.
  const [{ clientOf }, { waitForJob }] = await Promise.all([
    import("../service-run/service-run.ts"),
    import("../../client/wait.ts"),
  ]);
  const client = clientOf(server);
  const { signal, screen, isJson } = context;
  if (action === "cancel") {
    const { cost } = await client.cancelJob(id, { signal });
    return isCancelled(id, cost ?? null, context);
  }
  const stopCommand = `aside jobs cancel ${id} --server ${server.url}`;
  jobsOf(signal).begin({ jobId: id, host: client.host, stopCommand });
  const job = await showingProgress(isJson ? null : screen, async (progress) => {
    progress.update({ step: "wait", state: "begun" });
    return waitForJob(client, id, {
      clock: SYSTEM_CLOCK,
      signal,
      onProgress: ({ progress: at, word, cost }) =>
        progress.update({
          step: "wait",
          state: "under-way",
          detail: detailOf(at?.stage ?? word, cost),
          ...(at === undefined ? {} : { fraction: at.fraction }),
        }),
    });
  });
  const failure = job.status === "failed" ? { error: job.foreignCode ?? job.code, message: job.message } : {};
  return ended({ id, status: job.status, error: null, message: null, cost: job.cost ?? null, ...failure }, context);
}

function isCancelled(id: string, cost: JobCost | null, { output, isJson }: JobsContext): ExitCode {
  output.print(
    isJson
      ? JSON.stringify({ id, status: "failed", error: "cancelled", ...(cost === null ? {} : { cost }) })
      : `Job ${id} is cancelled, and nothing of it is left running. What it has done is kept for the same order.${usedSentence(cost)}`,
  );
  return EXIT.done;
}

function isOver(id: string, { output, isJson }: JobsContext): ExitCode {
  const message = `Job ${id} has already ended.`;
  if (isJson) output.print(JSON.stringify({ error: { code: "job_not_cancellable", message } }));
  output.tell(`aside: ${message} (job_not_cancellable)`);
  return EXIT.failed;
}

/** Says how a watched job ended. */
function ended(
  { id, status, error, message, cost }: Pick<JobSummary, "id" | "status" | "error" | "message" | "cost">,
  { output, isJson }: JobsContext,
): ExitCode {
  const isDone = status === "done";
  const said = isDone ? "is done" : error === "cancelled" ? "was cancelled" : `has failed (${error}). ${message ?? ""}`;
  output.print(
    isJson
      ? JSON.stringify({ id, status, ...(isDone ? {} : { error, message }), ...(cost === null ? {} : { cost }) })
      : `${`Job ${id} ${said}.`.replace(/\.\.$/, ".")}${usedSentence(cost)}`,
  );
  return isDone ? EXIT.done : EXIT.failed;
}

async function retry(administration: Administration, { id }: JobsRequest, context: JobsContext): Promise<ExitCode> {
  const repeated = await administration.retryJob(id);
  if (repeated === null) return unknown(id, context);
  const sentence = `Job ${id} is done again, as job ${repeated}.`;
  context.output.print(context.isJson ? JSON.stringify({ id, repeated_as: repeated }) : sentence);
  return EXIT.done;
}

async function purge(administration: Administration, { days }: JobsRequest, context: JobsContext): Promise<ExitCode> {
  const count = await administration.purgeJobs(days);
  const sentence = `${count} job${count === 1 ? " is" : "s are"} forgotten.`;
  context.output.print(context.isJson ? JSON.stringify({ purged: count }) : sentence);
  return EXIT.done;
}

function unknown(id: string, { output, isJson }: JobsContext): ExitCode {
  const message = `There is no job ${id}.`;
  if (isJson) output.print(JSON.stringify({ error: { code: "not_found", message } }));
  output.tell(`aside: ${message} (not_found)`);
  return EXIT.failed;
}

function rowOf({ id, team, kind, status, error, createdAt, fileName, cost }: JobSummary): string[] {
  return [id, team, kind, error === null ? status : `${status}: ${error}`, createdAt, usedBy(cost), fileName ?? ""];
}

/** What a job has asked for, in words; empty where nothing is known. */
function usedBy(cost: JobCost | null | undefined): string {
  return cost === null || cost === undefined ? "" : costWords(cost);
}

function usedSentence(cost: JobCost | null): string {
  return cost === null ? "" : ` Used: ${costWords(cost)}.`;
}

/** What a job is doing, and what it has asked for so far. */
function detailOf(stage: string, cost: JobCost | null | undefined): string {
  return [stage, usedBy(cost)].filter((part) => part !== "").join(", ");
}

function filterFrom({ values }: Arguments): JobFilter {
  const { status: word, team } = values;
  const status = JOB_STATUSES.find((one) => one === word);
  if (word !== undefined && status === undefined) {
    throw new UsageError(`--status cannot be "${word}"; choose one of ${JOB_STATUSES.join(", ")}`);
  }
  const limit = countFrom(values["limit"], "limit");
  return {
    ...defined({ status }),
    ...(typeof team === "string" ? { team } : {}),
    ...defined({ limit }),
  };
}

function daysFrom({ values }: Arguments): number {
  const days = countFrom(values["days"], "days");
  if (days === undefined) throw new UsageError("say how old jobs must be to be forgotten: aside jobs purge --days 90");
  return days;
}

function countFrom(value: string | true | undefined, name: string): number | undefined {
  if (value === undefined || value === true) return undefined;
  if (/^\d{1,6}$/.test(value)) return Number(value);
  throw new UsageError(`--${name} must be a whole number, not "${value}"`);
}
