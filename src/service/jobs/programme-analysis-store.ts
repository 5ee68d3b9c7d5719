import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ANALYSIS_VERSION, type ProgrammeAnalysis } from "../programme-analysis.ts";

/** An analysis with the folder that holds its key frames. */
export interface StoredAnalysis {
  readonly analysis: ProgrammeAnalysis;
  readonly folder: string;
}

const FILE = "analysis.json";

/**
 * The analysis of a programme: the one an earlier job left beside the media, else a new one, left there for later jobs.
 * It is made in the job's own folder and moved when whole, so a crash leaves nothing behind and two jobs at once do not
 * disturb each other.
 *
 * @param make analyses the programme and writes its key frames into the given folder.
 */
export async function storedAnalysis(
  folders: { readonly mediaFolder: string; readonly workFolder: string },
  make: (folder: string) => Promise<ProgrammeAnalysis>,
): Promise<StoredAnalysis> {
  const kept = join(folders.mediaFolder, `analysis-${ANALYSIS_VERSION}`);
  const found = await readAnalysis(kept);
  if (found !== null) return { analysis: found, folder: kept };
  const made = join(folders.workFolder, "analysis");
  await rm(made, { recursive: true, force: true });
  await mkdir(made, { recursive: true });
  const analysis = await make(made);
  await writeFile(join(made, FILE), JSON.stringify(analysis));
  await mkdir(folders.mediaFolder, { recursive: true });
  try {
    await rename(made, kept);
    return { analysis, folder: kept };
  } catch (error) {
    // Another job of the same media was faster, or an older attempt left a damaged folder; ours serves this job.
    if (error instanceof Error && "code" in error && (error.code === "ENOTEMPTY" || error.code === "EEXIST")) {
      return { analysis, folder: made };
    }
    throw error;
  }
}

async function readAnalysis(folder: string): Promise<ProgrammeAnalysis | null> {
  try {
    // Written by this module alone, whole or not at all.
    const found = JSON.parse(await readFile(join(folder, FILE), "utf8")) as ProgrammeAnalysis;
    return found.version === ANALYSIS_VERSION ? found : null;
  } catch {
    // Absent: no job has analysed this media yet.
    return null;
  }
}
