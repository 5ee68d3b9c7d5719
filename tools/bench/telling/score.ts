import { findGaps } from "../../../src/core/gap.ts";
import { countWords } from "../../../src/core/speaking-time.ts";
import { overlapWithRanges, totalDuration } from "../../../src/core/time-range.ts";
import { type Fact, type FilmFacts, plain, quotes, tells } from "./facts.ts";

/** A line as it is heard, on the programme clock. */
export interface HeardLine {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What of a run is judged: nothing but the spoken result. */
export interface ToScore {
  readonly film: FilmFacts;
  readonly lines: readonly HeardLine[];
  /** Where somebody speaks. */
  readonly speech: readonly { readonly start: number; readonly end: number }[];
  /** How far a fact came that nobody tells; empty where that is not known. */
  readonly howFar: (fact: Fact) => string;
  /** What was invented on purpose. */
  readonly invented: readonly string[];
  /** Seconds that the programme is held in all. */
  readonly heldSeconds: number;
}

/** Facts told of those that there are. */
export interface Share {
  readonly told: number;
  readonly of: number;
}

/** What a listener gets of a film. */
export interface Telling {
  readonly three: Share;
  readonly twoAndThree: Share;
  readonly actions: Share;
  readonly invented: Share;
  /** Seconds from the end of what a line tells to its words, 0 while it is still seen; and from its beginning. */
  readonly lateSeconds: readonly number[];
  readonly sinceStartSeconds: readonly number[];
  /** Facts whose words come more than half a second before they are seen. */
  readonly early: number;
  /** Lines that begin in a shot in which nothing they tell is seen. */
  readonly inAnotherShot: Share;
  readonly repeated: number;
  readonly pauseSecondsUsed: number;
  readonly pauseSeconds: number;
  readonly wordsPerMinute: number;
  readonly lines: number;
  readonly heldSeconds: number;
  readonly programmeSeconds: number;
  /** Facts of importance 2 and 3 that nobody tells. */
  readonly missed: readonly string[];
}

/** A fact counts as told by a line that begins up to so many seconds before and after it is seen. */
export const NEAR_SECONDS = 2;
/** A line may belong to a fact for longer. */
const BELONGS_SECONDS = 15;
/** A line may begin so long before what it tells; facts are timed to about as much. */
const EARLY_SECONDS = 0.5;
/** Cuts are timed to a fifth of a second. */
const CUT_SECONDS = 0.2;

/** Judges a spoken result by what is seen in its film. */
export function scoreTelling({ film, lines, speech, invented, heldSeconds, howFar }: ToScore): Telling {
  const [from, to] = film.coveredSeconds ?? [0, film.durationSeconds];
  const covered = film.facts.filter(({ start }) => start >= from && start < to);
  const inside = lines.filter(({ start }) => start >= from && start < to);
  const isTold = (fact: Fact) =>
    inside.some(
      (line) =>
        line.start >= fact.start - NEAR_SECONDS && line.start <= fact.end + NEAR_SECONDS && tells(line.text, fact),
    );
  const told = new Set(covered.filter(isTold).map(({ id }) => id));
  const share = (facts: readonly Fact[]): Share => ({
    told: facts.filter(({ id }) => told.has(id)).length,
    of: facts.length,
  });
  const pairs = inside.map((line) => ({ line, facts: factsOf(line, covered) }));
  const meant = pairs.flatMap(({ line, facts }) => facts.map((fact) => ({ line, fact, at: toldAt(line, fact) })));
  const telling = pairs.filter(({ facts }) => facts.length > 0);
  const gaps = findGaps({
    durationSeconds: film.durationSeconds,
    speech,
    music: [],
    silence: [],
    allowMusic: true,
    minimumSeconds: 0.75,
  });
  const counts = new Map<string, number>();
  for (const { fact } of meant.filter(({ line, fact: of }) => quotes(line.text, of))) {
    counts.set(fact.id, (counts.get(fact.id) ?? 0) + 1);
  }
  const important = covered.filter(({ importance }) => importance >= 2);
  return {
    three: share(covered.filter(({ importance }) => importance === 3)),
    twoAndThree: share(important),
    actions: share(covered.filter(({ kind, importance }) => kind === "action" && importance >= 2)),
    invented: {
      told: invented.filter((words) => lines.some(({ text }) => plain(text).includes(plain(words)))).length,
      of: invented.length,
    },
    lateSeconds: meant.map(({ at, fact }) => Math.max(0, at - fact.end)),
    sinceStartSeconds: meant.map(({ at, fact }) => Math.max(0, at - fact.start)),
    early: meant.filter(({ at, fact }) => at < fact.start - EARLY_SECONDS).length,
    inAnotherShot: {
      told: telling.filter(({ line, facts }) => !facts.some((fact) => isInShotOf(fact, line, film))).length,
      of: telling.length,
    },
    repeated: [...counts.values()].filter((count) => count > 1).length,
    pauseSecondsUsed: lines.reduce((sum, line) => sum + overlapWithRanges(line, gaps), 0),
    pauseSeconds: totalDuration(gaps),
    wordsPerMinute: (inside.reduce((sum, { text }) => sum + countWords(text), 0) * 60) / (to - from),
    lines: inside.length,
    heldSeconds,
    programmeSeconds: film.durationSeconds,
    missed: important
      .filter(({ id }) => !told.has(id))
      .map((fact) => `${fact.id} ${fact.words} (importance ${fact.importance}${howFar(fact)})`),
  };
}

/** When a line comes to a fact: at the share of its time at which its words stand, where it has those of the file. */
function toldAt({ start, end, text }: HeardLine, { words, short }: Fact): number {
  const said = plain(text);
  const place = [words, short].map((one) => said.indexOf(plain(one))).find((index) => index >= 0) ?? 0;
  return start + ((end - start) * place) / Math.max(1, said.length);
}

/** The facts that a line tells: by their own words where it has such, else by what they are recognised by. */
function factsOf(line: HeardLine, facts: readonly Fact[]): Fact[] {
  const near = facts.filter(
    ({ start, end }) => line.start >= start - BELONGS_SECONDS && line.start <= end + BELONGS_SECONDS,
  );
  const quoted = near.filter((fact) => quotes(line.text, fact));
  if (quoted.length > 0) return quoted;
  return near
    .filter((fact) => tells(line.text, fact))
    .filter(({ start, end }) => line.start >= start - NEAR_SECONDS && line.start <= end + NEAR_SECONDS);
}

function isInShotOf(fact: Fact, line: HeardLine, { shots }: FilmFacts): boolean {
  return shots.some(
    (shot) =>
      shot.start <= line.start + CUT_SECONDS &&
      shot.end >= line.start - CUT_SECONDS &&
      shot.start < fact.end + CUT_SECONDS &&
      shot.end > fact.start - CUT_SECONDS,
  );
}
