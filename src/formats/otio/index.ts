// OpenTimelineIO: read by read-otio.ts, written by write-otio.ts, edited in place by edit-otio.ts.

import type { Format } from "../format.ts";
import { parseOtio } from "./read-otio.ts";
import { writeOtio } from "./write-otio.ts";

/** OpenTimelineIO. */
export const OTIO = {
  title: "OpenTimelineIO",
  endings: ["otio"],
  shows: ({ isLikeJson, head }) => (isLikeJson && /"OTIO_SCHEMA"\s*:/.test(head) ? 1 : 0),
  readTimeline: parseOtio,
  writeTimeline: writeOtio,
  countsFrames: "always",
  lacks: { ids: true, language: true },
} as const satisfies Format;
