import { join } from "node:path";
import { fingerprintOf } from "../../core/fingerprint.ts";
import { nodeFiles } from "../../host/headless/files.ts";
import { makeFolder } from "../../service/storage/make-folder.ts";
import { type ScriptMemory, scriptLayout } from "../../workflow/describe/script-layouts.ts";
import { userFolder } from "./user-folder.ts";

/**
 * Remembers in the user's folder which layout of a script a service takes. The file is named by the address's
 * fingerprint. What cannot be read or written is simply not remembered.
 */
export function folderScriptMemory(env: NodeJS.ProcessEnv, service: string): ScriptMemory {
  const folder = join(userFolder(env), "script-layouts");
  const path = join(folder, fingerprintOf(service));
  return {
    last: async () => scriptLayout(await nodeFiles.readText(path).catch(() => "")),
    async took(layout) {
      await makeFolder(folder)
        .then(() => nodeFiles.writeText(path, layout))
        .catch(() => undefined);
    },
  };
}
