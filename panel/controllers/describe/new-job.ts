import { defined } from "../../../src/core/defined.ts";
import { CLIP_NAME_PREFIX } from "../../../src/host/edit-plan.ts";
import type { SequenceInfo } from "../../../src/host/host.ts";
import type { Session } from "../../session/session.ts";
import { type Form, rangeOf } from "../../state/form.ts";
import type { JobEntry } from "../../state/saved.ts";
import { words } from "../../words/words.ts";

/** An identity for a job that no other one has. */
function newRunId({ environment }: Session): string {
  return `${environment.clock.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`;
}

/** What a new job is made of; its run has a name of its own unless one is given. */
interface NewJobOrder extends Pick<JobEntry, "sequence" | "form" | "adds"> {
  readonly runId?: string;
}

/** The entry of a job of the sequence, for the service in use, before it is queued. */
export async function newJob(
  session: Session,
  { sequence, form, adds, runId = newRunId(session) }: NewJobOrder,
): Promise<JobEntry> {
  const { environment, state } = session;
  const projectId = await environment.editor.projectId();
  return {
    runId,
    startedAt: new Date(environment.clock.now()).toISOString(),
    sequence,
    ...(projectId === null ? {} : { projectId }),
    serviceAddress: state.service.address,
    form: adds === undefined ? await withCaptions(session, form, sequence) : form,
    audioPath: await audioPathFor(session, sequence, runId),
    state: "waiting",
    ...defined({ adds }),
  };
}

/** The entry of a job that voices a result's cues anew, at the service and beside the narration of the job that made them. */
export function newVoicing(session: Session, described: JobEntry): JobEntry {
  const runId = newRunId(session);
  const { sequence, projectId, serviceAddress, form, audioPath } = described;
  return {
    runId,
    startedAt: new Date(session.environment.clock.now()).toISOString(),
    sequence,
    ...defined({ projectId }),
    serviceAddress,
    form,
    audioPath: audioPath.replace(/(?:-[0-9a-z]+)?\.wav$/, `-${runId}.wav`),
    state: "waiting",
    voices: described.runId,
  };
}

/** A form with the captions that it asks for, as far as there are any. */
async function withCaptions({ environment }: Session, form: Form, sequence: SequenceInfo): Promise<Form> {
  const { captionFile, ...rest } = form;
  if (form.captionSource === "none") return rest;
  if (form.captionSource === "file") return form;
  const { start } = rangeOf(form, sequence);
  const captions = await environment.editor.transcribedCaptions(start);
  return captions === null ? rest : { ...rest, captionFile: { filename: "transcript.vtt", content: captions.content } };
}

/** Where a job's narration goes: beside the project, so that it lasts as long as the project does; else with the panel's own results. */
async function audioPathFor({ environment }: Session, sequence: SequenceInfo, runId: string): Promise<string> {
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
