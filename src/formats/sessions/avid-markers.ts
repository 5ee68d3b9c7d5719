import type { Cue } from "../../core/cue.ts";
import { framesFromSeconds } from "../../core/frame-rate.ts";
import type { FrameGrid } from "../../core/settings.ts";
import { formatTimecode } from "../../core/timecode.ts";
import { labelTime } from "../clock-time.ts";
import type { CueDocument } from "../cue-list.ts";
import type { Format } from "../format.ts";
import type { FilmReading } from "../gate/film-reading.ts";
import { TextRows } from "../gate/text-rows.ts";
import { addTimedRows } from "../gate/timed-rows.ts";
import { foldWhiteSpace } from "../plain-markup.ts";
import { linesOf } from "../text-lines.ts";

/** Name, timecode, track, colour, comment, length in frames: as Media Composer exports its markers as text, without a head. */
const ROW =
  /^([^\t]{0,200})\t(\d{2,3}[:;]\d\d[:;]\d\d[:;]\d{2,3})\t((?:TC|[AVD])\d{0,3})\t([A-Za-z ]{1,20})\t([^\t]*)(?:\t(\d{0,9}))?[\t ]*$/i;

/** Whether a text is a list of markers of Media Composer: its first row is one. */
function isAvidMarkers(text: string): boolean {
  const first = text
    .slice(0, 4000)
    .split(/[\r\n]/)
    .find((line) => line.trim() !== "");
  return first !== undefined && ROW.test(first);
}

/**
 * Reads markers that Avid Media Composer exports as text, parted by tabs and without a head. The text is the comment, else the
 * name. A marker of one frame has no end. Accepts any text.
 */
function parseAvidMarkers(text: string, reading: FilmReading = {}): CueDocument {
  const rows = new TextRows(reading);
  const timed = linesOf(text).flatMap((line, index) => {
    const row = ROW.exec(line);
    if (row === null) {
      if (line.trim() !== "") rows.issues.add("bad-timing", index + 1, line);
      return [];
    }
    const [, name = "", label = "", , , comment = "", length = ""] = row;
    const words = foldWhiteSpace(comment) || foldWhiteSpace(name);
    return [{ id: "", start: labelTime(label), end: null, frames: Number(length), text: words, line: index + 1 }];
  });
  addTimedRows(timed, rows);
  return rows.document();
}

/**
 * Writes cues as markers that Avid Media Composer imports as text: name, timecode, track, colour, comment and length in frames,
 * parted by tabs.
 */
function writeAvidMarkers(cues: readonly Cue[], grid: FrameGrid): string {
  return cues
    .map((cue, index) => {
      const start = framesFromSeconds(cue.start, grid.rate);
      // A length of one frame stands for a marker without one.
      const length = Math.max(2, framesFromSeconds(cue.end, grid.rate) - start);
      const label = formatTimecode(start + grid.startFrame, grid);
      const words = foldWhiteSpace(cue.text);
      return `AD ${index + 1}\t${label}\tV1\tgreen\t${words}\t${length}\n`;
    })
    .join("");
}

/** Markers of Media Composer as text. */
export const AVID_MARKERS = {
  title: "Avid's marker text",
  endings: [],
  shows: ({ text }) => (isAvidMarkers(text) ? 1 : 0),
  read: parseAvidMarkers,
  write: ({ cues }, grid) => (grid === undefined ? "" : writeAvidMarkers(cues, grid)),
  countsFrames: "always",
  lacks: { ids: true, language: true },
} as const satisfies Format;
