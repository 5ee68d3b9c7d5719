// Final Cut Pro 7 XML: read by read-fcp7-xml.ts, written by write-fcp7-xml.ts, edited in place by edit-fcp7-xml.ts.

import type { Format } from "../format.ts";
import { writtenRate } from "./fcp7-nodes.ts";
import { parseFcp7Xml } from "./read-fcp7-xml.ts";
import { writeFcp7Xml } from "./write-fcp7-xml.ts";

/** Final Cut Pro 7 XML. */
export const FCP7_XML = {
  title: "Final Cut Pro 7 XML",
  endings: ["xml", "xmeml"],
  shows: ({ xmlRoot }) => (xmlRoot === "xmeml" ? 1 : 0),
  readTimeline: parseFcp7Xml,
  writeTimeline: writeFcp7Xml,
  statedRate: writtenRate,
  countsFrames: "always",
  lacks: { ids: true, language: true },
} as const satisfies Format;
