import type { FastifyRequest } from "fastify";
import { DIRECT_UPLOAD_MAX_BYTES } from "../../contract/choices.ts";
import { FileInput } from "../../contract/generation.ts";
import { ArrivingFile, type StoredStream } from "../ingest/arriving-file.ts";
import type { ArrivedFile } from "../ingest/take-in.ts";
import { RequestError } from "../request-error.ts";
import type { Caller } from "./authenticate.ts";
import { parseRequest } from "./parse-request.ts";
import type { ServiceParts } from "./service-parts.ts";
import { type CollectedBytes, collect } from "./team-turns.ts";

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

/** Bytes of all text parts of a request together: captions and scripts of the longest programmes are far below. */
const TEXT_PARTS_MAX_BYTES = 8 * 1024 * 1024;

/** Parts of a request at most, known or not. */
const MAXIMUM_PARTS = 20;

/**
 * Receives a multipart request, its file streamed to disk, and hands it to `use`; the file is removed afterwards. Parts
 * that are not known are read and kept nowhere.
 *
 * @throws RequestError `invalid_input`, or `file_too_large` as soon as more bytes came than are taken directly.
 */
export async function withMultipart<Result>(
  parts: ServiceParts,
  team: Caller,
  request: FastifyRequest,
  use: (received: MultipartRequest) => Promise<Result>,
): Promise<Result> {
  const arriving = await ArrivingFile.in(parts.folders.incoming);
  try {
    return await use(await receive(parts, team, request, arriving).catch(refuseReset));
  } catch (error) {
    throw refusalFrom(error);
  } finally {
    await arriving.remove();
  }
}

async function receive(
  { texts: threads }: ServiceParts,
  team: Caller,
  request: FastifyRequest,
  arriving: ArrivingFile,
): Promise<MultipartRequest> {
  const texts = new Map<string, CollectedBytes>();
  const ignored: string[] = [];
  let stored: { readonly file: StoredStream; readonly name: string | null } | undefined;
  let textBytes = 0;
  const parts = request.parts({
    // As a file, each part comes as a stream: the parser would keep a text whole, known or not.
    isPartAFile: () => true,
    limits: { fileSize: DIRECT_UPLOAD_MAX_BYTES + 1, parts: MAXIMUM_PARTS },
  });
  for await (const part of parts) {
    if (part.type === "field") throw new Error("the form's parser kept a part");
    const { fieldname: name, filename, mimetype } = part;
    if (TEXT_PARTS.includes(name)) {
      const text = await collect(part.file, TEXT_PARTS_MAX_BYTES - textBytes);
      if (text === null) {
        throw new RequestError(
          "invalid_input",
          `The text parts of the form have more than ${TEXT_PARTS_MAX_BYTES} bytes together. Send shorter ones.`,
        );
      }
      textBytes += text.sizeBytes;
      texts.set(name, text);
    } else if (name !== FILE_PART || (filename === undefined && mimetype !== "application/octet-stream")) {
      part.file.resume();
      ignored.push(name);
    } else {
      if (stored !== undefined) throw new RequestError("invalid_input", 'The part "file" is there more than once.');
      const file = await arriving.write(part.file, DIRECT_UPLOAD_MAX_BYTES);
      if (file === null) throw tooLarge();
      stored = { file, name: plainName(filename) };
    }
  }
  const json = async (name: string) => {
    const text = texts.get(name);
    return text === undefined ? undefined : threads.json(team.id, text, name);
  };
  const input = parseRequest(FileInput, (await json("input")) ?? {}, "input");
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
    generationConfig: await json("generation_config"),
    ignored: [...ignored, ...input.ignored],
  };
}

function tooLarge(): RequestError {
  return new RequestError(
    "file_too_large",
    `A file sent by multipart may have ${DIRECT_UPLOAD_MAX_BYTES} bytes at most. Send it by signed upload: upload_media with the input type "signed_url".`,
  );
}

/** A file's name without what no name shows: control characters, and halves of characters. */
function plainName(name: string | undefined): string | null {
  return name === undefined ? null : name.toWellFormed().replaceAll(/\p{Cc}/gu, "");
}

/** A connection that broke is the sender's, as long as the form is being received. */
function refuseReset(error: unknown): never {
  if (!(error instanceof Error && "code" in error && error.code === "ECONNRESET")) throw error;
  throw new RequestError("invalid_input", MALFORMED);
}

const MALFORMED = "The multipart body is malformed or was cut short.";

/** Faults of the multipart form itself, which its parser reports in its own words. */
function refusalFrom(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof RequestError) return error;
  if (/needle/.test(error.message)) {
    return new RequestError(
      "invalid_input",
      "The boundary of the multipart body is too long: 70 characters are allowed.",
    );
  }
  const code = "code" in error ? error.code : undefined;
  const isFormFault =
    (typeof code === "string" && code.startsWith("FST_") && code !== "FST_ERR_CTP_INVALID_MEDIA_TYPE") ||
    /multipart|boundary|part header|unexpected end/i.test(error.message);
  return isFormFault ? new RequestError("invalid_input", MALFORMED) : error;
}
