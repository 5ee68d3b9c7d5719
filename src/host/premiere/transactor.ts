import type { Action, premierepro } from "@adobe/premierepro";
import type { Clock } from "../../core/clock.ts";
import { HostError } from "../host-error.ts";
import { isStaleHandle, withFreshHandles } from "./host-fault.ts";
import { type OpenSequence, openSequence } from "./open-sequence.ts";
import type { Pace } from "./pace.ts";
import type { SequenceReference } from "./snapshot.ts";

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

/** Creates actions and adds them; runs under the lock, so it must not wait for anything. */
type Build = (open: OpenSequence, add: (action: Action) => void) => void;

/** A part of a transaction: waits for the handles it needs, then says what it adds. */
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
    const open = openSequence(this.#options.premiere, this.#options.reference);
    let actions = 0;
    let isDone = false;
    open.project.lockedAccess(() => {
      isDone = open.project.executeTransaction((compound) => {
        const add = (action: Action) => {
          actions += compound.addAction(action) ? 1 : 0;
        };
        for (const build of builds) build(open, add);
      }, label);
    });
    if (isDone || actions === 0) return actions;
    throw new HostError("apply_failed", `Premiere refused the step "${label}".`, {
      operation: label,
      state: "the step was not applied",
    });
  }
}
