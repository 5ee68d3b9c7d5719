import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { USUAL_PORT } from "../../contract/pairing.ts";
import type { SettingPart } from "../../contract/service-settings.ts";
import { hideSecrets } from "../../core/text.ts";
import type { Environment } from "../../engine/outgoing/local-only.ts";
import type { Administration } from "../../service/admin/administration.ts";
import type { RecordsOptions } from "../../service/admin/open-administration.ts";
import type { Arguments, CommandContext, Option } from "../shell/command.ts";
import { UsageError } from "../shell/usage-error.ts";

const LEVELS = ["error", "warn", "info", "debug"] as const;

/** Option of commands that run a service. */
export const LOG_OPTION: Readonly<Record<"log", Option>> = {
  log: { value: "LEVEL", help: "What is written to the error output: error, warn, info or debug (default: warn)." },
};

/** The log that is asked for. @throws UsageError for a level that is none. */
export function logFrom({ values }: Arguments): { readonly level: (typeof LEVELS)[number] } {
  const word = values["log"] ?? "warn";
  const level = LEVELS.find((one) => one === word);
  if (level === undefined) throw new UsageError(`--log cannot be "${word}"; choose one of ${LEVELS.join(", ")}`);
  return { level };
}

/** The port that is set for a service, else the usual one. @throws SettingsError where what is set cannot be used. */
export async function portSet(records: RecordsOptions): Promise<number> {
  // Loaded here alone: help and version start without the service.
  const { settingsOf } = await import("../../service/admin/open-administration.ts");
  return (await settingsOf(records).port()) ?? USUAL_PORT;
}

/** Options by which a command finds the records of a service. */
export const RECORDS_OPTIONS: Readonly<Record<"data" | "config", Option>> = {
  data: { value: "DIR", help: "Folder for records and media (default: one per user)." },
  config: { value: "FILE", help: "Configuration file (default: aside.json in the data folder, if there is one)." },
};

/** The file of what this user set: one for every service of theirs that has no data folder of its own. */
export function userSettings(env: NodeJS.ProcessEnv): string {
  return join(userFolder(env), "settings.json");
}

/** Which records are meant: by option, and by `DATABASE_URL` and `ASIDE_STORAGE`, which may hold passwords. */
export function recordsFrom({ values }: Arguments, env: NodeJS.ProcessEnv): RecordsOptions {
  const { data, config } = values;
  const databaseUrl = env["DATABASE_URL"];
  const storage = env["ASIDE_STORAGE"];
  const own = typeof data === "string" ? {} : { settingsFile: userSettings(env) };
  return {
    dataFolder: resolve(typeof data === "string" ? data : join(userFolder(env), "server")),
    ...own,
    ...(typeof config === "string" ? { configurationFile: resolve(config) } : {}),
    ...(databaseUrl === undefined || databaseUrl === "" ? {} : { databaseUrl }),
    ...(storage === undefined || storage === "" ? {} : { storage }),
  };
}

/** Does something with the administration of the records that are meant, whose end it is then, whatever comes of it. */
export async function withAdministration<Result>(
  given: Arguments,
  { env, openAdministration }: Pick<CommandContext, "env" | "openAdministration">,
  work: (administration: Administration) => Promise<Result>,
): Promise<Result> {
  // Loaded here alone: help and version start without the service.
  const open = openAdministration ?? (await import("../../service/admin/open-administration.ts")).openAdministration;
  const administration = await open(recordsFrom(given, env));
  try {
    return await work(administration);
  } finally {
    await administration.close();
  }
}

/** How long a service may take to end requests and put jobs back once it is told to stop, in milliseconds. */
export const STOP_LIMIT_MS = 10_000;

/** Resolves when a signal aborts. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/**
 * The environment with what is set, and what is installed, as the embedded service of a command has it.
 *
 * @param choice The data folder, where one is named.
 * @throws SettingsError `settings_unusable`, `settings_damaged`, `key_store_unusable`.
 */
export async function variablesInForce(
  { dataFolder }: { readonly dataFolder?: string },
  env: NodeJS.ProcessEnv,
): Promise<Environment> {
  const { settingsOf } = await import("../../service/admin/open-administration.ts");
  const own = { dataFolder: userFolder(env), settingsFile: userSettings(env) };
  return settingsOf(dataFolder === undefined ? own : { dataFolder }).variables();
}

/** A part of the settings as a service of this user takes it: what is set, and the environment, which wins. */
interface CommandPart {
  /** The environment with what is set. */
  readonly variables: Environment;
  /** Where each value comes from: a sentence for people, without keys. */
  readonly sources: string;
  /** A sentence about variables, in the names of the settings unless the environment says who does the work. */
  readonly named: (sentence: string) => string;
}

/**
 * Reads a part of the settings, and what may leave the computer.
 *
 * @throws SettingsError `settings_unusable`, `settings_damaged`.
 */
export async function partInForce(part: SettingPart, given: Arguments, env: NodeJS.ProcessEnv): Promise<CommandPart> {
  // Loaded here alone: help and version start without the service.
  const [{ settingsOf }, { inSettingNames, isDecidedBy }] = await Promise.all([
    import("../../service/admin/open-administration.ts"),
    import("../../service/settings/setting-table.ts"),
  ]);
  const settings = settingsOf(recordsFrom(given, env));
  const [variables, values] = await Promise.all([settings.variables(), settings.valuesWithSource([part, "privacy"])]);
  const said = values.map(({ setting, variable, value, source }) => {
    // An address may have a password in it.
    const shown = value === null ? "(kept)" : hideSecrets(value);
    return source === "settings" ? `${setting}=${shown} by aside settings` : `${variable}=${shown} by the environment`;
  });
  const isEnvironments = isDecidedBy(env, part);
  return {
    variables,
    sources:
      said.length === 0 ? "Nothing is set, in aside settings or in the environment." : `Set: ${said.join(", ")}.`,
    named: (sentence) => (isEnvironments ? sentence : inSettingNames(sentence, env)),
  };
}

/**
 * The folder in which this user's data of the product stands, by the custom of the system: `~/Library/Application
 * Support/Aside`, `%LOCALAPPDATA%\Aside`, else `$XDG_DATA_HOME/aside` or `~/.local/share/aside`.
 */
export function userFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  const home = homedir();
  if (platform === "darwin") return join(home, "Library", "Application Support", "Aside");
  if (platform === "win32") return join(env["LOCALAPPDATA"] ?? join(home, "AppData", "Local"), "Aside");
  // The XDG Base Directory Specification: a relative path there is invalid and counts as none.
  const xdg = env["XDG_DATA_HOME"] ?? "";
  return join(xdg.startsWith("/") ? xdg : join(home, ".local", "share"), "aside");
}
