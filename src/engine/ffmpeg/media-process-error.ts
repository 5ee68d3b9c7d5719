import { basename } from "node:path";
import { AudioDescriptionError } from "../../core/error.ts";

/**
 * `media_unreadable`: the file is missing, damaged, or not of an allowed container format.
 * `media_undecodable`: it opens, but what it holds cannot be decoded.
 * `media_path_refused`: what was given as a path names a protocol; only local files are opened.
 * `media_unwritable`: a file could not be encoded or written.
 */
export type MediaProcessErrorCode =
  | "media_unreadable"
  | "media_undecodable"
  | "media_path_refused"
  | "media_unwritable";

/** FFmpeg could not do what it was asked to do with a media file. */
export class MediaProcessError extends AudioDescriptionError<MediaProcessErrorCode> {
  /** The last lines FFmpeg had to say, oldest first, without local paths; for logs, not for people. */
  readonly lines: readonly string[];

  constructor(
    code: MediaProcessErrorCode,
    message: string,
    options: { readonly lines?: readonly string[]; readonly cause?: unknown } = {},
  ) {
    super(code, message, options.cause === undefined ? undefined : { cause: options.cause });
    this.lines = options.lines ?? [];
  }
}

/** A file as error messages name it: its base name in quotes, never its folder. */
export function mediaName(path: string): string {
  return `"${basename(path)}"`;
}
