import { JOB_STATUSES } from "../../contract/job.ts";
import { defined } from "../../core/objects.ts";
import type { Administration, JobFilter, JobSummary } from "../../service/admin/administration.ts";
import { RECORDS_OPTIONS, recordsFrom } from "../service-run/service-options.ts";
import { type Arguments, actionOf, type Command, type CommandContext } from "../shell/command.ts";
import { tableOf } from "../shell/output.ts";
import { EXIT, type ExitCode, UsageError } from "../shell/usage-error.ts";

const ACTIONS = ["list", "show", "retry", "purge"] as const;

/** Lists, shows, repeats and forgets the jobs of a service, whether it runs or not. */
export const JOBS: Command = {
  name: "jobs",
  summary: "List, show, repeat and forget the jobs of a service of your own.",
  synopsis: "list|show ID|retry ID|purge [options]",
  notes: [
    "The service may run meanwhile. A job that is repeated is a new job: an outcome once reported never changes.",
  ],
  options: {
    status: { value: "STATUS", help: `With list: only jobs that are ${JOB_STATUSES.join(", ")}.` },
    team: { value: "NAME", help: "With list: only jobs of this team." },
    limit: { value: "NUMBER", help: "With list: at most this many, newest first (default: 50)." },
    days: { value: "NUMBER", help: "With purge: forget jobs that ended longer ago than this, with their results." },
    ...RECORDS_OPTIONS,
    json: { help: "Print JSON, and nothing else, on standard output." },
  },
  async run(given, context) {
    const { action, id } = actionOf(JOBS, given, ACTIONS, ["show", "retry"]);
    const work = { list, show, retry, purge }[action];
    const request = { id, filter: filterFrom(given), days: action === "purge" ? daysFrom(given) : 0 };
    // Loaded here alone: help and version start without the service.
    const { openAdministration } = await import("../../service/admin/open-administration.ts");
    const administration = await openAdministration(recordsFrom(given, context.env));
    try {
      return await work(administration, request, { ...context, isJson: given.values["json"] === true });
    } finally {
      await administration.close();
    }
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
  else context.output.print(tableOf(["ID", "TEAM", "KIND", "STATUS", "MADE", "FILE"], jobs.map(rowOf)));
  return EXIT.done;
}

async function show(administration: Administration, { id }: JobsRequest, context: JobsContext): Promise<ExitCode> {
  const job = await administration.showJob(id);
  if (job === null) return unknown(id, context);
  const lines = Object.entries(job).map(([name, value]) => `${name.padEnd(14)}${value ?? ""}`.trimEnd());
  context.output.print(context.isJson ? JSON.stringify(job) : lines.join("\n"));
  return EXIT.done;
}

async function retry(administration: Administration, { id }: JobsRequest, context: JobsContext): Promise<ExitCode> {
  const repeated = await administration.retryJob(id);
  if (repeated === null) return unknown(id, context);
  const sentence = `Job ${id} is done once more, as job ${repeated}.`;
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

function rowOf({ id, team, kind, status, error, createdAt, fileName }: JobSummary): string[] {
  return [id, team, kind, error === null ? status : `${status}: ${error}`, createdAt, fileName ?? ""];
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
