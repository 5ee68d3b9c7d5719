/**
 * How hard Premiere may be driven. In a heavy project transactions 205 ms apart crashed it and 355 ms held; ten actions
 * in one transaction held and fifty edits of effects' parameters hung, while plugins that place markers were seen to put
 * all of a list into one transaction; some fifty changes in a row exhausted it for a minute (`premiere-uxp.md` 2.2, 11).
 */
export interface Pace {
  /** Most marker actions in one transaction, which is one step of Premiere's undo history. */
  readonly markersPerTransaction: number;
  /** Most clips that one action removes: hundreds crashed Premiere. */
  readonly clipsPerRemoval: number;
  /** Most clips placed in one transaction. */
  readonly clipsPerTransaction: number;
  /** Most changes of effects' parameters in one transaction: ten held, fifty hung Premiere. */
  readonly parametersPerTransaction: number;
  /** Least time between two transactions, in milliseconds. */
  readonly pauseMs: number;
  /** Most transactions in a row, and how long Premiere is left alone after them, in milliseconds. */
  readonly commitsInARow: number;
  readonly restMs: number;
  /** How often the project panel is asked for an imported file, and how often at most. */
  readonly importPollMs: number;
  readonly importPolls: number;
}

/**
 * Markers by 500, more than a feature film's descriptions, so that a placing is one step to undo. Clips by 100, as many as were
 * seen to hold in one transaction: lines that follow a re-cut are then one step too. Transactions 400 ms apart; an imported item may take 15 s to show.
 */
export const SAFE_PACE: Pace = {
  markersPerTransaction: 500,
  clipsPerRemoval: 25,
  clipsPerTransaction: 100,
  parametersPerTransaction: 10,
  pauseMs: 400,
  commitsInARow: 12,
  restMs: 3000,
  importPollMs: 500,
  importPolls: 30,
};

/** Clips in one transaction that held even in a heavy project. */
const MOST_CLIPS_SLOWLY = 10;

/** For a Premiere that crashes under changes that follow each other fast, as a beta of 27.0 does: smaller steps, further apart. */
export function slowed(pace: Pace): Pace {
  const half = (count: number) => Math.max(1, Math.floor(count / 2));
  return {
    ...pace,
    clipsPerRemoval: half(pace.clipsPerRemoval),
    clipsPerTransaction: half(Math.min(pace.clipsPerTransaction, MOST_CLIPS_SLOWLY)),
    parametersPerTransaction: half(pace.parametersPerTransaction),
    pauseMs: pace.pauseMs * 4,
    commitsInARow: half(pace.commitsInARow),
    restMs: pace.restMs * 2,
  };
}

/** Cuts a list into runs whose summed cost stays within a limit; an entry that costs more stands alone. */
export function batchesOf<Entry>(
  entries: readonly Entry[],
  limit: number,
  cost: (entry: Entry) => number = () => 1,
): Entry[][] {
  const batches: Entry[][] = [];
  let batch: Entry[] = [];
  let spent = 0;
  for (const entry of entries) {
    const price = cost(entry);
    if (batch.length > 0 && spent + price > limit) {
      batches.push(batch);
      batch = [];
      spent = 0;
    }
    batch.push(entry);
    spent += price;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
