import type { Action, premierepro } from "@adobe/premierepro";
import type { Clock } from "../../core/clock.ts";
import { HostError } from "../host-error.ts";
import { withFreshHandles } from "./host-fault.ts";
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
export type Build<Handle> = (handle: Handle, open: OpenSequence, add: (action: Action) => void) => void;

/**
 * The one place that changes a project: locked transactions, paced, each with its undo label. Actions are created inside
 * the lock and never kept.
 */
export class Transactor {
  /** How many transactions went through. */
  committed = 0;
  readonly #options: TransactorOptions;
  #lastCommitAt = Number.NEGATIVE_INFINITY;

  constructor(options: TransactorOptions) {
    this.#options = options;
  }

  /**
   * Runs one transaction. `fetch` gets the handle that `build` needs; it is the last thing waited for. Nothing happens
   * when `build` adds no action. Raises `apply_failed` when Premiere refuses, and the signal's reason when it aborts.
   */
  async run<Handle>(label: string, fetch: () => Promise<Handle>, build: Build<Handle>): Promise<void> {
    const { clock, pace, signal } = this.#options;
    signal.throwIfAborted();
    const wait = this.#lastCommitAt + pace.pauseMs - clock.now();
    if (wait > 0) await clock.sleep(wait, signal);
    const actions = await withFreshHandles(() => this.#attempt(label, fetch, build));
    this.#lastCommitAt = clock.now();
    if (actions === 0) return;
    this.committed += 1;
    this.#options.onCommit?.(actions);
  }

  async #attempt<Handle>(label: string, fetch: () => Promise<Handle>, build: Build<Handle>): Promise<number> {
    const handle = await fetch();
    const open = openSequence(this.#options.premiere, this.#options.reference);
    let actions = 0;
    let isDone = false;
    open.project.lockedAccess(() => {
      isDone = open.project.executeTransaction((compound) => {
        build(handle, open, (action) => {
          actions += compound.addAction(action) ? 1 : 0;
        });
      }, label);
    });
    if (isDone || actions === 0) return actions;
    throw new HostError("apply_failed", `Premiere refused the step "${label}".`, {
      operation: label,
      state: "the step was not applied",
    });
  }
}
