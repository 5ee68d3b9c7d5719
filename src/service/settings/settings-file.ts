import { readFile } from "node:fs/promises";
import * as z from "zod/mini";
import type { NumberPart, SettingPart } from "../../contract/service-settings.ts";
import { parsedJson } from "../../core/parsed-json.ts";
import { writePrivateFile } from "../storage/private-file.ts";
import { SettingsError } from "./settings-error.ts";

/** Raised when the meaning of the file changes. */
const SETTINGS_VERSION = 1;

const Values = z.record(z.string(), z.string());
const Part = z.optional(Values);

/** A key, and the server that it was given for: no other one is ever sent it. */
const Key = z.optional(z.object({ server: z.string(), key: z.string() }));

const File = z.object({
  version: z.literal(SETTINGS_VERSION),
  describer: Part,
  dialogue: Part,
  voice: Part,
  privacy: Part,
  limits: Part,
  retention: Part,
  network: Part,
  keys: z.optional(z.object({ describer: Key, dialogue: Key, voice: Key })),
});

/** What was set, by part. */
export type KeptSettings = Omit<z.output<typeof File>, "version">;

/** Parts that have a key. */
export type PartWithKey = Exclude<SettingPart, "privacy" | NumberPart>;

/**
 * Reads what was set; nothing where there is no file.
 *
 * @throws SettingsError `settings_unusable`.
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
  if (read.success) return read.data;
  throw new SettingsError(
    "settings_unusable",
    "The file of the settings is damaged, or a newer version wrote it. Update Aside, or remove settings.json and set everything anew.",
  );
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
