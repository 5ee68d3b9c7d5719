// Runs in the panel's document before the panel does: gives it `require` with the doubles of the host's modules, and takes
// away what UXP lacks.
import { formatPairing, pairingPath } from "../../../src/contract/pairing.ts";
import { otherwise } from "../../../test/fakes/premiere/otherwise.ts";
import { startPremiere } from "../../../test/fakes/premiere/premiere.ts";
import { strictObject } from "../../../test/fakes/premiere/strict-object.ts";
import { makeFs } from "../../../test/fakes/uxp/fs.ts";
import { makeHost } from "../../../test/fakes/uxp/host.ts";
import { makeSecureStorage, makeStorage } from "../../../test/fakes/uxp/storage.ts";
import { WindowsDisk, windowsPath } from "../../../test/fakes/uxp/windows-disk.ts";
import { HttpDisk, HttpWorld } from "./http-disk.ts";
import type { PremierePage } from "./premiere-page.ts";
import { leaveOutLateControls, makeDocumentStrict } from "./uxp-document.ts";

/** Globals that browsers have and UXP has not, or not in every build (`premiere-uxp.md` 4.1). */
const ABSENT = [
  "TextEncoder",
  "TextDecoder",
  "structuredClone",
  "queueMicrotask",
  "MutationObserver",
  "EventSource",
  "Worker",
  "indexedDB",
  "btoa",
  "atob",
  "requestAnimationFrame",
  "matchMedia",
];

/** Made while the page still has it: the panel must do without. */
const ENCODER = new TextEncoder();

/** What the pretended service says is its version: the panel's; the bundler puts it in. */
declare const PANEL_VERSION: string;

/** An entry point called later than this after the script began can raise an error that nobody can catch, in UXP. */
const LATEST_SETUP_MS = 20;

interface GivenHooks {
  readonly create?: (root: unknown) => void;
  readonly show?: (root: unknown) => void;
}

// The page around the panel is ours and of the same origin.
const page: PremierePage = (window.parent as typeof globalThis & Window).premierePage;
const { folders, apiKey } = globalThis.previewSettings;
const { switches } = page;
const kept = page.take();
const httpDisk = new HttpDisk(switches.computer);
httpDisk.lagMs = switches.lagMs;
if (switches.room !== null) httpDisk.room = switches.room;
const isWindows = switches.faults.platform === "Windows";
const disk = isWindows ? new WindowsDisk(httpDisk) : httpDisk;
/** A path of the pretended computer as its system says it. */
const native = (path: string) => (isWindows ? windowsPath(path) : path);
const world = new HttpWorld(httpDisk);
world.renderDelayMs = switches.renderDelayMs;
const premiere = startPremiere({ project: kept.project, world, faults: switches.faults });
premiere.machine.undoStack.push(...kept.undoStack);
premiere.machine.redoStack.push(...kept.redoStack);
const secrets = switches.forgetsKey ? [] : kept.secrets;
const secure = makeSecureStorage(new Map(secrets.map(([key, bytes]) => [key, new Uint8Array(bytes)])));
const { module: fs } = makeFs({
  disk,
  schemes: { "plugin:": folders.plugin, "plugin-data:": folders.data, "plugin-temp:": folders.temporary },
  hasFullAccess: true,
  random: Math.random,
  isHeld: (path) => isWindows && premiere.sourceMonitor.holds(path),
});
const localFileSystem = makeStorage({
  disk,
  dataPath: native(folders.data),
  temporaryPath: native(folders.temporary),
  pluginPath: native(folders.plugin),
  pick: async (kind, suggestion, types) => {
    if (kind === "save") {
      const path = native(`${folders.saved}/${suggestion.replaceAll("/", "-")}`);
      page.say(`Saved as ${path} on the preview's disk.`);
      return path;
    }
    if (kind === "folder") {
      page.say(`The folder ${folders.saved} of the preview's disk is picked.`);
      return native(folders.saved);
    }
    const file = await page.pickFile(types);
    if (file === null) return null;
    const path = native(`${folders.picked}/${file.name}`);
    await disk.create(path);
    await disk.write(path, 0, new Uint8Array(await file.arrayBuffer()));
    return path;
  },
});

const started = Date.now();
const opened = performance.now();
let isSetUp = false;
let setupMs = Number.NaN;
const entrypoints = strictObject("entrypoints", {
  setup({ panels }: { readonly panels: Readonly<Record<string, GivenHooks>> }): void {
    if (isSetUp) throw new Error("entrypoints.setup was called twice");
    if (document.readyState === "complete" && Date.now() - started > LATEST_SETUP_MS) {
      throw new Error("entrypoints.setup was called late");
    }
    isSetUp = true;
    setupMs = performance.now() - opened;
    const showAll = () => {
      for (const { create, show } of Object.values(panels)) {
        create?.(document.body);
        show?.(document.body);
      }
      leaveOutLateControls();
    };
    // Once the page and its scripts are read.
    window.addEventListener("load", () => setTimeout(showAll, 0));
  },
});

const modules: Readonly<Record<string, unknown>> = {
  premierepro: otherwise(premiere.module, premiere.machine),
  fs,
  os: strictObject("os", {
    platform: () => (isWindows ? "win32" : "darwin"),
    homedir: () => native(folders.home),
  }),
  uxp: strictObject("uxp", {
    storage: strictObject("storage", { localFileSystem }),
    secureStorage: secure.module,
    entrypoints,
    ...makeHost({ version: `${premiere.faults.version}.0`, applicationPath: native(folders.application) }),
    shell: strictObject("shell", {
      openExternal: async (address: string) => {
        if (address === "aside://start") {
          await startCompanion();
          page.say("Aside was started.");
          return "";
        }
        page.say(`The browser would open ${address}`);
        return "";
      },
      openPath: async (path: string) => {
        page.say(`The file manager would show ${path}`);
        return "";
      },
    }),
  }),
};

/** The service behind this page leaves what a companion leaves for the panel. */
async function startCompanion(): Promise<void> {
  const path = pairingPath(native(folders.home), isWindows ? "win32" : "darwin");
  const text = formatPairing({ address: location.origin, key: apiKey, version: PANEL_VERSION, pid: 1 });
  const separator = isWindows ? "\\" : "/";
  const parts = path.slice(native(folders.home).length).split(separator).slice(1, -1);
  let folder = native(folders.home);
  for (const part of parts) {
    folder += separator + part;
    await disk.makeFolder(folder);
  }
  await disk.create(path);
  await disk.write(path, 0, ENCODER.encode(text));
}

/** UXP's own modules, by name. */
function requireModule(name: string): unknown {
  if (!(name in modules)) throw new Error(`UXP has no module "${name}"`);
  return modules[name];
}

Object.assign(window, {
  require: requireModule,
  /** For the tests: the Premiere behind the panel. */
  premiereDouble: premiere,
  /** For the tests: the control that has the keyboard. */
  focusedId: () => document.activeElement?.id ?? "",
});
let firstViewMs = Number.NaN;
const watching = new MutationObserver(() => {
  if (document.querySelector("[data-view]") === null) return;
  firstViewMs = performance.now() - opened;
  watching.disconnect();
});
watching.observe(document, { childList: true, subtree: true });
Object.assign(window, {
  /** For the bench: milliseconds from the start of the panel's first script to the call that sets it up, and to its first view. */
  startMs: () => [setupMs, firstViewMs],
});
Object.assign(document, {
  theme: { getCurrent: page.theme, onUpdated: { addListener: page.onTheme } },
});
const { play } = HTMLMediaElement.prototype;
let playing: HTMLAudioElement | null = null;
premiere.sourceMonitor.now = () => Date.now() * switches.haste;
// What Premiere's source monitor plays is heard in the browser.
premiere.sourceMonitor.onPlay = async (path) => {
  const bytes = new Uint8Array((await disk.stat(path))?.size ?? 0);
  await disk.read(path, 0, bytes);
  playing = new Audio(URL.createObjectURL(new Blob([bytes], { type: "audio/wav" })));
  Object.assign(window, {
    /** For the tests: what was played last. */
    playedElement: playing,
  });
  // Stopped before it is heard, it raises an error that is nobody's.
  await play.call(playing).catch(() => undefined);
};
premiere.sourceMonitor.onStop = () => playing?.pause();
makeDocumentStrict(premiere);
if (switches.haste !== 1 || switches.lagMs > 0) {
  const pause = window.setTimeout.bind(window);
  // What is half a minute and more is a limit for what hangs: a busy computer must not strike it.
  const paceOf = (milliseconds: number) => (milliseconds < 30_000 ? switches.haste : 1);
  const hasten = (run: () => void, milliseconds = 0) =>
    pause(run, milliseconds / paceOf(milliseconds) + switches.lagMs);
  Object.assign(window, { setTimeout: hasten });
}
Object.defineProperty(crypto, "subtle", { value: undefined });
for (const name of ABSENT) Object.defineProperty(window, name, { value: undefined, configurable: true });

page.attach(premiere);
window.addEventListener("pagehide", () => {
  const { machine } = premiere;
  page.keep({
    project: machine.activeProjectId === null ? null : machine.project(machine.activeProjectId),
    undoStack: machine.undoStack,
    redoStack: machine.redoStack,
    secrets: [...secure.contents].map(([key, bytes]) => [key, [...bytes]]),
  });
});
