import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { planOfTeam } from "../configuration.ts";
import { Turns } from "../ingest/arriving-file.ts";
import { OFFER_HEADER } from "../ingest/offered-files.ts";
import {
  type NotReceived,
  type Received,
  type ReceiveParts,
  receivedSoFar,
  receiveSlice,
  receiveWhole,
  refuseSize,
} from "../ingest/receive-upload.ts";
import { type DiskObjectStore, type LinkGrant, type LinkPurpose, STORAGE_PATH } from "../storage/disk-object-store.ts";
import { isNoRoom, requireRoomFor } from "../storage/disk-room.ts";
import { artifactSize } from "../storage/job-records.ts";
import { findMediaByUploadKey, type MediaRecord } from "../storage/media-records.ts";
import { findTeam } from "../storage/team-records.ts";
import { StorageError } from "./error-reply.ts";
import type { ServiceParts } from "./service-parts.ts";

/** Status by which a storage host says that an upload is not whole yet. */
const RESUME_INCOMPLETE = 308;

type StorageRequest = FastifyRequest<{
  Params: { "*": string };
  Querystring: Record<string, string | string[] | undefined>;
}>;

/**
 * The storage side of the service: takes uploads and gives results by signed links, without an API key, and answers errors
 * in XML, as the storage hosts do that stand behind the hosted service.
 */
export function addStorageRoutes(app: FastifyInstance, parts: ServiceParts, disk: DiskObjectStore): void {
  const turns = new Turns();
  const receive: ReceiveParts = { database: parts.database, objects: disk, incoming: parts.folders.incoming };

  // Bodies are streamed by the handler; nothing may read them before.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));
  app.setErrorHandler((error, request, reply) => {
    const refusal = storageErrorFrom(error);
    if (refusal.status >= 500) request.log.error({ err: error }, "storage request failed");
    return reply.code(refusal.status).type("application/xml").send(refusal.toXml());
  });

  app.put<{ Params: { "*": string } }>(`${STORAGE_PATH}/*`, async (request, reply) => {
    const grant = checkLink(parts, request, ["put", "resume"]);
    const media = await findMediaByUploadKey(parts.database, grant.key);
    if (media === null) throw new StorageError("NoSuchKey", "There is no upload under this address.");
    const maximumBytes = await maximumBytesOf(parts, media);
    const contentRange = request.headers["content-range"];
    const stated = contentRange === undefined ? null : parseContentRange(contentRange);
    requireStatedLength(stated, request.headers["content-length"]);
    const range = grant.purpose === "resume" ? stated : null;
    if (grant.purpose === "resume" && contentRange !== undefined && range === null) {
      throw new StorageError("InvalidArgument", "The Content-Range header makes no sense.");
    }
    if (range !== null && range.bytes === null) return answerReceived(reply, await receivedSoFar(receive, media));
    checkUploadable(media);
    const offered = await parts.offers.take(String(request.headers[OFFER_HEADER] ?? ""));
    const { stream, sizeBytes } = offered ?? {
      stream: request.raw,
      sizeBytes: Number(request.headers["content-length"] ?? 0),
    };
    const announced = range === null ? sizeBytes : (range.sizeBytes ?? 0);
    if (announced > maximumBytes) return answerReceived(reply, await refuseSize(receive, media, maximumBytes));
    await requireRoomFor(parts.configuration.dataFolder, announced);
    // A client that lost its connection sends again before the old one is known to be dead.
    const stop = () => stream.destroy(new StorageError("IncompleteBody", "The client sends this upload again."));
    const received = await turns
      .take(media.id, stop, () =>
        range === null || range.bytes === null
          ? receiveWhole(receive, media, stream, maximumBytes)
          : receiveSlice(receive, media, request.raw, {
              ...range.bytes,
              totalBytes: range.sizeBytes,
              maximumBytes,
            }),
      )
      .finally(() => offered?.stream.destroy());
    // Somebody is writing to the file that was offered.
    if (offered !== null && typeof received === "object" && received.sizeBytes !== sizeBytes) throw cutShort();
    return answerReceived(reply, received);
  });

  app.get<{ Params: { "*": string } }>(`${STORAGE_PATH}/*`, async (request, reply) => {
    const grant = checkLink(parts, request, ["get"]);
    const object = await disk.stat(grant.key);
    if (object === null) throw new StorageError("NoSuchKey", "The object is no longer there.");
    const stored = await artifactSize(parts.database, grant.key);
    if (stored !== null && stored !== object.sizeBytes) {
      throw new StorageError("InternalError", "The stored result is damaged. Send the request for it again.");
    }
    const range = parseRange(request.headers.range, object.sizeBytes);
    reply
      .type(grant.contentType)
      .header("accept-ranges", "bytes")
      .header("last-modified", object.modifiedAt.toUTCString())
      .header("content-disposition", `attachment; filename="${grant.fileName.replaceAll(/[^\w. -]/g, "_")}"`);
    if (range === "unsatisfiable") {
      return reply.code(416).header("content-range", `bytes */${object.sizeBytes}`).send("");
    }
    if (range === null) {
      return reply.header("content-length", object.sizeBytes).send(disk.read(grant.key));
    }
    return reply
      .code(206)
      .header("content-range", `bytes ${range.start}-${range.end}/${object.sizeBytes}`)
      .header("content-length", range.end - range.start + 1)
      .send(disk.read(grant.key, range));
  });
}

function checkLink(parts: ServiceParts, request: FastifyRequest, purposes: readonly LinkPurpose[]): LinkGrant {
  const { params, query } = request as StorageRequest; // the route's own parameters, declared where it is added
  const value = (name: string) => {
    const given = query[name];
    return typeof given === "string" ? given : "";
  };
  const purpose = purposes.find((name) => name === value("purpose"));
  if (purpose === undefined) throw new StorageError("SignatureDoesNotMatch", "The link does not allow this.");
  const grant: LinkGrant = {
    purpose,
    key: params["*"],
    // What a link for an upload was signed with must be what the upload says of itself, byte for byte.
    contentType: purpose === "get" ? value("type") : (request.headers["content-type"] ?? ""),
    fileName: value("name"),
    expires: Number(value("expires")),
  };
  const refusal = parts.signer.check(grant, value("signature"), parts.clock.now() / 1000);
  if (refusal === "expired") throw new StorageError("ExpiredToken", "The link has expired. Ask for a new one.");
  if (refusal === "signature") {
    throw new StorageError(
      "SignatureDoesNotMatch",
      "The signature does not fit the request. Send it as it was signed, with the same Content-Type.",
    );
  }
  return grant;
}

/** Refuses a slice of another length than it states: its bytes would stand where others belong. */
function requireStatedLength(stated: ContentRange | null, contentLength: string | undefined): void {
  const bytes = stated?.bytes ?? null;
  // A length that is not told in advance is looked at while the bytes arrive.
  if (bytes === null || contentLength === undefined || Number(contentLength) === bytes.end - bytes.start + 1) return;
  throw new StorageError("InvalidArgument", "Content-Range and Content-Length tell different lengths.");
}

function answerReceived(reply: FastifyReply, received: Received | NotReceived): FastifyReply {
  if (received === "too-large") throw tooLarge();
  if (received === "over") throw uploadOver();
  if (received === "contradictory") {
    throw new StorageError("InvalidArgument", "More bytes have arrived than the total in Content-Range.");
  }
  if (received.isComplete) {
    if (received.contentHash !== undefined) reply.header("etag", `"${received.contentHash}"`);
    return reply.code(200).send("");
  }
  if (received.sizeBytes > 0) reply.header("range", `bytes=0-${received.sizeBytes - 1}`);
  return reply.code(RESUME_INCOMPLETE).send("");
}

/** Bytes are taken until verification begins: what was verified stays what it was. */
function checkUploadable(media: MediaRecord): void {
  if (media.uploadStatus === "pending_upload") return;
  throw uploadOver();
}

function uploadOver(): StorageError {
  return new StorageError("PreconditionFailed", "This upload is over. Ask for a new address to upload again.");
}

async function maximumBytesOf(parts: ServiceParts, media: MediaRecord): Promise<number> {
  const team = await findTeam(parts.database, media.teamId);
  return planOfTeam(await parts.settings.limits(parts.configuration), team?.name ?? "").maximum_file_bytes;
}

function tooLarge(): StorageError {
  return new StorageError("EntityTooLarge", "The object is larger than the plan allows.");
}

function cutShort(): StorageError {
  return new StorageError("IncompleteBody", "The body was cut short.");
}

function storageErrorFrom(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (isNoRoom(error)) {
    return new StorageError("InsufficientStorage", "There is no room for this object.");
  }
  if (code === "ECONNRESET" || code === "ERR_STREAM_PREMATURE_CLOSE" || code === "ABORT_ERR") return cutShort();
  return new StorageError("InternalError", "The object could not be handled. Try again.");
}

/** Bytes from `start` to `end`, both included. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The part of an object that a `Range` header asks for (RFC 9110, 14.1.2): `null` for the whole, which is also the answer
 * to several ranges and to units other than bytes; `"unsatisfiable"` when it lies outside.
 */
function parseRange(header: string | undefined, sizeBytes: number): ByteRange | null | "unsatisfiable" {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "");
  if (match === null) return null;
  const [, first = "", last = ""] = match;
  if (first === "" && last === "") return null;
  if (first === "") {
    const length = Number(last);
    return length === 0 || sizeBytes === 0
      ? "unsatisfiable"
      : { start: Math.max(0, sizeBytes - length), end: sizeBytes - 1 };
  }
  const start = Number(first);
  const end = last === "" ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  // "An int-range is invalid if the last-pos value is less than first-pos", and an invalid one is ignored.
  if (last !== "" && Number(last) < start) return null;
  return start >= sizeBytes ? "unsatisfiable" : { start, end };
}

/** What a slice of a resumable upload says of itself. */
interface ContentRange {
  /** `null` asks how much has arrived. */
  readonly bytes: ByteRange | null;
  /** Size of the whole; `null` while unknown. */
  readonly sizeBytes: number | null;
}

/** Reads a `Content-Range` header (RFC 9110, 14.4); `null` when it makes no sense. */
function parseContentRange(header: string): ContentRange | null {
  const match = /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15}|\*)$/.exec(header.trim());
  if (match === null) return null;
  const [, first, last, total] = match;
  const sizeBytes = total === undefined || total === "*" ? null : Number(total);
  if (first === undefined || last === undefined) return { bytes: null, sizeBytes };
  const bytes = { start: Number(first), end: Number(last) };
  const isSound = bytes.end >= bytes.start && (sizeBytes === null || bytes.end < sizeBytes);
  return isSound ? { bytes, sizeBytes } : null;
}
