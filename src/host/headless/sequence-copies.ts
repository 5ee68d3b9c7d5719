import type { Timeline } from "../../core/timeline.ts";
import { isUntouched } from "../edit-plan.ts";
import type { Files } from "../files.ts";
import type { CopyRequest, HostOperation, SequenceCopier, SequenceInfo, SequenceRemoval } from "../host.ts";
import { HostError } from "../host-error.ts";

/** A sequence of a host over files. */
export interface KeptSequence {
  readonly name: string;
  readonly timeline: Timeline;
}

/** The sequences of a host over files: the one that was opened, and copies of it. One of them is the active one. */
export class SequenceCopies<Kept extends KeptSequence> {
  readonly #sequences = new Map<string, Kept>();
  readonly #originalId: string;
  #activeId: string;
  #made = 0;

  constructor(id: string, original: Kept) {
    this.#originalId = id;
    this.#activeId = id;
    this.#sequences.set(id, original);
  }

  get activeId(): string {
    return this.#activeId;
  }

  /** The active sequence. */
  get active(): Kept {
    return this.#named(this.#activeId);
  }

  /** What the active sequence holds from now on. */
  set active(kept: Kept) {
    this.#sequences.set(this.#activeId, kept);
  }

  /** Copies a sequence under a name that no other has, and makes the copy the active one. */
  copy(sequenceId: string, name: string): void {
    const original = this.#named(sequenceId);
    const taken = new Set([...this.#sequences.values()].map((one) => one.name));
    let free = name;
    for (let number = 2; taken.has(free); number++) free = `${name} ${number}`;
    this.#made += 1;
    const id = `${this.#originalId}#${this.#made}`;
    this.#sequences.set(id, { ...original, name: free, timeline: { ...original.timeline, name: free } });
    this.#activeId = id;
  }

  /** Makes a sequence the active one. */
  open(sequenceId: string): void {
    this.#named(sequenceId);
    this.#activeId = sequenceId;
  }

  /** Removes a copy that is as it was left; `false` where it is not. */
  remove(sequenceId: string, { asLeft, opensInstead }: SequenceRemoval): boolean {
    if (!isUntouched(asLeft, this.#named(sequenceId).timeline)) return false;
    if (sequenceId === this.#originalId || sequenceId === opensInstead) {
      const context = { operation: "remove the copy", state: "nothing was changed" };
      throw new HostError("apply_failed", "the file itself is no copy that can be removed", context);
    }
    this.open(opensInstead);
    this.#sequences.delete(sequenceId);
    return true;
  }

  /** Where a file of a sequence goes: that of a copy beside that of the original. */
  pathOf(path: string, sequenceId = this.#activeId): string {
    const number = sequenceId.slice(this.#originalId.length + 1);
    return number === "" ? path : path.replace(/(?=\.\w+$)/, `-${number}`);
  }

  #named(sequenceId: string): Kept {
    const found = this.#sequences.get(sequenceId);
    if (found !== undefined) return found;
    const context = { operation: "open a sequence", state: "nothing was changed" };
    throw new HostError("no_sequence", `there is no sequence ${sequenceId}`, context);
  }
}

/** What every host over files does with its sequences; the files of a copy go with it. */
export abstract class CopyingHost<Kept extends KeptSequence> implements SequenceCopier {
  protected readonly sequences: SequenceCopies<Kept>;
  readonly #files: Pick<Files, "remove">;
  readonly #paths: readonly string[];

  /** @param paths Files that are written of the sequence that was opened; those of a copy stand beside them. */
  constructor(sequences: SequenceCopies<Kept>, files: Pick<Files, "remove">, paths: readonly string[]) {
    this.sequences = sequences;
    this.#files = files;
    this.#paths = paths;
  }

  abstract readSequence(): Promise<SequenceInfo>;

  async readTimeline(): Promise<Timeline> {
    return this.sequences.active.timeline;
  }

  async copySequence({ sequenceId, name }: CopyRequest, { signal }: HostOperation): Promise<SequenceInfo> {
    signal.throwIfAborted();
    this.sequences.copy(sequenceId, name);
    return this.readSequence();
  }

  async openSequence(sequenceId: string): Promise<SequenceInfo> {
    this.sequences.open(sequenceId);
    return this.readSequence();
  }

  async removeSequence(sequenceId: string, removal: SequenceRemoval): Promise<boolean> {
    if (!this.sequences.remove(sequenceId, removal)) return false;
    for (const path of this.#paths) await this.#files.remove(this.sequences.pathOf(path, sequenceId));
    return true;
  }
}
