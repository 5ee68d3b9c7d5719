import { fileNameOf } from "../../core/file-name.ts";
import { bitsPerSecondOf } from "../preset-bitrate.ts";
import type { PresetFile } from "../preset-file.ts";
import type { UxpRuntime } from "./runtime.ts";
import { pathIn, type UxpFiles } from "./uxp-files.ts";

/** Folder of the H.264 presets: the exporter's and the file's four-character codes, in hex (`premiere-uxp.md` 3). */
const H264_FOLDER = "4E49434B_48323634";

/** Names that Premiere's own small H.264 presets had, by version; the smallest first. */
const SYSTEM_NAMES = [
  "02 - Match Source - Low bitrate.epr",
  "03 - Match Source - Low bitrate.epr",
  "01 - Match Source - Medium bitrate.epr",
  "02 - Match Source - Medium bitrate.epr",
  "00 - Match Source - High bitrate.epr",
  "01 - Match Source - High bitrate.epr",
  "YouTube 1080p HD.epr",
] as const;

/** Our own presets, inside the plugin. Modelled on real ones; nobody has run them in a Premiere yet. */
const OWN_PRESETS = [
  { name: "Aside proxy (H.264, 640 wide)", file: "presets/aside-proxy-h264.epr" },
  { name: "Aside sound (WAV, 48 kHz)", file: "presets/aside-sound-wav.epr" },
] as const;

/** What finding presets needs. */
export interface PresetSearch {
  readonly runtime: Pick<UxpRuntime, "storage" | "platform" | "versions">;
  readonly files: UxpFiles;
  /** Preset files the user has chosen, as native paths. */
  readonly chosen: readonly string[];
}

/**
 * The presets there are: the user's own, ours, then Premiere's own smallest where it can be found. The user's come first
 * because someone chose them for a reason.
 */
export async function findPresets(search: PresetSearch): Promise<readonly PresetFile[]> {
  const { files, runtime } = search;
  const found: PresetFile[] = [];
  const add = async (preset: PresetFile) => {
    const bitsPerSecond = await bitsOf(files, preset.path);
    found.push(bitsPerSecond === undefined ? preset : { ...preset, bitsPerSecond });
  };
  for (const path of search.chosen) {
    if ((await files.size(path)) !== null) await add({ name: fileNameOf(path), path, origin: "user", isProven: true });
  }
  const plugin = await runtime.storage.getPluginFolder();
  for (const { name, file } of OWN_PRESETS) {
    try {
      const { nativePath } = await plugin.getEntry(file);
      await add({ name, path: nativePath, origin: "ours", isProven: false });
    } catch {
      // A plugin without this file: the others do.
    }
  }
  const folder = systemFolder(runtime);
  for (const name of SYSTEM_NAMES) {
    const path = pathIn(folder, name);
    if ((await sizeOrNull(files, path)) === null) continue;
    await add({ name: name.replace(/^\d+ - |\.epr$/g, ""), path, origin: "system", isProven: true });
  }
  return found;
}

/** Where Premiere keeps its presets when it is installed in the usual place. */
function systemFolder(runtime: PresetSearch["runtime"]): string {
  const year = 2000 + (Number.parseInt(runtime.versions.host, 10) || 26);
  const app = `Adobe Premiere Pro ${year}`;
  return runtime.platform === "win32"
    ? `C:\\Program Files\\Adobe\\${app}\\MediaIO\\systempresets\\${H264_FOLDER}`
    : `/Applications/${app}/${app}.app/Contents/MediaIO/systempresets/${H264_FOLDER}`;
}

/** What a preset states, where it can be read: the host reads it itself all the same. */
async function bitsOf(files: UxpFiles, path: string): Promise<number | undefined> {
  try {
    return bitsPerSecondOf(await files.readText(path));
  } catch {
    return undefined;
  }
}

/** A place that may not be looked at is as good as an empty one. */
async function sizeOrNull(files: UxpFiles, path: string): Promise<number | null> {
  try {
    return await files.size(path);
  } catch {
    return null;
  }
}
