import type { DownloadRequest, TransferReply } from "../../core/file-transfer.ts";
import { decodeUtf8 } from "../../formats/decode-text.ts";
import type { UxpRequestConstructor } from "./runtime.ts";
import { type HttpReply, sendRequest } from "./send-request.ts";
import type { UxpFiles } from "./uxp-files.ts";

/** Bytes asked for at a time: UXP holds each reply in memory. */
const RANGE_BYTES = 8 * 1024 * 1024;

/** Longest error text of storage that is passed on, in bytes. */
const BODY_BYTES = 4096;

const OK = 200;
const PARTIAL = 206;

/** What downloading needs. */
export interface DownloadOptions {
  readonly Requests: UxpRequestConstructor;
  readonly files: Pick<UxpFiles, "openWriter" | "rename">;
}

/**
 * Fetches an address into a file, range by range, under a temporary name until it is whole. Storage that knows no ranges
 * answers with everything at once, which then passes through memory.
 */
export async function downloadFile(options: DownloadOptions, request: DownloadRequest): Promise<TransferReply> {
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
