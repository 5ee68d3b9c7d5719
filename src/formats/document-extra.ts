/** Something a document holds beside its cues' ids, times and words. */
export interface DocumentExtra {
  /** What it is, in the plural: `notes`, `cue settings`, `clips`. */
  readonly name: string;
  readonly count: number;
}
