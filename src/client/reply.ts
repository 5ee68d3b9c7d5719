import { uploadOutcome } from "../contract/choices.ts";
import type { Moment } from "../contract/job.ts";
import { bytesFromBase64 } from "../core/bytes.ts";
import { defined, isObject } from "../core/objects.ts";

/** A JSON object of unknown origin. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The value as an object; `null` for anything else, arrays included. */
export function objectOf(value: unknown): JsonObject | null {
  return isObject(value) ? value : null;
}

/** The first of the named fields that holds a text with more than blanks; whole numbers count, as ids may be numbers. */
export function textField(object: JsonObject, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = object[name];
    if (typeof value === "string" && value.trim() !== "") return value;
    if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  }
  return undefined;
}

/** The named field as a finite number; a number written as text counts. */
export function numberField(object: JsonObject, name: string): number | undefined {
  const value = object[name];
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** The named field as a list; empty when it is none. */
export function listField(object: JsonObject, name: string): readonly unknown[] {
  const value = object[name];
  return Array.isArray(value) ? value : [];
}

/** Media as a service knows it. */
export interface UploadedMedia {
  readonly mediaId: string;
  /** `created`, `existing` or `pending_upload`; a server may say more. */
  readonly status: string;
  readonly durationSeconds: number | null;
  readonly frameRate: number | null;
}

/** An address to send a file to. */
export interface SignedUpload extends UploadedMedia {
  /** A secret: whoever holds it may write the file. Never shown, logged or kept. */
  readonly uploadUrl: string;
  /** Where storage keeps the file; handed back letter by letter. */
  readonly storagePath: string;
  /** Content type that the address was made for. */
  readonly contentType: string;
  /** A secret like `uploadUrl`: takes the file in slices. */
  readonly resumableUrl?: string;
}

/** State of a signed upload. */
export interface Verification {
  readonly outcome: "ready" | "failed" | "verifying";
  /** The media to use from now on. */
  readonly mediaId: string;
  /** The server's own word for the state. */
  readonly status: string;
  readonly durationSeconds: number | null;
  readonly frameRate: number | null;
  /** Why verification failed, where the server says so: a code, and a sentence. */
  readonly code?: string;
  readonly message?: string;
}

/** Reads a reply that names media; `null` when it names none. */
export function readMedia(body: JsonObject): UploadedMedia | null {
  const mediaId = textField(body, "media_id");
  if (mediaId === undefined) return null;
  return {
    mediaId,
    status: textField(body, "status") ?? "created",
    durationSeconds: numberField(body, "duration_seconds") ?? null,
    frameRate: numberField(body, "frame_rate") ?? null,
  };
}

/** Reads the reply to a signed upload request; `null` when a part is missing that nothing can stand in for. */
export function readSignedUpload(body: JsonObject, askedContentType: string): SignedUpload | null {
  const media = readMedia(body);
  const uploadUrl = textField(body, "upload_url");
  const storagePath = textField(body, "gcs_path", "storage_path");
  if (media === null || uploadUrl === undefined || storagePath === undefined) return null;
  return defined({
    ...media,
    uploadUrl,
    storagePath,
    contentType: textField(body, "content_type") ?? askedContentType,
    resumableUrl: textField(body, "resumable_url"),
  });
}

/** Reads an upload's state; a reply without one counts as still verifying. */
export function readVerification(body: JsonObject, askedMediaId: string): Verification {
  const status = textField(body, "upload_status", "status") ?? "unknown";
  return defined({
    outcome: uploadOutcome(status),
    mediaId: textField(body, "canonical_media_id", "media_id") ?? askedMediaId,
    status,
    durationSeconds: numberField(body, "duration_seconds") ?? null,
    frameRate: numberField(body, "frame_rate") ?? null,
    code: textField(body, "code", "error"),
    message: textField(body, "message"),
  });
}

/** A line that a service voiced at once. */
export interface VoicedLine {
  /** The sound: a whole WAV file. */
  readonly wave: Uint8Array<ArrayBuffer>;
  /** Hash of {@link wave} by which the same sound is known again. */
  readonly sha256: string;
  /** Length of the speech in seconds; the file is at most a sample longer. */
  readonly seconds: number;
  /** Speaking rate relative to the voice's normal one. */
  readonly rate: number;
  /** Whether it is no longer than the time that was asked for. */
  readonly fits: boolean;
}

/** Reads the reply of `voice_line`; `null` unless it is whole. */
export function readVoicedLine(reply: JsonObject): VoicedLine | null {
  const wave = bytesFromBase64(textField(reply, "audio") ?? "=");
  const sha256 = textField(reply, "sha256");
  const seconds = numberField(reply, "seconds");
  const rate = numberField(reply, "rate");
  if (wave === null || sha256 === undefined || seconds === undefined || rate === undefined) return null;
  return { wave, sha256, seconds, rate, fits: reply["fits"] === true };
}

/** Reads pictures of moments; one that is not whole is left out. */
export function readMoments(reply: JsonObject): Moment[] {
  return listField(reply, "pictures").flatMap((value) => {
    const picture = objectOf(value) ?? {};
    const [at, time] = [numberField(picture, "at"), numberField(picture, "time")];
    const [width, height] = [numberField(picture, "width"), numberField(picture, "height")];
    const jpeg = textField(picture, "jpeg");
    if (at === undefined || time === undefined || width === undefined || height === undefined) return [];
    // It goes into an address of a picture as it is.
    return jpeg === undefined || !/^[A-Za-z0-9+/]+=*$/.test(jpeg) ? [] : [{ at, time, width, height, jpeg }];
  });
}

/** Who would be asked for wordings of a moment. */
export interface WordingOffer {
  readonly model: string;
  /** Whether it runs on the service's computer, and is free. */
  readonly isLocal: boolean;
  /** Of one request, in the currency of the stated price; `null` where nobody knows. */
  readonly cost: number | null;
}

/** Reads who would be asked for wordings; `null` unless it is named. */
export function readWordingOffer(reply: JsonObject): WordingOffer | null {
  const model = textField(reply, "model");
  if (model === undefined) return null;
  return { model, isLocal: reply["is_local"] === true, cost: numberField(reply, "cost") ?? null };
}

/** Wordings of a moment, and who wrote them. */
export interface Wordings {
  readonly model: string;
  /** Each with the seconds that it takes about. */
  readonly wordings: readonly { readonly text: string; readonly seconds: number; readonly fits: boolean }[];
}

/** Reads wordings; one that is not whole is left out, and `null` where none is left. */
export function readWordings(reply: JsonObject): Wordings | null {
  const wordings = listField(reply, "wordings").flatMap((value) => {
    const one = objectOf(value) ?? {};
    const [text, seconds] = [textField(one, "text"), numberField(one, "seconds")];
    return text === undefined || seconds === undefined ? [] : [{ text, seconds, fits: one["fits"] === true }];
  });
  return wordings.length === 0 ? null : { model: textField(reply, "model") ?? "", wordings };
}
