import { framesPerSecond } from "../../core/frame-rate.ts";
import { endsEarly } from "../../core/measures.ts";
import { type Engine, IsolateError, type MediaProbe } from "../../engine/index.ts";
import { RequestError } from "../request-error.ts";

/** Resident memory that reading a file's headers may use. */
const PROBE_MEMORY_BYTES = 800_000_000;

/** How long reading a file's headers may take. */
const PROBE_TIME_LIMIT_MS = 60_000;

/** What the interface reports of a media. */
export interface InspectedMedia {
  readonly durationSeconds: number | null;
  readonly frameRate: number | null;
}

/**
 * Reads what a stored file really holds, in a process of its own: names and content types are claims.
 *
 * @throws RequestError `no_video_stream` when there is no picture, or nothing that can be read; `upload_failed` when more than
 * half of it is missing.
 */
export async function inspectMedia(
  engine: Pick<Engine, "probe">,
  path: string,
  signal: AbortSignal,
): Promise<InspectedMedia> {
  let probe: MediaProbe;
  try {
    probe = await engine.probe(
      { path },
      {
        signal: AbortSignal.any([signal, AbortSignal.timeout(PROBE_TIME_LIMIT_MS)]),
        memoryLimitBytes: PROBE_MEMORY_BYTES,
      },
    );
  } catch (error) {
    signal.throwIfAborted();
    if (!isMediaFault(error)) throw error;
    throw new RequestError(
      "no_video_stream",
      "The file cannot be read as a video. Export it again, as MP4 with H.264 picture for example, and upload that.",
    );
  }
  if (probe.picture === null) {
    throw new RequestError(
      "no_video_stream",
      "The file has no video stream: it holds sound alone, a still cover, or no media at all. Upload a file with moving picture.",
    );
  }
  const { durationSeconds, statedSeconds } = probe;
  if (durationSeconds !== null && statedSeconds !== null && durationSeconds < statedSeconds / 2) {
    throw new RequestError("upload_failed", `${endsEarly(durationSeconds, statedSeconds)}.`);
  }
  return {
    durationSeconds,
    frameRate: probe.picture.rate === null ? null : framesPerSecond(probe.picture.rate),
  };
}

/** Whether the file is to blame: FFmpeg refused it, crashed on it, ran out of memory or time over it. */
export function isMediaFault(error: unknown): boolean {
  if (!(error instanceof IsolateError)) return error instanceof DOMException && error.name === "TimeoutError";
  return error.code !== "task_failed" || error.detail.raised?.startsWith("MediaProcessError") === true;
}
