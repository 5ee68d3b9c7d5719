import type { TimeRange } from "./time-range.ts";

/**
 * One description: the words that describe picture, and when they are spoken.
 *
 * `start` and `end` are seconds on the programme clock. `id` is stable for the life of the description: it survives
 * re-timing and re-wording, and no two cues of one list share it.
 */
export interface Cue extends TimeRange {
  readonly id: string;
  /** Plain text without markup; paragraphs are joined by a single space, so it never holds a line break. */
  readonly text: string;
}

/** Orders cues by start, then end, then id, so that equal input always gives equal output. */
export function compareCues(a: Cue, b: Cue): number {
  return a.start - b.start || a.end - b.end || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** The id of the `index`-th cue (counted from 0) of a list that brings no ids of its own: `cue-0001`, `cue-0002`, ... */
export function cueIdAt(index: number): string {
  return `cue-${String(index + 1).padStart(4, "0")}`;
}

/** What the sound of one cue was made from. */
export interface VoicedCue {
  /** Fingerprint of its words. */
  readonly words: string;
  /** Seconds on the programme clock. */
  readonly start: number;
  readonly end: number;
  /** Length of its voice in seconds, where it is known to be another than the cue's; absent: it ends at {@link end}. */
  readonly seconds?: number;
  /** BCP-47 code, and the voice's name. */
  readonly language: string;
  readonly voice: string;
  /** The volume asked for: `none`, `auto`, `max`, `max -3`. */
  readonly level: string;
  /** Fingerprint of a person's own recording that is heard in place of the voice. */
  readonly recording?: string;
}

/** What every tag begins with. */
const PREFIX = "AD·";

/** A line that is a tag and nothing else. */
const TAG_LINE = /^\s*AD·(\S+)\s*$/;

/** The last line of a marker's comment, by which a cue is found again. */
export function markerTag(cueId: string): string {
  return `${PREFIX}${cueId.replace(/[\s%]+/gu, encodeURIComponent)}`;
}

/** A marker's comment: the words, which are the editor's to change, and the tag below them. */
export function markerComment(cueId: string, text: string): string {
  return `${text}\n${markerTag(cueId)}`;
}

/**
 * The cue id in a marker's comment and the words around it; `null` for a marker without a tag. The tag is the last line
 * as a rule, but words typed below it are words all the same. Of several tags the last one counts; none of them is words.
 */
export function readMarkerComment(comment: string): { readonly cueId: string; readonly text: string } | null {
  const words: string[] = [];
  let tag: string | undefined;
  for (const line of comment.split(/\r\n|\r|\n/)) {
    const [, alone] = TAG_LINE.exec(line) ?? [];
    tag = alone ?? tag;
    if (alone === undefined) words.push(line);
  }
  return tag === undefined ? null : { cueId: cueIdOf(tag), text: words.join("\n").trim() };
}

/** The words of a marker that is known to be a cue's, whatever became of its tag: gone, or with words behind it. */
export function wordsOfComment(comment: string, cueId: string): string {
  return comment.split(markerTag(cueId)).join("").trim();
}

function cueIdOf(tag: string): string {
  return tag.replace(/(?:%[0-9A-F]{2})+/g, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run; // Not written by markerTag: somebody's own percent sign.
    }
  });
}

/** An id of this stem that nobody has: `cue-0007-2`, `cue-0007-3`, ... */
export function freeCueId(taken: ReadonlySet<string>, stem: string): string {
  if (!taken.has(stem)) return stem;
  let number = 2;
  while (taken.has(`${stem}-${number}`)) number++;
  return `${stem}-${number}`;
}

/** A cue under an id; the same one where it has that. */
export function withId(cue: Cue, id: string): Cue {
  return id === cue.id ? cue : { ...cue, id };
}
