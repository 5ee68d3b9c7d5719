import { decibelsFromGain } from "../../core/level.ts";
import type { TaskContext } from "../isolate/message.ts";
import { loudnessProfileFrom } from "../mix/loudness-profile.ts";
import type { MixReport } from "../mix/mix-report.ts";
import type { JobOrder } from "../tasks/job-order.ts";
import { makeSound, type SoundParts, type SoundTarget } from "./make-sound.ts";

/**
 * Decibels that sound is first kept below the true peak of its profile before it is encoded: AAC at our rate adds so much to
 * film sound (`docs/benchmarks.md`, "Mix").
 */
const CODER_HEADROOM_DB = 1.3;

/** Sound whose peak lies more than this below its limit needs no look at what the coder adds, in dB: limited noise gains nearly as much. */
const SAFE_DB = 4;

/** What a sound is mixed lower by beyond what the coder added too much, in dB. */
const MARGIN_DB = 0.1;

/**
 * A sound of a video, mixed so that its true peak holds the limit of its profile after encoding too: what hard limited noise
 * gains there differs too much to be known before. A volume that the user asked for is left as it is.
 */
export class VideoSound {
  readonly path: string;
  readonly #order: JobOrder;
  readonly #parts: SoundParts;
  readonly #track: SoundTarget["track"];
  readonly #limitDbtp = loudnessProfileFrom(process.env).truePeakDbtp;
  #headroomDb = CODER_HEADROOM_DB;
  #mix: MixReport | null = null;

  /** @param path WAV file to write. */
  constructor(order: JobOrder, parts: SoundParts, track: SoundTarget["track"], path: string) {
    this.#order = order;
    this.#parts = parts;
    this.#track = track;
    this.path = path;
  }

  /** Mixes it, if it is not there as it should be. @throws as `makeSound`. */
  async make(context: Pick<TaskContext, "signal">, onProgress: (fraction: number) => void): Promise<MixReport> {
    const target = { track: this.#track, path: this.path, headroomDb: this.#headroomDb, onProgress };
    this.#mix ??= await makeSound(this.#order, context, this.#parts, target);
    return this.#mix;
  }

  /** Whether it is to be heard as it is once encoded: not where the coder cannot lift it over its limit. */
  get isHeard(): boolean {
    const peak = this.#mix?.truePeakDbtp ?? Number.NEGATIVE_INFINITY;
    return this.#order.settings.volume === undefined && peak >= this.#limitDbtp - SAFE_DB;
  }

  /**
   * Whether the coder lifted it over its limit; it is then mixed lower the next time.
   *
   * @param truePeak Of the encoded sound, as a gain, if it was heard.
   */
  lowerIfOver(truePeak = 0): boolean {
    const excessDb = decibelsFromGain(truePeak) - this.#limitDbtp;
    if (excessDb <= 0) return false;
    this.#headroomDb += excessDb + MARGIN_DB;
    this.#mix = null;
    return true;
  }
}
