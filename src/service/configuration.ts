import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { isNetwork } from "./ingest/open-address.ts";
import { isNoticePlace } from "./new-version.ts";
import { ServiceStartError } from "./storage/database.ts";

/** A feature that a plan may lack, by the name that error replies and the configuration file use. */
const FEATURES = [
  "generate_text",
  "generate_audio",
  "generate_video",
  "standard_ad",
  "url_input",
  "custom_instructions",
  "custom_description",
  "video_categories",
  "volume",
] as const;

/** Name of a feature. */
export type Feature = (typeof FEATURES)[number];

const count = z.int().check(z.minimum(0));
const positive = z.number().check(z.minimum(0));
const minuteWeight = z.number().check(z.minimum(0));

/**
 * Everything a plan limits, each with its default: what one machine bears, for whoever runs the service on it. Limits
 * count per team, over all its keys.
 */
export const Plan = z.strictObject({
  /** Requests a minute, over all endpoints. */
  requests_per_minute: z._default(z.int().check(z.minimum(1)), 120_000),
  /** Jobs that may be waiting or running at once. */
  queued_jobs: z._default(count, 500),
  /** Submissions and uploads that may be in validation at once. */
  concurrent_validations: z._default(count, 32),
  /** Minutes of programme a calendar month (UTC), weighted by kind; `null`: no limit. */
  minutes_per_month: z._default(z.nullable(positive), null),
  /** Most that models may cost in a month, in the currency of their price; `null` for no limit. */
  cost_per_month: z._default(z.nullable(positive), null),
  /** What one minute of programme counts, by kind of job. */
  minute_weights: z._default(z.strictObject({ text: minuteWeight, audio: minuteWeight, video: minuteWeight }), {
    text: 0.5,
    audio: 0.75,
    video: 1,
  }),
  /** Longest programme in seconds. */
  maximum_duration_seconds: z._default(positive, 8 * 3600),
  /** Largest file in bytes. */
  maximum_file_bytes: z._default(positive, 100_000_000_000),
  /** Features the plan leaves out. */
  without: z._default(z.array(z.enum(FEATURES)), []),
  /** Where a person can get a larger plan; shown in refusals. */
  upgrade_url: z.optional(z.url()),
});

/** A plan's limits. */
export type Plan = z.output<typeof Plan>;

/** The plan of a team for which the configuration names none. */
export const DEFAULT_PLAN_NAME = "default";

/** Name of the configuration file inside the data folder. */
export const CONFIGURATION_FILE = "aside.json";

const seconds = z.number().check(z.minimum(1));

/** Ports of the web; others belong to services that no video is behind. */
const WEB_PORTS = [80, 443, 8080, 8443];

const network = z.string().check(z.refine(isNetwork));

const days = z.nullable(z.number().check(z.minimum(0)));

/** How long things are kept. `null`: for ever. */
const Retention = z.strictObject({
  /** A signed upload that nobody finished. */
  abandoned_upload_hours: z._default(z.number().check(z.minimum(1)), 24),
  /** Results of finished jobs, counted from their end; the job then reads as deleted. */
  result_days: z._default(days, 30),
  /** Media, counted from their last use; they must be uploaded again then. */
  media_days: z._default(days, 30),
  /** Stored objects that no record names, counted from when they were first seen; these may be of other records. */
  unknown_object_days: z._default(days, 30),
  /** Spoken lines that are kept for later jobs, counted from their last use. */
  narration_days: z._default(days, 30),
});

/** Rules for videos that are fetched from addresses. */
const UrlInput = z.strictObject({
  /** Networks in CIDR form that may be reached beside the public internet. */
  allowed_networks: z._default(z.array(network), []),
  /** Ports that may be reached; `null`: any. */
  ports: z._default(z.nullable(z.array(z.int())), WEB_PORTS),
  maximum_redirects: z._default(z.int().check(z.minimum(0)), 5),
  /** How long connecting, and any silence, may last. */
  idle_seconds: z._default(seconds, 30),
  /** How long one download may take. */
  time_limit_seconds: z._default(seconds, 3600),
});

/** The configuration file: every member may be left out. `docs/service.md` describes it. */
export const ConfigurationFile = z.strictObject({
  /** Address under which clients reach the service, when a proxy stands before it; signed links begin with it. */
  public_url: z.optional(z.url()),
  /** Names under which clients reach the service, beside that of `public_url`, addresses, and names without a dot. */
  allowed_hosts: z._default(z.array(z.string()), []),
  /** Where a companion looks for a newer version: an https address, or the whole path of a file. Absent: nowhere. */
  new_version_at: z.optional(z.string().check(z.refine(isNoticePlace))),
  /** Jobs that one worker process runs at once. */
  concurrent_jobs: z._default(z.int().check(z.minimum(1)), 1),
  /** Resident memory a job's process may use, in megabytes. */
  job_memory_megabytes: z._default(z.number().check(z.minimum(256)), 1_500),
  /** Longest time one attempt at a job may take; the queue allows a day. */
  job_time_limit_seconds: z._default(seconds.check(z.maximum(23 * 3600)), 20 * 3600),
  /** Times a job may crash before it fails with `internal_error`. */
  job_attempts: z._default(z.int().check(z.minimum(1)), 3),
  /** Life of a signed link to a result. */
  result_link_seconds: z._default(seconds, 15 * 60),
  /** Life of a signed address for an upload. */
  upload_link_seconds: z._default(seconds, 6 * 3600),
  /** How long a client may take to send a request's headers, and then its JSON body. Files take as long as they take. */
  slow_client_seconds: z._default(seconds, 30),
  /** Networks in CIDR form from which `/metrics` is read, with its key, beside this computer. Empty: any. */
  metrics_networks: z._default(z.array(network), []),
  retention: z._default(Retention, z.parse(Retention, {})),
  /** Rules for videos that are fetched from addresses. */
  url_input: z._default(UrlInput, z.parse(UrlInput, {})),
  /** Plans by name; `default` is the plan of every team that has no other. */
  plans: z._default(z.record(z.string(), Plan), {}),
  /** Teams by name: their plan, and numbers of it that differ for them. */
  teams: z._default(z.record(z.string(), z.looseObject({ plan: z._default(z.string(), DEFAULT_PLAN_NAME) })), {}),
});

/** What the service is started with. */
export interface ServiceConfiguration extends z.output<typeof ConfigurationFile> {
  /** Absolute path of the folder that holds records, media and work in progress. */
  readonly dataFolder: string;
  /** Address of a Postgres server; absent: the embedded one in the data folder. */
  readonly databaseUrl?: string;
}

/** A team's plan as it applies to the team. */
export interface TeamPlan extends Plan {
  readonly name: string;
}

/**
 * Reads the configuration file: the one named, else `aside.json` in the data folder, else nothing but defaults.
 *
 * @throws ServiceStartError `configuration_invalid` naming the member that is wrong.
 */
export async function readConfiguration(dataFolder: string, file?: string): Promise<ServiceConfiguration> {
  const path = file ?? join(dataFolder, CONFIGURATION_FILE);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (file === undefined) return configurationFrom({}, dataFolder);
    throw new ServiceStartError("configuration_invalid", "The configuration file named by --config cannot be read.", {
      cause: error,
    });
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new ServiceStartError(
      "configuration_invalid",
      `The configuration file is no JSON: ${error instanceof Error ? error.message : "it cannot be parsed"}.`,
      { cause: error },
    );
  }
  return configurationFrom(content, dataFolder);
}

/**
 * Completes a configuration with its defaults.
 *
 * @throws ServiceStartError `configuration_invalid` naming the member that is wrong.
 */
export function configurationFrom(content: unknown, dataFolder: string): ServiceConfiguration {
  const parsed = z.safeParse(ConfigurationFile, content);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const member = issue === undefined || issue.path.length === 0 ? "the whole" : issue.path.join(".");
    const extra =
      issue?.code === "unrecognized_keys" ? ` has the unknown member "${issue.keys.join('", "')}"` : " is wrong";
    throw new ServiceStartError("configuration_invalid", `The configuration is refused: ${member}${extra}.`);
  }
  const configuration = { ...parsed.data, dataFolder };
  for (const team of Object.keys(configuration.teams)) planOfTeam(configuration, team);
  return configuration;
}

/**
 * The plan that applies to a team: the one its entry names, with the numbers its entry changes.
 *
 * @throws ServiceStartError `configuration_invalid` when the entry names a plan that does not exist, or a wrong number.
 */
export function planOfTeam(configuration: z.output<typeof ConfigurationFile>, team: string): TeamPlan {
  const { plan: name, ...changes } = configuration.teams[team] ?? { plan: DEFAULT_PLAN_NAME };
  const plan = name === DEFAULT_PLAN_NAME ? defaultPlan(configuration) : configuration.plans[name];
  if (plan === undefined) {
    throw new ServiceStartError(
      "configuration_invalid",
      `The configuration gives team "${team}" the plan "${name}", and there is no such plan.`,
    );
  }
  const parsed = z.safeParse(Plan, { ...plan, ...changes });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const member = issue?.code === "unrecognized_keys" ? issue.keys[0] : issue?.path.join(".");
    throw new ServiceStartError(
      "configuration_invalid",
      `The configuration is refused: teams.${team}.${member} is wrong.`,
    );
  }
  return { ...parsed.data, name };
}

/** The plan of every team that has no other. */
export function defaultPlan({ plans }: Pick<ServiceConfiguration, "plans">): Plan {
  return plans[DEFAULT_PLAN_NAME] ?? z.parse(Plan, {});
}
