import type { premierepro, Sequence } from "@adobe/premierepro";
import type { Clock } from "../../core/ports.ts";
import type { CopyRequest } from "../host.ts";
import { HostError } from "../host-error.ts";
import { identityOf, listed } from "./answers.ts";
import { calledBy, withFreshHandles } from "./host-fault.ts";
import { openProject, openSequence } from "./open-sequence.ts";
import type { Pace } from "./pace.ts";
import type { SequenceReference } from "./snapshot.ts";
import { Transactor } from "./transactor.ts";

/** What copying and removing sequences needs. */
export interface CopiesOptions {
  readonly premiere: premierepro;
  readonly clock: Clock;
  readonly pace: Pace;
}

/**
 * Copies a sequence and names the copy. Premiere does not say which sequence the copy is: it is the one whose identity was not
 * there before. A sequence is named by its item in the project, once it is there.
 */
export async function copySequence(
  options: CopiesOptions,
  projectId: string,
  { sequenceId, name }: CopyRequest,
  signal: AbortSignal,
): Promise<SequenceReference> {
  const { premiere, clock, pace } = options;
  const original = { projectId, sequenceId };
  const before = await sequenceNames(premiere, original);
  const transactor = new Transactor({ premiere, reference: original, clock, pace, signal });
  await transactor.run(`Copy "${before.get(sequenceId) ?? name}"`, async () => (add, { sequence }) => {
    add(sequence.createCloneAction());
  });
  const copy = { projectId, sequenceId: await newSequence(options, original, new Set(before.keys())) };
  const label = freeName(name, new Set(before.values()));
  // A copy under another name is still the copy: it is not lost for that.
  await nameSequence(options, copy, label).catch(() => undefined);
  return copy;
}

/** Makes a sequence the active one. Raises `no_sequence` where it is gone, `apply_failed` where Premiere does not open it. */
export async function activate(premiere: premierepro, reference: SequenceReference): Promise<void> {
  const isActive = async () => {
    const { project } = await openSequence(premiere, reference);
    // The declarations leave out that no sequence may be active.
    const active: Sequence | null | undefined = await project.getActiveSequence();
    return active ? (await identityOf(active)) === reference.sequenceId : false;
  };
  if (await isActive()) return;
  await withFreshHandles(async () => {
    const { project, sequence } = await openSequence(premiere, reference);
    await project.setActiveSequence(sequence);
  });
  if (await isActive()) return;
  const name = await (await openSequence(premiere, reference)).sequence.name;
  throw new HostError("apply_failed", `Premiere did not open "${name}". Open it in the project panel, then continue.`, {
    operation: "open the sequence",
    state: "nothing was changed",
    tried: ["Project.setActiveSequence did nothing: Project.getActiveSequence gives another one"],
  });
}

/**
 * Removes a sequence that is not the active one, and looks whether it is gone: nobody has measured the call that does it. Raises
 * `apply_failed` where it is still there.
 */
export async function deleteSequence(premiere: premierepro, reference: SequenceReference): Promise<void> {
  const name = await (await openSequence(premiere, reference)).sequence.name;
  let reason: unknown;
  try {
    const { project, sequence } = await openSequence(premiere, reference);
    await project.deleteSequence(sequence);
  } catch (error) {
    reason = error;
  }
  const left = await sequenceNames(premiere, reference);
  if (!left.has(reference.sequenceId)) return;
  throw new HostError("apply_failed", `Premiere did not remove "${name}". Delete it in the project panel.`, {
    operation: "remove the copy",
    state: `"${name}" is still in the project`,
    cause: reason,
    tried: [reason === undefined ? "Project.deleteSequence did nothing" : calledBy(reason)],
  });
}

/** Names of the sequences of a project, by identity. */
async function sequenceNames(
  premiere: premierepro,
  reference: SequenceReference,
): Promise<ReadonlyMap<string, string>> {
  const project = await openProject(premiere, reference.projectId);
  const sequences = listed("Project.getSequences", await project.getSequences());
  const named = sequences.map(async (sequence) => [await identityOf(sequence), await sequence.name] as const);
  return new Map(await Promise.all(named));
}

async function newSequence(
  { premiere, clock, pace }: CopiesOptions,
  original: SequenceReference,
  known: ReadonlySet<string>,
): Promise<string> {
  for (let poll = 0; poll < pace.importPolls; poll++) {
    const made = [...(await sequenceNames(premiere, original)).keys()].filter((id) => !known.has(id));
    const [id] = made;
    if (id !== undefined && made.length === 1) return id;
    // Not called off by anything: the copy has been asked for.
    await clock.sleep(pace.importPollMs, new AbortController().signal);
  }
  throw new HostError(
    "apply_failed",
    "Premiere made no copy of the sequence. Duplicate it by hand, then place there.",
    {
      operation: "copy the sequence",
      state: "the sequence was not changed",
      tried: ["Sequence.createCloneAction made no sequence that Project.getSequences gives"],
    },
  );
}

async function nameSequence(options: CopiesOptions, copy: SequenceReference, name: string): Promise<void> {
  const { premiere, clock, pace } = options;
  const { signal } = new AbortController();
  const transactor = new Transactor({ premiere, reference: copy, clock, pace, signal });
  await transactor.run(`Name the copy "${name}"`, async () => {
    const item = await (await openSequence(premiere, copy)).sequence.getProjectItem();
    return (add) => add(item.createSetNameAction(name));
  });
}

/** A name without dots, behind the last of which Premiere cuts names off, and with a number where another has it. */
function freeName(wanted: string, taken: ReadonlySet<string>): string {
  const name = wanted.replaceAll(".", "·");
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name} ${number}`)) number += 1;
  return `${name} ${number}`;
}
