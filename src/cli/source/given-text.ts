import { basename } from "node:path";
import { withoutEnding } from "../../core/file-name.ts";
import { detectFormat, readDocument, writeWebVtt } from "../../formats/index.ts";
import { SERVICE_FORMATS } from "../../formats/service-formats.ts";
import { issueLines } from "../shell/issue-lines.ts";
import { textReading } from "../shell/text-reading.ts";
import { cuesOf } from "./cue-source.ts";
import { readTextFile } from "./text-file.ts";

/** Captions or a script as a service takes them. */
export interface GivenText {
  readonly content: string;
  /** Name that goes with the text; its ending is that of the text's format. */
  readonly filename: string;
}

/**
 * The captions or the script of a file, as they are in a format of the service's interface. In any other (tables, documents of Word
 * and Excel, TTML, EBU STL, timelines) they become WebVTT, and what is left out or assumed is told.
 *
 * @throws HostError when the file cannot be read.
 */
export async function readGivenText(path: string): Promise<GivenText> {
  const content = await readTextFile(path);
  const filename = basename(path);
  const found = detectFormat(content, filename);
  if (found === null || Object.hasOwn(SERVICE_FORMATS, found.format)) return { content, filename };
  const document = readDocument(content, { filename });
  const cues = cuesOf(document);
  // Nothing in it has a time: whoever is given it says so.
  if (cues.length === 0) return { content, filename };
  const told = document.issues.filter(({ effect }) => effect === "dropped" || effect === "assumed");
  for (const line of issueLines(told)) textReading()?.tell(`"${filename}", ${line}`);
  return { content: writeWebVtt(cues), filename: `${withoutEnding(filename)}.vtt` };
}
