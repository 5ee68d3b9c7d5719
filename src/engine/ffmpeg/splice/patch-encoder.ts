import { AV_PICTURE_TYPE_I, AV_PICTURE_TYPE_NONE, AV_PIX_FMT_YUV420P } from "node-av/constants";
import type { Frame } from "node-av/lib";
import { UncopiableError } from "../encode/copied-picture.ts";
import { UNIT, unitKind } from "./h264/parameter-sets.ts";
import { FIRST_IDR_ID, rewriteSlice } from "./h264/slice-header.ts";
import { type PatchShape, SliceEncoder } from "./slice-encoder.ts";

/** Seconds between key frames at the most. */
const KEY_FRAME_SECONDS = 5;

/** A picture that was encoded. */
export interface EncodedUnit {
  readonly bytes: Buffer;
  readonly isKey: boolean;
}

/**
 * Encodes frames so that they read by the parameter sets of a stream that is copied: its decoder never learns that they were
 * not there from the start. Frames come out in the order in which they went in.
 */
export class PatchEncoder implements Disposable {
  readonly #shape: PatchShape;
  readonly #still: readonly Uint8Array[];
  readonly #encoder: SliceEncoder;
  readonly #keyFrameInterval: number;
  /** For each frame inside the encoder, and the last one that left it: how many stills follow it. */
  readonly #stills: number[] = [0];
  #frames = 0n;
  #sinceKey = 0;
  #sinceIdr = 0;
  #idrs = 0;

  /**
   * @param still See `stillSlices`.
   * @throws UncopiableError where no encoder works by these parameter sets.
   */
  constructor(shape: PatchShape, still: readonly Uint8Array[]) {
    this.#shape = shape;
    this.#still = still;
    this.#keyFrameInterval = Math.max(
      1,
      Math.round((KEY_FRAME_SECONDS * shape.rate.numerator) / shape.rate.denominator),
    );
    this.#encoder = new SliceEncoder(shape, this.#keyFrameInterval);
  }

  /** Encodes a frame (`null`: the end) and gives what is ready. */
  *encode(frame: Frame | null): Generator<EncodedUnit, void> {
    if (frame !== null) {
      if (frame.format !== AV_PIX_FMT_YUV420P) throw new UncopiableError("another format of pixels");
      const isKey = this.#sinceKey >= this.#keyFrameInterval;
      this.#sinceKey = isKey ? 1 : this.#sinceKey + 1;
      frame.pts = this.#frames++;
      frame.pictType = isKey ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE;
      this.#stills.push(0);
    }
    for (const slices of this.#encoder.encode(frame)) {
      this.#stills.shift();
      yield this.#rewritten(slices);
      yield* this.#giveStills();
    }
  }

  /**
   * Shows a frame so many times more, as a picture in which nothing changes; encoded only where there is none before it, and
   * where a key frame is due.
   *
   * @param frame The last one that was encoded, if any was.
   */
  *hold(frame: Frame, count: number): Generator<EncodedUnit, void> {
    for (let k = 0; k < count; k++) {
      if (this.#frames === 0n || this.#sinceKey >= this.#keyFrameInterval) {
        yield* this.encode(frame);
        continue;
      }
      this.#sinceKey++;
      this.#stills[this.#stills.length - 1] = (this.#stills.at(-1) ?? 0) + 1;
      if (this.#stills.length === 1) yield* this.#giveStills();
    }
  }

  [Symbol.dispose](): void {
    this.#encoder[Symbol.dispose]();
  }

  /** What follows the last frame that left the encoder. */
  *#giveStills(): Generator<EncodedUnit, void> {
    for (; (this.#stills[0] ?? 0) > 0; this.#stills[0] = (this.#stills[0] ?? 0) - 1) yield this.#rewritten(this.#still);
  }

  #rewritten(slices: readonly Uint8Array[]): EncodedUnit {
    const isKey = slices.some((unit) => unitKind(unit) === UNIT.idrSlice);
    this.#sinceIdr = isKey ? 0 : this.#sinceIdr + 1;
    if (isKey) this.#idrs++;
    const place = { index: this.#sinceIdr, idrId: FIRST_IDR_ID + this.#idrs };
    const parts = slices.flatMap((unit) => {
      const rewritten = rewriteSlice(unit, this.#encoder.syntax, this.#shape.syntax, place);
      if (rewritten === null) throw new UncopiableError("a slice that cannot be rewritten");
      const length = Buffer.alloc(this.#shape.lengthBytes);
      length.writeUIntBE(rewritten.length, 0, length.length);
      return [length, rewritten];
    });
    if (parts.length === 0) throw new UncopiableError("an encoded frame without a slice");
    return { bytes: Buffer.concat(parts), isKey };
  }
}
