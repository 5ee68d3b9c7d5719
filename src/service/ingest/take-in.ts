import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { extname } from "node:path";
import type { Engine } from "../../engine/index.ts";
import type { TeamPlan } from "../configuration.ts";
import { RequestError } from "../request-error.ts";
import type { Database } from "../storage/database.ts";
import { findMediaByContent, insertReadyMedia, type MediaRecord, touchMedia } from "../storage/media-records.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { inspectMedia } from "./inspect-media.ts";

/** What taking in media needs. */
export interface TakeInParts {
  readonly database: Database;
  readonly objects: ObjectStore;
  readonly engine: Pick<Engine, "probe">;
}

/** A file that arrived and stands on local disk, not yet known to be a video. */
export interface ArrivedFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** SHA-256 of its bytes in hex. */
  readonly contentHash: string;
  /** As the client called it: shown again, never used as a path. */
  readonly fileName: string | null;
  readonly arrival: "file" | "url";
}

/** A media as a reply reports it. */
export interface TakenIn {
  readonly media: MediaRecord;
  /** Whether the team had this content before. */
  readonly isRepeat: boolean;
}

const EXTENSION = /^\.[a-z0-9]{1,5}$/;

/** Where a media's bytes stand once they are verified. Of the client's file name only a plain extension is kept. */
export function mediaKey({ id, teamId, fileName }: Pick<MediaRecord, "id" | "teamId" | "fileName">): string {
  return `teams/${teamId}/media/${id}/source${extensionOf(fileName)}`;
}

/** Where a signed upload's bytes arrive: clients have an address of this, and none of {@link mediaKey}. */
export function uploadKey({ id, teamId, fileName }: Pick<MediaRecord, "id" | "teamId" | "fileName">): string {
  return `teams/${teamId}/uploads/${id}/source${extensionOf(fileName)}`;
}

function extensionOf(fileName: string | null): string {
  const extension = extname(fileName ?? "").toLowerCase();
  return EXTENSION.test(extension) ? extension : "";
}

/**
 * Makes a file that arrived into media of a team, or finds the media the team has of the same content. The file itself
 * stays for the caller to remove.
 *
 * @throws RequestError `no_video_stream`, `video_too_long`, `file_too_large`.
 */
export async function takeInFile(
  parts: TakeInParts,
  team: { readonly id: string; readonly plan: TeamPlan },
  file: ArrivedFile,
  signal: AbortSignal,
): Promise<TakenIn> {
  checkFileSize(team.plan, file.sizeBytes);
  const known = await findMediaByContent(parts.database, team.id, file.contentHash);
  if (known !== null && (await touchMedia(parts.database, known.id))) {
    await mendStored(parts.objects, known, file.path, signal);
    return { media: known, isRepeat: true };
  }
  const { durationSeconds, frameRate } = await inspectMedia(parts.engine, file.path, signal);
  checkDuration(team.plan, durationSeconds);
  const id = randomUUID();
  const storageKey = mediaKey({ id, teamId: team.id, fileName: file.fileName });
  await parts.objects.put(storageKey, file.path, "application/octet-stream", signal);
  const { contentHash, sizeBytes, arrival, fileName } = file;
  const media = await insertReadyMedia(
    parts.database,
    { id, teamId: team.id, arrival, fileName, storageKey },
    { contentHash, sizeBytes, durationSeconds, frameRate },
  );
  // Somebody else took in the same content at the same time: theirs stands.
  if (media.id !== id) await parts.objects.remove(storageKey);
  return { media, isRepeat: media.id !== id };
}

/**
 * Stores the bytes of a media once more: those that came again are right, and what is stored may have been damaged since.
 * Where it cannot be replaced just now, because somebody reads it, it stays when it is as long as it should be.
 */
export async function mendStored(
  objects: ObjectStore,
  { storageKey, sizeBytes, contentType }: MediaRecord,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    await objects.put(storageKey, path, contentType ?? "application/octet-stream", signal);
  } catch (error) {
    signal.throwIfAborted();
    if ((await objects.stat(storageKey))?.sizeBytes !== sizeBytes) throw error;
  }
}

/** @throws RequestError `file_too_large` when a file is larger than a plan allows. */
export function checkFileSize(plan: TeamPlan, sizeBytes: number): void {
  if (sizeBytes <= plan.maximum_file_bytes) return;
  throw new RequestError(
    "file_too_large",
    `The file is larger than the ${plan.maximum_file_bytes} bytes that the plan "${plan.name}" allows.`,
  );
}

/** @throws RequestError `video_too_long` when a programme is longer than a plan allows. */
export function checkDuration(plan: TeamPlan, durationSeconds: number | null): void {
  if (durationSeconds === null || durationSeconds <= plan.maximum_duration_seconds) return;
  throw new RequestError(
    "video_too_long",
    `The video is ${durationSeconds.toFixed(1)} s long, and the plan "${plan.name}" allows ${plan.maximum_duration_seconds} s.`,
  );
}

const CHUNK_BYTES = 1 << 20;

/** SHA-256 of a file in hex, read as a stream. */
export async function contentHash(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES, signal })) hash.update(chunk);
  return hash.digest("hex");
}
