/** One way of placing one item: when it occupies the programme, and what that is worth. */
export interface Candidate {
  /** Seconds on the programme clock; `end` may equal `start` for an item that takes no programme time. */
  readonly start: number;
  readonly end: number;
  /** Worth of placing the item this way, in points; only positive candidates are ever chosen. */
  readonly worth: number;
}

/** How close two neighbours may come, and what coming close costs. */
export interface Spacing {
  /** Seconds that must lie between the end of one choice and the start of the next. */
  readonly minimumSeconds: number;
  /** Distances below which a neighbour costs points, the widest first. */
  readonly comfort: readonly { readonly belowSeconds: number; readonly cost: number }[];
}

/** A chain of choices that ends at `freeFrom`: the best known way to reach that instant. */
interface Chain<C extends Candidate> {
  readonly freeFrom: number;
  readonly worth: number;
  readonly last: { readonly item: number; readonly candidate: C } | null;
  readonly before: Chain<C> | null;
}

/**
 * Chooses at most one candidate for each item so that the choices stand in the order of the items, keep their distance,
 * and are together worth the most: the exact optimum over the candidates given, not a greedy one.
 *
 * Items must be in programme order. The work is proportional to the number of candidates times the logarithm of how
 * many compete for the same stretch. Equal input always gives equal output.
 *
 * @returns for each item the chosen candidate, or `null` when it is worth more to leave it out.
 */
export function chooseCandidates<C extends Candidate>(
  items: readonly (readonly C[])[],
  spacing: Spacing,
): (C | null)[] {
  const reach = Math.max(spacing.minimumSeconds, ...spacing.comfort.map((step) => step.belowSeconds));
  const earliest = earliestStarts(items);
  const distances = distancesOf(spacing);
  let chains: Chain<C>[] = [{ freeFrom: Number.NEGATIVE_INFINITY, worth: 0, last: null, before: null }];
  for (const [item, candidates] of items.entries()) {
    const extended = candidates.flatMap((candidate) => {
      const chain = extend(chains, item, candidate, distances);
      return chain === null ? [] : [chain];
    });
    chains = frontier([...chains, ...extended], (earliest[item + 1] ?? Number.POSITIVE_INFINITY) - reach);
  }
  const chosen: (C | null)[] = items.map(() => null);
  for (let chain = chains.at(-1) ?? null; chain !== null; chain = chain.before) {
    if (chain.last !== null) chosen[chain.last.item] = chain.last.candidate;
  }
  return chosen;
}

/** The best chain that leaves room for a candidate, with the candidate appended; `null` when none does. */
function extend<C extends Candidate>(
  chains: readonly Chain<C>[],
  item: number,
  candidate: C,
  distances: readonly Distance[],
): Chain<C> | null {
  let before: Chain<C> | null = null;
  let worth = Number.NEGATIVE_INFINITY;
  for (const { seconds, cost } of distances) {
    const chain = lastFreeBy(chains, candidate.start - seconds);
    if (chain !== null && chain.worth - cost > worth) {
      worth = chain.worth - cost;
      before = chain;
    }
  }
  if (before === null) return null;
  return { freeFrom: candidate.end, worth: worth + candidate.worth, last: { item, candidate }, before };
}

/** A distance to an earlier choice, and what keeping no more than it costs. */
interface Distance {
  readonly seconds: number;
  readonly cost: number;
}

/** Distances to try before a candidate, widest and free of cost first. */
function distancesOf(spacing: Spacing): Distance[] {
  const result: Distance[] = [];
  let cost = 0;
  for (const step of spacing.comfort) {
    // Nobody comes closer than the smallest distance: what that would cost is nobody's price.
    if (step.belowSeconds <= spacing.minimumSeconds) break;
    result.push({ seconds: step.belowSeconds, cost });
    cost = step.cost;
  }
  return [...result, { seconds: spacing.minimumSeconds, cost }];
}

/** The last of chains, ordered by `freeFrom`, that is free at `time`. */
function lastFreeBy<C extends Candidate>(chains: readonly Chain<C>[], time: number): Chain<C> | null {
  let low = 0;
  let high = chains.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const chain = chains[middle];
    if (chain !== undefined && chain.freeFrom <= time) low = middle + 1;
    else high = middle;
  }
  return chains[low - 1] ?? null;
}

/**
 * Keeps the chains that can still win: ordered by `freeFrom`, each worth more than every earlier one; and of those that
 * are free by `settled`, which every later item can use alike, only the best.
 */
function frontier<C extends Candidate>(chains: readonly Chain<C>[], settled: number): Chain<C>[] {
  const ordered = [...chains].sort((a, b) => a.freeFrom - b.freeFrom || b.worth - a.worth);
  const kept: Chain<C>[] = [];
  for (const chain of ordered) {
    const last = kept.at(-1);
    if (last !== undefined && chain.worth <= last.worth) continue;
    if (last !== undefined && chain.freeFrom <= settled) kept.pop();
    kept.push(chain);
  }
  return kept;
}

/** For each item, the earliest start of its own candidates and of all later items' candidates. */
function earliestStarts<C extends Candidate>(items: readonly (readonly C[])[]): number[] {
  const earliest: number[] = [];
  let soFar = Number.POSITIVE_INFINITY;
  for (let item = items.length - 1; item >= 0; item--) {
    for (const candidate of items[item] ?? []) soFar = Math.min(soFar, candidate.start);
    earliest[item] = soFar;
  }
  return earliest;
}
