import { alignCues, foldedWords } from "../../core/align-cues.ts";
import type { Cue } from "../../core/cue.ts";

/**
 * The cues of a file as an editor left them, told apart from what its format rounds. A cue that is as the file had it when it was
 * written keeps the exact time, the exact length and the words of the result.
 *
 * @param exact The cues of the result.
 * @param written The same as the format gives them back, under the same ids.
 * @param toleranceSeconds Times nearer than this are one time of the format.
 * @returns Under the ids of the result; cues of the editor's own have fresh ones.
 */
export function unrounded(
  cues: readonly Cue[],
  exact: readonly Cue[],
  written: readonly Cue[],
  toleranceSeconds: number,
): Cue[] {
  const isNear = (a: number, b: number) => Math.abs(a - b) < toleranceSeconds;
  const before = new Map(exact.map((cue) => [cue.id, cue]));
  const inFile = new Map(written.map((cue) => [cue.id, cue]));
  return alignCues(written, cues).map((cue) => {
    const was = before.get(cue.id);
    const had = inFile.get(cue.id);
    if (was === undefined || had === undefined) return cue;
    const isSame = (now: number, then: number, exactly: number) => isNear(now, then) || isNear(now, exactly);
    const start = isSame(cue.start, had.start, was.start) ? was.start : cue.start;
    const seconds = was.end - was.start;
    const isAsLong = isSame(cue.end - cue.start, had.end - had.start, seconds);
    const end = !isAsLong ? start + (cue.end - cue.start) : start === was.start ? was.end : start + seconds;
    const text = foldedWords(cue.text) === foldedWords(had.text) ? was.text : cue.text;
    return { id: cue.id, start, end, text };
  });
}
