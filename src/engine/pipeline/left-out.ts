import type { LeftOutLine } from "../../contract/job.ts";
import type { WrittenDescription } from "../describe/describer.ts";
import type { UnplacedWithSeconds } from "./fit.ts";

/** A line that is left out as a sentence tells of it. */
type ToldLine = Pick<LeftOutLine, "text" | "reason">;

const REASONS: Readonly<Record<LeftOutLine["reason"], string>> = {
  "no-gap-near": "no gap lies near its picture",
  "too-long": "it is longer than every gap near its picture",
  "longer-than-programme": "it is longer than what is left of the programme",
  "added-time": "the time that holds may add went to what matters more",
  crowded: "its place went to other descriptions",
  "nothing-to-say": "it has no word to speak",
  "after-end": "it begins after the programme's end",
};

/** A sentence for each description that found no place, so that nothing is left out silently. */
export function leftOutNotes(lines: readonly ToldLine[]): string[] {
  return lines.map(({ text, reason }) => `Left out, because ${REASONS[reason]}: "${text}"`);
}

/**
 * The lines of a script that have no place, in order of time, at the script's own times.
 *
 * @param written The script's lines, those after the programme's end apart.
 */
export function leftOutLines(
  unplaced: readonly UnplacedWithSeconds[],
  written: { readonly descriptions: readonly WrittenDescription[]; readonly late?: readonly WrittenDescription[] },
): LeftOutLine[] {
  const times = new Map(written.descriptions.map(({ id, picture }) => [id, picture]));
  const without = unplaced.flatMap(({ id, text, seconds, reason }): LeftOutLine[] => {
    const time = times.get(id);
    return time === undefined ? [] : [{ text, ...time, seconds, reason }];
  });
  const late = (written.late ?? []).map(({ wordings, picture }): LeftOutLine => {
    const { start, end } = picture;
    return { text: wordings[0] ?? "", start, end, seconds: end - start, reason: "after-end" };
  });
  return [...without, ...late].sort((a, b) => a.start - b.start);
}
