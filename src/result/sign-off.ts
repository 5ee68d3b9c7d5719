import { fingerprintOf } from "../core/bytes.ts";
import { type Cue, compareCues } from "../core/cue.ts";

/** A person's word that the cues are right as they are. */
export interface SignOff {
  /** As the person typed it. */
  readonly name: string;
  /** ISO 8601, UTC. */
  readonly signedAt: string;
  /** {@link cuesHash} of what was signed. */
  readonly cuesHash: string;
}

/** Whether there is a sign-off, and whether it still counts: `void` once the cues are no longer those that were signed. */
export type SignOffState = "none" | "valid" | "void";

/**
 * A hash of cues: of their words, and of their times on the programme clock to the millisecond, in order of time. It tells
 * that something changed; it is no protection against somebody who forges a record.
 */
export function cuesHash(cues: readonly Cue[]): string {
  const milliseconds = (seconds: number) => String(Math.round(seconds * 1000));
  const parts = [...cues]
    .sort(compareCues)
    .flatMap(({ start, end, text }) => [milliseconds(start), milliseconds(end), text]);
  return fingerprintOf(...parts);
}

/** Signs cues off. */
export function signOff(cues: readonly Cue[], name: string, signedAt: string): SignOff {
  return { name: name.trim(), signedAt, cuesHash: cuesHash(cues) };
}

/** Whether a sign-off counts for cues as they are now. */
export function signOffState(signed: SignOff | undefined, cues: readonly Cue[]): SignOffState {
  if (signed === undefined) return "none";
  return signed.cuesHash === cuesHash(cues) ? "valid" : "void";
}
