import type { Packet, Stream } from "node-av/lib";
import type { DecodedFrame } from "../stream-decoder.ts";

/** A decoder of the computer's graphics hardware, opened for one picture stream. */
export interface HardwareDecoder extends Disposable {
  /** As people know it, such as `VideoToolbox`. */
  readonly name: string;
  /**
   * Decodes a packet (`null`: the end of the stream) and gives each frame, in memory, in any format that FFmpeg can scale. The frame is the
   * decoder's own and empty after the next step.
   *
   * @throws HardwareFailure for everything that it does not take.
   */
  decode(packet: Packet | null): Iterable<DecodedFrame>;
}

/**
 * Opens the hardware decoder of this computer for a stream.
 *
 * @throws HardwareFailure when there is none for it, or none that opens.
 */
export type OpenHardware = (stream: Pick<Stream, "codecpar" | "timeBase">) => HardwareDecoder;

/** Why hardware does not decode a picture, as the end of a sentence: software does all of it then. */
export class HardwareFailure extends Error {
  override readonly name = "HardwareFailure";
}
