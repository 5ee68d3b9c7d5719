/** Takes out what lies below the voice: rumble, wind and hum. Two first-order stages, 12 dB per octave. */
export class HighPass {
  readonly #keep: number;
  readonly #state = [0, 0, 0, 0];

  /** @param cutoffHertz Where the signal is 6 dB down. */
  constructor(sampleRate: number, cutoffHertz: number) {
    this.#keep = Math.exp((-2 * Math.PI * cutoffHertz) / sampleRate);
  }

  /** The filtered signal, as long as the given one; filtering goes on from call to call. */
  filter(samples: Float32Array): Float32Array {
    const keep = this.#keep;
    let [in1 = 0, out1 = 0, in2 = 0, out2 = 0] = this.#state;
    const filtered = samples.map((sample) => {
      out1 = keep * (out1 + sample - in1);
      in1 = sample;
      out2 = keep * (out2 + out1 - in2);
      in2 = out1;
      return out2;
    });
    this.#state.splice(0, 4, in1, out1, in2, out2);
    return filtered;
  }
}
