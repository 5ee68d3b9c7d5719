import { decodeText } from "../../formats/decode-text.ts";
import { foreignKind } from "../../formats/foreign-file.ts";
import type { Files } from "../../host/files.ts";
import { HostError } from "../../host/host-error.ts";

/** A text file that a person picked. */
export interface PickedText {
  readonly content: string;
  /** What had to be assumed of its encoding, in sentences without full stop. */
  readonly assumed: readonly string[];
}

/** Longest text that is taken, in bytes. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Reads captions or a script that a person picked: in Unicode of any kind. What is in another encoding is refused, because
 * nothing here can tell which it is without a guess; `aside convert` reads it.
 *
 * @throws HostError when it cannot be read, or is no text in Unicode.
 */
export async function readPickedText(files: Files, path: string, filename: string): Promise<PickedText> {
  const refused = (what: string) =>
    new HostError("file_unreadable", `"${filename}" ${what}`, {
      operation: "read a file",
      state: "nothing was changed",
    });
  const size = (await files.size(path)) ?? 0;
  if (size > MAX_BYTES) throw refused("is too long for captions or a script");
  const bytes = await files.readBytes(path, 0, size);
  const kind = foreignKind(bytes, filename);
  if (kind !== null) throw refused(kind);
  const decoded = decodeText(bytes);
  if (decoded === null) throw refused("is not in Unicode: save it as UTF-8, or turn it by aside convert");
  return { content: decoded.text, assumed: decoded.issues.map(({ message }) => message) };
}
