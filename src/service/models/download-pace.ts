/** Seconds over which the speed of a download is measured. */
const PACE_SECONDS = 10;

/** How fast something arrives. */
export class DownloadPace {
  #samples: { readonly at: number; readonly bytes: number }[] = [];

  /** Bytes a second over the last seconds, as of now, when `bytes` are there; `null` while nobody can tell. */
  speed(bytes: number): number | null {
    const at = performance.now() / 1000;
    const last = this.#samples.at(-1);
    // What is there from before does not count, nor what was thrown away.
    if (last !== undefined && bytes < last.bytes) this.#samples = [];
    if (last === undefined || at - last.at > 0.2) this.#samples.push({ at, bytes });
    this.#samples = this.#samples.filter((sample) => at - sample.at <= PACE_SECONDS);
    const first = this.#samples[0];
    return first === undefined || at - first.at < 1 ? null : (bytes - first.bytes) / (at - first.at);
  }
}
