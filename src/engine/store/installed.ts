import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { parsedJson } from "../../core/objects.ts";
import { isSet } from "../isolate/cage.ts";
import type { Environment } from "../outgoing/local-only.ts";

/** Variable with the folder in which models and engines are kept; default: `models` beside the settings. */
export const MODELS_FOLDER = "ASIDE_MODELS";

/** Variable in which a service tells its processes what is installed, as JSON: they need not look again. */
const FOUND_MODELS = "ASIDE_MODELS_FOUND";

/** What a folder of the store says of itself, in {@link MANIFEST}: written last, so that whatever has one is whole. */
export const MANIFEST = "installed.json";

const Manifest = z.object({
  /** What orders name it by, such as `kokoro-en`. */
  id: z.string(),
  title: z.string(),
  /** What it is for: `engine` is what runs models. */
  kind: z.enum(["eyes", "ears", "sounds", "voice", "engine"]),
  /** How it is loaded: the form of its files. */
  form: z.enum([
    "supertonic",
    "kokoro",
    "piper",
    "parakeet",
    "whisper",
    "ced",
    "qwen-vl",
    "sherpa-onnx",
    "llama-server",
  ]),
  /** Its files by the part that they play, as paths below its folder. */
  files: z.record(z.string(), z.string()),
  /** BCP-47 codes, or languages alone; empty where it makes no difference. */
  languages: z.array(z.string()),
});

/** A model or an engine that is on this computer, whole and checked. */
export interface InstalledModel extends z.output<typeof Manifest> {
  /** Whole path of the folder that its files are below. */
  readonly folder: string;
}

/** What a store's folder has: whatever says there that it is whole. A folder that is not there has nothing. */
export async function readInstalled(folder: string): Promise<InstalledModel[]> {
  // What begins with a dot is on its way in or out.
  const names = (await readdir(folder).catch(() => [])).filter((name) => !name.startsWith("."));
  const found = await Promise.all(
    names.sort().map(async (name) => {
      const below = join(folder, name);
      const text = await readFile(join(below, MANIFEST), "utf8").catch(() => "");
      const { data } = Manifest.safeParse(parsedJson(text));
      return data === undefined ? [] : [{ ...data, folder: below }];
    }),
  );
  return found.flat();
}

/**
 * The same variables, with what is installed: what {@link installedModels} reads.
 *
 * @param folder Where models are kept unless the variables say otherwise; `null`: nowhere.
 */
export async function withInstalledModels(environment: Environment, folder: string | null): Promise<Environment> {
  const own = environment[MODELS_FOLDER];
  const from = isSet(own) ? own : folder;
  const found = from === null ? [] : await readInstalled(from);
  return found.length === 0 ? environment : { ...environment, [FOUND_MODELS]: JSON.stringify(found) };
}

/** Installed voices in the order in which they speak by themselves: one made for few languages sounds better in each of them. */
export function voicesBestFirst(models: readonly InstalledModel[]): readonly InstalledModel[] {
  const count = ({ languages }: InstalledModel) =>
    languages.length === 0 ? Number.POSITIVE_INFINITY : languages.length;
  return models.filter(({ kind }) => kind === "voice").sort((a, b) => count(a) - count(b));
}

const Found = z.array(z.extend(Manifest, { folder: z.string() }));

/** What is installed by the variables of a process. */
export function installedModels(environment: Environment): readonly InstalledModel[] {
  const text = environment[FOUND_MODELS];
  return isSet(text) ? (Found.safeParse(parsedJson(text)).data ?? []) : [];
}
