/**
 * A question about the host that no documentation answers. Asking changes nothing that stays. What the panel does by each answer
 * stands in `docs/first-run.md`.
 */
export interface Probe {
  readonly name: string;
  /** Files of the project that depend on the answer, parted by blanks. */
  readonly code: string;
  /** What was found, in a few words without names, paths and keys; raising is an answer too. */
  run(): Promise<string>;
}

/** What a probe works with that changes things: a copy of the sequence, which is active. */
export interface Trial {
  readonly originalId: string;
  /** Identity of the copy. */
  readonly sequenceId: string;
  /** Address of the service that the panel is connected to. */
  readonly address: string;
  readonly signal: AbortSignal;
}

/** A question that is asked by trying it on a copy. */
export interface TrialProbe extends Omit<Probe, "run"> {
  /** Longest time until an answer, in milliseconds, where it is not the usual one. */
  readonly limitMs?: number;
  run(trial: Trial): Promise<string>;
}

/** Questions that are asked on a copy, and the removing of what they leave beside it. */
export interface TrialBench {
  readonly probes: readonly TrialProbe[];
  /** Removes what was imported and written; says what stays. */
  clear(): Promise<string>;
}
