import { basename, resolve } from "node:path";
import type { PictureMeasure, SoundMeasure } from "../../core/measures.ts";
import { defined } from "../../core/objects.ts";
import { type DetectedSpeech, engine, IsolateError, JobFailure, type LookOrder } from "../../engine/index.ts";
import { nodeFiles } from "../../host/headless/files.ts";
import { HostError } from "../../host/host-error.ts";
import { UsageError } from "../shell/usage-error.ts";

/**
 * Measures the sound of a file, in a process of its own: a broken file may take FFmpeg down, and nothing else.
 *
 * @param audioTrack Which of several sound tracks, by number, language or title; where absent it is heard.
 * @throws HostError `file_not_found` or `file_unreadable`; UsageError with the tracks that there are, for another one.
 */
export async function measureFile(
  path: string,
  listens: boolean,
  signal: AbortSignal,
  audioTrack?: string,
): Promise<SoundMeasure> {
  return measured(path, signal, "sound or video", (absolute) =>
    engine.measureSound({ path: absolute, listens, ...defined({ audioTrack }) }, { signal }),
  );
}

/**
 * Measures the picture of a file, likewise, reads it in some stretches, and keeps some of it.
 *
 * @param order `reads`: text on screen is read there, if there is language data for it. `stills`: pictures that are kept as files.
 * @throws HostError `file_not_found` or `file_unreadable`.
 */
export async function measurePictureFile(
  path: string,
  order: Omit<LookOrder, "path">,
  signal: AbortSignal,
): Promise<PictureMeasure> {
  return measured(path, signal, "a video", (absolute) =>
    engine.measurePicture({ path: absolute, ...order }, { signal }),
  );
}

/**
 * Listens to a file for speech, music and silence alone, likewise.
 *
 * @param audioTrack As for {@link measureFile}.
 * @throws HostError `file_not_found` or `file_unreadable`; UsageError with the tracks that there are, for another one.
 */
export async function hearFile(path: string, signal: AbortSignal, audioTrack?: string): Promise<DetectedSpeech> {
  return measured(path, signal, "sound or video", (absolute) =>
    engine.detectSpeech({ path: absolute, ...defined({ audioTrack }) }, { signal }),
  );
}

async function measured<Measure>(
  path: string,
  signal: AbortSignal,
  kind: string,
  measure: (absolute: string) => Promise<Measure>,
): Promise<Measure> {
  const context = { operation: "measure a file", state: "nothing was changed" };
  const absolute = resolve(path);
  if ((await nodeFiles.size(absolute)) === null) {
    throw new HostError("file_not_found", `"${basename(path)}" does not exist or is not a file`, context);
  }
  try {
    return await measure(absolute);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof JobFailure) throw new UsageError(error.message);
    if (!(error instanceof IsolateError)) throw error;
    throw new HostError("file_unreadable", `"${basename(path)}" cannot be read as ${kind}`, {
      ...context,
      cause: error,
    });
  }
}

/** Measures a file where one is given; see {@link measureFile}. */
export async function measureIfGiven(
  path: string | undefined,
  listens: boolean,
  signal: AbortSignal,
  audioTrack?: string,
): Promise<SoundMeasure | undefined> {
  return path === undefined ? undefined : measureFile(path, listens, signal, audioTrack);
}
