import { constants } from "node:fs";
import { open, readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { receiptLines } from "../../core/verdict.ts";
import { type DecodedText, decodeText } from "../../formats/decode-text.ts";
import { foreignKind, isOfficeDocument } from "../../formats/foreign-file.ts";
import { OfficeFault } from "../../formats/office/office-package.ts";
import { isRtf } from "../../formats/office/rtf-text.ts";
import { hostErrorFrom } from "../../host/headless/system-error.ts";
import { HostError } from "../../host/host-error.ts";

import { textReading } from "../shell/run-command.ts";
import { UsageError } from "../shell/usage-error.ts";

/** Longest caption or script file that is read, in bytes. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Reads a caption, script or timeline file, in whatever encoding it is.
 *
 * @throws HostError when it cannot be read, is too long, or is in an encoding that cannot be told; UsageError for
 * `--encoding` with one that nobody knows.
 */
export async function readText(path: string): Promise<DecodedText> {
  let bytes: Buffer;
  try {
    const found = await stat(path);
    if (found.size > MAX_BYTES) throw tooLong(path);
    bytes = found.isFile() || found.isDirectory() ? await readFile(path) : await readPipe(path);
  } catch (error) {
    throw error instanceof HostError ? error : hostErrorFrom(error, path, "read a file", "nothing was changed");
  }
  const kind = isOfficeDocument(bytes) ? null : foreignKind(bytes, path);
  if (kind !== null) throw unreadable(path, kind);
  const decoded = await decodedFrom(bytes, textReading()?.encoding).catch((error: unknown) => {
    throw error instanceof OfficeFault ? unreadable(path, error.message) : error;
  });
  if (decoded !== null) return decoded;
  throw unreadable(path, "is in no encoding that can be told; name it with --encoding, or save the file as UTF-8");
}

async function decodedFrom(bytes: Uint8Array, encoding: string | undefined): Promise<DecodedText | null> {
  const isTold =
    encoding !== undefined || isOfficeDocument(bytes) || isRtf(Buffer.from(bytes.subarray(0, 100)).toString("latin1"));
  const unicode = isTold ? null : decodeText(bytes);
  if (unicode !== null) return unicode;
  // Loaded here alone: hardly any file needs it.
  const { decodeFile, decoderOf } = await import("../../formats/decode-file.ts");
  if (encoding === undefined) return decodeFile(bytes);
  const named = decoderOf(encoding);
  if (named !== null) return decodeFile(bytes, named);
  const some = "utf-8, windows-1250, iso-8859-2, koi8-r, macintosh, shift_jis, gb18030, big5, euc-kr";
  throw new UsageError(`--encoding: there is no "${encoding}". Give one such as ${some}.`);
}

/** How long a pipe may be silent, in milliseconds: one that nobody writes to would be waited for for ever. */
const LONGEST_SILENCE_MS = 5_000;

/** Reads a pipe, such as a shell's `<(command)`, without ever being held by it. */
async function readPipe(path: string): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const pieces: Buffer[] = [];
    let length = 0;
    for (let heardAt = performance.now(); ; ) {
      const piece = Buffer.alloc(65_536);
      const read = await file.read(piece).catch((error: unknown) => {
        if (error instanceof Error && "code" in error && error.code === "EAGAIN") return null;
        throw error;
      });
      if (read !== null && read.bytesRead > 0) {
        pieces.push(piece.subarray(0, read.bytesRead));
        length += read.bytesRead;
        heardAt = performance.now();
      } else if (read !== null && length > 0) return Buffer.concat(pieces);
      else if (performance.now() - heardAt > LONGEST_SILENCE_MS) throw unreadable(path, "says nothing");
      else await sleep(20);
      if (length > MAX_BYTES) throw tooLong(path);
    }
  } finally {
    await file.close();
  }
}

function tooLong(path: string): HostError {
  return unreadable(path, "is too long for captions or a script");
}

function unreadable(path: string, what: string): HostError {
  const context = { operation: "read a file", state: "nothing was changed" };
  return new HostError("file_unreadable", `"${basename(path)}" ${what}`, context);
}

/** The text of a file; see {@link readText}. What had to be assumed of its encoding is told. */
export async function readTextFile(path: string): Promise<string> {
  const { text, issues, receipt } = await readText(path);
  const said = issues.map(({ code, message }) =>
    code === "encoding" ? `${message} (--encoding names another)` : message,
  );
  const lines = [...said, ...receiptLines(receipt)];
  for (const line of lines) textReading()?.tell(`"${basename(path)}": ${line}`);
  return text;
}
