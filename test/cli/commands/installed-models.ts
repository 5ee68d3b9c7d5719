import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "../../temporary-folder.ts";

/** Models of Aside's that a store may have, with the engine that they need. */
const KINDS = {
  "ced-mini": ["sounds", "ced"],
  "parakeet-v3": ["ears", "parakeet"],
  "supertonic-3": ["voice", "supertonic"],
  "sherpa-onnx": ["engine", "sherpa-onnx"],
} as const;

/** A store that has some models and their engine. The only file of each is `model`, which holds a word. */
export async function storeWith(...ids: readonly Exclude<keyof typeof KINDS, "sherpa-onnx">[]): Promise<string> {
  const folder = await temporaryFolder();
  const sha256 = createHash("sha256").update("heard").digest("hex");
  for (const id of [...ids, "sherpa-onnx"] as const) {
    const [kind, form] = KINDS[id];
    await mkdir(join(folder, id));
    await writeFile(join(folder, id, "model"), "heard");
    const contents = { model: { bytes: 5, sha256 } };
    const manifest = { id, title: id, kind, form, files: { model: "model" }, languages: [], contents };
    await writeFile(join(folder, id, "installed.json"), JSON.stringify(manifest));
  }
  return folder;
}
