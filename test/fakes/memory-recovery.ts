import { parseRunRecord, type RecoveryStore, type RunRecord } from "../../src/workflow/describe/recovery.ts";

/** Raised in place of a save: stands for a process that is killed there. */
export class Killed extends Error {}

/** Records in memory, as text, so that nothing but plain data survives. `killAfter` saves, the process "dies". */
export class MemoryRecovery implements RecoveryStore {
  readonly texts = new Map<string, string>();
  saves = 0;
  killAfter = Number.POSITIVE_INFINITY;

  async load(runId: string): Promise<RunRecord | null> {
    return parseRunRecord(this.texts.get(runId) ?? "");
  }

  async save(record: RunRecord): Promise<void> {
    this.texts.set(record.runId, JSON.stringify(record));
    this.saves += 1;
    if (this.saves >= this.killAfter) throw new Killed(`killed after save ${this.saves}`);
  }

  async remove(runId: string): Promise<void> {
    this.texts.delete(runId);
  }
}
