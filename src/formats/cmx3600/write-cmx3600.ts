import type { Cue } from "../../core/cue.ts";
import { framesFromSeconds } from "../../core/frame-rate.ts";
import type { FrameGrid } from "../../core/settings.ts";
import { formatTimecode } from "../../core/timecode.ts";
import { foldWhiteSpace } from "../plain-markup.ts";

/** What stands in an EDL beside its cues. */
export interface Cmx3600Writing {
  /** The sequence's rate, way of counting, and label of its first frame. */
  readonly grid: FrameGrid;
  /** Default `Audio description`. */
  readonly title?: string;
}

/** Columns of a line; CMX 3600 systems cut what is longer. */
const LINE_WIDTH = 80;

/**
 * Writes cues as a CMX 3600 EDL, one event a cue. The description stands in it three times, for three readers: whole in
 * `COMMENT` lines wrapped at 80 columns, as a locator (`LOC`, Avid's convention), and as a marker (`|C: |M: |D:`, which
 * DaVinci Resolve imports onto its timeline). Ins round to the nearest frame, outs as well; an event lasts at least one
 * frame and does not pass the next cue's in where the cues do not overlap.
 */
export function writeCmx3600(cues: readonly Cue[], writing: Cmx3600Writing): string {
  const { grid } = writing;
  const title = foldWhiteSpace(writing.title ?? "") || "Audio description";
  const blocks = cues.map((cue, index) => eventText(cue, index, cues[index + 1], grid));
  return `TITLE: ${title}\nFCM: ${grid.isDropFrame ? "DROP FRAME" : "NON-DROP FRAME"}\n${blocks.join("")}`;
}

function eventText(cue: Cue, index: number, next: Cue | undefined, grid: FrameGrid): string {
  const start = framesFromSeconds(cue.start, grid.rate);
  const rounded = framesFromSeconds(cue.end, grid.rate);
  const nextStart = next === undefined || next.start < cue.end ? rounded : framesFromSeconds(next.start, grid.rate);
  const end = Math.max(start + 1, Math.min(rounded, nextStart));
  const recordIn = formatTimecode(start + grid.startFrame, grid);
  const recordOut = formatTimecode(end + grid.startFrame, grid);
  const text = foldWhiteSpace(cue.text);
  const lines = [
    "",
    `${String(index + 1).padStart(3, "0")}  AX       V     C        ${recordIn} ${recordOut} ${recordIn} ${recordOut}`,
    `* FROM CLIP NAME: AD ${cue.id.replace(/\s+/g, "-")}`,
    ...wrapped(text, "* COMMENT: "),
    `* LOC: ${recordIn} GREEN   ${text}`,
    `|C:ResolveColorGreen |M:${text.replaceAll("|", "/")} |D:${end - start}`,
  ];
  return `${lines.join("\n")}\n`;
}

/** A text broken at blanks into lines of at most {@link LINE_WIDTH} columns, each behind `prefix`. */
function wrapped(text: string, prefix: string): string[] {
  const width = LINE_WIDTH - prefix.length;
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(prefix + line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, prefix + line];
}
