import type { TextFormat } from "../../core/settings.ts";
import type { ServiceFormat } from "../../formats/service-formats.ts";
import { type ReadServiceText, readServiceText } from "../../formats/service-formats.ts";
import type { ExportedMedia, SequenceInfo } from "../../host/host.ts";
import { programmeGrid } from "../programme-grid.ts";

/** What a reply's text holds. */
export interface ReadReply extends Pick<ReadServiceText, "cues" | "issues"> {
  /** What the text turned out to be, as a file's ending. */
  readonly format: ServiceFormat | "txt";
}

/**
 * Reads the cues of a job's text, on the programme clock. The text is what the reply says it is, or what was asked for,
 * unless it is plainly something else. Frame numbers count at the sequence's rate.
 */
export function readReply(
  reply: { readonly format: TextFormat | null; readonly content: string },
  programme: {
    readonly sequence: SequenceInfo;
    readonly exported: Pick<ExportedMedia, "offsetSeconds" | "durationSeconds">;
    readonly askedFormat: TextFormat;
  },
): ReadReply {
  const { sequence, exported, askedFormat } = programme;
  const { cues, issues, format } = readServiceText(reply.content, {
    format: reply.format ?? askedFormat,
    grid: programmeGrid(sequence, exported.offsetSeconds),
    durationSeconds: exported.durationSeconds,
  });
  return { cues, issues, format: format === null || format === "plaintext" ? "txt" : format };
}
