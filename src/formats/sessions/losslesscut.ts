import type { CueDocument } from "../cue-list.ts";
import type { Format } from "../format.ts";
import type { FilmReading } from "../gate/film-reading.ts";
import { TextRows } from "../gate/text-rows.ts";
import { foldWhiteSpace } from "../plain-markup.ts";
import { parseDelimited } from "../table/delimited.ts";
import { normalizeLineEnds } from "../text-lines.ts";

/** Start, end and label; a start that is left out is that of the film, an end that is left out is open. */
const ROW = /^(?:(\d{1,9}(?:\.\d{1,9})?)?,(\d{1,9}(?:\.\d{1,9})?)|(\d{1,9}(?:\.\d{1,9})?),),(?:"(?:[^"]|"")*"|[^",]*)$/;

function isLosslessCut(lines: readonly string[]): boolean {
  const filled = lines.filter((line) => line.trim() !== "");
  return filled.length > 0 && filled.every((line) => ROW.test(line)) && /\p{L}/u.test(filled.join(""));
}

/** Reads the cuts that LosslessCut exports as CSV: seconds, seconds, label, without a head. Accepts any text. */
function parseLosslessCut(text: string, film: FilmReading = {}): CueDocument {
  const rows = new TextRows(film);
  rows.clock = { counts: "numbers", unit: "s" };
  for (const { values, line } of parseDelimited(normalizeLineEnds(text), ",")) {
    const [start = "", end = "", label = ""] = values.map((value) => value.trim());
    if (values.length < 3 && values.join("").trim() === "") continue;
    const [from, to] = [Number(start), end === "" ? null : Number(end)];
    if (Number.isNaN(from) || Number.isNaN(to ?? 0)) rows.issues.add("bad-timing", line, values.join(" "));
    else rows.add("", from, to, foldWhiteSpace(label), line);
  }
  return rows.document();
}

/** Cuts of LosslessCut. */
export const LOSSLESSCUT = {
  title: "Cuts of LosslessCut",
  endings: [],
  shows: ({ lines }) => (isLosslessCut(lines) ? 1 : 0),
  read: parseLosslessCut,
} as const satisfies Format;
