import { parentPort, workerData } from "node:worker_threads";
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
    reply({ kind: "taken" });
    return;
  }
  reply({ kind: "findings", findings: listener.finish(order.durationSeconds) });
  port.close();
});
