import { operatingSystem } from "../../core/operating-system.ts";
import { plainPath } from "../files.ts";
import type { UxpRuntime } from "./runtime.ts";
import { pathIn, type UxpFiles } from "./work-folder.ts";

/** A folder of Premiere's own presets, and how it was found. */
export interface PresetFolder {
  readonly path: string;
  /** Told by the application, in a usual place of this system, or on another drive. */
  readonly from: "application" | "usual place" | "other drive";
}

/** Names of Premiere's folders and bundles: with and without "Pro", the year, and the word of a beta. */
const PREMIERE = /^Adobe Premiere( Pro)?( (?<year>\d{4}))?(?<beta> \(Beta\))?(\.app)?$/i;

/** Letters of the drives that are looked at beside the system's own. */
const OTHER_DRIVES = "DEFGHIJKLMNOPQRSTUVWXYZ";

/** What is looked for beside an application of this system. */
const IN_WINDOWS = ["MediaIO", "systempresets"];
const IN_BUNDLE = ["Contents", "MediaIO", "systempresets"];

/**
 * Where Premiere may keep its own presets, the likeliest first: where the application says that it lies (since 26.5), then every
 * Premiere in the usual places of the system, the newest first and a beta behind a release of its year, then on other drives. Folders
 * are looked for one place after the other, as far as they are asked for.
 */
export async function* presetFolders(
  { platform, applicationPath, homeFolder }: Pick<UxpRuntime, "platform" | "applicationPath" | "homeFolder">,
  files: Pick<UxpFiles, "list">,
): AsyncGenerator<PresetFolder> {
  const isWindows = operatingSystem(platform) === "windows";
  if (applicationPath !== undefined) {
    yield { path: within(applicationRoot(plainPath(applicationPath), isWindows), isWindows), from: "application" };
  }
  const usual = isWindows
    ? ["C:\\Program Files\\Adobe", "C:\\Program Files (x86)\\Adobe"]
    : ["/Applications", ...(homeFolder === "" ? [] : [pathIn(homeFolder, "Applications")])];
  for await (const path of premieresIn(usual, isWindows, files)) yield { path, from: "usual place" };
  const others = isWindows ? otherDrives() : await otherVolumes(files);
  for await (const path of premieresIn(others, isWindows, files)) yield { path, from: "other drive" };
}

/** The preset folders of every Premiere in some places. */
async function* premieresIn(
  places: readonly string[],
  isWindows: boolean,
  files: Pick<UxpFiles, "list">,
): AsyncGenerator<string> {
  for (const place of places) {
    for (const name of newestFirst(await namesIn(files, place))) {
      const folder = pathIn(place, name);
      if (isWindows || name.endsWith(".app")) yield within(folder, isWindows);
      // On macOS the bundle lies in a folder of its name, or of an earlier one.
      else for (const bundle of newestFirst(await namesIn(files, folder))) yield within(pathIn(folder, bundle), false);
    }
  }
}

/** Names that are Premiere's: the newest year first, none last; a release before the beta of its year. */
function newestFirst(names: readonly string[]): readonly string[] {
  const found = names.flatMap((name) => {
    const groups = PREMIERE.exec(name)?.groups;
    return groups === undefined
      ? []
      : [{ name, year: Number(groups["year"] ?? 0), isBeta: groups["beta"] !== undefined }];
  });
  return found.sort((a, b) => b.year - a.year || Number(a.isBeta) - Number(b.isBeta)).map(({ name }) => name);
}

/** The folder or bundle of an application: on Windows its path names the program, on macOS the bundle or something in it. */
function applicationRoot(path: string, isWindows: boolean): string {
  return isWindows ? path.replace(/\\[^\\]*\.exe$/i, "") : path.replace(/\/Contents(\/.*)?$/, "").replace(/\/$/, "");
}

function within(root: string, isWindows: boolean): string {
  return (isWindows ? IN_WINDOWS : IN_BUNDLE).reduce(pathIn, root);
}

function otherDrives(): readonly string[] {
  return [...OTHER_DRIVES].flatMap((letter) => [`${letter}:\\Program Files\\Adobe`, `${letter}:\\Adobe`]);
}

async function otherVolumes(files: Pick<UxpFiles, "list">): Promise<readonly string[]> {
  return (await namesIn(files, "/Volumes")).map((volume) => `/Volumes/${volume}/Applications`);
}

/** What a folder holds. A place that may not be looked at is as good as an empty one. */
export async function namesIn(files: Pick<UxpFiles, "list">, folder: string): Promise<readonly string[]> {
  try {
    return await files.list(folder);
  } catch {
    return [];
  }
}
