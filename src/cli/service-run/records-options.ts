import { join, resolve } from "node:path";
import type { RecordsOptions } from "../../service/admin/open-administration.ts";
import type { Arguments, Option } from "../shell/command.ts";
import { userFolder } from "./user-folder.ts";

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
