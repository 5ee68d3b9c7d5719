import type { Cue } from "../../core/cue.ts";
import { defined } from "../../core/objects.ts";
import { formatTimecode, timecodeAt } from "../../core/timecode.ts";
import type { Reading, ReceiptChoices, TextChoice, Verdict } from "../../core/verdict.ts";
import { type CueDocument, CueListBuilder } from "../cue-list.ts";
import { IssueList, ReceiptBuilder } from "../parse-issue.ts";
import type { ClockReading, FilmReading, PlacedRow, TextClock, TextRow } from "./film-reading.ts";
import { fittingRows, insideShare } from "./fit.ts";
import { withRates } from "./rates.ts";
import { readingsOf, type ScoredReading, scored, startLabelOf } from "./readings.ts";
import { clockFact, differences, nameOfRate, questionOf, rateFacts, UNIT_NAMES, wayLabel } from "./sentences.ts";

/** How much better than the next a reading has to fit to be taken. */
const CLEAR = 2.5;

/** Cues that a person is shown of a reading. */
const PREVIEWED = 3;

/** A verdict under which nothing of a text is used. */
type HeldBack = Extract<Verdict, { readonly kind: "unsure" | "does not fit" }>;

/**
 * The rows of a text on their way to cues: whatever reads a text gives them here as they stand, with what the text says of its
 * clock. How they are meant is then told by what is known of the film.
 */
export class TextRows {
  /** What is told of the text. */
  readonly issues = new IssueList();
  readonly film: FilmReading;
  readonly #rows: TextRow[] = [];
  readonly #receipt = new ReceiptBuilder();
  #clock: TextClock = { counts: "seconds" };
  #counted: CountedAs | null = null;
  /** What is held of the text whatever its rows are. */
  #verdict: HeldBack | null = null;

  constructor(film: FilmReading = {}) {
    this.film = film;
  }

  /** Says how the text counts; seconds where nothing is said. */
  set clock(clock: TextClock) {
    this.#clock = clock;
  }

  /** Adds a row in the counts of the text's clock; see {@link TextRow}. */
  add(id: string, start: number, end: number | null, text: string, line: number, isClock = false): void {
    this.#rows.push({ id, start, end, text, line, ...(isClock ? { isClock } : {}) });
  }

  /**
   * Says why nothing of the text is read, whatever its rows are: a sentence without full stop.
   *
   * @param mend What a person can say so that it is read after all.
   */
  refuse(why: string, mend?: keyof TextChoice): void {
    this.#verdict = { kind: "does not fit", why, ...defined({ mend }) };
  }

  /** Asks a person before anything of the text is read: each way in which it may be meant has its own rows. */
  ask(question: string, ways: readonly (Pick<Reading, "label" | "choice"> & { readonly rows: TextRows })[]): void {
    const readings = ways.map(({ label, choice, rows }) => {
      const { cues } = rows.document();
      return { label, choice, fit: 1 / ways.length, ...shownOf(cues, cues, this.film) };
    });
    this.#verdict = { kind: "unsure", question, readings };
  }

  /** Says where the cues stand: `from the column "Seen"`, or what else they are: markers `of the timeline "Cut"`. */
  countAs(counted: CountedAs): void {
    this.#counted = counted;
  }

  /** Tells of something that is not among the rows, by its name in the singular. */
  leaveOut(what: string, count = 1, words: readonly string[] = []): void {
    this.#receipt.leaveOut(what, count, words);
  }

  /** Tells what was read from where, in a sentence without full stop. */
  tell(fact: string): void {
    this.#receipt.fact(fact);
  }

  /** The cues, where their times have one meaning; how many may be meant, or why none can, where they have not. */
  document(): CueDocument {
    if (this.#verdict !== null) return this.#heldBack(this.#verdict, "no-words");
    const given = [this.#rows, this.#clock, this.film] as const;
    const readings = withRates(readingsOf(...given), ...given);
    const [only] = readings;
    const ranked: ScoredReading[] =
      readings.length === 1 && only !== undefined
        ? [{ reading: only, fit: 1 }]
        : scored(readings, this.#rows, this.film);
    const [best] = ranked;
    if (best === undefined || this.#rows.length === 0) return this.#taken(null);
    const verdict = this.#verdictOn(best, ranked);
    if (verdict.kind === "fits" || verdict.kind === "repaired") return this.#taken(best.reading, verdict);
    return this.#heldBack(verdict, "not-of-this-film");
  }

  #heldBack(verdict: HeldBack, refused: "not-of-this-film" | "no-words"): CueDocument {
    const { issues } = this;
    issues.add(verdict.kind === "unsure" ? "unsure" : refused, 0, "", heldBackReason(verdict) ?? "");
    return { cues: [], issues: issues.finish(), receipt: this.#receipt.finish(), verdict };
  }

  #verdictOn(best: ScoredReading, ranked: readonly ScoredReading[]): Verdict {
    const { durationSeconds } = this.film;
    const isNamed = best.reading.source === "person" || durationSeconds !== undefined;
    if (isNamed && insideShare(this.#placed(best.reading), this.film) === 0) {
      return { kind: "does not fit", why: this.#outside(best.reading), mend: "start" };
    }
    const rivals = ranked.filter(({ fit }) => fit * CLEAR > best.fit);
    if (rivals.length > 1) {
      return {
        kind: "unsure",
        question: questionOf(rivals),
        readings: rivals.map((one) => this.#shown(one, rivals)),
      };
    }
    const { reading } = best;
    const isShifted = this.#clock.counts === "seconds" && reading.zero > 0;
    const isOtherUnit = this.#clock.counts === "numbers" && !reading.isUnitStated && reading.unit !== "s";
    const how = [...(isShifted || isOtherUnit ? [clockFact(reading, this.#clock)] : []), ...rateFacts(reading)];
    return how.length > 0 ? { kind: "repaired", how } : { kind: "fits" };
  }

  #placed(reading: ClockReading) {
    return this.#rows.map((row) => reading.place(row));
  }

  #outside(reading: ClockReading): string {
    const { durationSeconds } = this.film;
    const placed = this.#placed(reading);
    const first = placed.reduce((least, { start }) => Math.min(least, start), Number.POSITIVE_INFINITY);
    const last = placed.reduce((most, { start, end }) => Math.max(most, end ?? start), 0);
    const at = (seconds: number) => `${seconds.toFixed(1)} s`;
    if (durationSeconds === undefined) {
      return `all of its ${placed.length} times lie before ${startLabelOf(reading, this.#clock)}, from which they were to count`;
    }
    const span = `none of its ${placed.length} times lies inside the film: they reach from ${at(first)} to ${at(last)}`;
    return `${span}, the film ends at ${at(durationSeconds)}. Check that it belongs to this film, or say what the film's first frame is called in it`;
  }

  #shown({ reading, fit }: ScoredReading, rivals: readonly ScoredReading[]): Reading {
    const start = startLabelOf(reading, this.#clock);
    const filmRate = this.film.grid?.rate;
    const rate = reading.rate?.rate ?? filmRate;
    const { isOtherRate } = differences(rivals);
    const isNumbers = this.#clock.counts === "numbers";
    const placed = this.#placed(reading);
    return {
      label: wayLabel(reading, this.#clock, rivals),
      choice: {
        ...(isNumbers ? { unit: reading.unit } : { start }),
        ...(isOtherRate && rate !== undefined ? { rate: nameOfRate(rate) } : {}),
      },
      fit,
      ...shownOf(placed, this.#cues(reading, new IssueList()), this.film),
    };
  }

  /** The cues under a reading; what lies before the film is left out where the reading names the film's start. */
  #cues(reading: ClockReading, issues: IssueList, leftOut: TextRow[] = []): Cue[] {
    const builder = new CueListBuilder(issues);
    for (const row of this.#rows) {
      const { start, end } = reading.place(row);
      const isBefore = start < 0 && (end ?? start) <= 0;
      if (isBefore && reading.source !== "format" && reading.source !== "hour") leftOut.push(row);
      else builder.add(row.id, start, end, row.text, row.line);
    }
    return builder.finish();
  }

  #taken(reading: ClockReading | null, verdict: Verdict = { kind: "fits" }): CueDocument {
    const { issues } = this;
    const before: TextRow[] = [];
    const cues = reading === null ? new CueListBuilder(issues).finish() : this.#cues(reading, issues, before);
    const [first] = before;
    if (first !== undefined) {
      const words = before.map(({ text }) => text);
      this.leaveOut("text before the programme's start", before.length, words);
      issues.add("left-out-before", first.line, first.text, `${before.length} in all`);
    }
    const facts =
      reading === null || cues.length === 0 || this.#isPlain(reading) ? [] : [clockFact(reading, this.#clock)];
    if (reading !== null) facts.push(...rateFacts(reading));
    if (this.film.textRate !== undefined && reading?.rate === undefined) {
      facts.push("the rate that was named for the text counts for nothing: the film's own is not known");
    }
    if (reading !== null) this.#tellStart(reading);
    const behind = this.#behind(cues);
    if (behind > 0) facts.push(`${behind} of them lie behind the film's end`);
    return { cues, issues: issues.finish(), receipt: this.#receiptOf(cues.length, facts, reading), verdict };
  }

  /** Whether nothing was to be chosen: seconds from 0 of no film that is known, or on its clock by what the text says. */
  #isPlain({ zero }: ClockReading): boolean {
    const clock = this.#clock;
    const isOpen =
      this.film.durationSeconds !== undefined && clock.counts === "seconds" && clock.isOnFilmClock !== true;
    return clock.counts === "seconds" && zero === 0 && !isOpen;
  }

  #behind(cues: readonly Cue[]): number {
    const { durationSeconds } = this.film;
    return durationSeconds === undefined ? 0 : cues.filter(({ start }) => start >= durationSeconds).length;
  }

  /** Reports a start that neither a person nor the format names. */
  #tellStart(reading: ClockReading): void {
    if (this.film.textRate === undefined) {
      for (const fact of rateFacts(reading)) this.issues.add("assumed-stretch", 0, "", fact);
    }
    const { grid } = this.film;
    const clock = this.#clock;
    if (reading.source === "person" || reading.source === "text") return;
    if (clock.counts === "frames") {
      const own = grid === undefined ? 0 : grid.startFrame;
      const zero = startLabelOf(reading, clock);
      const film = grid === undefined ? "00:00:00:00" : timecodeAt(grid, 0);
      if (reading.zero === 0 && own === 0) return;
      if (zero === film && reading.source === "film") return;
      const first = this.#rows.reduce(
        (least, row) => Math.min(least, row.start),
        clock.firstFrame ?? Number.POSITIVE_INFINITY,
      );
      const label = formatTimecode(Math.floor(first), clock.format);
      this.issues.add("assumed-start", 0, label, `counted from ${zero}, the sequence from ${film}`);
    } else if (reading.zero > 0) this.issues.add("assumed-start", 0, "", clockFact(reading, this.#clock));
    if (clock.counts === "numbers" && !reading.isUnitStated && reading.unit !== "s") {
      this.issues.add("assumed-unit", 0, "", UNIT_NAMES[reading.unit]);
    }
  }

  /** What a person may say otherwise of a reading that was taken of a film that is known. */
  #choices(reading: ClockReading): ReceiptChoices {
    const { grid } = this.film;
    const clock = clockFact(reading, this.#clock);
    const rate =
      grid === undefined
        ? {}
        : {
            rate: rateFacts(reading)[0] ?? `made for ${nameOfRate(grid.rate)} frames a second, as the film`,
          };
    return { [this.#clock.counts === "numbers" ? "unit" : "start"]: clock, ...rate };
  }

  #what(isColumn: boolean): string {
    const { holds } = this.film;
    return holds === "dialogue" ? "caption" : holds === "descriptions" || isColumn ? "description" : "cue";
  }

  #receiptOf(count: number, facts: readonly string[], reading: ClockReading | null) {
    const { where, isColumn = false, what = this.#what(isColumn) } = this.#counted ?? {};
    const counted = `${count} ${what}${count === 1 ? "" : "s"}${where === undefined ? "" : ` ${where}`}`;
    const isChoice = reading !== null && count > 0 && !this.#isPlain(reading);
    const chosen = {
      ...(isColumn && count > 0 ? { column: counted } : {}),
      ...(isChoice ? this.#choices(reading) : {}),
    };
    const told = this.#receipt.finish();
    return {
      facts: [counted, ...told.facts, ...facts],
      leftOut: told.leftOut,
      ...(Object.keys(chosen).length > 0 ? { choices: chosen } : {}),
    };
  }
}

/** What is counted in the receipt of a text. */
interface CountedAs {
  /** As a person calls it, in the singular; by what the film's texts hold where it is not said. */
  readonly what?: string;
  readonly where: string;
  /** Whether that is a column, of which a person may name another. */
  readonly isColumn?: boolean;
}

/** What a person is shown of a way to read a text: how many rows go with the film, of how many, and the first cues. */
function shownOf(rows: readonly PlacedRow[], cues: readonly Cue[], film: FilmReading) {
  return { fitting: fittingRows(rows, film), lines: rows.length, preview: cues.slice(0, PREVIEWED) };
}

/** Why nothing of a text is used, in a sentence without full stop; `null` where it is used. */
export function heldBackReason(verdict: Verdict | undefined): string | null {
  if (verdict?.kind === "does not fit") return verdict.why;
  if (verdict?.kind !== "unsure") return null;
  return `${verdict.question} ${verdict.readings.map(({ label }) => label).join(", or ")}`;
}
