import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { SAMPLE_CLIP } from "../../src/cli/sample.ts";
import { startEmbeddedService } from "../../src/cli/service-run/embedded-service.ts";
import { runWebpack, watchWithWebpack } from "../../tools/build/run-webpack.ts";
import { type PreviewServer, readMediaFacts, startPreviewServer } from "./preview-server.ts";

/** What a preview can be asked for. */
export interface PreviewOptions {
  /** Video that the sequence shows; default: the sample clip. */
  readonly mediaPath?: string;
  /** Port of the page; default a free one. */
  readonly port?: number;
  /** The service behind it; default: the embedded one, with data of its own that goes with the preview. */
  readonly service?: { readonly url: string; readonly apiKey: string };
  /** Whether the panel's scripts are made as small as they are handed out. Default: no, which takes half the time. */
  readonly minify?: boolean;
  /** Where given, what changes is built again and the page reloaded; takes webpack's words, or `null` for a build that succeeded. */
  readonly watch?: (fault: string | null) => void;
}

/** A running preview. */
export interface Preview {
  /** Address of the page; it answers this computer alone. */
  readonly url: string;
  readonly apiKey: string;
  /** Folder in which the disks of the pretended computers lie, by name. */
  readonly disksFolder: string;
  close(): Promise<void>;
}

/** Builds the panel, starts a service and a page around both, on a pretended computer that is empty at first. */
export async function startPreview(options: PreviewOptions = {}): Promise<Preview> {
  const folder = await mkdtemp(join(tmpdir(), "aside-preview-"));
  const undo: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true, maxRetries: 5 })];
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const panelFolder = join(folder, "plugin");
    const pageFolder = join(folder, "page");
    const mediaPath = options.mediaPath ?? SAMPLE_CLIP;
    const { watch, minify = false } = options;
    let server: PreviewServer | null = null;
    const build = async (name: "panel" | "preview", into: string) => {
      if (watch === undefined) return runWebpack(name, into, { minify });
      const end = await watchWithWebpack(name, into, (fault) => {
        watch(fault);
        if (fault === null) server?.reload(name);
      });
      return undo.push(end);
    };
    await Promise.all([build("panel", panelFolder), build("preview", pageFolder)]);
    let service = options.service;
    if (service === undefined) {
      const embedded = await startEmbeddedService(join(folder, "service"), process.env);
      undo.push(() => embedded.close());
      service = embedded;
    }
    const media = await readMediaFacts(mediaPath, basename(mediaPath));
    const disksFolder = join(folder, "disks");
    await mkdir(disksFolder);
    const port = options.port ?? 0;
    const folders = { panelFolder, pageFolder, disksFolder };
    const isWatched = watch !== undefined;
    const running = await startPreviewServer({ port, ...folders, mediaPath, media, service, isWatched });
    server = running;
    undo.push(() => running.close());
    return { url: running.url, apiKey: service.apiKey, disksFolder, close };
  } catch (error) {
    await close();
    throw error;
  }
}
