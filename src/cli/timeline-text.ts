import { basename } from "node:path";
import { readDocument } from "../formats/index.ts";
import { HostError } from "../host/host-error.ts";
import { readText } from "./text-file.ts";
import type { TimelineText } from "./write-plan.ts";

/**
 * Reads a timeline file: OpenTimelineIO, Final Cut Pro 7 XML or FCPXML.
 *
 * @throws HostError when it cannot be read or holds no timeline.
 */
export async function readTimelineText(path: string): Promise<TimelineText> {
  const { text } = await readText(path);
  const { format, timeline } = readDocument(text, { filename: basename(path) });
  if (timeline !== undefined && format !== null) return { format, text, timeline };
  const message = `"${basename(path)}" holds no timeline; give an .otio, .xml or .fcpxml file`;
  throw new HostError("file_unreadable", message, { operation: "read a timeline", state: "nothing was changed" });
}
