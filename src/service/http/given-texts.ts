import type { DescriptionSettings } from "../../core/settings.ts";
import { readCues } from "../../formats/index.ts";

/** A text with cues that came with a request. */
export interface RequestText {
  /** What the request calls it. */
  readonly parameter: string;
  readonly content: string;
  readonly hints?: Pick<NonNullable<DescriptionSettings["captions"]>, "format" | "filename">;
  /** What may be sent, for the sentence of a refusal. */
  readonly formats: string;
}

/** Captions and script of a request, by the names it has for them. */
export function givenTexts(
  { captions, script }: DescriptionSettings,
  names: { readonly captions: string; readonly script: string },
): RequestText[] {
  const texts: RequestText[] = [];
  if (captions !== undefined) {
    const { content, ...hints } = captions;
    texts.push({ parameter: names.captions, content, hints, formats: "WebVTT, SubRip or timestamped plain text" });
  }
  if (script !== undefined) {
    const formats = "EDL, WebVTT, SubRip, JSON or timestamped plain text";
    texts.push({ parameter: names.script, content: script, formats });
  }
  return texts;
}

/**
 * Why a text cannot be taken, in a sentence that names the parameter and the first place that cannot be read: it holds no
 * cue. `null` when it holds one; what a reader repairs or drops beside that is the job's to report.
 */
export function cueFault({ parameter, content, hints = {}, formats }: RequestText): string | null {
  const { cues, issues } = readCues(content, hints);
  if (cues.length > 0) return null;
  const first = issues.find((issue) => issue.effect === "dropped");
  const where =
    first === undefined ? "" : first.line === 0 ? ` (${first.message})` : ` (line ${first.line}: ${first.message})`;
  return `"${parameter}" holds no cue that can be read${where}. Send ${formats}.`;
}
