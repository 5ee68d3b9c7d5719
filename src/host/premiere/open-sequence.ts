import type { Project, premierepro, Sequence } from "@adobe/premierepro";
import { HostError } from "../host-error.ts";
import type { SequenceReference } from "./snapshot.ts";

/** Fresh handles of a sequence and its project: good until the next `await`. */
export interface OpenSequence {
  readonly project: Project;
  readonly sequence: Sequence;
}

/** Which sequence is active. Raises `no_sequence` when no project or no sequence is open. */
export async function activeSequence(premiere: premierepro): Promise<SequenceReference> {
  const project = await activeProject(premiere);
  const projectId = project.guid.toString();
  // The declarations leave out that it may be missing.
  const sequence: Sequence | null | undefined = await project.getActiveSequence();
  if (!sequence) throw noSequence("No sequence is open. Open the sequence that is to be described.");
  return { projectId, sequenceId: sequence.guid.toString() };
}

/** The active project: good until the next `await`. Raises `no_sequence` when none is open. */
export async function activeProject(premiere: premierepro): Promise<Project> {
  // The declarations leave out that it may be missing.
  const project: Project | null | undefined = await premiere.Project.getActiveProject();
  if (!project) throw noSequence("No project is open. Open one, and a sequence in it.");
  return project;
}

/** Fresh handles, without waiting. Raises `no_sequence` when the project was closed or the sequence is gone. */
export function openSequence(premiere: premierepro, reference: SequenceReference): OpenSequence {
  // The declarations leave out that both may be missing.
  const project: Project | null | undefined = premiere.Project.getProject(
    premiere.Guid.fromString(reference.projectId),
  );
  if (!project) throw noSequence("The project of this sequence was closed. Open it again.");
  const guid = premiere.Guid.fromString(reference.sequenceId);
  const sequence: Sequence | null | undefined = project.getSequence(guid);
  if (!sequence) throw noSequence("The sequence is no longer in the project. Undo its removal, or choose another one.");
  return { project, sequence };
}

function noSequence(message: string): HostError {
  return new HostError("no_sequence", message, { operation: "read the sequence", state: "nothing was changed" });
}
