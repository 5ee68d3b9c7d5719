import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { Dictionary, FFmpegError, FormatContext } from "node-av/lib";
import { FORMAT_WHITELIST } from "./container-formats.ts";
import { clearFfmpegLines, takeFfmpegLines } from "./ffmpeg-log.ts";
import { MediaProcessError, mediaName } from "./media-process-error.ts";

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
