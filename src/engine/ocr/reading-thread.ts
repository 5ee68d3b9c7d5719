import { constants, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { NOTHING_SEEN } from "./text-lines.ts";
import { TextReader } from "./text-reader.ts";
import type { ReadingReply, ReadingStart } from "./text-reading.ts";

/** Runs as a thread of a {@link TextReading}: reads one picture after another. */
const port = parentPort;
if (port === null) throw new Error("this module is started as a thread");
stepBack();
// `text-reading.ts` hands over nothing else.
const { data, language }: ReadingStart = workerData;
const reader = await TextReader.open(data, language).catch(() => null);
const reply = (message: ReadingReply) => port.postMessage(message);
reply({ kind: reader === null ? "damaged" : "ready" });

port.on("message", (picture: Uint8Array) => {
  reply({ kind: "read", lines: reader?.read(picture) ?? NOTHING_SEEN });
});

/** Lets the decoder go first. Only Linux has priorities of single threads; elsewhere this would slow the whole process. */
function stepBack(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(0, constants.priority.PRIORITY_LOW);
  } catch {
    // Not allowed here: the work is the same at any priority.
  }
}
