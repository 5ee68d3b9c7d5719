import type { CatalogModel, Source } from "../../../src/engine/store/catalog-row.ts";
import { type ModelOrder, orderModels } from "../../../src/engine/store/install.ts";
import { type FileServer, startFileServer } from "../../fakes/file-server.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { modelOf, sha256 } from "./archives.ts";

/** Weights of a model: large enough for several blocks. */
export const WEIGHTS = Buffer.alloc(3_000_000, "weights of a model ");

/** Longer than a busy computer keeps a server waiting. */
const QUICK = { stallMs: 10_000, pauseMs: 1 };

/** A file of a server, as a catalogue has it. */
const fileSource = (server: Pick<FileServer, "origin">, name: string, file: Buffer | string): Source => ({
  url: `${server.origin}/repository/${name}`,
  bytes: Buffer.from(file).length,
  sha256: sha256(file),
  into: name,
});

/** A store, and an order at a server that has a model of two files. */
export async function orderAt(more: Partial<ModelOrder> = {}) {
  const server = await startFileServer({ "/repository/model.onnx": WEIGHTS, "/repository/tokens.txt": "a b" });
  const folder = await temporaryFolder();
  const sources = [fileSource(server, "model.onnx", WEIGHTS), fileSource(server, "tokens.txt", "a b")];
  const model = modelOf(sources, { model: "model.onnx", tokens: "tokens.txt" });
  const seen: string[] = [];
  const options: ModelOrder = {
    folder,
    environment: {},
    signal: new AbortController().signal,
    onProgress: ({ state, completedBytes, totalBytes }) => seen.push(`${state} ${completedBytes}/${totalBytes}`),
    limits: QUICK,
    ...more,
  };
  const order = (changes: Partial<ModelOrder> = {}, models: readonly CatalogModel[] = [model]) =>
    orderModels(models, { ...options, ...changes });
  const ranges = () => server.asked.filter(({ path }) => path.endsWith(".onnx")).map(({ range }) => range);
  return { server, folder, model, order, options, seen, ranges };
}
