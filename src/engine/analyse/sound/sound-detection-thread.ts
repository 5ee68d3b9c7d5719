import { parentPort, workerData } from "node:worker_threads";
import { arraysOf, type DetectionOrder, type DetectionReply, type DetectorBlock } from "./sound-detection.ts";
import { SoundDetector } from "./sound-detector.ts";

const port = parentPort;
if (port === null) throw new Error("this module is started as a thread");
const sampleRate: number = workerData;
const detector = await SoundDetector.start(sampleRate);

const reply = (message: DetectionReply) => port.postMessage(message);

port.on("message", (order: DetectionOrder) => {
  if (order.kind === "sound") {
    detector.add(order.block);
    release(order.block);
    reply({ kind: "taken" });
    return;
  }
  reply({ kind: "findings", findings: detector.finish(order.durationSeconds) });
  port.close();
});

/** Gives a block's memory back at once: the garbage collector would leave some 20 MB of blocks lying about. */
function release(block: DetectorBlock): void {
  const arrays = arraysOf(block);
  for (const { buffer } of arrays) if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}
