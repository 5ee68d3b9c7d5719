import { countWords } from "../../core/speaking-time.ts";
import type { TextRows } from "./text-rows.ts";
import type { TimedRow } from "./timed-rows.ts";

/** Endings of files of pictures, sound and projects. */
const FILE =
  /(?:^|[\\/])[^\\/]*\.(?:mov|mp4|m4v|mxf|avi|mkv|mts|r3d|braw|ari|wav|wave|aiff?|mp3|m4a|flac|exr|dpx|tiff?|png|jpe?g|psd|tga|prproj|drp|aaf|edl|xml|srt)$/i;

/** A place in a file system: absolute, or with a folder before a name without blanks. */
const PATH = /^(?:\/|\\\\|[A-Za-z]:[\\/]|\.{1,2}[\\/]|file:)\S|^[\w.-]+[\\/][\w.\\/-]+$/;

/** Letters of a reel, a shot or a clip, and digits: `A001C002`, `FER_010_0010`. */
const CODE = /^(?=[^\d]*\d)[A-Z\d][A-Z\d_.-]{3,}$/;

/** What names are that are no wording: `file` where they say so, `code` of a reel, a shot or a clip; `null` for any other text. */
export function kindOfName(text: string): "file" | "code" | null {
  return FILE.test(text) || PATH.test(text) ? "file" : CODE.test(text) ? "code" : null;
}

/** Words tied by `_`, the ending of a file, black and what has no reel. */
const NAME = /[^\s_]_+[^\s_]|\.(?=\d?[a-z])[a-z\d]{2,4}$|^(?:BL|BLACK|AX)$/i;

/** Scripts that part no words: a sentence of theirs stands there as one. */
const UNPARTED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Whether a text may be meant to be spoken: it has letters, and is no name of a file, reel or shot (`A036C010`, `REEL.NEW`). */
export function isWording(text: string): boolean {
  const isOneCode = !/\s/.test(text) && !UNPARTED.test(text) && /[\d.]/.test(text.slice(0, -1));
  return /\p{L}/u.test(text) && !isOneCode && !NAME.test(text) && kindOfName(text) === null;
}

/** Whether a name is a sentence, and so may be meant to be spoken: titles, scenes, takes and generated names are none. */
function isSentence(text: string): boolean {
  const isClosed = /[.!?…。！？؟।]["'”’»)]*$/u.test(text);
  // Writing without capitals or blanks shows itself by its full stop alone.
  const isProse = /\p{Ll}/u.test(text) ? countWords(text) > 2 : /\p{Lo}/u.test(text);
  return isClosed && isProse && isWording(text);
}

/** Rows of one kind that a text has, and how far what stands there is meant to be spoken. */
export interface WordSource {
  /**
   * - `words`: all of it.
   * - `words, or names alone`: all of it, if any of it is a wording.
   * - `words among names`: each that is a wording.
   * - `sentences among names`: each that is a sentence.
   */
  readonly holds: "words" | "words, or names alone" | "words among names" | "sentences among names";
  /** Whether these are the names of clips, which are rarely meant to be read out: it is told where they are taken. */
  readonly areClipNames?: boolean;
  /** Asked for where no kind before it holds words. */
  readonly rows: () => readonly TimedRow[];
}

/** Why a list without words is refused, and what to give in its place. */
const NAMES_ALONE =
  "it holds names of clips and no words: put the words into comments or markers, or give the list of descriptions";

/**
 * The rows of the first kind that holds words, without what is not seen or heard, which is told. Names that are left out are counted
 * in an issue; where nothing but the names of clips is found, the text is refused. Empty where no kind holds any words.
 */
export function wordedRows(sources: readonly WordSource[], gathered: TextRows): readonly TimedRow[] {
  const { issues } = gathered;
  let isOfClips = false;
  for (const { holds, areClipNames = false, rows } of sources) {
    const filled = rows().filter(({ text }) => text !== "");
    isOfClips ||= areClipNames && filled.length > 0;
    const isMeant = ({ text }: TimedRow) =>
      holds === "words" || (holds === "sentences among names" ? isSentence(text) : isWording(text));
    const words = filled.filter(isMeant);
    const isWhole = holds === "words, or names alone";
    const name = isWhole ? undefined : filled.find((row) => !isMeant(row));
    if (name !== undefined)
      issues.add("name-not-words", name.line, name.text, `${filled.length - words.length} in all`);
    if (words.length === 0) continue;
    const taken = isWhole ? filled : words;
    const seen = taken.filter(({ hidden }) => hidden === undefined);
    for (const { hidden, text } of taken) if (hidden !== undefined) gathered.leaveOut(hidden, 1, [text]);
    const [first] = seen;
    if (areClipNames && first !== undefined) issues.add("text-from-clip-name", first.line, first.text);
    return seen;
  }
  if (isOfClips) gathered.refuse(NAMES_ALONE);
  return [];
}
