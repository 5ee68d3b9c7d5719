/** Spoken narration of one line: mono, leading and trailing silence trimmed. */
export interface SpokenLine {
  /** Full scale is 1. */
  readonly samples: Float32Array;
  /** Samples per second. */
  readonly sampleRate: number;
}

/** Length of a spoken line in seconds. */
export function spokenSeconds(line: SpokenLine): number {
  return line.samples.length / line.sampleRate;
}
