/** A list of numbers that grows without keeping each as an object. */
export class GrowingFloats {
  #values = new Float32Array(4096);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float32Array(2 * this.#length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  /** The numbers added so far; shares memory with the list. */
  toArray(): Float32Array {
    return this.#values.subarray(0, this.#length);
  }
}
