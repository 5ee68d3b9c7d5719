import type { Packet, Stream } from "node-av/lib";
import { planesOf } from "./frame-planes.ts";
import { StreamDecoder } from "./stream-decoder.ts";

/** Takes a stretch of sound: one array per channel, empty after the call. */
export type HearSound = (planes: readonly Float32Array[]) => void;

/** Decodes what an encoder gives as it gives it: a sound as it will be heard. */
export class CodedSound implements Disposable {
  readonly #decoder: StreamDecoder;
  readonly #hear: HearSound;

  /** @param track Track of the encoder, its codec parameters filled in. Its sound is planar float, as FFmpeg decodes AAC. */
  constructor(track: Stream, hear: HearSound) {
    this.#decoder = new StreamDecoder(track);
    this.#hear = hear;
  }

  /** Decodes a packet, which stays as it is; `null`: the end. */
  take(packet: Packet | null): void {
    for (const { frame } of this.#decoder.decode(packet)) {
      this.#hear(planesOf(frame));
    }
  }

  [Symbol.dispose](): void {
    this.#decoder[Symbol.dispose]();
  }
}
