import { parentPort, workerData } from "node:worker_threads";
import { arraysOf, type HeardBlock } from "./heard-block.ts";
import type { ListeningOrder, ListeningReply } from "./listening.ts";
import { SoundListener, type SoundShape } from "./sound-listener.ts";

const port = parentPort;
if (port === null) throw new Error("this module is started as a thread");
const shape: SoundShape = workerData;
const listener = await SoundListener.start(shape);

const reply = (message: ListeningReply) => port.postMessage(message);

port.on("message", (order: ListeningOrder) => {
  if (order.kind === "sound") {
    listener.add(order.block);
    release(order.block);
    reply({ kind: "taken" });
    return;
  }
  reply({ kind: "findings", findings: listener.finish(order.durationSeconds) });
  port.close();
});

/** Gives a block's memory back at once: the garbage collector would leave some 20 MB of blocks lying about. */
function release(block: HeardBlock): void {
  const arrays = arraysOf(block);
  for (const { buffer } of arrays) if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}
