import type { Action, CompoundAction } from "@adobe/premierepro";
import { checkArguments, type HostKind, kindOf, markKind } from "./arguments.ts";
import { type Faults, NO_FAULTS } from "./faults.ts";
import type { ProjectState, SequenceState } from "./state.ts";
import { strictObject } from "./strict-object.ts";

/** What an action does: a new draft from the draft so far; what it looks up, it looks up in the state at commit. */
export type Change = (draft: ProjectState, base: ProjectState) => ProjectState;

/** One step of the undo history. */
export interface UndoEntry {
  readonly label: string;
  readonly projectId: string;
  readonly before: ProjectState;
  readonly after: ProjectState;
}

/** Which other actions a transaction may hold beside one: any, none at all, or few of its kind, the changes of parameters. */
type Company = "any" | "alone" | "parameters";

/** Most changes of effects' parameters in one transaction: ten held, fifty hung it. */
const MOST_PARAMETERS = 10;

interface ActionRecord {
  readonly scope: object;
  readonly projectId: string;
  readonly change: Change;
  readonly company: Company;
  isUsed: boolean;
}

/** What {@link Machine} needs from where it runs. */
export interface MachineOptions {
  /** Runs a function in a later macrotask. */
  readonly schedule: (run: () => void) => void;
  readonly faults?: Partial<Faults>;
  /** The time in milliseconds, for rules about how fast changes follow each other; without it none is broken. */
  readonly now?: () => number;
}

/** Commits in a row after which Premiere is to be left alone, and how long a pause counts as one, in milliseconds. */
const COMMITS_IN_A_ROW = 12;
const REST_MS = 2000;

/**
 * The rules of Premiere's scripting that concern every member: locks, transactions, the life of handles, undo. It holds
 * the projects; the other files of this folder dress them up as Adobe's objects.
 */
export class Machine {
  readonly faults: Faults;
  /** Broken rules that Premiere would not always answer with an error; a test asserts that there are none. */
  readonly violations: string[] = [];
  readonly undoStack: UndoEntry[] = [];
  /** Clips that the editor has selected on the timeline, by sequence. */
  readonly selected = new Map<string, ReadonlySet<string>>();
  redoStack: UndoEntry[] = [];
  activeProjectId: string | null = null;
  readonly #projects = new Map<string, ProjectState>();
  readonly #actions = new WeakMap<object, ActionRecord>();
  readonly #schedule: (run: () => void) => void;
  readonly #now: () => number;
  /** When the last commit was, and how many came before it without a rest. */
  #lastCommitAt = 0;
  #inARow = 0;
  #epoch = 0;
  #identities = 0;
  #lock: { readonly projectId: string; readonly scope: object; depth: number } | null = null;
  #transaction: { readonly actions: ActionRecord[] } | null = null;
  #changed: (() => void)[] = [];

  constructor(options: MachineOptions) {
    this.#schedule = options.schedule;
    let later = 0;
    this.#now = options.now ?? (() => (later += REST_MS));
    this.faults = { ...NO_FAULTS, ...options.faults };
  }

  /** A new identity, different from every other of this machine. */
  newId(prefix: string): string {
    this.#identities += 1;
    return `${prefix}-${this.#identities.toString(16).padStart(8, "0")}`;
  }

  /** A project that is open, by identity. */
  project(id: string): ProjectState {
    const project = this.#projects.get(id);
    if (project === undefined) throw new Error("The script object is no longer valid");
    return project;
  }

  hasProject(id: string): boolean {
    return this.#projects.has(id);
  }

  /** A sequence of an open project. */
  sequence(projectId: string, id: string): SequenceState {
    const sequence = this.project(projectId).sequences.get(id);
    if (sequence === undefined) throw new Error("The script object is no longer valid");
    return sequence;
  }

  /** Opens a project and makes it the active one. */
  open(project: ProjectState): void {
    this.#projects.set(project.id, project);
    this.activeProjectId = project.id;
    this.#announce();
  }

  /** Changes a project outside the undo history: import, mute, playhead. */
  replace(project: ProjectState): void {
    this.#projects.set(project.id, project);
    this.#announce();
  }

  /** Changes a project as one step of the undo history, as the user's own hand does. */
  edit(projectId: string, label: string, change: Change): void {
    const before = this.project(projectId);
    this.#commit(projectId, label, before, change(before, before));
  }

  /** Closes a project. */
  close(projectId: string): void {
    this.#projects.delete(projectId);
    if (this.activeProjectId === projectId) this.activeProjectId = null;
    this.expire();
    this.#announce();
  }

  /** Makes every handle given out so far invalid. */
  expire(): void {
    this.#epoch += 1;
  }

  /** Calls a function after each change of any project. Returns a function that ends it. */
  onChange(listener: () => void): () => void {
    this.#changed.push(listener);
    return () => {
      this.#changed = this.#changed.filter((one) => one !== listener);
    };
  }

  /** A host object that lives until the next {@link expire}. */
  handle<Members extends object>(kind: HostKind | string, members: Members): Members {
    const born = this.#epoch;
    const handle = strictObject(kind, members, () => {
      if (this.#epoch !== born) throw new Error("The script object is no longer valid");
    });
    // Kinds that no parameter asks for are only names.
    return markKind(handle, kind as HostKind);
  }

  /** Answers a question of the host in a later macrotask, with what is true then. */
  settle<Answer>(produce: () => Answer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#schedule(() => {
        this.#timePasses();
        try {
          resolve(produce());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  /** Runs a function in a later macrotask. */
  later(run: () => void): void {
    this.#schedule(run);
  }

  lockedAccess(projectId: string, callback: () => void): void {
    if (typeof callback !== "function") throw new TypeError("lockedAccess needs a function");
    const outer = this.#lock;
    if (outer !== null && outer.projectId !== projectId) throw new Error("another project is locked");
    if (outer === null) this.#lock = { projectId, scope: {}, depth: 1 };
    else outer.depth += 1;
    try {
      this.#refuseThenable("lockedAccess", callback());
    } finally {
      if (outer === null) this.#lock = null;
      else outer.depth -= 1;
    }
  }

  executeTransaction(projectId: string, callback: (compound: CompoundAction) => void, label: string): boolean {
    const lock = this.#lock;
    if (lock === null || lock.projectId !== projectId) throw new Error("Requires locked access");
    if (this.#transaction !== null) throw new Error("a transaction is already running");
    const transaction: { readonly actions: ActionRecord[] } = { actions: [] };
    this.#transaction = transaction;
    try {
      this.#refuseThenable("executeTransaction", callback(this.#compound(transaction)));
    } finally {
      this.#transaction = null;
    }
    if (transaction.actions.length === 0) return this.faults.emptyTransaction === "true";
    const isAlone = transaction.actions.length === 1;
    if (!isAlone && transaction.actions.some(({ company }) => company === "alone")) {
      throw new Error("Script action failed to execute");
    }
    if (transaction.actions.filter(({ company }) => company === "parameters").length > MOST_PARAMETERS) {
      this.violations.push("too many changes of parameters in one transaction");
      throw new Error("Premiere has hung");
    }
    const failure = this.#nextTransactionFails();
    if (failure === "throws") throw new Error("Script action failed to execute");
    if (failure === "returns false") return false;
    this.#commit(projectId, label, this.project(projectId), this.#apply(projectId, transaction.actions));
    this.#countCommit();
    return true;
  }

  /** An action that can be added to a transaction of the lock scope that is open now. */
  action(projectId: string, change: Change, company: Company = "any"): Action {
    const lock = this.#lock;
    if (lock === null || lock.projectId !== projectId) throw new Error("Requires locked access");
    const action: Action = markKind(Object.freeze({}), "Action");
    this.#actions.set(action, { scope: lock.scope, projectId, change, company, isUsed: false });
    return action;
  }

  /** An action that does nothing, of the lock scope that is open now. */
  inertAction(): Action {
    if (this.#lock === null) throw new Error("Requires locked access");
    return this.action(this.#lock.projectId, (draft) => draft);
  }

  /** Takes the last step back, as the user does. Returns its label, `null` when there is none. */
  undo(): string | null {
    const entry = this.undoStack.pop();
    if (entry === undefined) return null;
    this.redoStack.push(entry);
    this.#restore(entry.projectId, entry.before);
    return entry.label;
  }

  /** Does the last undone step again. Returns its label, `null` when there is none. */
  redo(): string | null {
    const entry = this.redoStack.pop();
    if (entry === undefined) return null;
    this.undoStack.push(entry);
    this.#restore(entry.projectId, entry.after);
    return entry.label;
  }

  #restore(projectId: string, to: ProjectState): void {
    const now = this.project(projectId);
    const sequences = new Map<string, SequenceState>();
    for (const [id, sequence] of to.sequences) {
      const current = now.sequences.get(id);
      sequences.set(id, current === undefined ? sequence : keepUnrecorded(sequence, current));
    }
    this.#projects.set(projectId, { ...to, sequences, activeSequenceId: now.activeSequenceId });
    this.expire();
    this.#announce();
  }

  #commit(projectId: string, label: string, before: ProjectState, after: ProjectState): void {
    this.undoStack.push({ label, projectId, before, after });
    this.redoStack = [];
    this.#projects.set(projectId, after);
    this.expire();
    this.#announce();
  }

  #apply(projectId: string, actions: readonly ActionRecord[]): ProjectState {
    const base = this.project(projectId);
    let draft = base;
    for (const action of actions) {
      if (this.#isDropped()) continue;
      try {
        draft = action.change(draft, base);
      } catch (cause) {
        throw new Error("Script action failed to execute", { cause });
      }
    }
    return draft;
  }

  #compound(transaction: { readonly actions: ActionRecord[] }): CompoundAction {
    const members = {
      addAction: (...given: [action: Action]): boolean => {
        checkArguments("CompoundAction.addAction", given, { required: ["Action"] });
        if (this.#transaction !== transaction) throw new Error("Script action failed to execute");
        const record = this.#actions.get(given[0]);
        if (record === undefined || record.scope !== this.#lock?.scope || record.isUsed) {
          throw new Error("Script action failed to execute");
        }
        record.isUsed = true;
        transaction.actions.push(record);
        return true;
      },
      get empty() {
        return transaction.actions.length === 0;
      },
    } satisfies CompoundAction;
    return strictObject("CompoundAction", members);
  }

  /** Some 50 changes in a row exhausted Premiere for a minute. */
  #countCommit(): void {
    const now = this.#now();
    this.#inARow = now - this.#lastCommitAt >= REST_MS ? 1 : this.#inARow + 1;
    this.#lastCommitAt = now;
    if (this.#inARow > COMMITS_IN_A_ROW) this.violations.push(`${this.#inARow} commits in a row without a rest`);
  }

  #refuseThenable(member: string, result: unknown): void {
    if (kindOf(result) !== undefined || typeof result !== "object" || result === null || !("then" in result)) return;
    this.violations.push(`async callback in ${member}`);
    throw new Error(`async callback in ${member}`);
  }

  #timePasses(): void {
    if (this.faults.staleness === "await") this.expire();
    if (this.faults.expireAt === null) return;
    this.faults.expireAt -= 1;
    if (this.faults.expireAt > 0) return;
    this.faults.expireAt = null;
    this.expire();
  }

  #nextTransactionFails(): "returns false" | "throws" | null {
    const fault = this.faults.transaction;
    if (fault === null) return null;
    this.faults.transaction = fault.at > 1 ? { ...fault, at: fault.at - 1 } : null;
    return fault.at > 1 ? null : fault.how;
  }

  #isDropped(): boolean {
    if (this.faults.droppedAction === null) return false;
    this.faults.droppedAction -= 1;
    if (this.faults.droppedAction > 0) return false;
    this.faults.droppedAction = null;
    return true;
  }

  #announce(): void {
    for (const listener of this.#changed) listener();
  }
}

/** What Premiere's undo leaves alone: mutes and the playhead. */
function keepUnrecorded(restored: SequenceState, current: SequenceState): SequenceState {
  const mutes = new Map([...current.videoTracks, ...current.audioTracks].map((track) => [track.id, track.isMuted]));
  const keep = (track: SequenceState["audioTracks"][number]) => ({
    ...track,
    isMuted: mutes.get(track.id) ?? track.isMuted,
  });
  return {
    ...restored,
    playerPosition: current.playerPosition,
    videoTracks: restored.videoTracks.map(keep),
    audioTracks: restored.audioTracks.map(keep),
  };
}
