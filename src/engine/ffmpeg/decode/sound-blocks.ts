/** Cuts planar sound of any block lengths into blocks of one length, up to a total that it always reaches. */
export class SoundBlocks {
  readonly #blockSamples: number;
  readonly #channels: number;
  readonly #isReused: boolean;
  #left: number;
  #block: Float32Array[] = [];
  #blockLength = 0;
  #filled = 0;

  /**
   * @param blockSamples Samples per channel of each block; the last one may be shorter.
   * @param totalSamples Samples per channel in all.
   * @param isReused Whether the arrays of a block hold the next one as soon as it is asked for.
   */
  constructor(channels: number, blockSamples: number, totalSamples: number, isReused = false) {
    this.#channels = channels;
    this.#blockSamples = blockSamples;
    this.#left = totalSamples;
    this.#isReused = isReused;
    this.#begin();
  }

  /** Adds sound, one array per channel, and gives the blocks it completes; what passes the total is dropped. */
  *add(planes: readonly Float32Array[]): Generator<Float32Array[], void> {
    const length = planes[0]?.length ?? 0;
    for (let at = 0; at < length && this.#left > 0; ) {
      const size = Math.min(length - at, this.#blockLength - this.#filled);
      for (const [channel, plane] of this.#block.entries()) {
        const source = planes[channel];
        if (source !== undefined) plane.set(source.subarray(at, at + size), this.#filled);
      }
      at += size;
      yield* this.#advance(size);
    }
  }

  /** Completes the total with silence. */
  *finish(): Generator<Float32Array[], void> {
    while (this.#left > 0) yield* this.#advance(this.#blockLength - this.#filled);
  }

  *#advance(size: number): Generator<Float32Array[], void> {
    this.#filled += size;
    this.#left -= size;
    if (this.#filled < this.#blockLength) return;
    yield this.#block;
    this.#begin();
  }

  #begin(): void {
    this.#blockLength = Math.min(this.#blockSamples, this.#left);
    this.#filled = 0;
    if (this.#isReused && this.#block[0]?.length === this.#blockLength) for (const plane of this.#block) plane.fill(0);
    else this.#block = Array.from({ length: this.#channels }, () => new Float32Array(this.#blockLength));
  }
}
