import type { SequenceInfo } from "../src/host/host.ts";
import { CLIP_NAME_PREFIX } from "../src/workflow/cue-clips.ts";
import { type Form, rangeOf } from "./form.ts";
import type { JobEntry } from "./saved.ts";
import type { Session } from "./session.ts";
import { words } from "./words.ts";

/** An identity for a job that no other one has. */
export function newRunId({ environment }: Session): string {
  return `${environment.clock.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`;
}

/** A form with the captions that it asks for, as far as there are any. */
export async function withCaptions({ environment }: Session, form: Form, sequence: SequenceInfo): Promise<Form> {
  const { captionFile, ...rest } = form;
  if (form.captionSource === "none") return rest;
  if (form.captionSource === "file") return form;
  const { start } = rangeOf(form, sequence);
  const captions = await environment.editor.transcribedCaptions(start);
  return captions === null ? rest : { ...rest, captionFile: { filename: "transcript.vtt", content: captions.content } };
}

/** The open project, for a job's entry. */
export async function projectOf({ environment }: Session): Promise<Pick<JobEntry, "projectId">> {
  const projectId = await environment.editor.projectId();
  return projectId === null ? {} : { projectId };
}

/** Where a job's narration goes: beside the project, so that it lasts as long as the project does; else with the panel's own results. */
export async function audioPathFor({ environment }: Session, sequence: SequenceInfo, runId: string): Promise<string> {
  const { editor, files, folders, pathIn } = environment;
  const name = `${CLIP_NAME_PREFIX}${fileNameFrom(sequence.name)}-${runId}.wav`;
  try {
    const project = await editor.projectFolder();
    if (project !== null) {
      const folder = pathIn(project, words.narrationFolder);
      await files.makeFolder(folder);
      return pathIn(folder, name);
    }
  } catch {
    // A folder that may not be written to: the panel's own serves as well.
  }
  return pathIn((await folders()).resultsPath, name);
}

/** A sequence's name as part of a file's: letters and digits of any script, no dots, which Premiere cuts names at. */
function fileNameFrom(name: string): string {
  return (
    name
      .normalize("NFC")
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 40) || "sequence"
  );
}
