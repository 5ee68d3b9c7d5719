import { on } from "node:events";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { ChannelLayout, Packet } from "node-av/lib";
import { MediaProcessError } from "../open.ts";

/** A sound file to be encoded as AAC. Plain data: it goes to a thread. */
export interface SoundEncoderOrder {
  /** WAV file. */
  readonly path: string;
  readonly sampleRate: number;
  readonly layout: ChannelLayout;
  readonly durationSeconds: number;
  /** Whether what was encoded is decoded, to know its true peak. */
  readonly isHeard: boolean;
}

/** About a second of encoded sound: its packets, their times in samples. */
export interface CodedStretch extends ListedPackets {
  /** Seconds of the sound that are encoded by its end; infinite where it is the last. */
  readonly endSeconds: number;
  /** In the last one, where the sound is heard: true peak of the whole once it is encoded, as a gain. */
  readonly truePeak?: number;
}

/** What the thread is told: a sound to encode, and where its stretches go; or to leave everything and end. */
export type SoundEncoderMessage =
  | { readonly kind: "encode"; readonly order: SoundEncoderOrder; readonly port: MessagePort }
  | { readonly kind: "end" };

/** What comes of a sound: its stretches one after the other, or why there is no next one. */
export type SoundEncoderReply =
  | { readonly kind: "coded"; readonly stretch: CodedStretch }
  | { readonly kind: "failed"; readonly error: unknown };

/** The thread makes few objects: little room for new ones spares memory and no time. */
const THREAD_LIMITS = { maxYoungGenerationSizeMb: 4 };

/**
 * A thread that encodes sound files side by side, each a few seconds ahead of whoever takes it. Dispose of it at the end, or
 * to break off.
 */
export class SoundEncoder implements AsyncDisposable {
  readonly #worker = new Worker(new URL("./sound-encoder-thread.ts", import.meta.url), {
    resourceLimits: THREAD_LIMITS,
  });
  readonly #signal: AbortSignal;
  readonly #exited: Promise<void>;
  #failure: unknown;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    this.#worker.on("error", (error) => {
      this.#failure = error;
    });
    this.#exited = new Promise((resolve) => {
      this.#worker.on("exit", () => resolve());
    });
  }

  /**
   * Begins to encode a sound at once and gives it stretch by stretch.
   *
   * @throws MediaProcessError, where a stretch is asked for, when it cannot be encoded; the signal's reason when aborted.
   */
  encode(order: SoundEncoderOrder): AsyncGenerator<CodedStretch, void> {
    const { port1, port2 } = new MessageChannel();
    // Listened to before anything can come.
    const replies = on(port1, "message", { close: ["close"] });
    this.#tell({ kind: "encode", order, port: port2 }, [port2]);
    return this.#take(replies, port1);
  }

  /** Resolves once the thread has ended by itself: ended from outside in the middle of a call of FFmpeg's, it takes the process along. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#tell({ kind: "end" });
    await this.#exited;
  }

  async *#take(replies: AsyncIterable<SoundEncoderReply[]>, port: MessagePort): AsyncGenerator<CodedStretch, void> {
    for await (const [reply] of replies) {
      this.#signal.throwIfAborted();
      if (reply?.kind !== "coded") throw unencodable(reply?.error);
      port.postMessage("taken");
      yield reply.stretch;
      if (reply.stretch.endSeconds === Number.POSITIVE_INFINITY) return;
    }
    throw unencodable(this.#failure);
  }

  #tell(message: SoundEncoderMessage, transferred: MessagePort[] = []): void {
    this.#worker.postMessage(message, transferred);
  }
}

function unencodable(cause: unknown): MediaProcessError {
  return new MediaProcessError("media_unwritable", "The sound of the video could not be encoded.", { cause });
}

/** A packet of an encoder; its times in samples. */
interface ListedPacket {
  readonly sizeBytes: number;
  readonly pts: number;
  readonly duration: number;
}

/** Packets of an encoder as plain data, which can go to another thread. */
export interface ListedPackets {
  /** What they hold, one after the other. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly packets: readonly ListedPacket[];
}

/** Gathers packets of an encoder. */
export class PacketList {
  #data: Uint8Array[] = [];
  #packets: ListedPacket[] = [];

  /** Adds a copy of a packet. */
  add({ data, pts, duration }: Packet): void {
    // Its memory is FFmpeg's, and used again.
    const bytes = new Uint8Array(data ?? []);
    this.#data.push(bytes);
    this.#packets.push({ sizeBytes: bytes.length, pts: Number(pts), duration: Number(duration) });
  }

  /** Gives what was added since the last time. */
  take(): ListedPackets {
    const bytes = new Uint8Array(this.#packets.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
    let at = 0;
    for (const data of this.#data) {
      bytes.set(data, at);
      at += data.length;
    }
    const packets = this.#packets;
    this.#data = [];
    this.#packets = [];
    return { bytes, packets };
  }
}
