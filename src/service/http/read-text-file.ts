import type { ReadTextReply } from "../../contract/read-text.ts";
import type { Cue } from "../../core/cue.ts";
import { defined } from "../../core/objects.ts";
import type { DocumentReading } from "../../formats/read-document.ts";
import { readFile } from "../../formats/read-file.ts";
import { writeWebVtt } from "../../formats/webvtt/webvtt.ts";

/** A file to be read, with what is known of its film and what a person chose. */
export interface FileToRead {
  readonly bytes: Uint8Array;
  readonly filename: string;
  readonly reading: Omit<DocumentReading, "filename">;
}

/** What is answered for a file; the longest take seconds. */
export function readFileReply({ bytes, filename, reading }: FileToRead): ReadTextReply {
  const { format, cues, verdict, receipt } = readFile(bytes, filename, reading);
  const { facts, leftOut, choices } = receipt;
  return {
    format,
    webvtt: cues.length === 0 ? "" : writeWebVtt(cues, { isOnFilmClock: true }),
    verdict:
      verdict.kind === "unsure"
        ? { ...verdict, readings: verdict.readings.map((one) => ({ ...one, preview: one.preview.map(cueOnWire) })) }
        : verdict,
    receipt: { facts, left_out: leftOut, ...defined({ choices }) },
  };
}

function cueOnWire({ start, end, text }: Cue) {
  return { start, end, text };
}
