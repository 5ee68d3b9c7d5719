// TTML and its profiles: read by parse-ttml.ts, written as DAPT by write-dapt.ts.
import { defined } from "../../core/objects.ts";
import type { Format } from "../format.ts";
import { type DocumentExtra, present } from "../timeline-document.ts";
import { parseTtml, type TtmlEvent } from "./parse-ttml.ts";
import { writeDapt } from "./write-dapt.ts";

/** TTML; what is written is DAPT. */
export const TTML = {
  title: "TTML, written as DAPT",
  endings: ["ttml", "dfxp", "dapt"],
  shows: ({ xmlRoot }) => (xmlRoot === "tt" ? 1 : 0),
  read(text, film) {
    const { events: _events, grid: _grid, language, ...read } = parseTtml(text, film);
    return { ...read, ...(language === "" || language === "und" ? {} : { language }) };
  },
  details(text) {
    const { grid, events } = parseTtml(text);
    return { ...defined({ grid }), extras: ttmlExtras(events) };
  },
  write: ({ cues, title, language }, grid) => writeDapt(cues, defined({ title, language, grid })),
} as const satisfies Format;

function ttmlExtras(events: readonly TtmlEvent[]): DocumentExtra[] {
  const languages = (texts: readonly { language: string }[]) => new Set(texts.map((one) => one.language)).size;
  return present([
    ["texts in a further language", events.filter((event) => languages(event.texts) > 1).length],
    ["gains of the programme", events.filter((event) => event.gain !== undefined).length],
    ["notes", events.reduce((sum, event) => sum + event.descriptions.length, 0)],
    ["statements of what a cue represents", events.filter((event) => event.represents !== "").length],
  ]);
}
