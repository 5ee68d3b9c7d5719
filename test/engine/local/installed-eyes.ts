import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { eyesIn, type InstalledEyes } from "../../../src/engine/models/vision-settings.ts";
import type { Environment } from "../../../src/engine/outgoing/local-only.ts";
import { MANIFEST, MODELS_FOLDER, withInstalledModels } from "../../../src/engine/store/installed.ts";
import type { LlamaServerBehaviour, LlamaServerStart } from "../../fakes/llama-server.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

/** A store with a model that sees and its program. */
export interface StoredEyes {
  /** Folder of the store. */
  readonly folder: string;
  /** Folder of the model. */
  readonly modelFolder: string;
  readonly environment: Environment;
  readonly eyes: InstalledEyes;
  /** What its program was started with so far. */
  readonly starts: () => Promise<LlamaServerStart[]>;
}

const STAND_IN = fileURLToPath(new URL("../../fakes/llama-server.ts", import.meta.url));

/** Installs a stand-in for `llama-server` that behaves so. */
export async function installStandIn(behaviour: LlamaServerBehaviour = {}, id = "qwen3-vl-4b"): Promise<StoredEyes> {
  const files = {
    model: JSON.stringify(behaviour, (_, value) => (value === Number.POSITIVE_INFINITY ? 1e9 : value)),
    projector: "",
  };
  return await installEyes(STAND_IN, files, id);
}

/** Installs a module of Node as `llama-server`, with these files of a model. */
export async function installEyes(
  module: string,
  files: { readonly model: string | Uint8Array; readonly projector: string | Uint8Array },
  id = "qwen3-vl-4b",
): Promise<StoredEyes> {
  const folder = await temporaryFolder();
  const [engineFolder, modelFolder] = [join(folder, "llama-server"), join(folder, id)];
  await Promise.all([mkdir(engineFolder), mkdir(modelFolder)]);
  const program = join(engineFolder, "llama-server");
  await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${module}" "$@"\n`);
  await chmod(program, 0o755);
  const common = { title: "", languages: [] };
  const engine = { ...common, id: "llama-server", title: "llama.cpp", kind: "engine", form: "llama-server" };
  const model = { ...common, id, title: "Qwen3-VL 4B", kind: "eyes", form: "qwen-vl" };
  await Promise.all([
    writeFile(join(modelFolder, "model.gguf"), files.model),
    writeFile(join(modelFolder, "projector.gguf"), files.projector),
    writeFile(join(engineFolder, MANIFEST), JSON.stringify({ ...engine, files: { program: "llama-server" } })),
    writeFile(
      join(modelFolder, MANIFEST),
      JSON.stringify({ ...model, files: { model: "model.gguf", projector: "projector.gguf" } }),
    ),
  ]);
  const environment = await withInstalledModels({ [MODELS_FOLDER]: folder }, null);
  const eyes = eyesIn(environment);
  if (eyes === null) throw new TypeError("what was installed is not found");
  const starts = async () => {
    const text = await readFile(join(modelFolder, "starts.jsonl"), "utf8").catch(() => "");
    return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as LlamaServerStart]));
  };
  return { folder, modelFolder, environment, eyes, starts };
}

/** Whether a process is there. */
export function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
