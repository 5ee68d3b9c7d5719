import { once } from "node:events";
import { type MessagePort, parentPort } from "node:worker_threads";
import { decodeSound } from "../decode/decode-sound.ts";
import { AacEncoder, CodedPeak } from "./aac-encoder.ts";
import {
  type CodedStretch,
  PacketList,
  type SoundEncoderMessage,
  type SoundEncoderOrder,
  type SoundEncoderReply,
} from "./sound-encoder.ts";

/** Stretches of a sound on their way before it has to wait: a second each, 25 kB of stereo. */
const MOST_UNDERWAY = 8;

/** Runs as the thread of a `SoundEncoder`. It ends when it is told to and all sounds have been left. */
const orders = parentPort;
if (orders === null) throw new Error("this module is started as a thread");
const ending = new AbortController();

orders.on("message", async (message: SoundEncoderMessage) => {
  if (message.kind === "end") {
    ending.abort();
    orders.close();
    return;
  }
  const { order, port } = message;
  try {
    await encode(order, port);
  } catch (error) {
    reply(port, { kind: "failed", error });
  }
  port.close();
});

/** Gives a sound's packets, second by second. @throws the signal's reason when the thread is to end. */
async function encode({ path, sampleRate, layout, durationSeconds, isHeard }: SoundEncoderOrder, port: MessagePort) {
  const { signal } = ending;
  const packets = new PacketList();
  let underway = 0;
  port.on("message", () => underway--);
  const give = (end: Pick<CodedStretch, "endSeconds" | "truePeak">) => {
    underway++;
    const stretch: CodedStretch = { ...packets.take(), ...end };
    reply(port, { kind: "coded", stretch }, [stretch.bytes.buffer]);
  };
  using peak = isHeard ? new CodedPeak(sampleRate, layout) : null;
  using encoder = new AacEncoder(sampleRate, layout, (packet) => {
    peak?.take(packet);
    packets.add(packet);
  });
  for await (const block of decodeSound(path, { sampleRate, durationSeconds, reusesBlocks: true, signal })) {
    encoder.add(block);
    give({ endSeconds: encoder.samples / sampleRate });
    while (underway >= MOST_UNDERWAY) await once(port, "message", { signal });
  }
  encoder.finish();
  give({ endSeconds: Number.POSITIVE_INFINITY, ...(peak === null ? {} : { truePeak: peak.finish() }) });
}

function reply(port: MessagePort, message: SoundEncoderReply, transferred: ArrayBuffer[] = []): void {
  port.postMessage(message, transferred);
}
