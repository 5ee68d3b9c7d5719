import { overlapDuration, type TimeRange } from "./time-range.ts";

/** A pause that nobody has written a description for yet: a person is to. On the programme clock. */
export interface PauseToWrite extends TimeRange {
  readonly id: string;
  /** How many words a voice can say in it; see {@link unit}. */
  readonly words: number;
  /** What `words` counts, where it is not words: the language does not part them by spaces. */
  readonly unit?: "characters";
  /** What was measured of the picture, in a few English words each: `dark`, `2 cuts`, `mostly blue`. */
  readonly hints: readonly string[];
  /** The line of dialogue shortly before it, and the one shortly after; absent where nobody knows of any. */
  readonly before?: string;
  readonly after?: string;
}

/** The id of the `index`-th pause, counted from 0. No description has such an id unless it was written for that pause. */
export function pauseIdAt(index: number): string {
  return `pause-${String(index + 1).padStart(4, "0")}`;
}

/** What a pause offers, in words: `13 words, 5.2 s`. */
export function pauseRoom({ start, end, words, unit }: Omit<PauseToWrite, "hints">): string {
  const counted = unit ?? (words === 1 ? "word" : "words");
  return `${words} ${counted}, ${(end - start).toFixed(1)} s`;
}

/** Name of the marker of a pause. */
export function pauseName(pause: PauseToWrite): string {
  return `To write: ${pauseRoom(pause)}`;
}

const NAME = "To write: \\d+ (?:words?|characters), \\d+\\.\\d s";

/** Whether a marker's name is that of a pause. */
export function isPauseName(name: string): boolean {
  return new RegExp(`^${NAME}$`, "u").test(name);
}

/**
 * Whether a text is nothing but what stands for a pause on a timeline: its name, its tag, or both in any order. It is no
 * description, whatever format it was read from.
 */
export function isPlaceholder(text: string): boolean {
  // Most texts are told apart by a look at a few letters.
  if (!(text.includes("To write: ") || text.includes("·pause-"))) return false;
  return new RegExp(`^(?:${NAME}|\\s|AD·pause-\\d+)+$`, "u").test(text);
}

/** Seconds that a description may reach into a pause without the pause being its own: rounding to frames. */
const TOUCHING_SECONDS = 0.1;

/** The pauses that are still to be written: no description has their id, and none lies in them. */
export function openPauses(
  pauses: readonly PauseToWrite[],
  cues: readonly (TimeRange & { readonly id: string })[],
): PauseToWrite[] {
  const written = new Set(cues.map(({ id }) => id));
  return pauses.filter(
    (pause) => !written.has(pause.id) && cues.every((cue) => overlapDuration(cue, pause) < TOUCHING_SECONDS),
  );
}
