// FCPXML: read by read-fcpxml.ts, written by write-fcpxml.ts.
import { defined } from "../../core/objects.ts";
import type { Format } from "../format.ts";
import { parseFcpxml } from "./read-fcpxml.ts";
import { writeFcpxml } from "./write-fcpxml.ts";

/** FCPXML, written as a gap with markers and captions. */
export const FCPXML = {
  title: "FCPXML, written as a gap with markers and captions",
  endings: ["fcpxml"],
  shows: ({ xmlRoot }) => (xmlRoot === "fcpxml" ? 1 : 0),
  readTimeline: parseFcpxml,
  write: ({ cues, title, language }, grid) =>
    grid === undefined ? "" : writeFcpxml(cues, { grid, ...defined({ title, language }) }),
  countsFrames: "always",
  lacks: { ids: true, overlaps: "cues overlap another: they are markers without a caption" },
} as const satisfies Format;
