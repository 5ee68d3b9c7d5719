import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { CATALOG } from "../../src/engine/store/catalog.ts";
import { engineFor } from "../../src/engine/store/catalog-engines.ts";
import type { CatalogModel, Source } from "../../src/engine/store/catalog-row.ts";
import { type Computer, thisComputer } from "../../src/engine/store/this-computer.ts";
import type { ModelOffer } from "../../src/service/models/model-store.ts";
import { type Answer, type FileServer, serveFile, startFileServer } from "./file-server.ts";
import { type HeardToken, parakeet } from "./hearing-models.ts";
import { type ModelMaker, supertonic } from "./speaking-models.ts";

// Small real models and their engines on a server of files, to be ordered as the catalog's are.

/** What the ears of the served models write down. */
const SAID: readonly HeardToken[] = [
  [" the", 3],
  [" boat", 4],
  [" is", 3],
  [" late", 5],
];

/** Models that can be ordered, and the server that has them. */
export interface ServedModels {
  readonly server: FileServer;
  /** What a service offers: the catalog, in which the default eyes, ears and voice come from the server. */
  readonly offer: ModelOffer;
  /** Path at the server of each file of the eyes, and its content. */
  readonly eyes: Readonly<Record<"model" | "projector", { readonly path: string; readonly file: Buffer }>>;
}

/** What is served as eyes: a module of Node that stands for `llama-server`, and the files of its model. */
export interface ServedEyes {
  readonly module: string;
  readonly model: Buffer;
  readonly projector: Buffer;
}

/** The stand-in, whose model takes a few megabytes, so that it can be seen to arrive. */
export function standInEyes(bytes = 8_000_000): ServedEyes {
  const module = fileURLToPath(new URL("./llama-server.ts", import.meta.url));
  // It reads how to behave out of its model: blanks behind that change nothing.
  return { module, model: Buffer.from("{}".padEnd(bytes, " ")), projector: Buffer.alloc(1_000_000, "projector") };
}

/**
 * Serves the default eyes, ears and voice of the catalog, with their engines. The server ends with the test.
 *
 * @param scratch An empty folder, in which they are made.
 */
export async function serveModels(
  scratch: string,
  { module, model, projector }: ServedEyes = standInEyes(),
): Promise<ServedModels> {
  const server = await startFileServer();
  const publish = (path: string, file: Buffer, into: string): Source => {
    server.files.set(path, file);
    return { url: `${server.origin}${path}`, bytes: file.length, sha256: sha256(file), into };
  };
  const eyes = {
    model: { path: "/eyes/model.gguf", file: model },
    projector: { path: "/eyes/projector.gguf", file: projector },
  };
  const eyesSources = Object.entries(eyes).map(([part, { path, file }]) => publish(path, file, `${part}.gguf`));
  const made = new Map<string, Partial<CatalogModel>>([
    ["qwen3-vl-4b", { sources: eyesSources, files: { model: "model.gguf", projector: "projector.gguf" } }],
  ]);
  const makers: readonly ModelMaker[] = [supertonic(), parakeet(SAID)];
  for (const make of makers) {
    const { id, files, languages } = await make(scratch);
    const sources = [];
    for (const name of await readdir(join(scratch, id)))
      sources.push(publish(`/${id}/${name}`, await readFile(join(scratch, id, name)), name));
    made.set(id, { sources, files, languages: [...languages] });
  }
  const catalog = CATALOG.map((row): CatalogModel => ({ ...row, ...made.get(row.id) }));
  // A computer on which the default of each kind is the one to take.
  const computer: Computer = { ...(await thisComputer()), memoryBytes: 16e9, processors: 8, hasGraphics: true };
  const speech = engineFor("sherpa-onnx", computer);
  const library = speech === null ? null : await servedSpeechLibrary(server, speech);
  const program = await servedProgram(server, join(scratch, "build"), module, engineFor("llama-server", computer));
  const engines = { "sherpa-onnx": library, "llama-server": program };
  return { server, eyes, offer: { catalog, engineFor: (form) => engines[form], computer: async () => computer } };
}

/** The speech library as it is ordered, out of the packages that are installed here. */
export async function servedSpeechLibrary(server: FileServer, engine: CatalogModel): Promise<CatalogModel> {
  const modules = dirname(dirname(createRequire(import.meta.url).resolve("sherpa-onnx-node/package.json")));
  const sources = [];
  for (const source of engine.sources) {
    const name = source.into.replace("node_modules/", "");
    const tarball = await tarballOf(join(modules, name), "package");
    server.files.set(`/${name}.tgz`, tarball);
    sources.push({ ...source, url: `${server.origin}/${name}.tgz`, bytes: tarball.length, sha256: sha256(tarball) });
  }
  return { ...engine, sources };
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** A program that runs a module of Node, in the archive that the engine for eyes comes in. */
async function servedProgram(server: FileServer, folder: string, module: string, engine: CatalogModel | null) {
  if (engine === null) return null;
  await mkdir(folder);
  const script = `#!/bin/sh\nexec "${process.execPath}" "${module}" "$@"\n`;
  await writeFile(join(folder, "llama-server"), script, { mode: 0o755 });
  const tarball = await tarballOf(folder, "build");
  server.files.set("/llama.tar.gz", tarball);
  const [source] = engine.sources;
  if (source === undefined) return null;
  const archive = { kind: "tar.gz", strip: 0, mostBytes: 1_000_000 } as const;
  const own = { url: `${server.origin}/llama.tar.gz`, bytes: tarball.length, sha256: sha256(tarball), into: "" };
  return { ...engine, sources: [{ ...source, ...own, archive }] };
}

/** A folder as a tarball, below another name. */
async function tarballOf(folder: string, below: string): Promise<Buffer> {
  const tar = pack();
  const whole = buffer(tar);
  for (const name of await readdir(folder)) {
    const [content, { mode }] = await Promise.all([readFile(join(folder, name)), stat(join(folder, name))]);
    const isProgram = (mode & 0o111) !== 0 || name.endsWith(".node") || name.includes(".so");
    const header = { name: `${below}/${name}`, mode: isProgram ? 0o755 : 0o644 };
    await new Promise<void>((resolve, reject) =>
      tar.entry(header, content, (error) => (error ? reject(error) : resolve())),
    );
  }
  tar.finalize();
  return gzipSync(await whole, { level: 1 });
}

/** A slow line that falls silent at a limit, which can be raised meanwhile. What is asked for from the middle on comes at once. */
export class SlowLine {
  /** Bytes that have come when it falls silent. */
  limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  readonly answer: Answer = (request, reply, file) => {
    if (request.headers.range !== undefined) return serveFile(request, reply, file);
    const etag = `"${file.length}-${file.subarray(0, 8).toString("hex")}"`;
    reply.writeHead(200, { etag, "content-length": file.length });
    let sent = 0;
    const drip = setInterval(() => {
      if (reply.destroyed || sent === file.length) return clearInterval(drip);
      const next = Math.min(this.limit, file.length, sent + DRIP_BYTES);
      if (next > sent) reply.write(file.subarray(sent, next));
      sent = next;
      if (sent === file.length) reply.end();
    }, DRIP_MS);
    return undefined;
  };
}

/** How much a slow line brings at once, and how often. */
const [DRIP_BYTES, DRIP_MS] = [200_000, 100];
