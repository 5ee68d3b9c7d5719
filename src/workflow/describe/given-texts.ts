import type { Cue } from "../../core/cue.ts";
import type { DescriptionSettings } from "../../core/settings.ts";
import { readServiceText, type ServiceTextReading } from "../../formats/read-service-text.ts";
import { WorkflowError } from "../errors.ts";

/** What the texts that a user gives with a run hold. */
export interface GivenTexts {
  readonly captions?: readonly Cue[];
  readonly script?: readonly Cue[];
}

/**
 * Reads the captions and the script of a run before anything is exported or sent: a text that no service could read
 * either is found here, and costs nothing.
 *
 * @throws WorkflowError `captions_unreadable` or `script_unreadable`.
 */
export function readGivenTexts(settings: Pick<DescriptionSettings, "captions" | "script">): GivenTexts {
  const { captions, script } = settings;
  return {
    ...(captions === undefined
      ? {}
      : { captions: cuesOf("captions", captions.content, readingOf(captions.format, captions.filename)) }),
    ...(script === undefined ? {} : { script: cuesOf("script", script, {}) }),
  };
}

function readingOf(format: ServiceTextReading["format"], filename: string | undefined): ServiceTextReading {
  return { ...(format === undefined ? {} : { format }), ...(filename === undefined ? {} : { filename }) };
}

function cuesOf(name: "captions" | "script", text: string, reading: ServiceTextReading): readonly Cue[] {
  const { cues, issues } = readServiceText(text, reading);
  if (cues.length > 0) return cues;
  const issue = issues.find(({ effect }) => effect === "dropped") ?? issues[0];
  const place = issue === undefined || issue.line === 0 ? "" : ` (line ${issue.line})`;
  const reason = issue === undefined ? "nothing in them has a time" : issue.message;
  throw new WorkflowError(`${name}_unreadable`, `${reason}${place}`);
}
