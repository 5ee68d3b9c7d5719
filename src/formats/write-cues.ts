import type { Cue } from "../core/cue.ts";
import type { FrameGrid, TextFormat } from "../core/settings.ts";
import { writeCmx3600 } from "./cmx3600/write-cmx3600.ts";
import { writeCueJson } from "./cue-json.ts";
import { writeSubRip } from "./subrip.ts";
import { writeWebVtt } from "./webvtt/write-webvtt.ts";

/** What a writer is told beside the cues. */
export interface CueWriting {
  /** The frame grid; needed for `edl`. */
  readonly grid?: FrameGrid;
  readonly title?: string;
  /** BCP-47 code. */
  readonly language?: string;
}

/**
 * Writes cues as text. Cues are written in the order given; times round to the format's millisecond or frame.
 *
 * @throws TypeError when the format counts frames and no grid is given.
 */
export function writeCues(cues: readonly Cue[], format: TextFormat, writing: CueWriting = {}): string {
  switch (format) {
    case "vtt":
      return writeWebVtt(cues, writing);
    case "srt":
      return writeSubRip(cues);
    case "json":
      return writeCueJson(cues);
    case "edl": {
      const { grid, title } = writing;
      if (grid === undefined) throw new TypeError("writeCues: the format edl counts frames and needs a grid");
      return writeCmx3600(cues, title === undefined ? { grid } : { grid, title });
    }
  }
}
