import type { TimeRange } from "./time-range.ts";

/** How much a finding matters: `fail` breaks the profile's limit, `warn` passes its warning, `note` only informs. */
export type FindingSeverity = "fail" | "warn" | "note";

/**
 * One result of a check on the outcome, naming what was measured against which limit and where the limit comes from.
 */
export interface Finding {
  /** Stable name of the rule, such as `speech-overlap`. */
  readonly rule: string;
  readonly severity: FindingSeverity;
  /** Cues concerned, in programme order; empty when it is about the whole. */
  readonly cueIds: readonly string[];
  /** A sentence for people. */
  readonly message: string;
  /** Where on the programme clock, for one that is about a stretch rather than a cue. */
  readonly range?: TimeRange;
  /** What was measured, in `unit`; absent for rules without a number. */
  readonly measured?: number;
  /** The limit it was held against, in `unit`. */
  readonly limit?: number;
  /** Unit of `measured` and `limit`: `s`, `words/min`, `LU`, `dBTP`, ... */
  readonly unit?: string;
  /** Where the limit comes from: a clause, a standard or a measurement. */
  readonly source?: string;
}
