import type { FastifyReply, FastifyRequest } from "fastify";
import type { ErrorBody } from "../../contract/error-bodies.ts";
import { KEY_MAX_AGE_HEADER } from "../../contract/routes.ts";
import { RequestError } from "../request-error.ts";
import { RecordsAwayError } from "../storage/database.ts";
import { isNoRoom } from "../storage/disk-room.ts";
import { KEY_MAX_AGE_SECONDS } from "../storage/team-records.ts";

const FALLBACK = new RequestError(
  "internal_error",
  "The service met an unexpected internal error. Send the request again; if it fails again, tell the service's operator the request id.",
);

const DISK_FULL = new RequestError(
  "internal_error",
  "The service has no room left to store this. Free space on its disk, or ask its operator, and send the request again.",
  { status: 507 },
);

/** What is said of a body that is longer than JSON may be. */
export const JSON_TOO_LARGE =
  "The request body is too large for a JSON request. Send files by multipart or signed upload.";

/** Errors of the HTTP layer itself that are the client's doing, and what to tell it. */
const CLIENT_FAULTS: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE:
    'The "Content-Type" must be "application/json" or, where files are taken, "multipart/form-data".',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The "Content-Length" does not match the request body.',
  FST_ERR_CTP_BODY_TOO_LARGE: JSON_TOO_LARGE,
  FST_ERR_BAD_URL: "The request's path is not a valid address.",
  FST_ERR_MAX_PARAM_LENGTH: "A part of the request's path is too long.",
};

/** How long a client is to wait while the records are away, in seconds: a server that restarts is back in a few. */
const AWAY_RETRY_SECONDS = 2;

/** The one boundary where an error becomes a reply. Whatever is no refusal on purpose is a 500, told in the log alone. */
export function replyWithError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof RecordsAwayError) return replyWhileAway(error, request, reply);
  const refusal = refusalFrom(error);
  if (refusal.status >= 500) request.log.error({ err: error }, "request failed");
  reply.code(refusal.status).headers(refusal.fields.headers ?? {});
  return reply.send(errorBody(refusal));
}

/**
 * Whether what was asked for was done is open: a client repeats what is safe to repeat, or carries a key, which the service
 * knows again.
 */
function replyWhileAway(error: RecordsAwayError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.log.warn({ err: error }, "the records are out of reach");
  reply.code(503).headers({ "retry-after": String(AWAY_RETRY_SECONDS), [KEY_MAX_AGE_HEADER]: KEY_MAX_AGE_SECONDS });
  const message = "The service does not reach its records just now. Send the request again in a moment.";
  return reply.send({ error: "service_unavailable", message, retry_after: AWAY_RETRY_SECONDS });
}

/** Body of an error reply, in the shape of the interface's Error object. */
function errorBody(refusal: RequestError): ErrorBody {
  const { prose, body } = refusal.fields;
  return {
    ...(prose === undefined ? { error: refusal.code } : { error: prose, code: refusal.code }),
    message: refusal.message,
    ...body,
  };
}

function refusalFrom(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  const fault = CLIENT_FAULTS[code];
  if (fault !== undefined) return new RequestError("invalid_input", fault);
  if (isNoRoom(error)) return DISK_FULL;
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  // What else the HTTP layer blames on the client has no case of its own in the interface.
  if (typeof status === "number" && status >= 400 && status < 500) {
    return new RequestError("invalid_input", "The request is malformed.");
  }
  return FALLBACK;
}

/** Codes of storage errors, as S3 and Google Cloud Storage name them, with their status. */
const STATUSES = {
  SignatureDoesNotMatch: 403,
  ExpiredToken: 403,
  NoSuchKey: 404,
  PreconditionFailed: 412,
  EntityTooLarge: 400,
  InvalidArgument: 400,
  IncompleteBody: 400,
  MethodNotAllowed: 405,
  InternalError: 500,
  InsufficientStorage: 507,
} as const;

/** Code of a storage error. */
export type StorageErrorCode = keyof typeof STATUSES;

/** A refusal by the storage side of the service, which answers in XML as storage hosts do. */
export class StorageError extends Error {
  readonly code: StorageErrorCode;

  constructor(code: StorageErrorCode, message: string) {
    super(message);
    this.name = "StorageError";
    this.code = code;
  }

  get status(): number {
    return STATUSES[this.code];
  }

  /** Body of the reply. Codes and messages are our own fixed words, free of markup. */
  toXml(): string {
    return `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${this.code}</Code><Message>${this.message}</Message></Error>\n`;
  }
}
