import { basename, resolve } from "node:path";
import type { SoundMeasure } from "../core/sound-measure.ts";
import { nodeFiles } from "../host/headless/files.ts";
import { HostError } from "../host/host-error.ts";
import { IsolateError } from "../service/isolate/isolate-error.ts";
import { runIsolated } from "../service/isolate/run-isolated.ts";

/**
 * Measures the sound of a file, in a process of its own: a broken file may take FFmpeg down, and nothing else.
 *
 * @throws HostError `file_not_found` or `file_unreadable`.
 */
export async function measureFile(path: string, listens: boolean, signal: AbortSignal): Promise<SoundMeasure> {
  const context = { operation: "measure a sound", state: "nothing was changed" };
  const absolute = resolve(path);
  if ((await nodeFiles.size(absolute)) === null) {
    throw new HostError("file_not_found", `"${basename(path)}" does not exist or is not a file`, context);
  }
  try {
    return await runIsolated("measure-sound", { path: absolute, listens }, { signal });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof IsolateError)) throw error;
    const message = `"${basename(path)}" cannot be read as sound or video`;
    throw new HostError("file_unreadable", message, { ...context, cause: error });
  }
}

/** Measures a file where one is given; see {@link measureFile}. */
export async function measureIfGiven(
  path: string | undefined,
  listens: boolean,
  signal: AbortSignal,
): Promise<SoundMeasure | undefined> {
  return path === undefined ? undefined : measureFile(path, listens, signal);
}
