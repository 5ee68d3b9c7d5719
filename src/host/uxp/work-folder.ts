import type { UxpStorage } from "./runtime.ts";
import { pathIn, type UxpFiles } from "./uxp-files.ts";

/** Where the panel keeps things on this computer, as native paths. All of it survives a restart. */
export interface WorkFolder {
  /** The plugin's data folder: settings, history, records. */
  readonly path: string;
  /** Exports on their way to a service; each is removed once it is there. */
  readonly exportsPath: string;
  /** Results: raw text, records of sequences, and sound where the project has no folder of its own. */
  readonly resultsPath: string;
  /** Records of runs that have not ended. */
  readonly runsPath: string;
}

/** Opens the work folder, making what is missing of it. */
export async function openWorkFolder(storage: UxpStorage, files: UxpFiles): Promise<WorkFolder> {
  const { nativePath } = await storage.getDataFolder();
  const folder: WorkFolder = {
    path: nativePath,
    exportsPath: pathIn(nativePath, "exports"),
    resultsPath: pathIn(nativePath, "results"),
    runsPath: pathIn(nativePath, "runs"),
  };
  for (const path of [folder.exportsPath, folder.resultsPath, folder.runsPath]) await files.makeFolder(path);
  for (const path of [folder.path, folder.resultsPath, folder.runsPath]) await files.mend(path);
  return folder;
}
