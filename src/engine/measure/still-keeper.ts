import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KeptStill } from "../../core/picture-measure.ts";
import type { WatchedFrame } from "../analyse/picture/picture-watcher.ts";

/** Keeps the pictures shown at some times as JPEG files, while a programme goes by. */
export class StillKeeper {
  readonly kept: KeptStill[] = [];
  readonly #folder: string;
  readonly #times: readonly number[];

  /**
   * @param folder Where the files go; it exists.
   * @param times In order, in seconds on the programme clock.
   */
  constructor(folder: string, times: readonly number[]) {
    this.#folder = folder;
    this.#times = times;
  }

  /**
   * Looks at the next frame: the first at or after a time is the picture of that time.
   *
   * @throws Error when the file cannot be written.
   */
  look(frame: WatchedFrame): void {
    for (
      let at = this.#times[this.kept.length];
      at !== undefined && frame.at >= at;
      at = this.#times[this.kept.length]
    ) {
      const file = `at-${String(Math.round(at * 1000)).padStart(9, "0")}.jpg`;
      using held = frame.hold();
      writeFileSync(join(this.#folder, file), held.toJpeg());
      this.kept.push({ at, file });
    }
  }
}
