import { basename } from "node:path";
import type { Cue } from "../../core/cue.ts";
import { withoutEnding } from "../../core/local-file.ts";
import { isSameTime } from "../../core/time-range.ts";
import { receiptLines } from "../../core/verdict.ts";
import { formatClockTime } from "../../formats/clock-time.ts";
import { type FilmReading, type ReadDocument, readDocument, writeWebVtt } from "../../formats/index.ts";
import { readServiceText, SERVICE_FORMATS } from "../../formats/service-formats.ts";
import { TextHeldBack } from "../../workflow/errors.ts";
import { type ReadBackContext, readBack } from "../../workflow/place/read-back.ts";
import { issueLines, optionOf } from "../shell/output.ts";
import { chosenReading, textReading } from "../shell/run-command.ts";
import { UsageError } from "../shell/usage-error.ts";
import { readTextFile } from "./text-file.ts";

/** What helps to read a file of cues. */
export interface CueSourceHints extends FilmReading {
  /** What was placed: markers that stand where they were put give their exact times back, on the programme's clock. */
  readonly placed?: NonNullable<ReadBackContext["record"]>;
}

/**
 * Reads the descriptions of a file: of a timeline the markers of ours, where it has such, else all; of anything else its
 * cues.
 *
 * @throws UsageError when it holds none; TextHeldBack where it may be meant in several ways, or is not of the film; HostError when it
 * cannot be read.
 */
export async function readCueSource(path: string, { placed, ...film }: CueSourceHints = {}): Promise<ReadDocument> {
  const filename = basename(path);
  const document = readDocument(await readTextFile(path), { filename, ...film, ...chosenReading() });
  const cues = cuesOf(document, placed);
  if (cues.length > 0) return { ...document, cues };
  throw unread(filename, document) ?? new UsageError(`"${filename}" holds no cue that can be read`);
}

/** Why nothing of a document is used, with what to do: the choices where it may be meant in several ways; `null` where it says nothing. */
export function unread(filename: string, { verdict }: Pick<ReadDocument, "verdict">): TextHeldBack | null {
  if (verdict?.kind === "does not fit") {
    const { why, mend } = verdict;
    return new TextHeldBack(`"${filename}": ${why}${mend === undefined ? "" : ` (${MENDED_BY[mend]})`}`, verdict);
  }
  if (verdict?.kind !== "unsure") return null;
  const choices = verdict.readings.map(({ label, choice, fitting, lines, preview }) => {
    const first = preview.map(({ start, text }) => `\n    ${formatClockTime(start)}  ${text}`).join("");
    return `\n  ${optionOf(choice)}: ${label} (${fitting} of ${lines} lines fit)${first}`;
  });
  return new TextHeldBack(`"${filename}": ${verdict.question} Choose one:${choices.join("")}\n`, verdict);
}

/** The option that says what was missing, as an example. */
const MENDED_BY = {
  start: "--text-start 10:00:00:00",
  unit: "--text-unit ms",
  column: "--columns text=C",
  rate: "--rate 25",
} as const;

/** The descriptions of a document: of a timeline the markers of ours, where it has such; else all cues. */
function cuesOf(document: ReadDocument, placed?: CueSourceHints["placed"]): readonly Cue[] {
  return ownCues(document, placed) ?? document.cues;
}

function ownCues({ timeline }: ReadDocument, placed: CueSourceHints["placed"]): readonly Cue[] | null {
  if (timeline === undefined) return null;
  const whole = { offsetSeconds: 0, durationSeconds: Number.MAX_SAFE_INTEGER };
  const { cues, markers } = readBack({ timeline, record: placed ?? null, ...whole });
  // Where ours are there, other markers are no descriptions, even if nobody has written a word yet.
  return markers.length > 0 ? cues : null;
}

/** Captions or a script as a service takes them. */
export interface GivenText {
  readonly content: string;
  /** Name that goes with the text; its ending is that of the text's format. */
  readonly filename: string;
  /** What was read, left out and assumed, a line each. */
  readonly told: readonly string[];
}

/**
 * The captions or the script of a file. They stay as they are where a service reads the same in them by itself; else (tables, documents
 * of Word and Excel, EBU STL, timelines; times on the film's timecode or in milliseconds) they become WebVTT on the film's
 * clock. What was read, left out or assumed is told.
 *
 * @param film What is known of the film that they belong to.
 * @throws HostError when the file cannot be read; TextHeldBack where it may be meant in several ways, or is not of the film.
 */
export async function readGivenText(path: string, film: FilmReading = {}): Promise<GivenText> {
  const content = await readTextFile(path);
  const filename = basename(path);
  const document = readDocument(content, { filename, ...film, ...chosenReading() });
  const cues = cuesOf(document);
  const held = cues.length === 0 ? unread(filename, document) : null;
  if (held !== null) throw held;
  // Nothing in it has a time: whoever is given it says so.
  if (cues.length === 0) return { content, filename, told: [] };
  const told = document.issues.filter(
    ({ effect, code }) => effect === "dropped" || effect === "assumed" || code === "direction",
  );
  const isPlain =
    document.format !== null &&
    Object.hasOwn(SERVICE_FORMATS, document.format) &&
    // What a person chose is not to be asked again.
    Object.keys(chosenReading()).length === 0 &&
    isSame(content, filename, cues);
  const lines = [...receiptLines(document.receipt), ...(isPlain ? [] : issueLines(told))].map(
    (line) => `"${filename}", ${line}`,
  );
  for (const line of lines) textReading()?.tell(line);
  if (isPlain) return { content, filename, told: lines };
  return {
    content: writeWebVtt(cues, { isOnFilmClock: true }),
    filename: `${withoutEnding(filename)}.vtt`,
    told: lines,
  };
}

/** Whether a text is read as these cues by whoever knows nothing of the film. */
function isSame(content: string, filename: string, cues: readonly Cue[]): boolean {
  const alone = readServiceText(content, { filename }).cues;
  return (
    alone.length === cues.length &&
    alone.every(({ start, end, text }, index) => {
      const cue = cues[index];
      return cue !== undefined && isSameTime(start, cue.start) && isSameTime(end, cue.end) && text === cue.text;
    })
  );
}

/**
 * One of the product's profiles or presets by its name, or one of the user's by a JSON file.
 *
 * @param option The option that names it, for messages.
 * @param parse Reads a file; a sentence about what cannot be used, else.
 * @throws UsageError for a name that is not known, or a file that cannot be used.
 */
export async function namedOrOwn<Item extends { readonly name: string }>(
  option: string,
  name: string,
  known: readonly Item[],
  parse: (text: string) => Item | string,
): Promise<Item> {
  const found = known.find((item) => item.name === name);
  if (found !== undefined) return found;
  if (!name.endsWith(".json")) {
    const names = known.map((item) => item.name).join(", ");
    throw new UsageError(`--${option}: there is no "${name}"; give ${names} or a .json file`);
  }
  const own = parse(await readTextFile(name));
  if (typeof own === "string") throw new UsageError(`--${option} ${basename(name)}: ${own}`);
  return own;
}
