import type { TimeRange } from "./time-range.ts";
import type { DialogueLine } from "./transcript.ts";

/** What is said last before a description: whoever speaks it waits for these words. */
export interface DialogueInCue {
  /** The last words of the line, at most {@link MOST_WORDS}; "…" stands for what is left out before them. */
  readonly text: string;
  readonly speaker?: string;
  /** Seconds from the line's end to the description, 0 where the description begins in the line. */
  readonly secondsBefore: number;
}

/** Words of an in-cue: as many as a speaker takes in at a glance. */
const MOST_WORDS = 8;

/**
 * The dialogue in-cue of each description, in their order; `null` where nobody speaks between the description before it and
 * itself: it follows on that one.
 *
 * @param cues Descriptions in order of time.
 * @param dialogue What is said, in order of time.
 */
export function dialogueInCues(
  cues: readonly TimeRange[],
  dialogue: readonly DialogueLine[],
): readonly (DialogueInCue | null)[] {
  let next = 0;
  return cues.map(({ start }, index) => {
    while ((dialogue[next]?.start ?? Number.POSITIVE_INFINITY) < start) next += 1;
    const line = dialogue[next - 1];
    const before = cues[index - 1];
    if (line === undefined || (before !== undefined && line.end <= before.start)) return null;
    const words = line.text.split(/\s+/).filter((word) => word !== "");
    const text = `${words.length > MOST_WORDS ? "… " : ""}${words.slice(-MOST_WORDS).join(" ")}`;
    const speaker = line.speaker === undefined ? {} : { speaker: line.speaker };
    return { text, ...speaker, secondsBefore: Math.max(0, start - line.end) };
  });
}
