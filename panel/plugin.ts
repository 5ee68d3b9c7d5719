import { Client } from "../src/client/client.ts";
import { pairingPath, readPairing, USUAL_PORT } from "../src/contract/pairing.ts";
import { Learnt } from "../src/host/learnt.ts";
import { premiereContact } from "../src/host/premiere/contact-trials.ts";
import type { ExportOptions } from "../src/host/premiere/export-sequence.ts";
import { premiereModule } from "../src/host/premiere/module.ts";
import { PremiereHost } from "../src/host/premiere/premiere-host.ts";
import { SourceMonitorPlayer } from "../src/host/premiere/project-bin.ts";
import { callLines, traced } from "../src/host/premiere/traced-premiere.ts";
import { PlainAbortController, tellsListeners } from "../src/host/uxp/abort.ts";
import { uxpContact } from "../src/host/uxp/contact-trials.ts";
import { httpFetch } from "../src/host/uxp/http-fetch.ts";
import { KeyStore } from "../src/host/uxp/key-store.ts";
import { learnLoopback } from "../src/host/uxp/loopback.ts";
import { uxpRuntime } from "../src/host/uxp/modules.ts";
import { PresetFiles } from "../src/host/uxp/preset-files.ts";
import type { UxpShell, UxpStorage } from "../src/host/uxp/runtime.ts";
import { SoundPlayer } from "../src/host/uxp/sound-player.ts";
import { UxpClock } from "../src/host/uxp/uxp-clock.ts";
import { UxpTransfer } from "../src/host/uxp/uxp-transfer.ts";
import { openWorkFolder, pathIn, UxpFiles, type WorkFolder } from "../src/host/uxp/work-folder.ts";
import type { PanelTools } from "./controllers/actions.ts";
import { Announcer } from "./document/announcer.ts";
import type { PanelDocument } from "./document/dom.ts";
import type { PanelEnvironment, RunningPanel } from "./session/environment.ts";
import { pageContact } from "./session/page-contact.ts";
import { PageSound, writeSilence } from "./session/page-sound.ts";
import type { StartedPanel } from "./start/start.ts";
import { copyText } from "./start/start-fault.ts";
import { type MakeTools, startPanel } from "./start-panel.ts";
import type { ViewName } from "./state/panel-state.ts";
import { words } from "./words/words.ts";

/** Where `aside serve` listens unless it is told otherwise. By number: macOS was seen to refuse the name. */
const LOCAL_ADDRESS = `http://127.0.0.1:${USUAL_PORT}`;

/** File in the data folder that holds what was learnt of each version of Premiere. */
const LEARNT_FILE = "premiere-learnt.json";

/** Longest wait for an answer of Premiere's, in milliseconds: a dialogue of the editor's own may hold it up. */
const ANSWER_LIMIT_MS = 120_000;

/** Address that the companion's installation belongs to: opening it starts Aside. */
const START_ADDRESS = "aside://start";

/** What everything in the plugin is made of. */
export interface PluginParts {
  readonly premiere: ReturnType<typeof premiereModule>;
  readonly runtime: ReturnType<typeof uxpRuntime>;
  readonly hosting: ExportOptions & { readonly files: UxpFiles };
  readonly secrets: KeyStore;
  readonly folders: () => Promise<WorkFolder>;
}

declare global {
  /** Makes the tools of a panel: set by the script that holds them. */
  var asideTools: ((parts: PluginParts) => MakeTools) | undefined;
}

/** The panel in Premiere: what the first script opens, closes and leads to a view. */
export class Plugin implements StartedPanel {
  #running: RunningPanel | null = null;

  constructor() {
    // Where UXP's own controller tells nobody of its abort, ours takes its place.
    const present = typeof AbortController === "undefined" ? undefined : AbortController;
    if (!tellsListeners(present)) Object.assign(globalThis, { AbortController: PlainAbortController });
    // Where it cannot be heard that the page goes, the host's own hook tells of it.
    if (typeof window === "undefined") return;
    for (const event of ["unload", "beforeunload"] as const) window.addEventListener?.(event, () => this.close());
  }

  open(root: Parameters<typeof startPanel>[0]): void {
    this.#running ??= start(root);
  }

  go(view: ViewName): void {
    this.#running?.go(view);
  }

  close(): void {
    this.#running?.close();
    this.#running = null;
  }
}

function start(root: Parameters<typeof startPanel>[0]): RunningPanel {
  const runtime = uxpRuntime();
  const files = new UxpFiles(runtime.fs);
  const clock = new UxpClock({
    setTimeout: (run, milliseconds) => setTimeout(run, milliseconds),
    clearTimeout: (timer) => clearTimeout(timer),
  });
  const secrets = new KeyStore(runtime.secureStorage);
  const fetch = httpFetch(runtime.XMLHttpRequest, clock);
  const chosenPresets: string[] = [];
  let opened: Promise<WorkFolder> | null = null;
  const folders = () => (opened ??= openWorkFolder(runtime.storage, files));
  const dataFolder = async () => (await folders()).path;
  const { host: version } = runtime.versions;
  const learnt = new Learnt({ files, version, path: async () => pathIn(await dataFolder(), LEARNT_FILE) });
  const premiere = traced(premiereModule(), { learnt, limit: { clock, milliseconds: ANSWER_LIMIT_MS } });
  learnLoopback(runtime.XMLHttpRequest, learnt);
  const presets = new PresetFiles({ runtime, files, chosen: chosenPresets, dataFolder, learnt });
  let exports = 0;
  const newFile = async (extension: string) =>
    pathIn((await folders()).exportsPath, `aside-export-${clock.now().toString(36)}-${++exports}.${extension}`);
  const copyFile = async (path: string) => files.copyInto(path, pathIn((await folders()).resultsPath, "narration"));
  const hosting = { premiere, clock, files, presets, newFile, copyFile };
  const sound = new PageSound({ document, clock, learnt });
  const findCompanion = async () => {
    if (runtime.homeFolder === "") return null;
    return readPairing(await files.readText(pairingPath(runtime.homeFolder, runtime.platform)));
  };
  const address = async () => (await findCompanion().catch(() => null))?.address ?? LOCAL_ADDRESS;
  const silence = async () => writeSilence(files, pathIn((await folders()).exportsPath, "aside-silence.wav"));
  const trials = [
    ...premiereContact(premiere),
    ...uxpContact({ Requests: runtime.XMLHttpRequest, address, presets }),
    ...pageContact({ document, clock, learnt, sound, silence }),
  ];
  const environment: PanelEnvironment = {
    // Adobe's declarations know what UXP has: a member that the panel uses and they lack does not compile.
    document: document satisfies PanelDocument,
    announcer: new Announcer(document satisfies PanelDocument, clock),
    editor: new PremiereHost(hosting),
    files,
    folders,
    pathIn,
    player: new SoundPlayer({ hosts: [sound, new SourceMonitorPlayer(premiere, clock)], clock }),
    transfer: new UxpTransfer({ Requests: runtime.XMLHttpRequest, files }),
    secrets,
    clock,
    connect: ({ address, key }) => new Client({ baseUrl: address, apiKey: key, fetch, clock }),
    version: PANEL_VERSION,
    localAddress: LOCAL_ADDRESS,
    findCompanion,
    pickFile: async (types) => (await pickedFiles(runtime.storage, { types }))[0] ?? null,
    pickFiles: (types) => pickedFiles(runtime.storage, { types, allowMultiple: true }),
    pickFolder: async () => (await runtime.storage.getFolder())?.nativePath ?? null,
    ...(PANEL_IS_DIRECT ? launching(runtime.shell) : { showFolder: null, startCompanion: null, openAddress: null }),
    copyText,
    sentMedia: async () => null,
    chosenPresets,
    theme: {
      current: () => document.theme?.getCurrent() ?? "dark",
      watch: (listener) => document.theme?.onUpdated.addListener(listener),
    },
    versions: runtime.versions,
    contact: { version, learnt, trials, calls: () => callLines(premiere) },
  };
  const parts = { premiere, runtime, hosting, secrets, folders };
  return startPanel(root, environment, PANEL_IS_DIRECT ? (actions) => toolsWhenDrawn(parts, actions) : null);
}

/** What the editor picked: UXP gives a list only where it was asked for several. */
async function pickedFiles(
  storage: UxpStorage,
  options: Parameters<UxpStorage["getFileForOpening"]>[0],
): Promise<{ readonly name: string; readonly path: string }[]> {
  const given = await storage.getFileForOpening(options);
  return [given ?? []].flat().map(({ name, nativePath }) => ({ name, path: nativePath }));
}

/** What the system is asked to open. Adobe's Marketplace takes no panel that does. */
function launching(shell: UxpShell): {
  [Name in "showFolder" | "startCompanion" | "openAddress"]: NonNullable<PanelEnvironment[Name]>;
} {
  return {
    showFolder: async (path) => (await shell.openPath(path, words.showReason)) === "",
    openAddress: async (address) => (await shell.openExternal(address, words.openReason)) === "",
    startCompanion: async () => (await shell.openExternal(START_ADDRESS, words.startReason)) === "",
  };
}

/** Tools that are made when they are first looked at: their script runs then. */
function toolsWhenDrawn(parts: PluginParts, actions: Parameters<MakeTools>[0]): PanelTools {
  let made: PanelTools | undefined;
  const make = () => {
    asideStart.run("diagnostics");
    return globalThis.asideTools?.(parts)(actions);
  };
  return {
    views: {
      diagnostics: (state) => {
        made ??= make();
        return made?.views.diagnostics?.(state) ?? [];
      },
    },
    close: () => made?.close(),
  };
}
