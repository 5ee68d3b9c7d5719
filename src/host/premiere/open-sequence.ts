import type { Project, premierepro, Sequence } from "@adobe/premierepro";
import { HostError } from "../host-error.ts";
import { identityOf, listed } from "./answers.ts";
import { calledBy, isStaleHandle } from "./host-fault.ts";
import type { SequenceReference } from "./snapshot.ts";
import { learntOf } from "./traced-premiere.ts";

/** Fresh handles of a sequence and its project: good until the next question to Premiere. */
export interface OpenSequence {
  readonly project: Project;
  readonly sequence: Sequence;
}

/** Ways to a sequence by its identity. The declarations call the first one synchronous; a beta of 27.0 answers it otherwise. */
export const LOOKUPS = ["getSequence", "getSequences", "getActiveSequence"] as const;

/** A member that leads to a sequence. */
type Lookup = (typeof LOOKUPS)[number];

/** Which sequence is active. Raises `no_sequence` when no project or no sequence is open. */
export async function activeSequence(premiere: premierepro): Promise<SequenceReference> {
  const project = await activeProject(premiere);
  const projectId = await identityOf(project);
  // The declarations leave out that it may be missing.
  const sequence: Sequence | null | undefined = await project.getActiveSequence();
  if (!sequence) throw noSequence("No sequence is open. Open the sequence that you want described.");
  return { projectId, sequenceId: await identityOf(sequence) };
}

/** The active project: good until the next question. Raises `no_sequence` when none is open. */
export async function activeProject(premiere: premierepro): Promise<Project> {
  // The declarations leave out that it may be missing.
  const project: Project | null | undefined = await premiere.Project.getActiveProject();
  if (!project) throw noSequence("No project is open. Open one, and a sequence in it.");
  return project;
}

/** A project by its identity: good until the next question. Raises `no_sequence` when it was closed. */
export async function openProject(premiere: premierepro, projectId: string): Promise<Project> {
  const tried: string[] = [];
  const { Project: projects, Guid: guids } = premiere;
  const ways = [
    { name: "getProject", find: async () => [projects.getProject(guids.fromString(projectId))] },
    { name: "getActiveProject", find: async () => [projects.getActiveProject()] },
  ] as const;
  const learnt = learntOf(premiere);
  const first = ways.find(({ name }) => name === learnt.recall("project")) ?? ways[0];
  for (const way of [first, ...ways.filter((one) => one !== first)]) {
    const { found } = await lookUp<Project>(way.find, projectId, tried);
    if (found === undefined) continue;
    // Where a question is not answered, waiting for it again and again would take for ever.
    if (way !== first && tried.length > 0) learnt.keep("project", way.name);
    return found;
  }
  throw noSequence("The project of this sequence was closed. Open it again.", tried);
}

/**
 * Fresh handles. Where Premiere gives no sequence for an identity, it is looked for among all, and as the active one; the way that
 * led there is gone first from then on. Raises `no_sequence` when the project was closed or the sequence is gone, with what was
 * tried where Premiere answers otherwise than it is declared to.
 */
export async function openSequence(premiere: premierepro, reference: SequenceReference): Promise<OpenSequence> {
  const { projectId, sequenceId } = reference;
  const learnt = learntOf(premiere);
  const first = LOOKUPS.find((one) => one === learnt.recall("lookup")) ?? LOOKUPS[0];
  const tried: string[] = [];
  let isGone = true;
  for (const lookup of [first, ...LOOKUPS.filter((one) => one !== first)]) {
    const project = await openProject(premiere, projectId);
    const { found, isOdd } = await lookUp(() => sequencesBy(premiere, project, lookup, sequenceId), sequenceId, tried);
    if (found !== undefined) {
      if (lookup !== first) learnt.keep("lookup", lookup);
      // What was asked meanwhile may have made the handle of the project stale.
      return { project: await openProject(premiere, projectId), sequence: found };
    }
    if (isOdd) isGone = false;
    tried.push(`Project.${lookup} gave no sequence of this identity`);
  }
  throw isGone
    ? noSequence("The sequence is no longer in the project. Undo its removal, or choose another one.")
    : noSequence("Premiere answered, but without a sequence. Click into the timeline, then try again.", tried);
}

/** What one of the ways gives: one sequence or several, and whatever else it answers. */
async function sequencesBy(
  premiere: premierepro,
  project: Project,
  lookup: Lookup,
  sequenceId: string,
): Promise<readonly (Sequence | Promise<Sequence>)[]> {
  if (lookup === "getSequences") return listed("Project.getSequences", await project.getSequences());
  if (lookup === "getActiveSequence") return [project.getActiveSequence()];
  return [project.getSequence(premiere.Guid.fromString(sequenceId))];
}

/** What a question gave. */
interface LookedUp<Owner> {
  /** What has the identity that was looked for. */
  readonly found?: Owner;
  /** Whether it was refused, or answered by what is none of these. */
  readonly isOdd: boolean;
}

/** Asks for what has an identity. What is refused is noted; a handle that has gone stale is no refusal. */
async function lookUp<Owner extends Project | Sequence>(
  ask: () => Promise<readonly (Owner | Promise<Owner>)[]>,
  id: string,
  tried: string[],
): Promise<LookedUp<Owner>> {
  let isOdd = false;
  try {
    for (const one of await ask()) {
      // The declarations leave out that it may be nothing, or something else.
      const owner: Owner | null | undefined = await one;
      if (!owner) continue;
      if (typeof owner !== "object" || !("guid" in owner)) isOdd = true;
      else if ((await identityOf(owner)) === id) return { found: owner, isOdd };
    }
  } catch (error) {
    if (isStaleHandle(error)) throw error;
    tried.push(calledBy(error));
    isOdd = true;
  }
  return { isOdd };
}

function noSequence(message: string, tried: readonly string[] = []): HostError {
  return new HostError("no_sequence", message, { operation: "read the sequence", state: "nothing was changed", tried });
}
