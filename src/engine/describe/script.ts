import type { FrameGrid } from "../../core/settings.ts";
import { readCues } from "../../formats/index.ts";
import { JobFailure } from "../isolate/job-failure.ts";
import type { Describer, WrittenDescription, WrittenDescriptions } from "./describer.ts";

/**
 * Takes descriptions from a given script (EDL, WebVTT, SubRip, JSON or timestamped plain text) instead of writing any.
 * Words, order and times are the script's own; each line is told to be about the picture at its time.
 *
 * @param grid the programme's frame grid, on which an EDL's labels are read.
 */
export function scriptDescriber(script: string, grid: FrameGrid): Describer {
  return { name: "script", describe: async (request) => readScript(script, grid, request.durationSeconds) };
}

/** Issues that are told one by one; a script in the wrong format has one in every line. */
const MOST_ISSUES = 20;

function readScript(script: string, grid: FrameGrid, durationSeconds: number): WrittenDescriptions {
  const { cues, issues } = readCues(script, { grid });
  if (cues.length === 0) {
    throw new JobFailure("internal_error", "The given script holds no line with a time and a text.");
  }
  const within = cues.filter((cue) => cue.start < durationSeconds);
  const late = cues.filter((cue) => cue.start >= durationSeconds);
  const notes = issues.slice(0, MOST_ISSUES).map(({ line, message, text }) => {
    const where = line === 0 ? "Script" : `Script, line ${line}`;
    return `${where}: ${message}${text === "" ? "" : ` ("${text.slice(0, 80)}")`}.`;
  });
  const more = issues.length - notes.length;
  if (more > 0) notes.push(`The script has ${more} more places like these.`);
  return {
    descriptions: within.map(descriptionOf),
    notes,
    ...(late.length === 0 ? {} : { late: late.map(descriptionOf) }),
  };
}

function descriptionOf({
  id,
  start,
  end,
  text,
}: {
  id: string;
  start: number;
  end: number;
  text: string;
}): WrittenDescription {
  return { id, wordings: [text], picture: { start, end }, importance: 1 };
}
