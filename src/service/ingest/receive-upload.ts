import { open, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import type { Database } from "../storage/database.ts";
import {
  failVerification,
  forgetUpload,
  holdPendingUpload,
  type MediaRecord,
  noteStoredBytes,
} from "../storage/media-records.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { ArrivingFile, RoomWatch, writeAll } from "./arriving-file.ts";

/** What receiving the bytes of signed uploads needs. */
export interface ReceiveParts {
  readonly database: Database;
  readonly objects: ObjectStore;
  /** Folder of arriving files. */
  readonly incoming: string;
}

/** How much of an upload is there. */
export interface Received {
  readonly sizeBytes: number;
  readonly isComplete: boolean;
  /** SHA-256 of the whole in hex, where it was counted on the way. */
  readonly contentHash?: string;
}

/**
 * Why bytes were not taken: more than the team's plan allows; the upload was sent into verification meanwhile; more have
 * arrived than the total that a slice states.
 */
export type NotReceived = "too-large" | "over" | "contradictory";

/** Receives a signed upload in one piece. */
export async function receiveWhole(
  parts: ReceiveParts,
  media: MediaRecord,
  stream: Readable,
  maximumBytes: number,
): Promise<Received | NotReceived> {
  const arriving = await ArrivingFile.in(parts.incoming);
  try {
    const stored = await arriving.write(stream, maximumBytes);
    if (stored === null) return await refuseSize(parts, media, maximumBytes);
    if (!(await store(parts, media, arriving, stored))) return "over";
    return { ...stored, isComplete: true };
  } finally {
    await arriving.remove();
  }
}

/** How much of a resumable upload has arrived. */
export async function receivedSoFar(parts: ReceiveParts, media: MediaRecord): Promise<Received> {
  const whole = await parts.objects.stat(media.storageKey);
  if (whole !== null) return { sizeBytes: whole.sizeBytes, isComplete: true };
  const arriving = await sliceFile(parts, media);
  const size = await stat(arriving.path).then(
    (facts) => facts.size,
    () => 0,
  );
  return { sizeBytes: size, isComplete: false };
}

/**
 * Receives a slice of a resumable upload. Bytes that are there already are skipped, and what arrived of a slice that was
 * cut short stays. A slice that would leave a hole changes nothing: the answer tells where to go on.
 */
export async function receiveSlice(
  parts: ReceiveParts,
  media: MediaRecord,
  stream: Readable,
  slice: {
    readonly start: number;
    /** The last byte, included; what comes after it is not read. */
    readonly end: number;
    readonly totalBytes: number | null;
    readonly maximumBytes: number;
  },
): Promise<Received | NotReceived> {
  const before = await receivedSoFar(parts, media);
  if (before.isComplete || slice.start > before.sizeBytes) return before;
  if (slice.totalBytes !== null && slice.totalBytes < before.sizeBytes) return "contradictory";
  const arriving = await sliceFile(parts, media);
  const limit = Math.min(slice.maximumBytes, slice.end + 1);
  let sizeBytes = before.sizeBytes;
  const room = new RoomWatch(parts.incoming);
  const file = await open(arriving.path, "a", 0o600);
  try {
    let skip = sizeBytes - slice.start;
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      const bytes: Buffer = chunk;
      const fresh = bytes.subarray(Math.min(skip, bytes.length));
      skip -= bytes.length - fresh.length;
      if (sizeBytes + fresh.length > slice.maximumBytes) return await refuseSize(parts, media, slice.maximumBytes);
      const taken = fresh.subarray(0, limit - sizeBytes);
      await room.require(taken.length);
      await writeAll(file, taken);
      sizeBytes += taken.length;
      if (taken.length < fresh.length) break;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  if (slice.totalBytes === null || sizeBytes < slice.totalBytes) {
    await arriving.noteSynced(sizeBytes);
    return { sizeBytes, isComplete: false };
  }
  if (!(await store(parts, media, arriving, { sizeBytes, contentHash: null }))) return "over";
  await arriving.remove();
  return { sizeBytes, isComplete: true };
}

/** Stores what arrived, unless the upload was sent into verification meanwhile: what is looked at stays what it is. */
async function store(
  parts: ReceiveParts,
  media: MediaRecord,
  arriving: ArrivingFile,
  bytes: { readonly sizeBytes: number; readonly contentHash: string | null },
): Promise<boolean> {
  return parts.database.transaction(async (queries) => {
    if (!(await holdPendingUpload(queries, media.id))) return false;
    await parts.objects.put(media.storageKey, arriving.path, media.contentType ?? "");
    await noteStoredBytes(queries, media.id, bytes);
    return true;
  });
}

function sliceFile(parts: ReceiveParts, media: MediaRecord): Promise<ArrivingFile> {
  return ArrivingFile.in(parts.incoming, `slices-${media.id}`);
}

/** Removes an upload that has not become a video of the team: its bytes, whole or in part, and its record. */
export async function dropUpload(parts: ReceiveParts, media: MediaRecord): Promise<void> {
  if (!(await forgetUpload(parts.database, media.id))) return;
  await parts.objects.remove(media.storageKey);
  await (await sliceFile(parts, media)).remove();
}

/** Ends an upload that is larger than the team's plan allows. */
export async function refuseSize(parts: ReceiveParts, media: MediaRecord, maximumBytes: number): Promise<"too-large"> {
  await failVerification(parts.database, media.id, {
    code: "file_too_large",
    message: `The file is larger than the ${maximumBytes} bytes that the team's plan allows.`,
  });
  await (await sliceFile(parts, media)).remove();
  return "too-large";
}
