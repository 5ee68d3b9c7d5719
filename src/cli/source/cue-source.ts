import { basename } from "node:path";
import type { Cue } from "../../core/cue.ts";
import { withoutEnding } from "../../core/local-file.ts";
import type { FrameGrid } from "../../core/settings.ts";
import { detectFormat, type ReadDocument, readDocument, writeWebVtt } from "../../formats/index.ts";
import { SERVICE_FORMATS } from "../../formats/service-formats.ts";
import { type ReadBackContext, readBack } from "../../workflow/place/read-back.ts";
import { issueLines, receiptLines } from "../shell/output.ts";
import { chosenColumns, textReading } from "../shell/run-command.ts";
import { UsageError } from "../shell/usage-error.ts";
import { readTextFile } from "./text-file.ts";

/** What helps to read a file of cues. */
export interface CueSourceHints {
  /** Frame grid of a file that counts frames and states none. */
  readonly grid?: FrameGrid;
  /** What was placed: markers that stand where they were put give their exact times back, on the programme's clock. */
  readonly placed?: NonNullable<ReadBackContext["record"]>;
}

/**
 * Reads the descriptions of a file: of a timeline the markers of ours, where it has such, else all; of anything else its
 * cues.
 *
 * @throws UsageError when it holds none; HostError when it cannot be read.
 */
export async function readCueSource(path: string, hints: CueSourceHints = {}): Promise<ReadDocument> {
  const document = readDocument(await readTextFile(path), {
    filename: basename(path),
    ...chosenColumns(),
    ...(hints.grid === undefined ? {} : { grid: hints.grid }),
  });
  const cues = cuesOf(document, hints.placed);
  if (cues.length === 0)
    throw new UsageError(`"${basename(path)}": ${whyUnread(document) ?? "it holds no cue that can be read"}`);
  return { ...document, cues };
}

/** Why nothing was read of a document, with what to do: the choices where it may be meant in several ways; `null` where it says nothing. */
export function whyUnread({ verdict }: Pick<ReadDocument, "verdict">): string | null {
  if (verdict?.kind === "does not fit") return verdict.why;
  if (verdict?.kind !== "unsure") return null;
  const choices = verdict.readings.map(({ label, option, preview }) => {
    const [first] = preview;
    return `${option} for ${label}${first === undefined ? "" : ` (“${first.text}”)`}`;
  });
  return `${verdict.question} Choose ${choices.join(", or ")}`;
}

/** The descriptions of a document: of a timeline the markers of ours, where it has such; else all cues. */
export function cuesOf(document: ReadDocument, placed?: CueSourceHints["placed"]): readonly Cue[] {
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
}

/**
 * The captions or the script of a file, as they are in a format of the service's interface. In any other (tables, documents of Word
 * and Excel, TTML, EBU STL, timelines) they become WebVTT, and what is left out or assumed is told.
 *
 * @throws HostError when the file cannot be read; UsageError for a table whose columns have to be chosen first, or that is none of cues.
 */
export async function readGivenText(path: string): Promise<GivenText> {
  const content = await readTextFile(path);
  const filename = basename(path);
  const found = detectFormat(content, filename);
  if (found === null || Object.hasOwn(SERVICE_FORMATS, found.format)) return { content, filename };
  const document = readDocument(content, { filename, ...chosenColumns() });
  const cues = cuesOf(document);
  const why = cues.length === 0 ? whyUnread(document) : null;
  if (why !== null) throw new UsageError(`"${filename}": ${why}`);
  // Nothing in it has a time: whoever is given it says so.
  if (cues.length === 0) return { content, filename };
  const told = document.issues.filter(
    ({ effect, code }) => effect === "dropped" || effect === "assumed" || code === "direction",
  );
  for (const line of [...receiptLines(document.receipt), ...issueLines(told)])
    textReading()?.tell(`"${filename}", ${line}`);
  return { content: writeWebVtt(cues), filename: `${withoutEnding(filename)}.vtt` };
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
