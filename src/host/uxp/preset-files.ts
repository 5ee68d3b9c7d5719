import { fileNameOf } from "../../core/local-file.ts";
import type { Learnt } from "../learnt.ts";
import { bitsPerSecondOf, type PresetFile, type PresetSource, proxyPreset } from "../preset-files.ts";
import { namesIn, presetFolders } from "./application-folders.ts";
import type { UxpRuntime } from "./runtime.ts";
import { pathIn, type UxpFiles } from "./work-folder.ts";

/** Folders of presets: the exporter's and the file's four-character codes, in hex (`premiere-uxp.md` 3). */
const H264_FOLDER = "4E49434B_48323634";
const WAV_FOLDER = "3F3F3F3F_57415645";

/** Premiere's own presets by what their names say; the numbers before them differ by version. The smallest first. */
const SYSTEM_NAMES: readonly (readonly [folder: string, name: RegExp])[] = [
  [H264_FOLDER, /^(?:\d+ - )?Match Source - Low bitrate\.epr$/i],
  [H264_FOLDER, /^(?:\d+ - )?Match Source - Medium bitrate\.epr$/i],
  [H264_FOLDER, /^(?:\d+ - )?Match Source - High bitrate\.epr$/i],
  [H264_FOLDER, /^YouTube 1080p HD\.epr$/i],
  [WAV_FOLDER, /^Waveform Audio 48kHz 16-bit\.epr$/i],
];

/** Our own presets, inside the plugin: modelled on real ones by hand, so the last resort. */
const OWN_PRESETS = [
  { name: "Aside proxy (H.264, 640 wide)", file: "presets/aside-proxy-h264.epr" },
  { name: "Aside sound (WAV, 48 kHz)", file: "presets/aside-sound-wav.epr" },
] as const;

/** The preset that is made from one of Premiere's own, in the data folder. */
const MADE = { name: "Aside proxy (from Premiere's own)", file: "aside-proxy-made.epr" } as const;

/** File in the data folder that holds the paths of presets which exports have succeeded with. */
const WORKED = "presets-that-worked.json";

/** What finding presets needs. */
export interface PresetSearch {
  readonly runtime: Pick<UxpRuntime, "storage" | "platform" | "applicationPath" | "homeFolder">;
  readonly files: UxpFiles;
  /** Preset files the user has chosen, as native paths. */
  readonly chosen: readonly string[];
  /** The plugin's data folder. */
  readonly dataFolder: () => Promise<string>;
  /** What was learnt of this Premiere. */
  readonly learnt?: Learnt;
}

/** The presets on this computer, with a memory of which of them an export has succeeded with. */
export class PresetFiles implements PresetSource {
  readonly #search: PresetSearch;

  constructor(search: PresetSearch) {
    this.#search = search;
  }

  /**
   * The presets there are: the user's own, because someone chose them for a reason, then those that have worked, then one made
   * from Premiere's own, Premiere's own, and ours.
   */
  async list(): Promise<readonly PresetFile[]> {
    const { files, chosen } = this.#search;
    const user: PresetFile[] = [];
    for (const path of chosen) {
      if ((await files.size(path)) !== null)
        user.push({ name: fileNameOf(path), path, origin: "user", isProven: true });
    }
    const system = await this.#system();
    const found = [...(await this.#made(system)), ...system, ...(await this.#own())];
    const worked = await this.#worked();
    const proven = found.map((preset) => (worked.has(preset.path) ? { ...preset, isProven: true } : preset));
    const isFirst = ({ path }: PresetFile) => worked.has(path);
    const presets = [...user, ...proven.filter(isFirst), ...proven.filter((preset) => !isFirst(preset))];
    return Promise.all(
      presets.map(async (preset) => {
        const bitsPerSecond = await bitsOf(files, preset.path);
        return bitsPerSecond === undefined ? preset : { ...preset, bitsPerSecond };
      }),
    );
  }

  async worked(path: string): Promise<void> {
    const known = await this.#worked();
    if (known.has(path)) return;
    const text = JSON.stringify([path, ...known]);
    await this.#search.files.writeText(pathIn(await this.#search.dataFolder(), WORKED), text);
  }

  /** Paths of presets that have worked; none where that was never kept, or cannot be read. */
  async #worked(): Promise<ReadonlySet<string>> {
    try {
      const kept: unknown = JSON.parse(
        await this.#search.files.readText(pathIn(await this.#search.dataFolder(), WORKED)),
      );
      return new Set(Array.isArray(kept) ? kept.filter((path) => typeof path === "string") : []);
    } catch {
      return new Set();
    }
  }

  async #own(): Promise<PresetFile[]> {
    const plugin = await this.#search.runtime.storage.getPluginFolder();
    const found: PresetFile[] = [];
    for (const { name, file } of OWN_PRESETS) {
      try {
        found.push({ name, path: (await plugin.getEntry(file)).nativePath, origin: "ours", isProven: false });
      } catch {
        // A plugin without this file: the others do.
      }
    }
    return found;
  }

  /** Premiere's own, from the first place that has any: the one of the last time is looked at first. */
  async #system(): Promise<PresetFile[]> {
    const { learnt } = this.#search;
    const known = learnt?.recall("presets");
    if (known !== undefined) {
      const found = await this.#presetsIn(known);
      if (found.length > 0) return found;
    }
    for await (const { path } of presetFolders(this.#search.runtime, this.#search.files)) {
      const found = await this.#presetsIn(path);
      if (found.length === 0) continue;
      learnt?.keep("presets", path);
      return found;
    }
    return [];
  }

  async #presetsIn(root: string): Promise<PresetFile[]> {
    const { files } = this.#search;
    const names = new Map<string, readonly string[]>();
    for (const folder of [H264_FOLDER, WAV_FOLDER]) names.set(folder, await namesIn(files, pathIn(root, folder)));
    return SYSTEM_NAMES.flatMap(([folder, pattern]): PresetFile[] => {
      const name = names.get(folder)?.find((one) => pattern.test(one));
      if (name === undefined) return [];
      const path = pathIn(pathIn(root, folder), name);
      return [{ name: name.replace(/^\d+ - |\.epr$/g, ""), path, origin: "system", isProven: true }];
    });
  }

  /** A small one made from Premiere's own, which fits the Premiere that runs: written anew whenever it would differ. */
  async #made(system: readonly PresetFile[]): Promise<PresetFile[]> {
    const { files, dataFolder } = this.#search;
    const source = system.find(({ path }) => path.includes(H264_FOLDER));
    if (source === undefined) return [];
    try {
      const made = proxyPreset(await files.readText(source.path), MADE.name);
      if (made === null) return [];
      const path = pathIn(await dataFolder(), MADE.file);
      const present = (await files.size(path)) === null ? null : await files.readText(path);
      if (present !== made) await files.writeText(path, made);
      return [{ name: MADE.name, path, origin: "ours", isProven: false }];
    } catch {
      // What cannot be read or kept is done without.
      return [];
    }
  }
}

/** What a preset states, where it can be read: the host reads it itself all the same. */
async function bitsOf(files: UxpFiles, path: string): Promise<number | undefined> {
  try {
    return bitsPerSecondOf(await files.readText(path));
  } catch {
    return undefined;
  }
}
