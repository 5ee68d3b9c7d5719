import { constants, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { cueFault } from "./generation-settings.ts";
import { readJson } from "./read-json.ts";
import { readFileReply } from "./read-text-file.ts";
import type { TextReply, TextTask } from "./text-threads.ts";

/** Runs as a thread of {@link TextThreads}: reads one text after another. */
const port = parentPort;
if (port === null) throw new Error("this module is started as a thread");
stepBack();

port.on("message", (task: TextTask) => {
  port.postMessage(replyTo(task));
});

function replyTo(task: TextTask): TextReply {
  if (task.kind === "json") return readJson(task.bytes, task.part);
  return { value: task.kind === "file" ? readFileReply(task) : cueFault(task) };
}

/** Lets requests go first. Only Linux has priorities of single threads; elsewhere this would slow the whole process. */
function stepBack(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Not allowed here: the work is the same at any priority.
  }
}
