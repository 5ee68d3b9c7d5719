import { basename, extname, resolve } from "node:path";
import { fingerprintOf } from "../../core/bytes.ts";
import { frameRate } from "../../core/frame-rate.ts";
import { defined } from "../../core/objects.ts";
import { startLabel } from "../../core/timecode.ts";
import { engine, IsolateError, JobFailure, type MediaProbe } from "../../engine/index.ts";
import { nodeFiles } from "../../host/headless/files.ts";
import type { ProgrammeFile } from "../../host/headless/media-file-host.ts";
import { HostError } from "../../host/host-error.ts";
import { UsageError } from "../shell/usage-error.ts";

/** Rate of the sequence around a picture that has none of its own that makes sense. */
const RATE_WITHOUT_ONE = frameRate(25);

/** How long reading a file's headers may take, in milliseconds. */
const PROBE_LIMIT_MS = 60_000;

/** Resident memory that reading a file's headers may use, in bytes. */
const PROBE_MEMORY_BYTES = 800_000_000;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".mp4": "video/mp4",
  ".m4v": "video/mp4",
  ".mov": "video/quicktime",
  ".mkv": "video/x-matroska",
  ".webm": "video/webm",
  ".mxf": "application/mxf",
  ".avi": "video/x-msvideo",
  ".mpg": "video/mpeg",
  ".mpeg": "video/mpeg",
  ".ts": "video/mp2t",
  ".mts": "video/mp2t",
  ".m2ts": "video/mp2t",
  ".ogv": "video/ogg",
  ".wmv": "video/x-ms-wmv",
  ".flv": "video/x-flv",
};

/**
 * Reads what a media file holds, in a process of its own: a broken file may take FFmpeg down, and nothing else.
 *
 * @param audioTrack Which of several sound tracks is its own, by number, language or title; as the file says where absent.
 * @throws HostError `file_not_found`, or `no_video_stream` when there is no picture that can be read; UsageError with the
 * sound tracks that there are, for another one.
 */
export async function openProgramme(path: string, signal: AbortSignal, audioTrack?: string): Promise<ProgrammeFile> {
  const absolute = resolve(path);
  const size = await nodeFiles.size(absolute);
  if (size === null) throw refusal("file_not_found", `"${basename(path)}" does not exist or is not a file`);
  if (size === 0) throw refusal("no_video_stream", `"${basename(path)}" is empty`);
  return programmeFrom(absolute, await probe(absolute, signal, audioTrack));
}

/** A probe's findings as the programme of a sequence. */
function programmeFrom(path: string, probe: MediaProbe): ProgrammeFile {
  const { picture, sound, durationSeconds } = probe;
  if (picture === null || durationSeconds === null || durationSeconds <= 0) {
    const name = basename(path);
    throw refusal(
      "no_video_stream",
      `"${name}" holds no picture that could be described: sound alone, or nothing at all`,
    );
  }
  const rate = picture.rate ?? RATE_WITHOUT_ONE;
  return {
    path,
    contentType: CONTENT_TYPES[extname(path).toLowerCase()] ?? "application/octet-stream",
    durationSeconds,
    rate,
    ...startLabel(probe.startTimecode, rate),
    frameSize: { width: picture.width, height: picture.height },
    hasVideo: true,
    audioChannels: sound?.channels ?? 0,
    ...(sound === null ? {} : { audioSampleRate: sound.sampleRate }),
  };
}

async function probe(path: string, signal: AbortSignal, audioTrack: string | undefined): Promise<MediaProbe> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(PROBE_LIMIT_MS)]);
  try {
    const order = { path, ...defined({ audioTrack }) };
    return await engine.probe(order, { signal: limited, memoryLimitBytes: PROBE_MEMORY_BYTES });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof JobFailure) throw new UsageError(error.message);
    const isFileFault =
      error instanceof IsolateError || (error instanceof DOMException && error.name === "TimeoutError");
    if (!isFileFault) throw error;
    throw refusal("no_video_stream", `"${basename(path)}" cannot be read as a video`, error);
  }
}

function refusal(code: "file_not_found" | "no_video_stream", message: string, cause?: unknown): HostError {
  return new HostError(code, message, { operation: "open the media file", state: "nothing was changed", cause });
}

/** Bytes that are looked at in each of three places of a file. */
const SAMPLE_BYTES = 65_536;

/**
 * A cheap identity of a file by its content: size, and the bytes at its start, middle and end. Neither its name nor its
 * time counts, so that a copied or moved file is the same.
 *
 * @throws HostError when it is not there or cannot be read.
 */
export async function fileFingerprint(path: string): Promise<string> {
  const size = await nodeFiles.size(path);
  if (size === null) {
    throw new HostError("file_not_found", "the file is not there", {
      operation: "look at a file",
      state: "nothing was changed",
    });
  }
  const middle = Math.max(0, Math.floor((size - SAMPLE_BYTES) / 2));
  const samples = await Promise.all(
    [0, middle, Math.max(0, size - SAMPLE_BYTES)].map((position) => nodeFiles.readBytes(path, position, SAMPLE_BYTES)),
  );
  return fingerprintOf(String(size), ...samples);
}
