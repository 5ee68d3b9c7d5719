import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DescriptionSettings, VoiceSettings } from "../../core/settings.ts";
import type { DataFolders } from "../storage/data-folders.ts";
import type { ArtifactRecord, JobRecord, KeptSettings } from "../storage/job-records.ts";
import type { ObjectStore } from "../storage/object-store.ts";

/**
 * Bytes of settings, as JSON, that a job's row holds at most. A script of megabytes takes the embedded records a tenth of
 * a second to write, on the thread that serves requests, and nobody else's statement is answered meanwhile.
 */
const IN_ROW_BYTES = 65_536;

/** What settings are kept in beside the records. */
interface SettingsParts {
  readonly objects: ObjectStore;
  readonly folders: DataFolders;
}

/** What of settings goes into a job's row, and what was stored beside it; `null` where the row holds them whole. */
export interface KeptBeside {
  readonly settings: KeptSettings;
  readonly artifact: ArtifactRecord | null;
}

/** Stores the settings of a job that is about to be accepted as an object, where they are too long for its row. */
export async function storeLongSettings(
  { objects, folders }: SettingsParts,
  job: Pick<JobRecord, "id" | "teamId">,
  settings: DescriptionSettings & VoiceSettings,
): Promise<KeptBeside> {
  const bytes = Buffer.from(JSON.stringify(settings));
  if (bytes.length <= IN_ROW_BYTES) return { settings, artifact: null };
  const storageKey = `teams/${job.teamId}/jobs/${job.id}/settings.json`;
  const contentType = "application/json";
  await mkdir(folders.incoming, { recursive: true });
  const path = join(folders.incoming, `settings-${randomUUID()}`);
  try {
    await writeFile(path, bytes);
    await objects.put(storageKey, path, contentType);
  } finally {
    await rm(path, { force: true });
  }
  const contentHash = createHash("sha256").update(bytes).digest("hex");
  return {
    settings: { format: settings.format, storageKey },
    artifact: { kind: "settings", storageKey, contentType, sizeBytes: bytes.length, contentHash },
  };
}

/** The settings of a job, wherever they stand. Rejects when their object is gone, as it is once the job was deleted. */
export async function settingsOf(
  objects: ObjectStore,
  { settings }: Pick<JobRecord, "settings">,
  signal: AbortSignal,
): Promise<DescriptionSettings & VoiceSettings> {
  if (!("storageKey" in settings)) return settings;
  const file = await objects.borrow(settings.storageKey, signal);
  try {
    // `storeLongSettings` alone writes these.
    return JSON.parse(await readFile(file.path, "utf8"));
  } finally {
    await file.release();
  }
}
