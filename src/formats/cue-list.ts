import { type Cue, compareCues, cueIdAt } from "../core/cue.ts";
import { partDirections } from "../core/direction.ts";
import { isPlaceholder } from "../core/pause-to-write.ts";
import { estimateSpeakingSeconds } from "../core/speaking-time.ts";
import { toThousandth } from "../core/time-range.ts";
import type { Receipt, Verdict } from "../core/verdict.ts";
import type { IssueList, ParseIssue } from "./parse-issue.ts";
import { foldWhiteSpace } from "./plain-markup.ts";

/** What every reader of cues returns. */
export interface CueDocument {
  /** In order of time; ids are unique and stand on one line; every `text` is plain and not empty; every `end` lies after its `start`. */
  readonly cues: readonly Cue[];
  readonly issues: readonly ParseIssue[];
  /** What was read from where, and what was left out, where the reader says it. */
  readonly receipt?: Receipt;
  /** Absent where nothing speaks against what was read; where it is unsure or does not fit, there are no cues. */
  readonly verdict?: Verdict;
}

/** Shortest time an estimated end gives a cue, in seconds. */
const SHORTEST_ESTIMATE_SECONDS = 0.5;

/** A line break in an id, which XML and JSON can hold. */
const BREAK = /[\n\r\v\f\u0085\u2028\u2029]/;

/** Latest time of a cue in seconds, three centuries; behind it a double no longer tells milliseconds apart. */
const LATEST_SECONDS = 1e10;

/**
 * Makes the cues of a document out of what its reader finds, in the order it finds them: drops those without text, and those
 * that only stand for a pause that nobody has written, gives
 * ids to those without, makes ids unique, estimates ends that are missing or not after their start, and orders.
 */
export class CueListBuilder {
  readonly #issues: IssueList;
  readonly #cues: { id: string; start: number; end: number; text: string }[] = [];
  #givenIds: Set<string> | null = null;
  #lastId = "";
  readonly #withoutEnd: { start: number; end: number; text: string }[] = [];
  #withoutId = false;
  #directions = 0;
  readonly #distinctDirections = new Set<string>();
  #isOrdered = true;
  #latest = 0;

  constructor(issues: IssueList) {
    this.#issues = issues;
  }

  /**
   * Adds a cue as the file gives it: `id` empty when it has none, kept on one line; times in seconds on the programme clock, `end` `null`
   * when it has none, `text` plain with white space folded, `line` where it stands.
   */
  add(id: string, start: number, end: number | null, text: string, line: number): void {
    const { spoken, directions } = partDirections(text);
    if (spoken === "" || isPlaceholder(spoken)) {
      if (directions.length === 0) this.#issues.add("missing-text", line);
      else this.#issues.add("missing-text", line, text, "a direction to the voice alone");
      return;
    }
    this.#directions += directions.length;
    for (const direction of directions) this.#distinctDirections.add(direction);
    if (!(Math.abs(start) <= LATEST_SECONDS && (end ?? 0) <= LATEST_SECONDS)) {
      this.#issues.add("bad-timing", line, text);
      return;
    }
    if (start < 0) this.#issues.add("before-start", line, text);
    const from = Math.max(0, start);
    if (from < this.#latest) {
      if (this.#isOrdered) this.#issues.add("out-of-order", line, text);
      this.#isOrdered = false;
    }
    this.#latest = from;
    const given = BREAK.test(id) ? foldWhiteSpace(id) : id;
    const cue = { id: given === "" ? "" : this.#uniqueId(given, line), start: from, end: end ?? from, text };
    if (cue.id === "") this.#withoutId = true;
    if (!(cue.end > from)) {
      this.#issues.add(end === null ? "missing-end" : "end-before-start", line, text);
      this.#withoutEnd.push(cue);
    }
    this.#cues.push(cue);
  }

  /** The cues, ordered. Reports `no-cues` when there is none. */
  finish(): Cue[] {
    const cues = this.#cues;
    if (cues.length === 0) this.#issues.add("no-cues", 0);
    const directions = [...this.#distinctDirections].join(" ");
    if (this.#directions > 0) this.#issues.add("direction", 0, directions, String(this.#directions), this.#directions);
    this.#estimateEnds();
    if (this.#withoutId) this.#nameCues();
    return this.#isOrdered ? cues : cues.sort(compareCues);
  }

  /** Ids that grow, longer ones later, are unique without looking: so do numbers, and numbers with zeros in front. */
  #uniqueId(wanted: string, line: number): string {
    const last = this.#lastId;
    const grows = wanted.length > last.length || (wanted.length === last.length && wanted > last);
    if (grows && this.#givenIds === null) {
      this.#lastId = wanted;
      return wanted;
    }
    const taken = this.#takenIds();
    let id = wanted;
    if (taken.has(id)) {
      this.#issues.add("duplicate-id", line, id);
      // Counting from the number of ids keeps this linear: equal ids never try each other's numbers.
      for (let number = taken.size + 1; taken.has(id); number++) id = `${wanted}-${number}`;
    }
    taken.add(id);
    return id;
  }

  /** The ids given so far; built when it is first needed. */
  #takenIds(): Set<string> {
    this.#givenIds ??= new Set(this.#cues.flatMap((cue) => (cue.id === "" ? [] : [cue.id])));
    return this.#givenIds;
  }

  #nameCues(): void {
    const taken = this.#lastId === "" ? null : this.#takenIds();
    for (let index = 0; index < this.#cues.length; index++) {
      const cue = this.#cues[index];
      if (cue?.id !== "") continue;
      const wanted = cueIdAt(index);
      cue.id = wanted;
      for (let number = taken?.size ?? 0; taken?.has(cue.id); number++) cue.id = `${wanted}-${number}`;
    }
  }

  /** Gives each cue without a usable end the time speech takes, but not past the start of the next cue. */
  #estimateEnds(): void {
    const starts = Float64Array.from(this.#cues, (cue) => cue.start).sort();
    for (const cue of this.#withoutEnd) {
      const seconds = Math.max(SHORTEST_ESTIMATE_SECONDS, estimateSpeakingSeconds(cue.text));
      const spoken = toThousandth(cue.start + seconds);
      cue.end = Math.min(spoken, firstAfter(starts, cue.start));
    }
  }
}

/** The first of ordered `times` that lies after `time`; infinity when none does. */
function firstAfter(times: Float64Array, time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? Number.POSITIVE_INFINITY) > time) high = middle;
    else low = middle + 1;
  }
  return times[low] ?? Number.POSITIVE_INFINITY;
}
