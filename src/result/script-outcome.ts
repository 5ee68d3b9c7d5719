import type { Cue } from "../core/cue.ts";
import type { Finding } from "../core/finding.ts";
import { foldedWords } from "../core/text.ts";

/** What became of the lines of a script that a person gave. Times are seconds on the programme clock, the script's own. */
export interface ScriptOutcome {
  /** How many lines it has that can be read. */
  readonly given: number;
  /** Lines that are spoken at another time than theirs, in order of time. */
  readonly moved: readonly MovedLine[];
  /** Lines that are not spoken, likewise. */
  readonly leftOut: readonly LeftOutScriptLine[];
}

/** A line that is spoken at another time. */
interface MovedLine {
  /** Id of the cue that speaks it. */
  readonly cueId: string;
  readonly start: number;
  /** Seconds from the script's time to that of the cue; negative for earlier. */
  readonly bySeconds: number;
}

/** A line that is not spoken, and what can be done about it. */
export interface LeftOutScriptLine extends Pick<Cue, "start" | "end" | "text"> {
  /** Why: a word of our service's, `reworded` where other words are spoken in its place, `unknown` where nobody says. */
  readonly reason: string;
  /** Seconds that it needs, and those that it lacks in the pause at its time; both 0 for a line without a word. */
  readonly neededSeconds: number;
  readonly lackingSeconds: number;
  readonly waysOut: readonly WayOut[];
}

/** Something that would give a line a place. */
export interface WayOut {
  readonly kind: "shorten" | "move" | "duck" | "faster" | "extended";
  readonly isPossible: boolean;
  /** What comes of it, in words. */
  readonly outcome: string;
}

/** How many lines are spoken as the script has them, how many elsewhere, and how many are not: together all of them. */
export function scriptCounts({ given, moved, leftOut }: ScriptOutcome) {
  return { given, asWritten: given - moved.length - leftOut.length, moved: moved.length, leftOut: leftOut.length };
}

/** The outcome once cues were changed: a line whose words a cue says now is left out no more. */
export function scriptOutcomeWith(outcome: ScriptOutcome, cues: readonly Cue[]): ScriptOutcome {
  const said = new Map(cues.map((cue) => [foldedWords(cue.text), cue]));
  const found = outcome.leftOut.flatMap((line) => {
    const cue = said.get(foldedWords(line.text));
    return cue === undefined
      ? []
      : [{ line, moved: { cueId: cue.id, start: line.start, bySeconds: cue.start - line.start } }];
  });
  if (found.length === 0) return outcome;
  const placed = new Set(found.map(({ line }) => line));
  return {
    ...outcome,
    moved: [...outcome.moved, ...found.map(({ moved }) => moved)].sort((a, b) => a.start - b.start),
    leftOut: outcome.leftOut.filter((line) => !placed.has(line)),
  };
}

/**
 * A finding for each line that is not spoken.
 *
 * @param labelAt Timecode of a time on the programme clock.
 */
export function leftOutFindings({ leftOut }: ScriptOutcome, labelAt: (seconds: number) => string): Finding[] {
  return leftOut.map(({ text, start, end, reason, neededSeconds, lackingSeconds, waysOut }) => {
    const ways = waysOut.filter(({ isPossible }) => isPossible).map(({ outcome }) => outcome);
    const needs = `it needs ${neededSeconds.toFixed(1)} s`;
    const lacks =
      lackingSeconds > 0 ? `${needs} and lacks ${lackingSeconds.toFixed(1)} s` : neededSeconds > 0 ? needs : "";
    const why = [REASONS[reason] ?? "", lacks].filter((part) => part !== "").join("; ");
    const help = ways.length === 0 ? "" : `. Ways out: ${ways.join("; ")}`;
    return {
      rule: "script-left-out",
      severity: "fail",
      cueIds: [],
      message: `“${text}” at ${labelAt(start)} is not spoken${why === "" ? "" : `: ${why}`}${help}`,
      range: { start, end },
      measured: neededSeconds,
      limit: Math.max(0, neededSeconds - lackingSeconds),
      unit: "s",
      source: "a person's script is spoken as it is",
    };
  });
}

const REASONS: Readonly<Record<string, string>> = {
  "no-gap-near": "no pause is near",
  "too-long": "no pause near it is long enough",
  "longer-than-programme": "the programme ends before it would",
  crowded: "other descriptions have its place",
  "nothing-to-say": "it has no word to speak",
  "no-sound": "the voice gave no sound for it",
  "after-end": "it begins after the programme's end",
  reworded: "the service says other words in its place",
};
