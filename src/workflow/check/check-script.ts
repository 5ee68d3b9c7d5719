import type { Cue } from "../../core/cue.ts";
import type { Finding } from "../../core/finding.ts";
import { countWords, spokenWords } from "../../core/speaking-time.ts";
import { above } from "./check.ts";
import type { CheckProfile } from "./check-profile.ts";

/** A name that descriptions do without until the programme gives it. */
export interface IntroducedName {
  readonly name: string;
  /** When the programme gives it, in seconds on the programme clock. */
  readonly from: number;
}

const NAME_SOURCE = "Netflix AD style guide 2.5: a name is withheld until the film gives it";
const REPETITION_SOURCE = "CRIM VDQUAL: repetition";
const STYLE_SOURCE = "DCMP Description Key: describe what is there, not that it is seen";

/** Checks words: sentences too long, phrases of the profile, the same words again, names before they are introduced. */
export function checkTexts(cues: readonly Cue[], profile: CheckProfile, names: readonly IntroducedName[]): Finding[] {
  return [
    ...cues.flatMap((cue) => longSentences(cue, profile)),
    ...cues.flatMap((cue) => forbidden(cue, profile.forbiddenPhrases)),
    ...repeated(cues),
    ...cues.flatMap((cue) => early(cue, names)),
  ];
}

function longSentences(cue: Cue, { sentenceWords }: CheckProfile): Finding[] {
  const most = Math.max(0, ...cue.text.split(/[.!?…。！？]+/u).map(countWords));
  return above(sentenceWords, most, "sentence-length", [cue], `one sentence has ${most} words`);
}

function forbidden(cue: Cue, phrases: readonly string[]): Finding[] {
  const text = ` ${spokenWords(cue.text)} `;
  return phrases.flatMap((phrase): Finding[] => {
    if (!text.includes(` ${spokenWords(phrase)} `)) return [];
    const message = `the description says “${phrase}”`;
    return [{ rule: "phrase", severity: "warn", cueIds: [cue.id], message, source: STYLE_SOURCE }];
  });
}

function repeated(cues: readonly Cue[]): Finding[] {
  const first = new Map<string, Cue>();
  return cues.flatMap((cue): Finding[] => {
    const words = spokenWords(cue.text);
    const earlier = first.get(words);
    if (earlier === undefined) {
      first.set(words, cue);
      return [];
    }
    const message = "it says the same as an earlier description";
    return [{ rule: "repeated", severity: "warn", cueIds: [earlier.id, cue.id], message, source: REPETITION_SOURCE }];
  });
}

function early(cue: Cue, names: readonly IntroducedName[]): Finding[] {
  const text = ` ${spokenWords(cue.text)} `;
  return names.flatMap(({ name, from }): Finding[] => {
    if (cue.start >= from || !text.includes(` ${spokenWords(name)} `)) return [];
    const message = `“${name}” is named ${(from - cue.start).toFixed(1)} s before the programme gives the name`;
    return [{ rule: "name-early", severity: "warn", cueIds: [cue.id], message, source: NAME_SOURCE }];
  });
}

const SOURCE = "order of events, as broadcast quality control of descriptions checks it (Starfish Advantage)";

/**
 * Finds descriptions whose number is out of order: number 7 stands behind number 9. Numbers are those of the script, the
 * order is that of time; of two that changed places, one is listed. Ids without a number, and copies, are passed over.
 *
 * @param cues In order of time.
 */
export function checkOrder(cues: readonly Cue[]): Finding[] {
  const series = new Map<string, { readonly cue: Cue; readonly number: number }[]>();
  for (const cue of cues) {
    const [, stem, digits] = /^(.*?)(\d+)$/.exec(cue.id) ?? [];
    if (stem === undefined || digits === undefined) continue;
    const numbered = series.get(stem) ?? [];
    numbered.push({ cue, number: Number(digits) });
    series.set(stem, numbered);
  }
  return [...series.values()].flatMap((numbered) => {
    const inOrder = longestRise(numbered.map(({ number }) => number));
    return numbered.flatMap(({ cue, number }, index): Finding[] => {
      if (inOrder.has(index)) return [];
      const later = numbered
        .slice(0, index)
        .reverse()
        .find((one) => one.number > number);
      const message =
        later === undefined
          ? `number ${number} of the script stands before lower numbers`
          : `number ${number} of the script stands behind number ${later.number}`;
      return [{ rule: "order", severity: "warn", cueIds: [cue.id], message, source: SOURCE }];
    });
  });
}

/** Places of a longest run of rising numbers; all others are the fewest that would have to move. */
function longestRise(numbers: readonly number[]): Set<number> {
  // Patience: the place of the lowest end of a rise of each length, and where each rise came from.
  const ends: number[] = [];
  const from: (number | undefined)[] = [];
  for (const [index, number] of numbers.entries()) {
    let length = ends.findIndex((end) => (numbers[end] ?? 0) >= number);
    if (length === -1) length = ends.length;
    from[index] = ends[length - 1];
    ends[length] = index;
  }
  const places = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = from[at]) places.add(at);
  return places;
}
