/** A stretch of sound: as it is, and as detectors want it (16 kHz, mono). */
export interface DetectorBlock {
  readonly planes: readonly Float32Array[];
  readonly dialogue: Float32Array;
  /** The centre alone; `null` where there is none beside other channels. */
  readonly centre: Float32Array | null;
  /** `null` where it is the same as the dialogue. */
  readonly bed: Float32Array | null;
}

/** All arrays of a block. */
export function arraysOf({ planes, dialogue, centre, bed }: DetectorBlock): Float32Array[] {
  return [...planes, ...[dialogue, centre, bed].filter((signal) => signal !== null)];
}
