import type { DescriptionSettings } from "../../core/settings.ts";
import { type ReadCues, readCues } from "../../formats/index.ts";
import { RequestError } from "../request-error.ts";

/**
 * Checks captions and descriptions that came with a request: each must hold at least one cue that can be read. What a
 * reader repairs or drops beside that is the job's to report.
 *
 * @throws RequestError `invalid_input` naming the parameter, and the first place that cannot be read.
 */
export function checkGivenTexts(
  { captions, script }: DescriptionSettings,
  names: { readonly captions: string; readonly script: string },
): void {
  if (captions !== undefined) {
    const { content, format, filename } = captions;
    const hints = { ...(format === undefined ? {} : { format }), ...(filename === undefined ? {} : { filename }) };
    requireCues(readCues(content, hints), names.captions, "WebVTT, SubRip or timestamped plain text");
  }
  if (script !== undefined) {
    requireCues(readCues(script), names.script, "EDL, WebVTT, SubRip, JSON or timestamped plain text");
  }
}

function requireCues({ cues, issues }: ReadCues, parameter: string, formats: string): void {
  if (cues.length > 0) return;
  const first = issues.find((issue) => issue.effect === "dropped");
  const where =
    first === undefined ? "" : first.line === 0 ? ` (${first.message})` : ` (line ${first.line}: ${first.message})`;
  throw new RequestError("invalid_input", `"${parameter}" holds no cue that can be read${where}. Send ${formats}.`);
}
