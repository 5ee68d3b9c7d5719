import type { Cue } from "../../../src/core/cue.ts";
import { frameRate } from "../../../src/core/frame-rate.ts";
import { convertCues, readDocument, WRITABLE_FORMATS } from "../../../src/formats/index.ts";
import { brokenPromises, lineCount, READERS } from "../../../test/formats/every-reader.ts";

/** Processor time that reading a text of the longest kind may take, in milliseconds; usual are 20. */
const SLOW_MS = 2000;

/** What is wrong with how a reader takes a text, in a sentence; `null` when nothing is. */
export function faultOf(reader: string, text: string): string | null {
  const read = READERS[reader];
  if (read === undefined) return `there is no reader ${reader}`;
  try {
    const begun = process.threadCpuUsage();
    const reading = read(text);
    if (process.threadCpuUsage(begun).user / 1000 > SLOW_MS) return "it is slow";
    const broken = brokenPromises(reading, lineCount(text));
    return broken[0] ?? faultOfWriting(reading.cues ?? []);
  } catch (error) {
    return `it throws ${error instanceof Error ? (error.stack?.split("\n").slice(0, 3).join(" ") ?? "") : String(error)}`;
  }
}

/** Cues whose writing is tried; the rest of a long list is more of the same. */
const MOST_WRITTEN = 50;

/** Latest time whose label or clock time formats can hold, in seconds: 100 hours. */
const LATEST_SECONDS = 360_000;

/** Characters that some format has no place for, and what stands for them there. */
const UNWRITABLE = /\p{Cc}|\p{Cs}|[\ufffe\uffff\ufffd]/gu;

/** What is wrong with the cues of a reading once they are written and read back. */
function faultOfWriting(read: readonly Cue[]): string | null {
  const cues = read.filter((cue) => cue.end < LATEST_SECONDS).slice(0, MOST_WRITTEN);
  if (cues.length === 0) return null;
  const grid = { rate: frameRate(25), isDropFrame: false, startFrame: 0 };
  for (const format of WRITABLE_FORMATS) {
    const { text } = convertCues({ format: null, cues, issues: [], extras: [] }, { format, grid });
    const back = readDocument(text, { format, grid, durationSeconds: LATEST_SECONDS });
    const words = (list: readonly Cue[]) =>
      list
        .map((cue) => cue.text.replace(UNWRITABLE, "\ufffd"))
        .sort()
        .join("\n");
    if (words(back.cues) !== words(cues)) return `written as ${format}, its words come back changed`;
  }
  return null;
}

/** The text with as much taken out as can be while something stays wrong with it. */
export function smallerText(reader: string, text: string): string {
  let smallest = text;
  const deadline = performance.now() + 10_000;
  for (let size = smallest.length >> 1; size > 0 && performance.now() < deadline; size >>= 1) {
    for (let at = 0; at < smallest.length && performance.now() < deadline; ) {
      const shorter = smallest.slice(0, at) + smallest.slice(at + size);
      if (faultOf(reader, shorter) === null) at += size;
      else smallest = shorter;
    }
  }
  return smallest;
}
