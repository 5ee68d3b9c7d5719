import { parseCueTable } from "./cue-table.ts";
import { type CueFormat, detectFormat } from "./detect.ts";
import { type FormatReader, type FormatReading, type ReadText, readBy } from "./read-by.ts";
import { SERVICE_READERS } from "./read-service-text.ts";
import { parseSbv } from "./sbv.ts";
import { SELDOM_READERS, type SeldomFormat } from "./seldom-formats.ts";

/** What a caller knows about a text before it is read. */
export type CueReading = FormatReading<CueFormat>;

/** Cues of a text in any format that carries cues alone. */
export type ReadCues = ReadText<CueFormat>;

/** Readers of the formats that have a row of their own. */
// A table made of every entry of another has its keys, which Object.fromEntries forgets.
const SELDOM = Object.fromEntries(SELDOM_READERS.map(([format, { read }]) => [format, read])) as Record<
  SeldomFormat,
  FormatReader
>;

const READERS: Readonly<Record<CueFormat, FormatReader>> = {
  ...SERVICE_READERS,
  sbv: parseSbv,
  csv: parseCueTable,
  tsv: parseCueTable,
  ...SELDOM,
};

/**
 * Reads cues from a text in any format. Never throws on a text: what cannot be read is in the issues, and cues are empty
 * when nothing can. A format given by the caller gives way where the text plainly is in another, or yields no cue in it.
 * Timelines, TTML and other formats that are seldom handed around are named but not read here; `readDocument` reads them.
 */
export function readCues(text: string, reading: CueReading = {}): ReadCues {
  return readBy(READERS, text, reading, detectFormat(text, reading.filename));
}
