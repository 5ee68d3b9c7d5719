import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DescriptionSettings, VoiceSettings } from "../../core/settings.ts";
import type { DataFolders } from "../storage/data-folders.ts";
import type { ArtifactRecord, JobRecord } from "../storage/job-records.ts";
import type { ObjectStore } from "../storage/object-store.ts";

/**
 * Bytes of settings, and of a result with its report, as JSON, that a job's row holds at most. A text of megabytes takes the
 * embedded records a tenth of a second to write, on the thread that serves requests, and nobody else's statement is answered
 * meanwhile.
 */
const IN_ROW_BYTES = 65_536;

/** What long values are kept in beside the records. */
interface LongValueParts {
  readonly objects: ObjectStore;
  readonly folders: DataFolders;
}

/** A value of a job: what it was asked for with, or what came of it as its reply says it. */
export interface JobValue {
  readonly kind: "settings" | "text";
  /** Path of the object below those of its job, such as `settings`; made of safe segments. */
  readonly name: string;
  readonly value: object;
}

/**
 * Stores a value of a job as an object of JSON, where it is too long for the job's row.
 *
 * @returns The object, for the records; `null` where the row is to hold the value.
 */
export async function storeLongValue(
  { objects, folders }: LongValueParts,
  job: Pick<JobRecord, "id" | "teamId">,
  { kind, name, value }: JobValue,
): Promise<ArtifactRecord | null> {
  const bytes = Buffer.from(JSON.stringify(value));
  if (bytes.length <= IN_ROW_BYTES) return null;
  const storageKey = `teams/${job.teamId}/jobs/${job.id}/${name}.json`;
  const contentType = "application/json";
  await mkdir(folders.incoming, { recursive: true });
  const path = join(folders.incoming, `${kind}-${randomUUID()}`);
  try {
    await writeFile(path, bytes);
    await objects.put(storageKey, path, contentType);
  } finally {
    await rm(path, { force: true });
  }
  const contentHash = createHash("sha256").update(bytes).digest("hex");
  return { kind, storageKey, contentType, sizeBytes: bytes.length, contentHash };
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
    // `storeLongValue` alone writes these.
    return JSON.parse(await readFile(file.path, "utf8"));
  } finally {
    await file.release();
  }
}
