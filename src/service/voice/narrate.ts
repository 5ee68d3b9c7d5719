import type { Narrator, Spoken } from "./narrator.ts";

/** A text to be spoken for a cue. */
export interface NarrationText {
  readonly cueId: string;
  readonly text: string;
}

/** What is known of a cue's narration once it is spoken. Its samples stay in the narrator's cache. */
export interface NarratedCue extends Omit<Spoken, "line"> {
  readonly cueId: string;
}

/** How {@link narrate} runs. */
export interface NarrateOptions {
  readonly signal?: AbortSignal;
  /** Called after every line with the share that is done, 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
  /** Lines spoken at a time: more than 1 helps with a speech server only. Default 1. */
  readonly lanes?: number;
}

/**
 * Speaks a list of lines; the result is in their order. The first failure ends it, after which no further line is begun.
 */
export async function narrate(
  narrator: Narrator,
  texts: readonly NarrationText[],
  options: NarrateOptions = {},
): Promise<NarratedCue[]> {
  const { signal, onProgress, lanes = 1 } = options;
  const narrated: NarratedCue[] = [];
  const waiting = texts.entries();
  let done = 0;
  let hasFailed = false;
  const lane = async () => {
    for (const [index, { cueId, text }] of waiting) {
      if (hasFailed) return;
      const { seconds, rate, wasKept } = await narrator.speak(text, signal);
      narrated[index] = { cueId, seconds, rate, wasKept };
      done += 1;
      onProgress?.(done / texts.length);
    }
  };
  const running = Array.from({ length: Math.max(1, Math.min(lanes, texts.length)) }, lane);
  try {
    await Promise.all(running);
  } catch (error) {
    hasFailed = true;
    await Promise.allSettled(running);
    throw error;
  }
  return narrated;
}
