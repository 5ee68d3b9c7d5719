import { constants } from "node:fs";
import { copyFile, link, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Heard } from "../core/gap.ts";
import type { Shot } from "../core/shot.ts";
import type { TimeRange } from "../core/time-range.ts";

/** Raised when the meaning of a stored analysis changes, so that an older one is made again. */
export const ANALYSIS_VERSION = 10;

/** Everything one decode pass over a programme measured. Plain data: it is kept as JSON beside the media. */
export interface ProgrammeAnalysis {
  readonly version: typeof ANALYSIS_VERSION;
  /** Length of the programme in seconds, as decoded. */
  readonly durationSeconds: number;
  readonly heard: Heard;
  /** How loud it is, in equal parts: the loudest sample of each, in dB above -60 dBFS. Empty without sound. */
  readonly levels: readonly number[];
  /** In order, without holes, covering the programme; empty when there is no picture. */
  readonly shots: readonly Shot[];
  /**
   * Whether there is anything to see: `false` for a picture of one colour throughout. A job on such media fails with
   * `no_video_stream`.
   */
  readonly hasVisiblePicture: boolean;
  /**
   * Key frames as JPEG files beside the analysis, in order of time: at least one of every shot, about one a second where
   * something moves, one in ten seconds where nothing does.
   */
  readonly keyFrames: readonly KeyFrame[];
  /** Where something looks like lettering, in order of time, each with the still that shows most of it. */
  readonly lettering: readonly LetteringFrame[];
}

/** One still that shows what looks like lettering, of a stretch of one shot that does, in seconds on the programme clock. */
export interface LetteringFrame extends TimeRange {
  readonly at: number;
  /** File name inside the folder the analysis was written to. */
  readonly file: string;
}

/** One still of the programme. */
export interface KeyFrame {
  /** Seconds on the programme clock. */
  readonly at: number;
  /** File name inside the folder the analysis was written to. */
  readonly file: string;
  /**
   * How different it is from the key frame before it in its shot, 0 (the same) to below 1 (nothing in common); 1 for the
   * first of a shot, and for no other.
   */
  readonly novelty: number;
}

/** An analysis with the folder that holds its key frames; neither moves while a job reads it. */
export interface StoredAnalysis {
  readonly analysis: ProgrammeAnalysis;
  readonly folder: string;
}

const FILE = "analysis.json";

/**
 * The analysis of a programme: the one an earlier job left beside the media, else a new one, left there for later jobs.
 * It is made in the job's own folder and stays there for that job, whose readers have begun with its key frames already;
 * later jobs get it under a second name, whole or not at all. So a crash leaves nothing behind and two jobs at once do
 * not disturb each other.
 *
 * @param make analyses the programme and writes its key frames into the given folder.
 * @param tracks The sound tracks that were asked for: each choice is an analysis of its own.
 */
export async function storedAnalysis(
  folders: { readonly mediaFolder: string; readonly workFolder: string },
  make: (folder: string) => Promise<ProgrammeAnalysis>,
  tracks: readonly number[] = [],
): Promise<StoredAnalysis> {
  const kept = keptFolder(folders.mediaFolder, tracks);
  const found = await analysisIn(kept);
  if (found !== null) return found;
  const made = join(folders.workFolder, "analysis");
  await rm(made, { recursive: true, force: true });
  await mkdir(made, { recursive: true });
  const analysis = await make(made);
  await writeFile(join(made, FILE), JSON.stringify(analysis));
  await keepForOthers(made, join(folders.workFolder, "analysis-kept"), kept);
  return { analysis, folder: made };
}

/**
 * The analysis that an earlier job left beside a media, whatever sound it listened to; `null` where none did, or it is gone.
 */
export async function keptAnalysis(mediaFolder: string): Promise<StoredAnalysis | null> {
  const own = keptFolder(mediaFolder);
  const names = await readdir(mediaFolder).catch(() => []);
  const others = names.map((name) => join(mediaFolder, name)).filter((folder) => folder.startsWith(`${own}-track-`));
  for (const folder of [own, ...others.sort()]) {
    const found = await analysisIn(folder);
    if (found !== null) return found;
  }
  return null;
}

async function analysisIn(folder: string): Promise<StoredAnalysis | null> {
  const analysis = await readAnalysis(folder);
  return analysis === null ? null : { analysis, folder };
}

function keptFolder(mediaFolder: string, tracks: readonly number[] = []): string {
  const choice = tracks.length === 0 ? "" : `-track-${tracks.join("-")}`;
  return join(mediaFolder, `analysis-${ANALYSIS_VERSION}${choice}`);
}

/** What a rename onto a folder that is not empty is refused with; Windows says `EPERM`. */
const STANDS_ALREADY: ReadonlySet<unknown> = new Set(["ENOTEMPTY", "EEXIST", "EPERM"]);

/** Leaves an analysis beside the media, put together at `staging`, unless another job was faster. */
async function keepForOthers(made: string, staging: string, kept: string): Promise<void> {
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging);
  for (const file of await readdir(made)) await linkOrCopy(join(made, file), join(staging, file));
  await mkdir(dirname(kept), { recursive: true });
  try {
    await rename(staging, kept);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    // An older attempt may also have left a damaged folder there: each job makes its own then.
    if (!(error instanceof Error && "code" in error && STANDS_ALREADY.has(error.code))) throw error;
  }
}

/** Key frames take no room twice where the file system has hard links. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyFile(from, to, constants.COPYFILE_FICLONE));
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
