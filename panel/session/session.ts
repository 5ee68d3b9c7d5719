import { JOB_FAILURES, REQUEST_ERRORS } from "../../src/contract/error-codes.ts";
import type { Result } from "../../src/result/result.ts";
import { explain } from "../../src/workflow/explain.ts";
import {
  type FaultRemedy,
  firstState,
  jobOf,
  type Message,
  type PanelState,
  preferencesOf,
  withJob,
} from "../state/panel-state.ts";
import type { JobEntry } from "../state/saved.ts";
import type { PanelEnvironment } from "./environment.ts";
import { Library } from "./library.ts";
import { NarrationMute } from "./narration-mute.ts";

/** What every part of the panel works with: the world outside, the state, and what is kept on disk. */
export class Session {
  readonly environment: PanelEnvironment;
  readonly store: Store<PanelState>;
  readonly library: Library;
  /** Keeps our narration out of exports. */
  readonly narration: NarrationMute;
  /** Puts words that are still being typed into their cue: done before a result is used for anything. */
  commitTyped: () => void = () => undefined;
  /** Events of the mouse that the page was told of so far. */
  readonly heard = new Set<string>();
  #isClosed = false;

  /** `onChange` is called with the state as it is and as it was. */
  constructor(environment: PanelEnvironment, onChange: (now: PanelState, before: PanelState) => void) {
    this.environment = environment;
    this.store = new Store(firstState(environment.localAddress, environment.clock.now()), onChange);
    this.library = new Library(environment);
    this.narration = new NarrationMute(environment, this.library);
  }

  /** The state now. */
  get state(): PanelState {
    return this.store.state;
  }

  /** Whether the panel has ended: what comes back later changes nothing any more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Ends the session. */
  close(): void {
    this.#isClosed = true;
  }

  /** Has a screen reader say something that only it has to tell: the eye sees it, or the focus does not move. */
  say(text: string): void {
    this.environment.announcer.say({ text });
  }

  /** Tells the editor something. */
  tell(text: string, more: Partial<Message> = {}): void {
    this.store.set({ message: { isFault: false, text, ...more } });
  }

  /** Tells the editor of an error, with ways out of it. */
  fail(error: unknown, more: Partial<Message> = {}): void {
    if (this.#isClosed) return;
    const { code, sentence, next, tried = [] } = explain(error);
    const again: FaultRemedy[] = more.runId !== undefined && mayTryAgain(code) ? ["resume"] : [];
    const remedies = [...remediesOf(code), ...again, ...(tried.length === 0 ? [] : (["copy-report"] as const))];
    // The sentence may say what was tried already; the report says all of it.
    const unsaid = tried.filter((line) => !sentence.includes(line));
    const details = unsaid.length === 0 ? {} : { details: unsaid };
    this.store.set({ message: { isFault: true, text: sentence, next, code, ...details, ...more, remedies } });
  }

  /** Does something that may fail, and tells the editor when it does. */
  run(work: () => Promise<unknown>): void {
    work().catch((error: unknown) => this.fail(error));
  }

  /** The result of a run with every edit made since, those too that are not saved yet; `null` where none is kept. */
  async resultOf(runId: string): Promise<Result | null> {
    this.commitTyped();
    const kept = this.state.review?.result.runId === runId ? null : await this.library.loadResult(runId);
    const shown = this.state.review?.result;
    return shown?.runId === runId ? shown : kept;
  }

  /** Changes a job of the history, on show and on disk. Nothing happens when it is not there. */
  async changeJob(runId: string, change: Partial<JobEntry>): Promise<void> {
    this.store.update((state) => withJob(state, runId, change));
    const job = jobOf(this.state, runId);
    if (job !== undefined) await this.library.saveJob(job);
  }

  /** Keeps what was chosen for the next time. */
  keepPreferences(): void {
    this.run(() => this.library.savePreferences(preferencesOf(this.state)));
  }
}

/** Whether the same job may succeed at another try. What a service calls final is not offered again. */
function mayTryAgain(code: string): boolean {
  if (code === "submission_unknown") return false;
  // The codes of failed jobs that are also codes of requests mean the same there, but for the unforeseen one.
  const table: Readonly<Record<string, { readonly retry: string }>> = { ...REQUEST_ERRORS, ...JOB_FAILURES };
  return table[code]?.retry !== "never";
}

/** The ways out of a fault that a button can take. */
function remediesOf(code: string): FaultRemedy[] {
  switch (code) {
    case "standard_ad_not_enough_gaps":
      return ["allow-over-speech", "use-extended"];
    case "submission_unknown":
      return ["send-again"];
    case "voice_unavailable":
      return ["choose-voice"];
    case "unauthorized":
      return ["connect"];
    default:
      return [];
  }
}

/** Work of which at most one piece is under way, and can be cancelled. */
export class Cancellable {
  #controller: AbortController | null = null;
  #waiting: (() => void)[] = [];

  /** Whether a piece is under way. */
  get isUnderWay(): boolean {
    return this.#controller !== null;
  }

  /** Settles when nothing is under way any more. */
  async whenFree(): Promise<void> {
    while (this.isUnderWay) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /**
   * Does a piece of work, and gives what it gives. Whether something else is under way is for the caller to ask before.
   *
   * @throws What the work raises, after it was cancelled too.
   */
  async run<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const controller = new AbortController();
    this.#controller = controller;
    try {
      return await work(controller.signal);
    } finally {
      this.#controller = null;
      for (const go of this.#waiting.splice(0)) go();
    }
  }

  /** Does a piece of work. What it raises once it was cancelled is told to nobody. */
  async runQuietly(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    await this.run(async (signal) => {
      try {
        await work(signal);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    });
  }

  /** Cancels the piece under way. */
  cancel(): void {
    this.#controller?.abort("cancelled");
  }
}

/** Holds a state and tells one listener when it has changed. */
export class Store<State extends object> {
  #state: State;
  readonly #onChange: (now: State, before: State) => void;

  /** `onChange` is called with the state as it is and as it was. */
  constructor(first: State, onChange: (now: State, before: State) => void) {
    this.#state = first;
    this.#onChange = onChange;
  }

  /** The state now. Never changed in place. */
  get state(): State {
    return this.#state;
  }

  /** Replaces the state by what a pure function makes of it. */
  update(change: (state: State) => State): void {
    const before = this.#state;
    const next = change(before);
    if (next === before) return;
    this.#state = next;
    this.#onChange(next, before);
  }

  /** Replaces some fields. */
  set(change: Partial<State>): void {
    this.update((state) => ({ ...state, ...change }));
  }
}
