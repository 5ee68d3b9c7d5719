import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { isMainThread } from "node:worker_threads";
import { AV_LOG_ERROR } from "node-av/constants";
import { Dictionary, FFmpegError, FormatContext, Log } from "node-av/lib";
import { AudioDescriptionError } from "../../core/error.ts";

/** A media file opened for reading, its streams known. */
export class OpenMedia implements Disposable {
  /** As given to {@link openMedia}. */
  readonly path: string;
  readonly context: FormatContext;

  constructor(path: string, context: FormatContext) {
    this.path = path;
    this.context = context;
  }

  [Symbol.dispose](): void {
    this.context.closeInputSync();
  }
}

/** Two letters and more before a colon name a protocol; one letter is a drive. */
const PROTOCOL = /^[a-z][a-z0-9+.-]+:/i;

/**
 * Opens a local media file with the container allow-list and reads as much as its streams need to be known. Close it
 * (`using`, or `[Symbol.dispose]()`) when done.
 *
 * @param formats Allow-list of demuxers; default the containers of programmes.
 * @throws MediaProcessError `media_path_refused` for anything that names a protocol, `media_unreadable` for a file that
 * is missing, empty, damaged or not of an allowed container format.
 */
export async function openMedia(path: string, formats: string = FORMAT_WHITELIST): Promise<OpenMedia> {
  if (PROTOCOL.test(path)) {
    throw new MediaProcessError(
      "media_path_refused",
      "Only files on this computer can be read. Download the media first.",
    );
  }
  const absolute = resolve(path);
  const found = await stat(absolute).catch(() => null);
  if (found === null || !found.isFile()) {
    throw new MediaProcessError("media_unreadable", `There is no media file ${mediaName(path)}. Check the path.`);
  }
  clearFfmpegLines();
  const context = new FormatContext();
  using options = Dictionary.fromObject({ format_whitelist: formats, protocol_whitelist: "file" });
  const status = context.openInputSync(absolute, null, options);
  if (status < 0) throw await unreadable(path, absolute, status);
  const known = context.findStreamInfoSync(null);
  if (known < 0) {
    context.closeInputSync();
    throw await unreadable(path, absolute, known);
  }
  if (context.nbStreams === 0) {
    context.closeInputSync();
    throw new MediaProcessError(
      "media_unreadable",
      `${mediaName(path)} holds no picture and no sound. Export it again.`,
    );
  }
  return new OpenMedia(path, context);
}

async function unreadable(path: string, absolute: string, status: number): Promise<MediaProcessError> {
  const lines = await takeFfmpegLines(absolute);
  return new MediaProcessError(
    "media_unreadable",
    `${mediaName(path)} cannot be read as media (${FFmpegError.strerror(status)}). ` +
      "Check that it plays, or export it again as MP4 or MOV.",
    { lines, cause: new FFmpegError(status) },
  );
}

/**
 * Containers that FFmpeg may open, by the names of its demuxers.
 *
 * Everything else is refused before it is parsed: FFmpeg recognises files by content, so a playlist, a concat script or a
 * scene description named `.mp4` would otherwise be followed to other files of this machine (measured: an HLS playlist
 * named `.mp4` was opened and reported another local file's duration as its own; restricting protocols does not stop it).
 * Only formats that hold their own media stand here; none of them reads a second file.
 */
const CONTAINER_FORMATS = [
  "mov,mp4,m4a,3gp,3g2,mj2",
  "matroska,webm",
  "avi",
  "mpegts",
  "mpeg",
  "mxf",
  "mxf_opatom",
  "gxf",
  "dv",
  "flv",
  "asf",
  "ogg",
  "wav",
  "w64",
  "aiff",
  "caf",
  "flac",
  "mp3",
  "aac",
  "ac3",
  "eac3",
] as const;

/** The allow-list as FFmpeg's `format_whitelist` option wants it. */
const FORMAT_WHITELIST = CONTAINER_FORMATS.join(",");

/** Pictures without a time of their own, by the names of FFmpeg's demuxers; each reads one file and no other. */
const STILL_FORMATS = [
  "png_pipe",
  "jpeg_pipe",
  "tiff_pipe",
  "bmp_pipe",
  "gif_pipe",
  "gif",
  "psd_pipe",
  "exr_pipe",
  "dpx_pipe",
  "webp_pipe",
] as const;

/** The allow-list for stills, as FFmpeg's `format_whitelist` option wants it. */
export const STILL_WHITELIST = STILL_FORMATS.join(",");

/** How many lines are kept: enough to tell what a decoder stumbled over, small enough for one log record. */
const KEPT_LINES = 12;

const lines: string[] = [];

// FFmpeg writes to stderr unless told otherwise; the terminal belongs to the command line.
Log.setLevel(AV_LOG_ERROR);
// A process has one log, which ends with the thread that took it.
if (isMainThread) Log.setCallback(keep, { maxLevel: AV_LOG_ERROR });

function keep(_level: unknown, message: string): void {
  const line = message.trim();
  if (line === "") return;
  lines.push(line);
  if (lines.length > KEPT_LINES) lines.shift();
}

/** Forgets what FFmpeg said so far, so that {@link takeFfmpegLines} tells of one operation. */
function clearFfmpegLines(): void {
  lines.length = 0;
}

/**
 * The last error lines of FFmpeg, oldest first, with `path` and its folder taken out. Lines arrive through the event
 * loop, so one turn of it is awaited.
 */
async function takeFfmpegLines(path: string): Promise<string[]> {
  await setImmediate();
  return lines.splice(0).map((line) => line.replaceAll(path, "(media)"));
}

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
