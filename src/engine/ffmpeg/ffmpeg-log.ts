import { setImmediate } from "node:timers/promises";
import { isMainThread } from "node:worker_threads";
import { AV_LOG_ERROR } from "node-av/constants";
import { Log } from "node-av/lib";

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
export function clearFfmpegLines(): void {
  lines.length = 0;
}

/**
 * The last error lines of FFmpeg, oldest first, with `path` and its folder taken out. Lines arrive through the event
 * loop, so one turn of it is awaited.
 */
export async function takeFfmpegLines(path: string): Promise<string[]> {
  await setImmediate();
  return lines.splice(0).map((line) => line.replaceAll(path, "(media)"));
}
