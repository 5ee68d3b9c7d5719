import { basename } from "node:path";
import type { Cue } from "../../core/cue.ts";
import type { FrameGrid } from "../../core/settings.ts";
import { type ReadDocument, readDocument } from "../../formats/index.ts";
import { type ReadBackContext, readBack } from "../../workflow/place/read-back.ts";
import { UsageError } from "../shell/usage-error.ts";
import { readTextFile } from "./text-file.ts";

/** What helps to read a file of cues. */
export interface CueSourceHints {
  /** Frame grid of a file that counts frames and states none. */
  readonly grid?: FrameGrid;
  /** What was placed: markers that stand where they were put give their exact times back, on the programme's clock. */
  readonly placed?: NonNullable<ReadBackContext["record"]>;
}

/**
 * Reads the descriptions of a file: of a timeline the markers of ours, where it has such, else all; of anything else its
 * cues.
 *
 * @throws UsageError when it holds none; HostError when it cannot be read.
 */
export async function readCueSource(path: string, hints: CueSourceHints = {}): Promise<ReadDocument> {
  const document = readDocument(await readTextFile(path), {
    filename: basename(path),
    ...(hints.grid === undefined ? {} : { grid: hints.grid }),
  });
  const cues = cuesOf(document, hints.placed);
  if (cues.length === 0) throw new UsageError(`"${basename(path)}" holds no cue that can be read`);
  return { ...document, cues };
}

/** The descriptions of a document: of a timeline the markers of ours, where it has such; else all cues. */
export function cuesOf(document: ReadDocument, placed?: CueSourceHints["placed"]): readonly Cue[] {
  return ownCues(document, placed) ?? document.cues;
}

function ownCues({ timeline }: ReadDocument, placed: CueSourceHints["placed"]): readonly Cue[] | null {
  if (timeline === undefined) return null;
  const whole = { offsetSeconds: 0, durationSeconds: Number.MAX_SAFE_INTEGER };
  const { cues, markers } = readBack({ timeline, record: placed ?? null, ...whole });
  // Where ours are there, other markers are no descriptions, even if nobody has written a word yet.
  return markers.length > 0 ? cues : null;
}
