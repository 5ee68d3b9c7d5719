import { defined } from "../../core/defined.ts";
import type { TransferReply, UploadRequest } from "../../core/file-transfer.ts";
import { HostError } from "../host-error.ts";
import type { UxpRequestConstructor } from "./runtime.ts";
import { type HttpReply, sendRequest } from "./send-request.ts";
import type { FileReader, UxpFiles } from "./uxp-files.ts";

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
export async function uploadFile(options: UxpUploadOptions, request: UploadRequest): Promise<TransferReply> {
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
