import { readFile, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import * as z from "zod/mini";
import type { SettingPart } from "../../contract/service-settings.ts";
import { AudioDescriptionError } from "../../core/error.ts";
import { parsedJson } from "../../core/objects.ts";
import { writePrivateFile } from "../storage/private-file.ts";
import { KEY_STORE_FAULTS } from "./key-store.ts";

/** Raised when the meaning of the file changes. Version 1 knew no key store. */
const SETTINGS_VERSION = 2;

const Values = z.record(z.string(), z.string());
const Part = z.optional(Values);

/**
 * A key, and the server that it was given for: no other one is ever sent it. It stands here, with what kept it from the
 * user's key store, should that have been tried; or there, under a name of its own.
 */
const Key = z.union([
  z.object({ server: z.string(), key: z.string(), fault: z.optional(z.enum(KEY_STORE_FAULTS)) }),
  z.object({ server: z.string(), stored_as: z.string() }),
]);

const File = z.object({
  version: z.literal([1, SETTINGS_VERSION]),
  describer: Part,
  dialogue: Part,
  voice: Part,
  privacy: Part,
  models: Part,
  /** Of earlier versions: it stays as a person set it, and nothing reads it. */
  places: Part,
  limits: Part,
  retention: Part,
  network: Part,
  keys: z.optional(z.object({ describer: z.optional(Key), dialogue: z.optional(Key), voice: z.optional(Key) })),
  /** Names in the key store under which nothing may be left: they go with the next change. */
  removed_keys: z.optional(z.array(z.string())),
});

/** What was set, by part. */
export type KeptSettings = Omit<z.output<typeof File>, "version">;

/** Parts that have a key. */
export const PARTS_WITH_KEY = ["describer", "dialogue", "voice"] as const satisfies readonly SettingPart[];

/** A part that has a key. */
export type PartWithKey = (typeof PARTS_WITH_KEY)[number];

/** Whether somebody is asked for a part, who may want a key. */
export function hasKey(part: SettingPart): part is PartWithKey {
  return PARTS_WITH_KEY.some((one) => one === part);
}

/** A key as the file has it. */
export type KeptKey = z.output<typeof Key>;

/**
 * Reads what was set; nothing where there is no file.
 *
 * @throws SettingsError `settings_unusable`, `settings_damaged`.
 */
export async function readSettingsFile(path: string): Promise<KeptSettings> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    throw new SettingsError("settings_unusable", "The file of the settings cannot be read.", { cause: error });
  }
  const read = File.safeParse(parsedJson(text));
  if (read.success) {
    const { version: _, ...settings } = read.data;
    return settings;
  }
  throw new SettingsError(
    "settings_damaged",
    "The settings file is damaged, or a newer version wrote it. Update Aside, or start over: under Settings, or with " +
      "aside settings start-over. The old file stays beside the new one.",
  );
}

/**
 * Puts a file of settings aside, under a name that says when.
 *
 * @returns Its new name, in the same folder.
 * @throws SettingsError `settings_unusable`.
 */
export async function putSettingsAside(path: string, at: Date): Promise<string> {
  const name = basename(path).replace(/(\.\w+)?$/, `-damaged-${at.toISOString().replace(/[:.]/g, "-")}$1`);
  try {
    await rename(path, join(dirname(path), name));
    return name;
  } catch (cause) {
    throw new SettingsError("settings_unusable", "The settings file cannot be moved. Nothing was changed.", {
      cause,
    });
  }
}

/**
 * Writes what is set, for its owner's eyes alone: it may hold keys. The file is there whole or as it was.
 *
 * @throws SettingsError `settings_unusable`.
 */
export async function writeSettingsFile(path: string, settings: KeptSettings): Promise<void> {
  try {
    await writePrivateFile(path, `${JSON.stringify({ version: SETTINGS_VERSION, ...settings }, null, 2)}\n`);
  } catch (cause) {
    throw new SettingsError("settings_unusable", "The file of the settings cannot be written. Nothing was changed.", {
      cause,
    });
  }
}

/** Why settings could not be read or changed. */
export type SettingsErrorCode =
  /** There is no setting of that name. */
  | "setting_unknown"
  /** What was said cannot be used: nothing was changed. */
  | "setting_refused"
  /** It names a program or a file of the service's computer, and may be set there alone. */
  | "setting_of_its_computer"
  /** A variable of the service's environment says it. */
  | "decided_by_environment"
  /** A key is in the system's key store, which does not give it. */
  | "key_store_unusable"
  /** The file holds no settings that this version knows. */
  | "settings_damaged"
  /** The file cannot be read or written. */
  | "settings_unusable";

/** Settings cannot be read or changed; `message` says why, and what to do. */
export class SettingsError extends AudioDescriptionError<SettingsErrorCode> {}
