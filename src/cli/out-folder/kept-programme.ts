import { isObject } from "../../core/is-object.ts";
import { nodeFiles } from "../../host/headless/files.ts";
import type { ExportedMedia } from "../../host/host.ts";
import { RECORD_VERSION, type RecoveryStore, type RunMedia } from "../../workflow/describe/recovery.ts";
import { readJsonObject } from "../source/json-object.ts";
import type { OutFolder } from "./out-folder.ts";

/** The programme of a result as a service has it: a later run of the same picture and sound need not render and send it again. */
export interface KeptProgramme {
  /** Tells the picture and sound, and the service, from others. */
  readonly content: string;
  readonly media: RunMedia;
  readonly exported: ExportedMedia;
}

/** The programme that is kept of a folder's result; `null` where there is none. */
export async function readKeptProgramme(folder: OutFolder): Promise<KeptProgramme | null> {
  const kept = await readJsonObject(folder.programmePath);
  const isWhole = typeof kept["content"] === "string" && isObject(kept["media"]) && isObject(kept["exported"]);
  // Written below; whether the service still has it is found when it is used.
  return isWhole ? (kept as unknown as KeptProgramme) : null;
}

/**
 * A store of records that keeps the programme of its runs, and begins a new run with the kept one.
 *
 * @param content Of the runs; see {@link KeptProgramme}.
 * @param known What is kept; absent: every run sends its own.
 */
export function keepingProgramme(
  store: RecoveryStore,
  folder: OutFolder,
  content: string,
  known: KeptProgramme | null = null,
): RecoveryStore {
  return {
    ...store,
    async load(runId) {
      const record = await store.load(runId);
      if (record !== null || known?.content !== content) return record;
      const { media, exported } = known;
      return { version: RECORD_VERSION, runId, startedAt: new Date().toISOString(), name: "", media, exported };
    },
    async save(record) {
      await store.save(record);
      const { media, exported } = record;
      if (media === undefined || exported === undefined) return;
      await nodeFiles.writeText(folder.programmePath, JSON.stringify({ content, media, exported }));
    },
  };
}
