import type { Placeable } from "../../core/placement.ts";
import { estimateSpeakingSeconds } from "../../core/speaking-time.ts";
import type { WrittenDescription } from "../describe/describer.ts";
import type { Narrator } from "../voice/narrator.ts";
import { SpeechError } from "../voice/speech-error.ts";

/** How long wordings take to say: measured where they were spoken, estimated at the same voice's pace elsewhere. */
export class WordingTimes {
  readonly #narrator: Narrator | null;
  /** Seconds by wording; `null` where a person's recordings lack it. */
  readonly #measured = new Map<string, number | null>();
  #measuredSeconds = 0;
  #estimatedSeconds = 0;

  /** @param narrator `null` where no voice speaks the language: all is estimated then. */
  constructor(narrator: Narrator | null) {
    this.#narrator = narrator;
  }

  /** Whether nothing more can be learned of a wording. */
  isKnown(text: string): boolean {
    return this.#narrator === null || this.#measured.has(text);
  }

  /**
   * Speaks a wording once, to learn how long it takes; the narrator's cache keeps the samples for the mix.
   *
   * @throws SpeechError, but not for a recording that is missing: there may be one of another wording.
   */
  async measure(text: string, signal: AbortSignal): Promise<void> {
    if (this.#narrator === null || this.isKnown(text)) return;
    const seconds = await secondsSpoken(this.#narrator, text, signal);
    this.#measured.set(text, seconds);
    if (seconds === null) return;
    this.#measuredSeconds += seconds;
    this.#estimatedSeconds += estimateSpeakingSeconds(text);
  }

  /**
   * A description with the times of its wordings, without those that cannot be spoken; `null` where none has a word to
   * speak, or there is no recording of any ({@link requireRecordings}).
   */
  placeable({ id, wordings, picture, importance }: WrittenDescription): Placeable | null {
    const timed = wordings.flatMap((text) => {
      const seconds = this.#secondsOf(text);
      return seconds === null || seconds === 0 ? [] : [{ text, seconds }];
    });
    return timed.length === 0 ? null : { id, wordings: timed, picture, importance };
  }

  /**
   * Makes sure that a person's recordings have each description in one of its wordings.
   *
   * @throws SpeechError `recording_missing`, which names all that are missing: who records them wants to do it once.
   */
  requireRecordings(descriptions: readonly WrittenDescription[]): void {
    const missing = descriptions.flatMap(({ wordings }) => {
      const spoken = wordings.filter((text) => this.#secondsOf(text) !== 0);
      const isMissing = spoken.length > 0 && spoken.every((text) => this.#secondsOf(text) === null);
      return isMissing ? [`"${spoken.at(-1)}"`] : [];
    });
    if (missing.length === 0) return;
    const [one] = missing;
    const sentence =
      missing.length === 1
        ? `There is no recording of ${one} in any of its wordings.`
        : `There are no recordings of ${missing.length} descriptions, in any of their wordings: ${missing.join(", ")}.`;
    throw new SpeechError("recording_missing", sentence);
  }

  #secondsOf(text: string): number | null {
    const measured = this.#measured.get(text);
    if (measured !== undefined) return measured;
    const pace = this.#estimatedSeconds > 0 ? this.#measuredSeconds / this.#estimatedSeconds : 1;
    return estimateSpeakingSeconds(text) * pace;
  }
}

async function secondsSpoken(narrator: Narrator, text: string, signal: AbortSignal): Promise<number | null> {
  try {
    return (await narrator.speak(text, signal)).seconds;
  } catch (error) {
    if (error instanceof SpeechError && error.code === "recording_missing") return null;
    throw error;
  }
}
