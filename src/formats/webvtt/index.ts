// WebVTT: its reader follows the W3C's algorithm (webvtt.ts), its writer is write-webvtt.ts.
import { defined } from "../../core/objects.ts";
import type { Format } from "../format.ts";
import { type DocumentExtra, present } from "../timeline-document.ts";
import { parseWebVtt, writeWebVtt } from "./webvtt.ts";

/** WebVTT, with its signature or without. */
export const WEBVTT = {
  title: "WebVTT",
  endings: ["vtt", "webvtt"],
  shows({ head, arrows }) {
    if (/^WEBVTT(?=\s|$)/.test(head)) return 1;
    return arrows === null || arrows.hasComma ? 0 : arrows.isNumbered ? 0.5 : 0.59;
  },
  read: (text, film) => parseWebVtt(text, {}, film),
  details: (text) => ({ extras: webVttExtras(text) }),
  write: ({ cues, title, language }) => writeWebVtt(cues, defined({ title, language })),
} as const satisfies Format;

/** Settings of a WebVTT cue that say where it is shown. */
const PLACING = /(?:^|\s)(?:line|position|region):\S/;

function webVttExtras(text: string): DocumentExtra[] {
  const { entries, asides } = parseWebVtt(text);
  const count = (kind: (typeof asides)[number]["kind"]) => asides.filter((aside) => aside.kind === kind).length;
  return present([
    ["notes", count("NOTE")],
    ["style sheets", count("STYLE")],
    ["regions", count("REGION")],
    ["cues placed on the picture", entries.filter((cue) => PLACING.test(cue.settings)).length],
    ["cues with markup", entries.filter((cue) => /<[a-z\d/]/i.test(cue.text)).length],
    ["line breaks inside a cue", entries.filter((cue) => cue.text.includes("\n")).length],
  ]);
}
