import { rmSync, writeSync } from "node:fs";
import { memoryUsage } from "node:process";
import { workerData } from "node:worker_threads";
import { OUT_OF_MEMORY_MARK, type WatchOrders } from "./message.ts";

/**
 * Runs as a thread of every child process, because decoding keeps that process's main thread busy for minutes: a timer
 * there would never fire. Ends the process when its parent is gone or its memory runs away.
 */
const INTERVAL_MS = 250;
const STANDARD_ERROR = 2;

// The parent hands over nothing else (`child.ts`).
const { parentPid, memoryLimitBytes, temporaryFolder } = workerData as WatchOrders;

setInterval(() => {
  if (isParentGone()) {
    rmSync(temporaryFolder, { recursive: true, force: true });
    endProcess();
  }
  if (memoryUsage.rss() > memoryLimitBytes) {
    writeSync(STANDARD_ERROR, `\n${OUT_OF_MEMORY_MARK}\n`);
    endProcess();
  }
}, INTERVAL_MS);

function isParentGone(): boolean {
  // An orphan gets another parent; Windows keeps the old number, so the process is asked for as well.
  if (process.ppid !== parentPid) return true;
  try {
    process.kill(parentPid, 0);
    return false;
  } catch {
    return true;
  }
}

function endProcess(): void {
  try {
    // The child leads a group of its own, so this takes along whatever it started.
    process.kill(-process.pid, "SIGKILL");
  } catch {
    // No process groups on Windows.
    process.kill(process.pid, "SIGKILL");
  }
}
