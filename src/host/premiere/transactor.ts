import type { Action, CompoundAction, Project, premierepro, SequenceEditor } from "@adobe/premierepro";
import type { Clock } from "../../core/ports.ts";
import type { ApplyReport, HostOperation } from "../host.ts";
import { HostError } from "../host-error.ts";
import { hostFault, isStaleHandle, withFreshHandles } from "./host-fault.ts";
import { type OpenSequence, openSequence } from "./open-sequence.ts";
import type { Pace } from "./pace.ts";
import type { SequenceReference, SequenceSnapshot } from "./snapshot.ts";

/** What a {@link Transactor} works with. */
export interface TransactorOptions {
  readonly premiere: premierepro;
  readonly reference: SequenceReference;
  readonly clock: Clock;
  readonly pace: Pace;
  readonly signal: AbortSignal;
  /** Called after each transaction with how many actions it held. */
  readonly onCommit?: (actions: number) => void;
}

/** What a transaction works on: the last that is waited for before the lock. */
interface TransactionHandles extends OpenSequence {
  /** Gives the sequence's editor. Raises what Premiere raised for it. */
  readonly editor: () => SequenceEditor;
}

/** Creates actions and adds them; runs under the lock, so it must not wait for anything. */
type Build = (add: (action: Action) => void, handles: TransactionHandles) => void;

/** A part of a transaction: waits for the handles it needs and all that it reads of them, then says what it adds. */
export type TransactionPart = () => Promise<Build>;

/** When a Premiere was changed last, and how often in a row without a rest. */
interface RecentCommits {
  lastAt: number;
  inARow: number;
}

/** Whoever changes a Premiere keeps the pace of all. */
const RECENT = new WeakMap<premierepro, RecentCommits>();

/**
 * The one place that changes a project: locked transactions, paced, each with its undo label. Actions are created inside
 * the lock and never kept.
 */
export class Transactor {
  /** How many changes were made: transactions, and mutes, which are none. */
  committed = 0;
  /** How many transactions went through: steps of Premiere's undo history. */
  undoSteps = 0;
  /** Whether files were imported: steps of Premiere's own, beside these. */
  hasImported = false;
  readonly #options: TransactorOptions;
  readonly #recent: RecentCommits;

  constructor(options: TransactorOptions) {
    this.#options = options;
    this.#recent = RECENT.get(options.premiere) ?? { lastAt: Number.NEGATIVE_INFINITY, inARow: 0 };
    RECENT.set(options.premiere, this.#recent);
  }

  /**
   * Runs one transaction of one part or several, in order. Their handles are the last thing waited for. Nothing happens
   * when no action is added. Where Premiere lets the handles of one part go stale while it gives those of another, each
   * part becomes a transaction of its own. Raises `apply_failed` when Premiere refuses, and the signal's reason when it
   * aborts.
   */
  async run(label: string, ...parts: readonly TransactionPart[]): Promise<void> {
    const { clock, pace, signal } = this.#options;
    signal.throwIfAborted();
    const recent = this.#recent;
    if (clock.now() - recent.lastAt >= pace.restMs) recent.inARow = 0;
    const pause = recent.inARow >= pace.commitsInARow ? pace.restMs : pace.pauseMs;
    const wait = recent.lastAt + pause - clock.now();
    if (wait > 0) await clock.sleep(wait, signal);
    if (pause === pace.restMs) recent.inARow = 0;
    let actions: number;
    try {
      actions = await withFreshHandles(() => this.#attempt(label, parts));
    } catch (error) {
      if (parts.length < 2 || !isStaleHandle(error)) throw error;
      for (const part of parts) await this.run(label, part);
      return;
    }
    if (actions === 0) return;
    recent.lastAt = clock.now();
    recent.inARow += 1;
    this.committed += 1;
    this.undoSteps += 1;
    this.#options.onCommit?.(actions);
  }

  async #attempt(label: string, parts: readonly TransactionPart[]): Promise<number> {
    const builds = await Promise.all(parts.map((part) => part()));
    const handles = await handlesOf(this.#options);
    const { project } = handles;
    let actions = 0;
    const add = (compound: CompoundAction) => (action: Action) => {
      // What an addition answers proves nothing, but for a refusal.
      actions += compound.addAction(action) === false ? 0 : 1;
    };
    const answer = await locked(project, () =>
      project.executeTransaction((compound) => {
        for (const build of builds) build(add(compound), handles);
      }, label),
    );
    // Only a refusal counts: whatever else is answered, reading back tells what came of it.
    if (answer !== false || actions === 0) return actions;
    throw new HostError("apply_failed", `Premiere refused the step "${label}".`, {
      operation: label,
      state: "the step was not applied",
      tried: ["Project.executeTransaction answered false"],
    });
  }
}

async function handlesOf({ premiere, reference }: TransactorOptions): Promise<TransactionHandles> {
  const open = await openSequence(premiere, reference);
  try {
    const editor = await premiere.SequenceEditor.getEditor(open.sequence);
    return { ...open, editor: () => editor };
  } catch (error) {
    // Whoever needs no editor does not miss it.
    return {
      ...open,
      editor: () => {
        throw error;
      },
    };
  }
}

/**
 * Does something under a project's lock, and gives what it answered. Nothing that is raised inside leaves the lock as an exception,
 * which was seen to stop Premiere. Premiere may answer later than the lock itself.
 */
async function locked<Answer>(project: Project, work: () => Answer | Promise<Answer>): Promise<Answer> {
  let outcome: { readonly answer: Answer | Promise<Answer> } | { readonly error: unknown } | null = null;
  let isOver = false;
  const run = () => {
    // Called when nobody counts on it any more, it would change what has been read since.
    if (isOver) return;
    try {
      outcome = { answer: work() };
    } catch (error) {
      outcome = { error };
    }
  };
  try {
    await project.lockedAccess(run);
  } finally {
    isOver = true;
  }
  // The compiler does not see that the lock has called it.
  const made = outcome as { readonly answer: Answer | Promise<Answer> } | { readonly error: unknown } | null;
  if (made === null) throw new TypeError("Project.lockedAccess locked nothing");
  if ("error" in made) throw made.error;
  return made.answer;
}

/** What is not as planned because something failed on the way. */
type AttemptFailure = Required<Pick<ApplyReport, "differences" | "tried">>;

/**
 * Changes a project, step by step. What fails before anything was changed is raised, the signal's reason where it aborts; from the
 * first change on a failure is told in words, for a report of what is not as planned.
 */
export async function attempt(
  { transactor, signal }: { readonly transactor: Transactor } & Pick<HostOperation, "signal">,
  operation: string,
  work: () => Promise<void>,
): Promise<AttemptFailure> {
  try {
    await work();
    return { differences: [], tried: [] };
  } catch (error) {
    const isUnchanged = transactor.committed === 0;
    if (signal.aborted && isUnchanged) throw signal.reason;
    const state = isUnchanged ? "the timeline was not changed" : "part of the plan is applied";
    const fault = hostFault(error, { operation, state, code: "apply_failed" });
    if (isUnchanged) throw fault;
    if (signal.aborted) return { differences: ["stopped before the end"], tried: [] };
    const tried = fault instanceof HostError ? fault.tried : [];
    return { differences: [fault instanceof Error ? fault.message : String(fault)], tried };
  }
}

/** What every part of applying a plan works with. */
export interface ApplyContext {
  readonly premiere: premierepro;
  /** The sequence as it was when the plan began. */
  readonly before: SequenceSnapshot;
  readonly clock: Clock;
  readonly pace: Pace;
  readonly signal: AbortSignal;
  readonly transactor: Transactor;
  /**
   * Copies a file into a folder of the panel's own that stays, and gives the copy's path: for a Premiere that imports nothing from
   * where it lies.
   */
  readonly copyFile?: ((path: string) => Promise<string>) | undefined;
}
