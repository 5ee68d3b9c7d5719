import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { SAMPLE_CLIP } from "../../src/cli/sample.ts";
import { startEmbeddedService } from "../../src/cli/service-run/embedded-service.ts";
import { buildPanel } from "../build/build-panel.ts";
import { buildPreviewPage } from "./build-preview.ts";
import { readMediaFacts } from "./media-facts.ts";
import { startPreviewServer } from "./preview-server.ts";

/** What a preview can be asked for. */
export interface PreviewOptions {
  /** Video that the sequence shows; default: the sample clip. */
  readonly mediaPath?: string;
  /** Port of the page; default a free one. */
  readonly port?: number;
  /** The service behind it; default: the embedded one, with data of its own that goes with the preview. */
  readonly service?: { readonly url: string; readonly apiKey: string };
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
  const undo: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const panelFolder = join(folder, "plugin");
    const pageFolder = join(folder, "page");
    const [mediaPath] = await Promise.all([
      options.mediaPath ?? SAMPLE_CLIP,
      buildPanel(panelFolder),
      buildPreviewPage(pageFolder),
    ]);
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
    const server = await startPreviewServer({ port, panelFolder, pageFolder, disksFolder, mediaPath, media, service });
    undo.push(() => server.close());
    return { url: server.url, apiKey: service.apiKey, disksFolder, close };
  } catch (error) {
    await close();
    throw error;
  }
}
