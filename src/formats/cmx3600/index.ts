// CMX 3600 edit decision lists: lines are taken apart by parse-edl.ts, and become cues in cmx3600.ts; written by write-cmx3600.ts.
import { defined } from "../../core/objects.ts";
import type { Format } from "../format.ts";
import { present } from "../timeline-document.ts";
import { parseCmx3600 } from "./edl-cues.ts";
import { isEdlEvent, isEdlHead } from "./parse-edl.ts";
import { writeCmx3600 } from "./write-cmx3600.ts";

/** CMX 3600, with comments, locators and the markers of other programs. */
export const CMX3600 = {
  title: "CMX 3600, with comments, locators and Resolve's markers",
  endings: ["edl"],
  shows({ otherLines }) {
    const hasHead = otherLines.some(isEdlHead);
    if (otherLines.some(isEdlEvent)) return hasHead ? 1 : 0.9;
    return hasHead ? 0.5 : 0;
  },
  read(text, reading) {
    const { title: _title, events: _events, ...read } = parseCmx3600(text, reading);
    return read;
  },
  details(text, reading) {
    const { title, events, cues } = parseCmx3600(text, reading);
    const speeds = events.reduce((sum, event) => sum + event.speedChanges, 0);
    const silent = Math.max(0, events.length - cues.length);
    return {
      ...(title === "" ? {} : { title }),
      extras: present([
        ["speed changes", speeds],
        ["events without text", silent],
      ]),
    };
  },
  write: ({ cues, title }, grid) => (grid === undefined ? "" : writeCmx3600(cues, { grid, ...defined({ title }) })),
  countsFrames: "always",
  lacks: { language: true, overlaps: "cues overlap, which one track of an EDL cannot show" },
} as const satisfies Format;
