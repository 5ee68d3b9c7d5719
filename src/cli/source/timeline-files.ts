import { join } from "node:path";
import { parseFcp7Xml, parseOtio, writeFcp7Xml, writeOtio } from "../../formats/index.ts";
import type { TimelineFile } from "../../host/headless/media-file-host.ts";

/** The timeline files of a result. */
export const TIMELINE_FILES: readonly (Omit<TimelineFile, "path"> & { readonly name: string })[] = [
  { name: "timeline.otio", write: writeOtio, read: (text) => parseOtio(text).timeline },
  { name: "timeline.xml", write: writeFcp7Xml, read: (text) => parseFcp7Xml(text).timeline },
];

/** The timeline files of a result inside a folder. */
export function timelineFilesIn(folder: string): TimelineFile[] {
  return TIMELINE_FILES.map(({ name, ...file }) => ({ ...file, path: join(folder, name) }));
}
