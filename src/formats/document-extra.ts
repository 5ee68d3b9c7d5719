/** Something a document holds beside its cues' ids, times and words. */
export interface DocumentExtra {
  /** What it is, in the plural: `notes`, `cue settings`, `clips`. */
  readonly name: string;
  readonly count: number;
}

/** What there is of several things, by what each is called in the plural; nothing of what there is none of. */
export function present(counts: readonly (readonly [name: string, count: number])[]): DocumentExtra[] {
  return counts.flatMap(([name, count]) => (count > 0 ? [{ name, count }] : []));
}
