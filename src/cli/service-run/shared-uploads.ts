import { RECORD_VERSION, type RecoveryStore, type RunMedia } from "../../workflow/describe/recovery.ts";

/** Uploads that several runs of one process share: a video goes to a service once, however many languages it gets. */
export class SharedUploads {
  readonly #media = new Map<string, RunMedia>();

  /**
   * A store of records that begins a new run with the upload of an earlier one of the same content.
   *
   * @param content The same for the same file at the same service.
   */
  over(store: RecoveryStore, content: string): RecoveryStore {
    return {
      load: async (runId) => {
        const record = await store.load(runId);
        const media = this.#media.get(content);
        if (record !== null || media === undefined) return record;
        return { version: RECORD_VERSION, runId, startedAt: new Date().toISOString(), name: "", media };
      },
      save: async (record) => {
        if (record.media === undefined) this.#media.delete(content);
        else this.#media.set(content, record.media);
        await store.save(record);
      },
      remove: (runId) => store.remove(runId),
    };
  }
}
