import type { Cue } from "../../core/cue.ts";
import type { Finding } from "../../core/finding.ts";
import type { MeasuredShot, PictureMeasure } from "../../core/measures.ts";
import type { ColourName } from "../../core/shot.ts";
import type { TimeRange } from "../../core/time-range.ts";

/** How far around a description its picture may lie, in seconds: descriptions come early as often as late. */
export const REACH = { before: 5, after: 10 };

/** Shots longer than this may look otherwise in a part than on the whole, unless nothing moves in them; in seconds. */
const LONGEST_EVEN_SHOT_SECONDS = 20;

/** A picture that stands for less is no freeze frame, in seconds. */
const LEAST_FROZEN_SECONDS = 0.2;

/** Cuts within a description's reach of which one may speak of fast cutting. */
const LEAST_FAST_CUTS = 2;

const COLOURS: Readonly<Record<string, ColourName>> = {
  black: "black",
  white: "white",
  grey: "grey",
  gray: "grey",
  red: "red",
  orange: "orange",
  yellow: "yellow",
  green: "green",
  blue: "blue",
  purple: "purple",
  pink: "pink",
  brown: "brown",
};

/** Says of the picture as a whole that it has a colour, and of nothing in it. English. */
const COLOUR_WORDS = new RegExp(
  "(?:(?:^|[.:;] )(?:\\w+ now, )?mostly|\\b(?:picture|screen|image|frame) (?:is|turns|goes) (?:all|mostly|entirely|completely)) " +
    `(${Object.keys(COLOURS).join("|")})\\b`,
  "gi",
);

/** Says of cuts and movement what can be counted. English. */
const STATEMENTS: readonly {
  readonly words: RegExp;
  /** What speaks against it, as a sentence without full stop; `null` for nothing. */
  readonly against: (around: ShotContext) => string | null;
}[] = [
  {
    words: /(?:^|[.:;] )(?:hard |smash |match )?cut to\b|\b(?:picture|film|scene) cuts to\b/i,
    against: ({ changes }) => (changes === 0 ? "it tells of a cut, and the picture near it does not change" : null),
  },
  {
    words: /\b(?:rapid|quick|fast) (?:cuts|cutting|montage)\b|\bmontage of (?:rapid|quick|fast)\b/i,
    against: ({ changes }) =>
      changes < LEAST_FAST_CUTS ? `it tells of fast cuts, and the picture near it changes ${times(changes)}` : null,
  },
  {
    words: /\b(?:one|single) (?:continuous|unbroken|long) (?:shot|take)\b|\bwithout a (?:single )?cut\b/i,
    against: ({ cutsUnder }) =>
      cutsUnder > 1 ? `it tells of one shot, and the picture under it changes ${times(cutsUnder)}` : null,
  },
  {
    words: /\bfreeze[- ]frame\b|\b(?:picture|image|screen|frame) (?:freezes|is frozen|stands still)\b/i,
    against: ({ shots }) =>
      shots.every(({ frozenSeconds }) => frozenSeconds < LEAST_FROZEN_SECONDS)
        ? "it says that the picture stands still, and no picture near it does"
        : null,
  },
];

/** What is near a description. */
interface ShotContext {
  readonly shots: readonly MeasuredShot[];
  /** Changes of the picture within reach, and while it is said. */
  readonly changes: number;
  readonly cutsUnder: number;
}

const SOURCE = "measured shots around the description; Aside's own limits";

/**
 * Finds descriptions whose colour of the whole picture, cuts or stillness the measured shots rule out. In English; only what
 * is certain: a colour that covers most of a picture is among its three largest.
 */
export function checkShots(cues: readonly Cue[], { shots, changes }: PictureMeasure): Finding[] {
  if (shots.length === 0) return [];
  return cues.flatMap((cue) => {
    const reach = { start: cue.start - REACH.before, end: cue.end + REACH.after };
    const near = shots.filter(({ start, end }) => start < reach.end && end > reach.start);
    if (near.length === 0) return [];
    const around = { shots: near, changes: within(changes, reach), cutsUnder: within(changes, cue) };
    const against = STATEMENTS.flatMap(({ words, against: tell }) => (words.test(cue.text) ? [tell(around)] : []));
    return [...against, ...coloursAgainst(cue, near)].flatMap((message): Finding[] =>
      message === null
        ? []
        : [{ rule: "picture-contradicts", severity: "warn", cueIds: [cue.id], message, source: SOURCE }],
    );
  });
}

function coloursAgainst({ text }: Cue, near: readonly MeasuredShot[]): string[] {
  const isEven = near.every(({ start, end, motion }) => end - start <= LONGEST_EVEN_SHOT_SECONDS || motion === "still");
  if (!isEven) return [];
  return [...text.matchAll(COLOUR_WORDS)].flatMap(([, word = ""]) => {
    const colour = COLOURS[word.toLowerCase()];
    const isThere = near.some(({ colours }) => colours.some(({ name }) => name === colour));
    return isThere ? [] : [`it says that the picture is mostly ${word.toLowerCase()}, and no picture near it is`];
  });
}

function within(times: readonly number[], { start, end }: TimeRange): number {
  return times.filter((time) => time >= start && time < end).length;
}

function times(count: number): string {
  return count === 0 ? "not once" : count === 1 ? "once" : `${count} times`;
}
