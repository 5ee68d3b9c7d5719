import { USUAL_PORT } from "../../contract/pairing.ts";
import { NUMBER_PARTS, type NumberInForce, type NumberPart } from "../../contract/service-settings.ts";
import { isSet } from "../../engine/isolate/cage.ts";
import { COST_CEILING } from "../../engine/models/vision-settings.ts";
import type { Environment } from "../../engine/outgoing/local-only.ts";
import { DEFAULT_PLAN_NAME, defaultPlan, type ServiceConfiguration } from "../configuration.ts";
import { SettingsError } from "./settings-file.ts";

/** Ports that browsers and `fetch` refuse, of those that need no rights: https://fetch.spec.whatwg.org/#port-blocking */
const BLOCKED_PORTS = [
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];

/** A number that can be set. `null` is no limit. */
interface NumberSetting {
  readonly variable: string;
  readonly title: string;
  readonly minimum: number;
  readonly maximum: number;
  /** Whether fractions are taken. */
  readonly isFraction?: true;
  /** What is written in place of a number for no limit; absent where there has to be one. */
  readonly word?: string;
  /** Whether it counts from the next start alone. */
  readonly countsFromStart?: true;
  /** Numbers of the range that are refused all the same. */
  readonly except?: readonly number[];
  /** What the configuration says. */
  readonly in: (configuration: ServiceConfiguration) => number | null;
  /** The configuration with another number. */
  readonly over: (configuration: ServiceConfiguration, value: number | null) => ServiceConfiguration;
}

const HOUR_SECONDS = 3_600;

/** How long something may be kept. */
const DAYS = { minimum: 1, maximum: 36_500, word: "forever" };

/** Every number that can be set, by part and name. Limits of a plan are those of the plan `default`. */
export const NUMBERS: { readonly [Part in NumberPart]: Readonly<Record<string, NumberSetting>> } = {
  limits: {
    concurrent_jobs: {
      ...ofWork("concurrent_jobs"),
      variable: "ASIDE_CONCURRENT_JOBS",
      title: "Films at the same time",
      minimum: 1,
      maximum: 64,
    },
    job_memory_megabytes: {
      ...ofWork("job_memory_megabytes"),
      variable: "ASIDE_JOB_MEMORY_MEGABYTES",
      title: "Memory of a job, in MB",
      minimum: 256,
      maximum: 1_000_000,
    },
    job_hours: {
      ...ofWork("job_time_limit_seconds", HOUR_SECONDS),
      variable: "ASIDE_JOB_HOURS",
      title: "Time of a job, in hours",
      minimum: 1,
      // The queue allows a day.
      maximum: 23,
    },
    queued_jobs: {
      ...ofPlan("queued_jobs"),
      variable: "ASIDE_QUEUED_JOBS",
      title: "Jobs that wait or run, of a team",
      minimum: 1,
      maximum: 100_000,
    },
    programme_hours: {
      ...ofPlan("maximum_duration_seconds", HOUR_SECONDS),
      variable: "ASIDE_PROGRAMME_HOURS",
      title: "Longest film, in hours",
      minimum: 0.1,
      maximum: 100,
      isFraction: true,
    },
    file_gigabytes: {
      ...ofPlan("maximum_file_bytes", 1e9),
      variable: "ASIDE_FILE_GIGABYTES",
      title: "Largest file, in GB",
      minimum: 0.1,
      maximum: 10_000,
      isFraction: true,
    },
    minutes_per_month: {
      ...ofPlan("minutes_per_month"),
      variable: "ASIDE_MINUTES_PER_MONTH",
      title: "Minutes of film a month, of a team",
      minimum: 1,
      maximum: 10_000_000,
      word: "unlimited",
    },
    cost_per_month: {
      ...ofPlan("cost_per_month"),
      variable: "ASIDE_COST_PER_MONTH",
      title: "Most that models may cost a team in a month, in the currency of their price",
      minimum: 0.01,
      maximum: 10_000_000,
      isFraction: true,
      word: "unlimited",
    },
    cost: {
      variable: COST_CEILING,
      title: "Most that the model of one job may cost, in the currency of its price",
      minimum: 0.01,
      maximum: 1_000_000,
      isFraction: true,
      word: "unlimited",
      // The describer reads its variable.
      in: () => null,
      over: (configuration) => configuration,
    },
  },
  retention: {
    result_days: { ...kept("result_days"), variable: "ASIDE_RESULT_DAYS", title: "Results, in days", ...DAYS },
    media_days: {
      ...kept("media_days"),
      variable: "ASIDE_MEDIA_DAYS",
      title: "Films, in days after their last use",
      ...DAYS,
    },
    narration_days: {
      ...kept("narration_days"),
      variable: "ASIDE_NARRATION_DAYS",
      title: "Spoken lines for later jobs, in days",
      ...DAYS,
    },
    unknown_object_days: {
      ...kept("unknown_object_days"),
      variable: "ASIDE_UNKNOWN_OBJECT_DAYS",
      title: "Stored files that no record names, in days",
      ...DAYS,
    },
    abandoned_upload_hours: {
      ...kept("abandoned_upload_hours"),
      variable: "ASIDE_ABANDONED_UPLOAD_HOURS",
      title: "Uploads that nobody finished, in hours",
      minimum: 1,
      maximum: 8_760,
    },
  },
  network: {
    port: {
      variable: "ASIDE_PORT",
      title: "Port on this computer",
      minimum: 1_024,
      maximum: 65_535,
      countsFromStart: true,
      except: BLOCKED_PORTS,
      in: () => USUAL_PORT,
      over: (configuration) => configuration,
    },
  },
};

/** Where a number stands in the configuration. */
type NumberPlace = Pick<NumberSetting, "in" | "over">;

/** @param unit By how much the configuration's own unit is smaller. */
function ofWork(name: "concurrent_jobs" | "job_memory_megabytes" | "job_time_limit_seconds", unit = 1): NumberPlace {
  return {
    in: (configuration) => configuration[name] / unit,
    over: (configuration, value) => ({ ...configuration, [name]: value === null ? null : value * unit }),
  };
}

/** A limit of the plan of every team that has no other. @param unit As for {@link ofWork}. */
function ofPlan(
  name: "queued_jobs" | "maximum_duration_seconds" | "maximum_file_bytes" | "minutes_per_month" | "cost_per_month",
  unit = 1,
): NumberPlace {
  return {
    in: (configuration) => {
      const limit = defaultPlan(configuration)[name];
      return limit === null ? null : limit / unit;
    },
    over: (configuration, value) => ({
      ...configuration,
      plans: {
        ...configuration.plans,
        [DEFAULT_PLAN_NAME]: { ...defaultPlan(configuration), [name]: value === null ? null : value * unit },
      },
    }),
  };
}

function kept(name: keyof ServiceConfiguration["retention"]): NumberPlace {
  return {
    in: ({ retention }) => retention[name],
    over: (configuration, value) => ({ ...configuration, retention: { ...configuration.retention, [name]: value } }),
  };
}

/**
 * What a text says for a number.
 *
 * @returns why it cannot be used, without a full stop, where it is none of the range.
 */
function numberFrom(
  text: string,
  setting: NumberSetting,
): { readonly value: number | null } | { readonly fault: string } {
  const said = text.trim();
  if (setting.word !== undefined && said === setting.word) return { value: null };
  const value = Number(said);
  const isWritten = setting.isFraction === true ? /^\d+(?:\.\d+)?$/.test(said) : /^\d+$/.test(said);
  if (isWritten && value >= setting.minimum && value <= setting.maximum && setting.except?.includes(value) !== true) {
    return { value };
  }
  if (isWritten && setting.except?.includes(value) === true) {
    return { fault: `${setting.variable} is ${value}, which browsers refuse` };
  }
  const kind = setting.isFraction === true ? "number" : "whole number";
  const or = setting.word === undefined ? "" : `, or "${setting.word}"`;
  return { fault: `${setting.variable} must be a ${kind} from ${setting.minimum} to ${setting.maximum}${or}` };
}

/** Why the numbers of a part cannot be used, without a full stop; `null` where they can. */
export function numberFault(part: NumberPart, variables: Environment): string | null {
  for (const setting of Object.values(NUMBERS[part])) {
    const text = variables[setting.variable];
    const read = isSet(text) ? numberFrom(text, setting) : null;
    if (read !== null && "fault" in read) return read.fault;
  }
  return null;
}

/**
 * What variables say of a number: `null` for no limit, `undefined` where they say nothing.
 *
 * @throws SettingsError `setting_refused` with the range.
 */
export function numberIn(variables: Environment, part: NumberPart, name: string): number | null | undefined {
  const setting = NUMBERS[part][name];
  const text = setting === undefined ? undefined : variables[setting.variable];
  if (setting === undefined || !isSet(text)) return undefined;
  const read = numberFrom(text, setting);
  if ("fault" in read) throw new SettingsError("setting_refused", `${read.fault}.`);
  return read.value;
}

/**
 * A configuration with the numbers that variables say.
 *
 * @throws SettingsError `setting_refused` with the range of the one that is wrong.
 */
export function withNumbers(configuration: ServiceConfiguration, variables: Environment): ServiceConfiguration {
  let laid = configuration;
  for (const part of NUMBER_PARTS) {
    for (const [name, setting] of Object.entries(NUMBERS[part])) {
      const value = numberIn(variables, part, name);
      if (value !== undefined) laid = setting.over(laid, value);
    }
  }
  return laid;
}

/**
 * The numbers of a part as they are in force.
 *
 * @param variables The environment with what is set. @param environment The environment alone.
 * @param atStart As `variables`, when the service started; `null` where none runs.
 */
export function numbersInForce(
  part: NumberPart,
  configuration: ServiceConfiguration,
  {
    variables,
    environment,
    atStart,
  }: {
    readonly variables: Environment;
    readonly environment: Environment;
    readonly atStart: Environment | null;
  },
): NumberInForce[] {
  return Object.entries(NUMBERS[part]).map(([name, setting]) => {
    const { variable, title, minimum, maximum, word = null, countsFromStart } = setting;
    const text = variables[variable];
    return {
      name,
      title,
      value: isSet(text) ? text.trim() : String(setting.in(configuration) ?? word),
      decided_by: isSet(environment[variable]) ? "environment" : isSet(text) ? "settings" : "nobody",
      minimum,
      maximum,
      word,
      waits_for_start: countsFromStart === true && atStart !== null && text !== atStart[variable],
    };
  });
}
