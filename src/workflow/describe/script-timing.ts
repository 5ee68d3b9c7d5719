import type { Cue } from "../../core/cue.ts";

/**
 * The texts of a translation at the times of the descriptions that it translates: cue by cue by id where every text has
 * the id of one, else in order. A text that is missing leaves its time empty where ids tell which one it is.
 *
 * @returns `null` when neither ids nor numbers match.
 */
export function scriptOnTiming(texts: readonly Pick<Cue, "id" | "text">[], timing: readonly Cue[]): Cue[] | null {
  const times = new Map(timing.map((cue) => [cue.id, cue]));
  const named = texts.flatMap(({ id, text }) => {
    const cue = times.get(id);
    return cue === undefined ? [] : [{ ...cue, text }];
  });
  const isNamed = named.length === texts.length && new Set(texts.map(({ id }) => id)).size === texts.length;
  if (texts.length === timing.length && !isNamed) {
    return timing.map((cue, index) => ({ ...cue, text: texts[index]?.text ?? "" }));
  }
  return isNamed && texts.length > 0 ? named.sort((a, b) => a.start - b.start) : null;
}
