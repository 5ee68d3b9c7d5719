import { nodeFiles } from "../../host/headless/files.ts";
import { parseRunRecord, type RecoveryStore } from "../../workflow/describe/recovery.ts";
import type { OutFolder } from "./out-folder.ts";

/** Keeps the records of unfinished runs in the folder their results go to, one file each. */
export function folderRecovery(folder: OutFolder): RecoveryStore {
  return {
    async load(runId) {
      const path = folder.recordPath(runId);
      if ((await nodeFiles.size(path)) === null) return null;
      return parseRunRecord(await nodeFiles.readText(path).catch(() => ""));
    },
    save: (record) => nodeFiles.writeText(folder.recordPath(record.runId), JSON.stringify(record)),
    remove: (runId) => nodeFiles.remove(folder.recordPath(runId)),
  };
}
