import type { FastifyRequest } from "fastify";
import { FileInput } from "../../contract/generation.ts";
import { DIRECT_UPLOAD_MAX_BYTES } from "../../contract/limits.ts";
import { ArrivingFile, type StoredStream } from "../ingest/arriving-file.ts";
import type { ArrivedFile } from "../ingest/take-in.ts";
import { RequestError } from "../request-error.ts";
import { parseRequest } from "./parse-request.ts";

/** A multipart request with its file on disk. */
export interface MultipartRequest {
  readonly file: ArrivedFile;
  /** JSON of the part `generation_config`; `undefined` without one. */
  readonly generationConfig: unknown;
  /** Names of parts, and of members of `input`, that are not known. */
  readonly ignored: readonly string[];
}

const FILE_PART = "file";
const TEXT_PARTS = ["input", "generation_config"];

/** Longest text part in bytes: captions and scripts of the longest programmes are far below. */
const TEXT_PART_MAX_BYTES = 8 * 1024 * 1024;

/** Parts of a request at most, known or not. */
const MAXIMUM_PARTS = 20;

/**
 * Receives a multipart request, its file streamed to disk, and hands it to `use`; the file is removed afterwards.
 *
 * @throws RequestError `invalid_input`, or `file_too_large` as soon as more bytes came than are taken directly.
 */
export async function withMultipart<Result>(
  request: FastifyRequest,
  folder: string,
  use: (received: MultipartRequest) => Promise<Result>,
): Promise<Result> {
  const arriving = await ArrivingFile.in(folder);
  try {
    return await use(await receive(request, arriving));
  } catch (error) {
    throw refusalFrom(error);
  } finally {
    await arriving.remove();
  }
}

async function receive(request: FastifyRequest, arriving: ArrivingFile): Promise<MultipartRequest> {
  const texts = new Map<string, unknown>();
  const ignored: string[] = [];
  let stored: { readonly file: StoredStream; readonly name: string } | undefined;
  const parts = request.parts({
    // Clients that send text as a blob give it a file name; its part's name tells it is text all the same.
    isPartAFile: (name, contentType, fileName) =>
      !TEXT_PARTS.includes(name ?? "") && (fileName !== undefined || contentType === "application/octet-stream"),
    limits: { fileSize: DIRECT_UPLOAD_MAX_BYTES + 1, fieldSize: TEXT_PART_MAX_BYTES, parts: MAXIMUM_PARTS },
  });
  for await (const part of parts) {
    const name = part.fieldname;
    if (part.type === "field") {
      if (part.valueTruncated) throw new RequestError("invalid_input", `The part "${name}" is too long.`);
      if (TEXT_PARTS.includes(name)) texts.set(name, part.value);
      else ignored.push(name);
    } else if (name !== FILE_PART) {
      part.file.resume();
      ignored.push(name);
    } else {
      if (stored !== undefined) throw new RequestError("invalid_input", 'The part "file" is there more than once.');
      const file = await arriving.write(part.file, DIRECT_UPLOAD_MAX_BYTES);
      if (file === null) throw tooLarge();
      stored = { file, name: part.filename };
    }
  }
  const input = parseRequest(FileInput, parseText(texts, "input") ?? {}, "input");
  if (stored === undefined) {
    throw new RequestError(
      "invalid_input",
      'The part "file" is required: the video as a binary part with a file name.',
    );
  }
  if (stored.file.sizeBytes === 0) throw new RequestError("invalid_input", 'The part "file" is empty.');
  return {
    file: {
      path: arriving.path,
      sizeBytes: stored.file.sizeBytes,
      contentHash: stored.file.contentHash,
      fileName: input.value.filename ?? stored.name,
      arrival: "file",
    },
    generationConfig: parseText(texts, "generation_config"),
    ignored: [...ignored, ...input.ignored],
  };
}

/** JSON of a text part; a part that says it is JSON was read as such by the form's parser. */
function parseText(texts: ReadonlyMap<string, unknown>, name: string): unknown {
  const text = texts.get(name);
  if (typeof text !== "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new RequestError("invalid_input", `The part "${name}" is not valid JSON.`);
  }
}

function tooLarge(): RequestError {
  return new RequestError(
    "file_too_large",
    `A file sent by multipart may have ${DIRECT_UPLOAD_MAX_BYTES} bytes at most. Send it by signed upload: upload_media with the input type "signed_url".`,
  );
}

/** Faults of the multipart form itself, which its parser reports in its own words. */
function refusalFrom(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof RequestError) return error;
  const code = "code" in error ? error.code : undefined;
  const isFormFault =
    (typeof code === "string" && code.startsWith("FST_") && code !== "FST_ERR_CTP_INVALID_MEDIA_TYPE") ||
    /multipart|boundary|part header|unexpected end/i.test(error.message);
  return isFormFault ? new RequestError("invalid_input", "The multipart body is malformed or was cut short.") : error;
}
