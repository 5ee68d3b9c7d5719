import type { Cue } from "../../core/cue.ts";
import type { Finding } from "../../core/finding.ts";

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
