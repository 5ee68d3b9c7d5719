import type { Timeline } from "../../core/timeline.ts";
import type { Files } from "../files.ts";
import type { CopyRequest, HostOperation, SequenceCopier, SequenceInfo, SequenceRemoval } from "../host.ts";
import type { KeptSequence, SequenceCopies } from "./sequence-copies.ts";

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
