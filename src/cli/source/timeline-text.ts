import { basename } from "node:path";
import { parseTimeline } from "../../formats/index.ts";
import type { ParseIssue } from "../../formats/parse-issue.ts";
import type { TimelineFormat } from "../../formats/registry.ts";
import { HostError } from "../../host/host-error.ts";
import { readText } from "./text-file.ts";
import type { TimelineText } from "./write-plan.ts";

/** A timeline file that was read, and what of it could not be. */
export interface TimelineFileText extends TimelineText {
  readonly format: TimelineFormat;
  readonly issues: readonly ParseIssue[];
}

/**
 * Reads a timeline file: OpenTimelineIO, Final Cut Pro 7 XML or FCPXML, told apart by their text.
 *
 * @throws HostError when it cannot be read or holds no timeline.
 */
export async function readTimelineText(path: string): Promise<TimelineFileText> {
  const { text } = await readText(path);
  const { format, timeline, issues } = parseTimeline(text, basename(path));
  if (timeline !== null && format !== null) return { format, text, timeline, issues };
  const reason = issues[0]?.message ?? "give an .otio, .xml or .fcpxml file";
  const message = `"${basename(path)}" holds no timeline: ${reason}`;
  throw new HostError("file_unreadable", message, { operation: "read a timeline", state: "nothing was changed" });
}
