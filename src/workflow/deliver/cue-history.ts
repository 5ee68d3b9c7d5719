import { foldedWords } from "../../core/align-cues.ts";
import type { Cue } from "../../core/cue.ts";

/** Who a description is by, and what became of it. */
interface CueHistory {
  readonly id: string;
  /**
   * `as-written`: the service's words and times; `edited`: the editor changed words, times or both; `added`: the editor's
   * own; `deleted`: the service wrote it, the editor took it out.
   */
  readonly state: "as-written" | "edited" | "added" | "deleted";
  /** What the editor changed; empty unless `edited`. */
  readonly changed: readonly ("words" | "times")[];
  /** The service's words, where they are not those delivered. */
  readonly written?: string;
}

/** Who wrote and who changed the descriptions of a delivery. */
export interface DeliveryHistory {
  /** Descriptions by state. */
  readonly counts: Readonly<Record<CueHistory["state"], number>>;
  /** In order of time; what was deleted comes last. */
  readonly cues: readonly CueHistory[];
}

/**
 * Tells the service's words from the editor's: cues as they are delivered against those that the service wrote, which have
 * the same ids.
 *
 * @param toleranceSeconds Times nearer than this count as the same: a frame, where the delivered cues stood on frames.
 */
export function historyOf(
  delivered: readonly Cue[],
  written: readonly Cue[],
  toleranceSeconds: number,
): DeliveryHistory {
  const isNear = (a: number, b: number) => Math.abs(a - b) <= toleranceSeconds;
  const known = new Map(written.map((cue) => [cue.id, cue]));
  const kept = delivered.map((cue): CueHistory => {
    const before = known.get(cue.id);
    known.delete(cue.id);
    if (before === undefined) return { id: cue.id, state: "added", changed: [] };
    const isReworded = foldedWords(cue.text) !== foldedWords(before.text);
    const changed = [
      ...(isReworded ? (["words"] as const) : []),
      ...(isNear(cue.start, before.start) && isNear(cue.end, before.end) ? [] : (["times"] as const)),
    ];
    const state = changed.length === 0 ? "as-written" : "edited";
    return { id: cue.id, state, changed, ...(isReworded ? { written: before.text } : {}) };
  });
  const deleted = [...known.values()].map(({ id, text }): CueHistory => {
    return { id, state: "deleted", changed: [], written: text };
  });
  const cues = [...kept, ...deleted];
  const count = (state: CueHistory["state"]) => cues.filter((cue) => cue.state === state).length;
  const counts = {
    "as-written": count("as-written"),
    edited: count("edited"),
    added: count("added"),
    deleted: count("deleted"),
  };
  return { counts, cues };
}
