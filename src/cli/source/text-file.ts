import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { type DecodedText, decodeText } from "../../formats/decode-text.ts";
import { hostErrorFrom } from "../../host/headless/system-error.ts";
import { HostError } from "../../host/host-error.ts";
import { answering } from "./answering.ts";

/** Longest caption or script file that is read, in bytes. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Reads a caption, script or timeline file, in whatever encoding it is.
 *
 * @throws HostError when it cannot be read or is too long.
 */
export async function readText(path: string): Promise<DecodedText> {
  let bytes: Buffer;
  try {
    const { size } = await answering(path, stat(path));
    if (size > MAX_BYTES) {
      const context = { operation: "read a file", state: "nothing was changed" };
      throw new HostError("file_unreadable", `"${basename(path)}" is too long for captions or a script`, context);
    }
    bytes = await answering(path, readFile(path));
  } catch (error) {
    throw error instanceof HostError ? error : hostErrorFrom(error, path, "read a file", "nothing was changed");
  }
  return decodeText(bytes);
}

/**
 * The text of a file; see {@link readText}.
 *
 * @throws HostError when it cannot be read or is too long.
 */
export async function readTextFile(path: string): Promise<string> {
  return (await readText(path)).text;
}
