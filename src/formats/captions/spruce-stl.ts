import { labelTime } from "../clock-time.ts";
import type { CueDocument } from "../cue-list.ts";
import type { Format } from "../format.ts";
import type { FilmReading } from "../gate/film-reading.ts";
import { TextRows } from "../gate/text-rows.ts";
import { addTimedRows } from "../gate/timed-rows.ts";
import { foldWhiteSpace } from "../plain-markup.ts";
import { linesOf } from "../text-lines.ts";

/** An entry: in, out and text, parted by commas; the text may hold more of them. */
const ENTRY = /^[ \t]*(\d\d[:;]\d\d[:;]\d\d[:;.]\d\d)[ \t]*,[ \t]*(\d\d[:;]\d\d[:;]\d\d[:;.]\d\d)[ \t]*,[ \t]*(.*)$/;

/** A setting, such as `$FontName = Arial`. */
const SETTING = /^[ \t]*\$(\w+)[ \t]*=[ \t]*(.*?)[ \t]*$/;

/** Bold, italic and underline, switched on and off. */
const STYLE = /\^[BIU]/g;

/** The setting that marks entries whose text is the name of a picture. */
const PICTURES = "SetFilePathToken";

/** Whether a text shows itself to be Spruce STL: by a setting above its entries, or by marks that no table has. */
function isSpruceStl({ head, lines }: { readonly head: string; readonly lines: readonly string[] }): boolean {
  const filled = lines.filter((line) => line.trim() !== "" && !line.trimStart().startsWith("//"));
  const entries = filled.filter((line) => ENTRY.test(line));
  if (entries.length === 0 || !/^[$/\d]/.test(head)) return false;
  const isWhole = filled.every((line) => ENTRY.test(line) || SETTING.test(line));
  return isWhole && (filled.some((line) => SETTING.test(line)) || entries.some((line) => /\||\^[BIU]/.test(line)));
}

/**
 * Reads text subtitles of Spruce STL as DVD Studio Pro imports them: `|` is a line break, `^B`, `^I` and `^U` are style, lines that
 * begin with `//` are comments. Entries that name pictures hold no words. Accepts any text.
 */
function parseSpruceStl(text: string, film: FilmReading = {}): CueDocument {
  const rows = new TextRows(film);
  const lines = linesOf(text);
  const token = lines.map((line) => SETTING.exec(line)).find((one) => one?.[1] === PICTURES)?.[2];
  const found = lines.flatMap((line, index) => {
    const entry = ENTRY.exec(line);
    const isKnown = line.trim() === "" || line.trimStart().startsWith("//") || SETTING.test(line);
    if (entry === null && !isKnown) rows.issues.add("unknown-line", index + 1, line);
    const [, start = "", end = "", said = ""] = entry ?? [];
    return entry === null ? [] : [{ start, end, said, line: index + 1 }];
  });
  const [picture] = found.filter(({ said }) => token !== undefined && token !== "" && said.startsWith(token));
  if (picture !== undefined) {
    rows.refuse(`its subtitles are pictures (${picture.said.slice(token?.length)}): it holds no words`);
    return rows.document();
  }
  const timed = found.map(({ start, end, said, line }) => {
    const text = foldWhiteSpace(said.replace(STYLE, "").replaceAll("|", " "));
    return { id: "", start: labelTime(start), end: labelTime(end), text, line };
  });
  addTimedRows(timed, rows);
  return rows.document();
}

/** Subtitles of DVDs as text. */
export const SPRUCE_STL = {
  title: "Spruce STL",
  endings: [],
  shows: (probe) => (isSpruceStl(probe) ? 1 : 0),
  read: parseSpruceStl,
} as const satisfies Format;
