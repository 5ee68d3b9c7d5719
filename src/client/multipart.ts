import { utf8Bytes } from "../core/bytes.ts";

/** A file in memory, for direct upload; larger ones take the signed flow. */
export interface FileBytes {
  readonly bytes: Uint8Array;
  readonly filename: string;
  /** Media type, such as `video/mp4`. */
  readonly contentType: string;
}

/** One part of a multipart form. */
export type FormPart =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly file: FileBytes };

/** An encoded form, ready to send. */
export interface EncodedForm {
  readonly contentType: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

/**
 * Encodes a form as `multipart/form-data` (RFC 7578) by hand: UXP's `FormData` sends empty files.
 *
 * @param boundary A word that occurs in no part; {@link randomBoundary} makes one.
 */
export function encodeForm(parts: readonly FormPart[], boundary: string): EncodedForm {
  const pieces: Uint8Array[] = [];
  for (const part of parts) {
    if ("text" in part) {
      const head = `--${boundary}\r\nContent-Disposition: form-data; name="${part.name}"\r\n\r\n`;
      pieces.push(utf8Bytes(`${head}${part.text}\r\n`));
    } else {
      const { filename, contentType, bytes } = part.file;
      const disposition = `form-data; name="${part.name}"; filename="${escapeQuoted(filename)}"`;
      pieces.push(
        utf8Bytes(
          `--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${headerValue(contentType)}\r\n\r\n`,
        ),
        bytes,
        utf8Bytes("\r\n"),
      );
    }
  }
  pieces.push(utf8Bytes(`--${boundary}--\r\n`));
  return { contentType: `multipart/form-data; boundary=${boundary}`, body: joined(pieces) };
}

/** A boundary of 32 letters; that a file holds it by chance is as good as impossible. */
export function randomBoundary(random: () => number): string {
  let word = "aside-";
  while (word.length < 38) word += Math.floor(random() * 36).toString(36);
  return word;
}

/** RFC 7578 4.2 leaves quoting to HTML's way: quotes and line breaks of a file name are percent-encoded. */
function escapeQuoted(text: string): string {
  return text.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function headerValue(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "");
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
