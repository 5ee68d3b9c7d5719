import type { Cue } from "../../core/cue.ts";
import { framesFromSeconds, framesPerSecond } from "../../core/frame-rate.ts";
import type { FrameGrid } from "../../core/settings.ts";
import { formatTimecode } from "../../core/timecode.ts";
import { formatMilliseconds, millisecondsFrom } from "../clock-time.ts";
import { escapeMarkup } from "../plain-markup.ts";

/** What a script says beside its cues. */
export interface ScriptWriting {
  /** Default `Audio description`. */
  readonly title?: string;
  /** BCP-47 code of the words; it chooses the spelling that Word checks by. */
  readonly language?: string;
  /** The frame grid; times are timecodes then, else hours, minutes, seconds and thousandths. */
  readonly grid?: FrameGrid;
  /** The last words that are heard before each cue, by its id. */
  readonly dialogueBefore?: ReadonlyMap<string, string>;
}

/** A column of a script, and how wide it is beside the others. */
export interface ScriptColumn {
  readonly title: string;
  readonly width: number;
}

/** A script as describers lay it out: a row for each description. */
export interface ScriptTable {
  readonly title: string;
  /** Title, and how the times count where they are timecodes: for the head of each page. */
  readonly heading: string;
  readonly language: string;
  readonly columns: readonly ScriptColumn[];
  /** As many values as there are columns, on one line each. */
  readonly rows: readonly (readonly string[])[];
}

/** Lays cues out as a script: number, in, out, the dialogue before where it is known, and the words. */
export function scriptTable(cues: readonly Cue[], writing: ScriptWriting = {}): ScriptTable {
  const { title = "Audio description", language = "en", grid, dialogueBefore } = writing;
  const hasDialogue = dialogueBefore !== undefined && dialogueBefore.size > 0;
  const dialogue = hasDialogue ? [{ title: "Dialogue before", width: 26 }] : [];
  return {
    title,
    heading: [title, grid === undefined ? "" : clockOf(grid)].filter((said) => said !== "").join(" · "),
    language,
    columns: [
      { title: "No.", width: 6 },
      { title: "In", width: 14 },
      { title: "Out", width: 14 },
      ...dialogue,
      { title: "Description", width: 60 },
    ],
    rows: cues.map((cue, index) => [
      String(index + 1),
      ...timesOf(cue, grid),
      ...(hasDialogue ? [escapeMarkup(dialogueBefore.get(cue.id) ?? "")] : []),
      escapeMarkup(cue.text),
    ]),
  };
}

function timesOf({ start, end }: Cue, grid: FrameGrid | undefined): [string, string] {
  const [first, last] =
    grid === undefined
      ? [millisecondsFrom(start), millisecondsFrom(end)]
      : [framesFromSeconds(start, grid.rate), framesFromSeconds(end, grid.rate)];
  const label = (count: number) =>
    grid === undefined ? formatMilliseconds(count) : formatTimecode(count + grid.startFrame, grid);
  return [label(first), label(Math.max(first + 1, last))];
}

function clockOf(grid: FrameGrid): string {
  const rate = Number(framesPerSecond(grid.rate).toFixed(3));
  return `${rate} fps${grid.isDropFrame ? " drop-frame" : ""}, starts at ${formatTimecode(grid.startFrame, grid)}`;
}
