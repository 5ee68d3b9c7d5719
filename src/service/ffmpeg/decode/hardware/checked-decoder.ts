import { AV_NOPTS_VALUE, AV_PKT_FLAG_DISCARD } from "node-av/constants";
import type { Packet, Stream } from "node-av/lib";
import { type DecodedFrame, inSeconds } from "../stream-decoder.ts";
import { type HardwareDecoder, HardwareFailure } from "./hardware-decoder.ts";
import { PictureCheck } from "./picture-check.ts";

/** Seconds of film from one comparison with software to the next, at least; each begins at a key picture. */
const CHECKED_EVERY_SECONDS = 10;

/** Pictures that may be on their way: the longest reordering there is, and what a device keeps back. */
const MOST_UNDERWAY = 64;

/**
 * A hardware decoder that is not believed: its first pictures, and some every ten seconds, are compared with those of software, and each
 * picture that is sent has to come back.
 */
export class CheckedDecoder implements Disposable {
  readonly name: string;
  readonly #hardware: HardwareDecoder;
  readonly #stream: Pick<Stream, "codecpar" | "timeBase">;
  readonly #timeBase: { readonly num: number; readonly den: number };
  /** Times of the pictures that were sent and did not come back yet, in seconds. */
  readonly #underway = new Set<number>();
  #check: PictureCheck | null = null;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #hasBegun = false;

  /** @param hardware Disposed of with this. */
  constructor(hardware: HardwareDecoder, stream: Pick<Stream, "codecpar" | "timeBase">) {
    this.name = hardware.name;
    this.#hardware = hardware;
    this.#stream = stream;
    this.#timeBase = { num: stream.timeBase.num, den: stream.timeBase.den };
  }

  /**
   * See `HardwareDecoder.decode`.
   *
   * @throws HardwareFailure also where a picture is false or missing.
   */
  *decode(packet: Packet | null): Generator<DecodedFrame, void> {
    if (packet !== null) this.#send(packet);
    this.#check?.decode(packet);
    for (const decoded of this.#hardware.decode(packet)) {
      this.#receive(decoded);
      yield decoded;
    }
    if (this.#underway.size > MOST_UNDERWAY || (packet === null && this.#underway.size > 0)) throw this.#missing();
    if (this.#check !== null && (this.#check.isOver || packet === null)) this.#endCheck();
  }

  [Symbol.dispose](): void {
    this.#check?.[Symbol.dispose]();
    this.#hardware[Symbol.dispose]();
  }

  #send({ pts, isKeyframe, flags }: Packet): void {
    if (pts === AV_NOPTS_VALUE || (flags & AV_PKT_FLAG_DISCARD) !== 0) return;
    const at = inSeconds(pts, this.#timeBase);
    // Pictures before the first key picture cannot be decoded.
    if (isKeyframe) this.#hasBegun = true;
    if (!this.#hasBegun) return;
    this.#underway.add(at);
    if (!isKeyframe || this.#check !== null || at - this.#checkedAt < CHECKED_EVERY_SECONDS) return;
    this.#checkedAt = at;
    this.#check = new PictureCheck(this.#stream, at);
  }

  /** Frames come in order of time: all that was sent and is shown before this one is lost. */
  #receive(decoded: DecodedFrame): void {
    const at = decoded.seconds;
    if (at === null) return;
    this.#underway.delete(at);
    for (const sent of this.#underway) if (sent < at) throw this.#missing();
    this.#check?.compare(decoded, this.name);
  }

  #endCheck(): void {
    this.#check?.finish(this.name);
    this.#check?.[Symbol.dispose]();
    this.#check = null;
  }

  #missing(): HardwareFailure {
    const [at = 0] = this.#underway;
    return new HardwareFailure(`${this.name} gave no picture for ${at.toFixed(2)} s`);
  }
}
