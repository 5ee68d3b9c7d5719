import { defined } from "../../core/objects.ts";
import type { DownloadRequest, FileTransfer, TransferReply, UploadRequest } from "../../core/ports.ts";
import { decodeUtf8 } from "../../formats/decode-text.ts";
import { HostError } from "../host-error.ts";
import type { UxpRequestConstructor } from "./runtime.ts";
import { type HttpReply, sendRequest } from "./send-request.ts";
import type { FileReader, UxpFiles } from "./work-folder.ts";

/** Moves files by UXP's `XMLHttpRequest` and `fs`, slice by slice. */
export class UxpTransfer implements FileTransfer {
  readonly #options: UxpUploadOptions;

  constructor(options: UxpUploadOptions) {
    this.#options = options;
  }

  upload(request: UploadRequest): Promise<TransferReply> {
    return uploadFile(this.#options, request);
  }

  download(request: DownloadRequest): Promise<TransferReply> {
    return downloadFile(this.#options, request);
  }
}

/** Bytes asked for at a time: UXP holds each reply in memory. */
const RANGE_BYTES = 8 * 1024 * 1024;

/** Longest error text of storage that is passed on, in bytes. */
const BODY_BYTES = 4096;

const OK = 200;
const PARTIAL = 206;

/** What downloading needs. */
interface DownloadOptions {
  readonly Requests: UxpRequestConstructor;
  readonly files: Pick<UxpFiles, "openWriter" | "rename">;
}

/**
 * Fetches an address into a file, range by range, under a temporary name until it is whole. Storage that knows no ranges
 * answers with everything at once, which then passes through memory.
 */
async function downloadFile(options: DownloadOptions, request: DownloadRequest): Promise<TransferReply> {
  const part = `${request.path}.part`;
  const first = await ask(options, request, 0);
  if (first.status !== OK && first.status !== PARTIAL) return refusal(first);
  const writer = await options.files.openWriter(part);
  try {
    const refused = await writeRanges(options, request, first, writer.write);
    if (refused !== null) return refused;
  } finally {
    await writer.close();
  }
  await options.files.rename(part, request.path);
  return { status: OK, body: "" };
}

async function writeRanges(
  options: DownloadOptions,
  request: DownloadRequest,
  first: HttpReply,
  write: (position: number, bytes: ArrayBuffer) => Promise<void>,
): Promise<TransferReply | null> {
  let reply = first;
  let position = 0;
  for (;;) {
    await write(position, reply.bytes);
    position += reply.bytes.byteLength;
    const total = reply.status === OK ? position : totalBytes(reply);
    request.onProgress?.({ doneBytes: position, ...(total === null ? {} : { totalBytes: total }) });
    if (total !== null && position >= total) return null;
    // Without a stated total, a short range is the last one.
    if (total === null && reply.bytes.byteLength < RANGE_BYTES) return null;
    if (reply.bytes.byteLength === 0) return { status: 502, body: "storage sent an empty range" };
    reply = await ask(options, request, position);
    if (reply.status !== PARTIAL) return refusal(reply);
  }
}

function ask(options: DownloadOptions, request: DownloadRequest, from: number): Promise<HttpReply> {
  return sendRequest(options.Requests, {
    method: "GET",
    url: request.url,
    headers: { Range: `bytes=${from}-${from + RANGE_BYTES - 1}` },
    signal: request.signal,
    replyAs: "bytes",
    onReceived: (bytes) => request.onProgress?.({ doneBytes: from + bytes }),
  });
}

/** The length of the whole, from `Content-Range: bytes 0-9/100`; `null` where it is not stated. */
function totalBytes(reply: HttpReply): number | null {
  const match = /\/(\d+)\s*$/.exec(reply.header("Content-Range") ?? "");
  return match === null ? null : Number(match[1]);
}

/** A reply that is no part of the file. 200 in the middle means that storage starts over: as good as unavailable. */
function refusal(reply: HttpReply): TransferReply {
  if (reply.status === OK) return { status: 503, body: "storage forgot the range" };
  // Text, where this build understands the reply's type in the other spelling.
  const text = reply.text === "" ? decodeUtf8(new Uint8Array(reply.bytes).subarray(0, BODY_BYTES)).text : reply.text;
  return { status: reply.status, body: text.slice(0, BODY_BYTES) };
}

/** Bytes of one slice: what plugins have shown to work, and a multiple of the 256 KiB that cloud storage asks for. */
export const SLICE_BYTES = 8 * 1024 * 1024;

/**
 * Largest file that is sent in one piece: UXP sends bodies from memory, and holds them about twice
 * (`premiere-uxp.md` 4.3).
 */
const ONE_PIECE_MAX_BYTES = 200 * 1024 * 1024;

/** Cloud storage's "go on": a resumable upload that is not complete. */
const RESUME_INCOMPLETE = 308;

/** Longest error text of storage that is passed on, in characters. */
const BODY_CHARACTERS = 4096;

/** What uploading needs. */
export interface UxpUploadOptions {
  readonly Requests: UxpRequestConstructor;
  readonly files: Pick<UxpFiles, "size" | "openReader" | "openWriter" | "rename">;
  /** Default: {@link ONE_PIECE_MAX_BYTES}. */
  readonly onePieceMaxBytes?: number;
}

/**
 * Uploads a file: in slices where the service offers it, from wherever an earlier attempt got to; else in one piece, up
 * to a ceiling. Raises `host_failed` above the ceiling, before anything is sent.
 */
async function uploadFile(options: UxpUploadOptions, request: UploadRequest): Promise<TransferReply> {
  const size = await options.files.size(request.path);
  if (size === null) {
    throw new HostError("file_not_found", "The export is gone. Export the sequence again.", {
      operation: "upload the export",
      state: "nothing was sent",
    });
  }
  const reader = await options.files.openReader(request.path);
  try {
    return request.resumableUrl === undefined
      ? await sendInOnePiece(options, request, reader, size)
      : await sendInSlices(options, request, request.resumableUrl, reader, size);
  } finally {
    await reader.close();
  }
}

async function sendInOnePiece(
  options: UxpUploadOptions,
  request: UploadRequest,
  reader: FileReader,
  size: number,
): Promise<TransferReply> {
  const ceiling = options.onePieceMaxBytes ?? ONE_PIECE_MAX_BYTES;
  if (size > ceiling) throw tooLarge(size, ceiling);
  const body = new ArrayBuffer(size);
  if ((await reader.read(body, 0, size)) < size) throw cutShort();
  const reply = await put(options, request, request.url, body, { "Content-Type": request.contentType }, (sent) =>
    request.onProgress?.({ doneBytes: sent, totalBytes: size }),
  );
  return transferReply(reply);
}

async function sendInSlices(
  options: UxpUploadOptions,
  request: UploadRequest,
  url: string,
  reader: FileReader,
  size: number,
): Promise<TransferReply> {
  const type = { "Content-Type": request.contentType };
  const tell = (doneBytes: number) => request.onProgress?.({ doneBytes, totalBytes: size });
  // One buffer for all full slices: only the last, shorter one is a copy.
  const buffer = new ArrayBuffer(Math.min(SLICE_BYTES, size));
  let reply = await put(options, request, url, new ArrayBuffer(0), { ...type, "Content-Range": `bytes */${size}` });
  while (reply.status === RESUME_INCOMPLETE) {
    const from = committedBytes(reply);
    tell(from);
    if (from >= size) return { status: 200, body: "" };
    await request.mayGoOn?.();
    const length = Math.min(SLICE_BYTES, size - from);
    if ((await reader.read(buffer, from, length)) < length) throw cutShort();
    const slice = length === buffer.byteLength ? buffer : buffer.slice(0, length);
    const range = `bytes ${from}-${from + slice.byteLength - 1}/${size}`;
    const next = await put(options, request, url, slice, { ...type, "Content-Range": range }, (sent) =>
      tell(from + sent),
    );
    if (next.status === RESUME_INCOMPLETE && committedBytes(next) <= from) return stuck();
    reply = next;
  }
  if (reply.status >= 200 && reply.status < 300) tell(size);
  return transferReply(reply);
}

/** How many bytes from the start storage has: `Range: bytes=0-41` says 42; no such header says none. */
function committedBytes(reply: HttpReply): number {
  const match = /^bytes=0-(\d+)$/.exec(reply.header("Range")?.trim() ?? "");
  return match === null ? 0 : Number(match[1]) + 1;
}

function put(
  options: UxpUploadOptions,
  request: UploadRequest,
  url: string,
  body: ArrayBuffer,
  headers: Readonly<Record<string, string>>,
  onSent?: (bytes: number) => void,
): Promise<HttpReply> {
  const { signal } = request;
  const order = { method: "PUT", url, headers, body, signal, replyAs: "text" } as const;
  return sendRequest(options.Requests, { ...order, ...defined({ onSent }) });
}

function transferReply(reply: HttpReply): TransferReply {
  const isGood = reply.status >= 200 && reply.status < 300;
  return { status: reply.status, body: isGood ? "" : reply.text.slice(0, BODY_CHARACTERS) };
}

/** Storage that takes a slice and does not move is answered for as if it were unavailable: the caller tries again. */
function stuck(): TransferReply {
  return { status: 503, body: "the upload does not advance" };
}

function tooLarge(size: number, ceiling: number): HostError {
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1_000_000)} MB`;
  return new HostError(
    "host_failed",
    `The export has ${megabytes(size)}, and the service takes files in one piece only, which a plug-in can send up to ` +
      `${megabytes(ceiling)}. Choose a preset of a lower bit rate or a shorter range.`,
    { operation: "upload the export", state: "nothing was sent" },
  );
}

function cutShort(): HostError {
  return new HostError("file_unreadable", "The export is shorter than it was. Export the sequence again.", {
    operation: "upload the export",
    state: "part of it was sent",
  });
}
