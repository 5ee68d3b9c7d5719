import { createReadStream, createWriteStream, type ReadStream } from "node:fs";
import { rename, stat } from "node:fs/promises";
import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { basename } from "node:path";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ConnectionError } from "../../core/error.ts";
import { defined } from "../../core/objects.ts";
import type { DownloadRequest, FileTransfer, TransferReply, UploadRequest } from "../../core/ports.ts";
import { HostError } from "../host-error.ts";
import { discard, temporaryPath } from "./files.ts";
import { hostErrorFrom, isFileSystemError } from "./system-error.ts";

/** Size of one slice of a resumable upload, in bytes: what a broken line costs at most. */
const SLICE_BYTES = 16 * 1024 * 1024;

/** Redirects that a download follows. No key goes with it, so that nothing is given away. */
const MAX_REDIRECTS = 5;

/** Status by which storage says that it has a part of the file and waits for the rest. */
const RESUME_INCOMPLETE = 308;

/** Moves files over HTTP, streaming from and to disk. */
export const nodeFileTransfer: FileTransfer = {
  async upload(request) {
    const totalBytes = await sizeOf(request.path);
    if (request.resumableUrl !== undefined && totalBytes > SLICE_BYTES) {
      const reply = await uploadInSlices(request, request.resumableUrl, totalBytes);
      if (reply !== "not-offered") return reply;
    }
    return put(request, request.url, { start: 0, end: totalBytes, totalBytes });
  },

  async download(request) {
    let { url } = request;
    for (let redirects = 0; ; redirects++) {
      const reply = await exchange({ method: "GET", url, headers: {}, signal: request.signal });
      const status = reply.statusCode ?? 0;
      const location = reply.headers.location;
      if (status === 200) return save(reply, request);
      const body = await readBriefly(reply);
      const isRedirect = status >= 301 && status <= 308 && status !== 304 && location !== undefined;
      if (!isRedirect || redirects === MAX_REDIRECTS) return { status, body };
      url = new URL(location, url).href;
    }
  },
};

interface Slice {
  /** First byte, and the one after the last. */
  readonly start: number;
  readonly end: number;
  readonly totalBytes: number;
}

/** Sends a part of the file as one `PUT`; `contentRange` marks it as a part. */
async function put(request: UploadRequest, url: string, slice: Slice, contentRange?: string): Promise<TransferReply> {
  const { reply } = await putPart(request, url, slice, contentRange);
  return { status: reply.statusCode ?? 0, body: await readBriefly(reply) };
}

async function putPart(request: UploadRequest, url: string, slice: Slice, contentRange?: string) {
  const { start, end } = slice;
  const file = end > start ? readPart(request, slice) : undefined;
  const headers = {
    "Content-Type": request.contentType,
    "Content-Length": end - start,
    ...defined({ "Content-Range": contentRange }),
  };
  try {
    const { signal } = request;
    return { reply: await exchange({ method: "PUT", url, headers, signal, ...defined({ body: file }) }) };
  } catch (error) {
    request.signal.throwIfAborted();
    if (error instanceof ConnectionError || error instanceof HostError) throw error;
    throw hostErrorFrom(error, request.path, "read a file", "nothing was changed");
  } finally {
    file?.destroy();
  }
}

function readPart(request: UploadRequest, { start, end, totalBytes }: Slice): ReadStream {
  const file = createReadStream(request.path, { start, end: end - 1, highWaterMark: 256 * 1024 });
  let doneBytes = start;
  file.on("data", (piece) => {
    doneBytes += piece.length;
    request.onProgress?.({ doneBytes, totalBytes });
  });
  // What was promised to storage would never come: it would wait, and so would we.
  file.once("end", () => {
    if (doneBytes < end) file.destroy(cutShort(request.path));
  });
  return file;
}

function cutShort(path: string): HostError {
  return new HostError("file_unreadable", `"${basename(path)}" became shorter while it was sent. Send it again.`, {
    operation: "read a file",
    state: "part of it was sent",
  });
}

/**
 * Sends a file slice by slice, beginning where storage says it stands: after a broken line that is where the last try
 * ended. `not-offered` when storage does not answer as this protocol asks (Google Cloud Storage, "resumable uploads").
 */
async function uploadInSlices(
  request: UploadRequest,
  url: string,
  totalBytes: number,
): Promise<TransferReply | "not-offered"> {
  const nothing = { start: 0, end: 0, totalBytes };
  let { reply } = await putPart(request, url, nothing, `bytes */${totalBytes}`);
  for (let previous = -1; ; ) {
    const status = reply.statusCode ?? 0;
    const range = reply.headers.range;
    const body = await readBriefly(reply);
    if (status !== RESUME_INCOMPLETE)
      return previous === -1 && NOT_OFFERED.includes(status) ? "not-offered" : { status, body };
    const start = storedBytes(range);
    if (start <= previous || start >= totalBytes) return "not-offered"; // No headway: the plain way is left.
    previous = start;
    request.onProgress?.({ doneBytes: start, totalBytes });
    const end = Math.min(totalBytes, start + SLICE_BYTES);
    ({ reply } = await putPart(request, url, { start, end, totalBytes }, `bytes ${start}-${end - 1}/${totalBytes}`));
  }
}

/** Statuses that say "no such thing" to the opening question of a resumable upload. */
const NOT_OFFERED: readonly number[] = [400, 404, 405, 501];

/** Bytes that storage has, from its `Range: bytes=0-41`; none when it names none. */
function storedBytes(range: string | undefined): number {
  const last = /^bytes=0-(\d+)$/.exec(range ?? "")?.[1];
  return last === undefined ? 0 : Number(last) + 1;
}

async function save(reply: IncomingMessage, request: DownloadRequest): Promise<TransferReply> {
  const temporary = temporaryPath(request.path);
  const stated = reply.headers["content-length"];
  const total = stated === undefined ? {} : { totalBytes: Number(stated) };
  let doneBytes = 0;
  const counter = new Transform({
    transform(piece: Buffer, _encoding, done) {
      doneBytes += piece.length;
      request.onProgress?.({ doneBytes, ...total });
      done(null, piece);
    },
  });
  try {
    await pipeline(reply, counter, createWriteStream(temporary, { flags: "wx" }), { signal: request.signal });
    await rename(temporary, request.path);
    return { status: 200, body: "" };
  } catch (error) {
    await discard(temporary);
    request.signal.throwIfAborted();
    if (!isFileSystemError(error)) throw broken(error);
    throw hostErrorFrom(error, request.path, "write a file", "nothing was changed");
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    throw hostErrorFrom(error, path, "read a file", "nothing was changed");
  }
}

/** Time without a single byte in either direction after which a line counts as dead, in milliseconds. */
const IDLE_MS = 120_000;

/** Longest part of an error reply that is kept, in bytes. */
const KEPT_REPLY_BYTES = 8_192;

/** One exchange with storage. */
interface Exchange {
  readonly method: "GET" | "PUT";
  readonly url: string;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly signal: AbortSignal;
  /** Sent as it is read; the caller's to close. */
  readonly body?: Readable;
}

/**
 * Sends a request and hands back its reply as soon as its head is there, body unread. Where the other side answers
 * before the whole body is sent, sending stops: it has made up its mind.
 *
 * @throws ConnectionError without the address; the signal's reason when it aborts; what reading the body raises.
 */
function exchange(options: Exchange): Promise<IncomingMessage> {
  const { method, url, headers, signal, body } = options;
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    let sent: ClientRequest;
    try {
      const start = url.startsWith("https:") ? requestHttps : requestHttp;
      sent = start(url, { method, headers });
    } catch (error) {
      reject(new ConnectionError("the address of storage cannot be used", { mayHaveArrived: false, cause: error }));
      return;
    }
    const abort = () => sent.destroy();
    signal.addEventListener("abort", abort, { once: true });
    sent.setTimeout(IDLE_MS, () =>
      sent.destroy(Object.assign(new Error("no byte for too long"), { code: "ETIMEDOUT" })),
    );
    sent.once("close", () => signal.removeEventListener("abort", abort));
    sent.once("response", (reply) => {
      body?.unpipe(sent);
      resolve(reply);
    });
    sent.on("error", (error) => reject(signal.aborted ? signal.reason : broken(error)));
    if (body === undefined) {
      sent.end();
      return;
    }
    body.once("error", (error) => {
      reject(error);
      sent.destroy();
    });
    body.pipe(sent);
  });
}

/** The beginning of a reply's body as text; the rest is thrown away. Ends the exchange. */
async function readBriefly(reply: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of reply) {
      pieces.push(piece);
      length += piece.length;
      if (length >= KEPT_REPLY_BYTES) break;
    }
  } catch {
    // The status has arrived; what is missing of its explanation changes nothing.
  }
  reply.destroy();
  return Buffer.concat(pieces).subarray(0, KEPT_REPLY_BYTES).toString("utf8");
}

/** A line that broke, by the system's word for it; never by its address. */
function broken(cause: unknown): ConnectionError {
  const code = cause instanceof Error && "code" in cause && typeof cause.code === "string" ? ` (${cause.code})` : "";
  return new ConnectionError(`the connection to storage broke${code}`, { mayHaveArrived: true, cause });
}
