import { onTestFinished, vi } from "vitest";
import { Diagnostics, type Probing } from "../../panel/diagnostics/diagnostics.ts";
import { Announcer } from "../../panel/document/announcer.ts";
import type { PanelEnvironment, RunningPanel } from "../../panel/session/environment.ts";
import { pageContact } from "../../panel/session/page-contact.ts";
import { PageSound, writeSilence } from "../../panel/session/page-sound.ts";
import { type MakeTools, startPanel } from "../../panel/start-panel.ts";
import { Client } from "../../src/client/client.ts";
import { pairingPath, readPairing } from "../../src/contract/pairing.ts";
import { Learnt } from "../../src/host/learnt.ts";
import { premiereContact } from "../../src/host/premiere/contact-trials.ts";
import { PremiereHost } from "../../src/host/premiere/premiere-host.ts";
import { SourceMonitorPlayer } from "../../src/host/premiere/project-bin.ts";
import { callLines, traced } from "../../src/host/premiere/traced-premiere.ts";
import { premiereTrials } from "../../src/host/premiere/trial/premiere-trials.ts";
import { uxpContact } from "../../src/host/uxp/contact-trials.ts";
import { httpFetch } from "../../src/host/uxp/http-fetch.ts";
import { KeyStore } from "../../src/host/uxp/key-store.ts";
import { learnLoopback } from "../../src/host/uxp/loopback.ts";
import { networkTrial } from "../../src/host/uxp/probes.ts";
import { SoundPlayer } from "../../src/host/uxp/sound-player.ts";
import { UxpClock } from "../../src/host/uxp/uxp-clock.ts";
import { UxpTransfer } from "../../src/host/uxp/uxp-transfer.ts";
import { openWorkFolder, pathIn, UxpFiles, type WorkFolder } from "../../src/host/uxp/work-folder.ts";
import { HostedServer } from "../fakes/hosted-server.ts";
import { movieHeader } from "../fakes/premiere/memory-world.ts";
import { otherwise, type WellAnswers } from "../fakes/premiere/otherwise.ts";
import { type PremiereDouble, startPremiere } from "../fakes/premiere/premiere.ts";
import { type SampleOptions, sampleProject } from "../fakes/premiere/sample-project.ts";
import type { World } from "../fakes/premiere/world.ts";
import { makeFs } from "../fakes/uxp/fs.ts";
import { MemoryDisk } from "../fakes/uxp/memory-disk.ts";
import { nodeWire } from "../fakes/uxp/node-wire.ts";
import { makeSecureStorage, makeStorage } from "../fakes/uxp/storage.ts";
import { makeRequests, type RequestOptions } from "../fakes/uxp/xml-http-request.ts";
import { silentWav } from "../fakes/wav.ts";
import { Page } from "./page.ts";

const PRESET = "/plugin/presets/p.epr";
const SOUND_PRESET = "/plugin/presets/wav.epr";

/** How many times faster pauses pass. */
const HASTE = 100;

/**
 * How often the panel looks for scrolling, the playhead and its own clock: with all haste it would do nothing else; and a press
 * that is taken for no answer: with all haste a busy computer would be silent for as long.
 */
const BEATS_MS: ReadonlySet<number> = new Set([150, 300, 1000, 2000]);
const BEAT_HASTE = 10;

/** Time whose pauses pass with all haste, and whose beats do not. */
class PanelClock extends UxpClock {
  readonly #startedAt = Date.now();
  /** Whether it, too, runs as fast as the pauses pass. */
  readonly #isHurried: boolean;
  #isPausing = false;

  constructor(
    isHurried: boolean,
    timerAfter: (run: () => void, milliseconds: number, haste: number) => NodeJS.Timeout,
  ) {
    super({
      setTimeout: (run, milliseconds) => {
        const haste = !this.#isPausing && BEATS_MS.has(milliseconds) ? BEAT_HASTE : HASTE;
        return timerAfter(run, milliseconds, haste);
      },
      // What setTimeout above gave.
      clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
    });
    this.#isHurried = isHurried;
  }

  override now(): number {
    return this.#isHurried ? this.#startedAt + (Date.now() - this.#startedAt) * HASTE : super.now();
  }

  override sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    this.#isPausing = true;
    const pause = super.sleep(milliseconds, signal);
    this.#isPausing = false;
    return pause;
  }
}

/** Limits for what hangs, in milliseconds, which a busy computer must not strike: from the first on, and that of a first contact. */
const LIMIT_MS = 30_000;
const CONTACT_MS = 1800;

/** Milliseconds by which the panel's timers are late: a test that passes by luck fails with some 300. */
const LAG_MS = Number(process.env["ASIDE_TEST_LAG_MS"] ?? 0);

/** A sound that was played. */
interface HeardSound {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** What the editor picks, as native paths. */
interface Picks {
  file: string;
  folder: string | null;
  /** Starts Aside on this computer; left out: the editor says no. */
  start?: () => boolean;
}

/** What a panel meets that has not seen this Premiere before; without it, nothing is tried and nothing kept. */
interface Meeting {
  readonly version: string;
  /** Whether its `video` plays what lies at an address. */
  readonly playsSound?: (address: string) => boolean;
  /** Elements that take no focus, beside Adobe's. */
  readonly refusesFocus?: readonly string[];
  /** Address of the service that answers on this computer; nothing does where it is not said. */
  readonly address?: string;
  /** Longest wait for an answer, in milliseconds; the usual one where it is not said. */
  readonly answerLimitMs?: number;
  /** Whether the clock runs as fast as pauses pass, so that what is measured by it passes too. */
  readonly isHurried?: boolean;
  /** How members of Premiere answer that are well. */
  readonly well?: WellAnswers;
}

/** A panel over the doubles, with a service on a loopback port; everything outlives a closing of the panel but the page. */
export interface PanelOnDoubles {
  readonly server: HostedServer;
  readonly premiere: PremiereDouble;
  readonly disk: MemoryDisk;
  /** What the panel played, in order. */
  readonly heard: readonly HeardSound[];
  readonly address: string;
  /** What Premiere renders where sound alone is wanted; silence where it is not said. */
  readonly rendered: { sound?: Uint8Array };
  /** What listing the presets waits for the next time, which the panel does last as it opens; nothing where it is not said. */
  readonly slow: { presets?: Promise<void> | undefined };
  /** What the editor picks in dialogues of the system; a folder of `null` cancels. */
  readonly picks: Picks;
  /** Every pause that the panel has asked for, in milliseconds. */
  readonly pauses: readonly number[];
  /** Every text that was copied. */
  readonly copied: readonly string[];
  /** The page of the panel that is open. */
  page(): Page;
  close(): void;
  /** Opens it, again too. */
  open(): Page;
  /** Opens the fields for address and key, in the view of the service. */
  otherService(): Promise<void>;
  /** Opens it, and gives it the service and its key. */
  connect(): Promise<Page>;
  /** Narrows the list of the review. */
  filter(to: string): Promise<void>;
  /** Opens the further options of the form, and sections among them. */
  openOptions(...sections: readonly string[]): Promise<void>;
  /** Orders a description, as soon as the form lets a person do it. */
  order(): Promise<void>;
  /** Opens and connects it, and has the sequence described: the result of two cues is under review. */
  describe(): Promise<void>;
  /** Opens the menu of the view, where it is closed; its rows are on the page then. */
  menu(): Page;
  /** Places the markers of the two cues. */
  placeMarkers(): Promise<void>;
  /** Places the narration. */
  placeNarration(): Promise<void>;
  /** Opens a cue of the list, by its place in it (from 0, the first), to be edited. */
  openCue(index?: number): Promise<void>;
  /** Waits until something can be read on the page. */
  sees(text: string | RegExp): Promise<void>;
}

/** Prepares a computer with a Premiere of one sequence of six seconds, and a service. */
export async function panelOnDoubles(
  sample: SampleOptions = {},
  network: Pick<RequestOptions, "deniesFirst" | "refusesPlainHttp" | "deniesName" | "bytesType"> = {},
  edition: "direct" | "marketplace" = "direct",
  meeting: Meeting | null = null,
): Promise<PanelOnDoubles> {
  const server = new HostedServer();
  server.pollSeconds = 0;
  const listening = await server.listen();
  const { address } = listening;
  const disk = new MemoryDisk();
  for (const folder of ["/data", "/temporary", "/plugin", "/projects"]) disk.folders.add(folder);
  for (const preset of [PRESET, SOUND_PRESET]) disk.files.set(preset, new Uint8Array(1));
  const rendered: PanelOnDoubles["rendered"] = {};
  const project = sampleProject({ frames: 150, ...sample });
  const premiere = startPremiere({
    project,
    world: worldOn(disk, rendered),
    schedule: (run) => void setImmediate(run),
    ...(meeting?.well === undefined ? {} : { well: meeting.well }),
  });
  const secure = makeSecureStorage();
  const pauses: number[] = [];
  const copied: string[] = [];
  const heard: HeardSound[] = [];
  premiere.sourceMonitor.onPlay = (path) =>
    void heard.push({ path, bytes: disk.files.get(path)?.slice() ?? new Uint8Array() });
  const slow: PanelOnDoubles["slow"] = {};
  const picks: Picks = { file: "/projects/captions.vtt", folder: "/projects" };
  let running: { readonly panel: RunningPanel; readonly page: Page } | null = null;
  const close = () => {
    running?.panel.close();
    running = null;
  };
  const open = () => {
    close();
    const page = new Page();
    page.playsSound = meeting?.playsSound ?? page.playsSound;
    for (const name of meeting?.refusesFocus ?? []) page.refusesFocus.add(name);
    const environment = environmentOf({ disk, premiere, secure, page, pauses, copied, picks, slow, network, meeting });
    const { tools, ...rest } = environment;
    const isMarketplace = edition === "marketplace";
    const made = isMarketplace ? { ...rest, showFolder: null, startCompanion: null, openAddress: null } : rest;
    const makeTools: MakeTools = (actions) => new Diagnostics(actions, tools);
    running = { page, panel: startPanel(page.root, made, isMarketplace ? null : makeTools) };
    return page;
  };
  const page = () => running?.page ?? open();
  const sees = async (text: string | RegExp) => {
    await vi.waitFor(
      () => {
        const { said } = page().root;
        if (typeof text === "string" ? said.includes(text) : text.test(said)) return;
        throw new Error(`the page does not say ${text}, but: ${said}`);
      },
      { timeout: 45_000, interval: 5 },
    );
  };
  const otherService = async () => {
    await sees("Where it runs");
    if (page().find("service-address") === null) page().click("section-another-service");
    await sees("Service address");
  };
  const connect = async () => {
    open();
    await otherService();
    page().type("service-address", address);
    await sees("No key is saved");
    page().type("service-key", server.key);
    page().click("test-connection");
    await sees("The service accepts this key");
    return page();
  };
  const filter = async (to: string) => {
    if (page().find("filter") === null) page().click("open-filter");
    await vi.waitFor(() => page().type("filter", to), { interval: 5 });
  };
  const openOptions = async (...sections: readonly string[]) => {
    for (const name of ["more", ...sections]) {
      await vi.waitFor(() => page().click(`section-${name}`), { timeout: 20_000, interval: 5 });
    }
    await vi.waitFor(() => page().byId("format"), { interval: 5 });
  };
  const order = () => vi.waitFor(() => page().click("describe"), { timeout: 45_000, interval: 5 });
  const describe = async () => {
    await connect();
    page().click("tab-describe");
    await sees("Describe sequence");
    await order();
    await sees("2 descriptions");
  };
  const menu = () => {
    if (page().find("menu-rows") === null) page().click("menu");
    return page();
  };
  const openCue = async (index = 0) => {
    page().withAttribute("data-action", "edit-cue")[index]?.happens("click");
    await sees("Merge with next");
  };
  const placeMarkers = async () => {
    menu().click("place-markers");
    await sees("Done: Place 2 description markers");
  };
  const placeNarration = async () => {
    menu().click("place-narration");
    await sees("Done: Place narration");
  };
  onTestFinished(async () => {
    close();
    await listening.close();
  });
  return {
    server,
    premiere,
    disk,
    heard,
    rendered,
    picks,
    slow,
    address,
    pauses,
    copied,
    page,
    menu,
    close,
    open,
    sees,
    otherService,
    filter,
    openOptions,
    order,
    connect,
    describe,
    placeMarkers,
    placeNarration,
    openCue,
  };
}

interface Doubles {
  readonly disk: MemoryDisk;
  readonly premiere: PremiereDouble;
  readonly secure: ReturnType<typeof makeSecureStorage>;
  readonly page: Page;
  readonly pauses: number[];
  readonly copied: string[];
  readonly picks: Picks;
  readonly slow: PanelOnDoubles["slow"];
  readonly network: Partial<RequestOptions>;
  readonly meeting: Meeting | null;
}

function environmentOf({
  disk,
  premiere,
  secure,
  page,
  pauses,
  copied,
  picks,
  slow,
  network,
  meeting,
}: Doubles): PanelEnvironment & { readonly tools: Probing } {
  const schemes = { "plugin:": "/plugin", "plugin-data:": "/data", "plugin-temp:": "/temporary" };
  const isHeld = (path: string) => premiere.sourceMonitor.holds(path);
  const { module: fs } = makeFs({ disk, schemes, hasFullAccess: true, random: () => 0.9, isHeld });
  const pick = async (kind: string) => (kind === "folder" ? picks.folder : picks.file);
  const storage = makeStorage({ disk, dataPath: "/data", temporaryPath: "/temporary", pluginPath: "/plugin", pick });
  const Requests = makeRequests({ ...network, wire: nodeWire, domains: "all" });
  const files = new UxpFiles(fs);
  const clock = new PanelClock(meeting?.isHurried === true, (run, milliseconds, haste) => {
    pauses.push(milliseconds);
    const isLimit =
      milliseconds !== meeting?.answerLimitMs && (milliseconds >= LIMIT_MS || milliseconds === CONTACT_MS);
    return setTimeout(run, milliseconds / (isLimit ? 1 : haste) + LAG_MS);
  });
  let opened: Promise<WorkFolder> | null = null;
  const folders = () => {
    opened ??= openWorkFolder(storage, files);
    return opened;
  };
  let exports = 0;
  const newFile = async (extension: string) => {
    exports += 1;
    return pathIn((await folders()).exportsPath, `export-${Date.now()}-${exports}.${extension}`);
  };
  const ours = { origin: "ours", isProven: false } as const;
  const presets = {
    list: async () => {
      const { presets } = slow;
      delete slow.presets;
      await presets;
      return [
        { name: "p", path: PRESET, ...ours },
        { name: "sound", path: SOUND_PRESET, ...ours },
      ];
    },
  };
  // A name of this computer that stays silent is given up after a while, which a busy computer must not outlast.
  const patience = { sleep: (ms: number, signal?: AbortSignal) => clock.sleep((ms * HASTE) / BEAT_HASTE, signal) };
  const fetch = httpFetch(Requests, patience);
  const learnt = new Learnt(
    meeting === null ? null : { files, version: meeting.version, path: async () => "/data/premiere-learnt.json" },
  );
  learnLoopback(Requests, learnt);
  const limit = { clock, milliseconds: meeting?.answerLimitMs ?? 120_000 };
  const traces = traced(otherwise(premiere.module, premiere.machine, premiere.well), { learnt, limit });
  const copyFile = async (path: string) => files.copyInto(path, pathIn((await folders()).resultsPath, "narration"));
  const hosting = { premiere: traces, clock, files, presets, newFile, copyFile };
  const sound = new PageSound({ document: page, clock, learnt });
  const silence = async () => writeSilence(files, pathIn((await folders()).exportsPath, "aside-silence.wav"));
  const address = async () => meeting?.address ?? "http://127.0.0.1:1";
  const contact = {
    version: meeting?.version ?? "",
    learnt,
    trials: [
      ...premiereContact(traces),
      ...uxpContact({ Requests, address, presets }),
      ...pageContact({ document: page, clock, learnt, sound, silence }),
    ],
    calls: () => callLines(traces),
  };
  const trials = premiereTrials({ ...hosting, pathOf: async (name) => pathIn((await folders()).exportsPath, name) });
  return {
    document: page,
    announcer: new Announcer(page, clock),
    sentMedia: async () => null,
    editor: new PremiereHost(hosting),
    files,
    folders,
    pathIn,
    player: new SoundPlayer({
      hosts: [sound, new SourceMonitorPlayer(traces, clock)],
      // Sounds last until they are stopped.
      clock: { sleep: () => new Promise(() => undefined) },
    }),
    transfer: new UxpTransfer({ Requests, files }),
    secrets: new KeyStore(secure.module),
    clock,
    version: "0.1.0",
    findCompanion: async () => readPairing(await files.readText(pairingPath("/home/editor", "linux"))),
    startCompanion: async () => picks.start?.() ?? false,
    connect: ({ address, key }) => new Client({ baseUrl: address, apiKey: key, fetch, clock }),
    localAddress: "http://127.0.0.1:8420",
    pickFile: async () => ({ name: picks.file.split("/").at(-1) ?? "", path: picks.file }),
    pickFiles: async () => picks.file.split(" ").map((path) => ({ name: path.split("/").at(-1) ?? "", path })),
    pickFolder: async () => (await storage.getFolder())?.nativePath ?? null,
    showFolder: async () => true,
    openAddress: async () => true,
    copyText: async (text) => void copied.push(text),
    chosenPresets: [],
    theme: { current: () => "darkest", watch: () => undefined },
    versions: { uxp: "uxp-8.1.0" },
    ...(meeting === null ? {} : { contact }),
    tools: {
      probes: [
        { name: "works", code: "panel/main.ts", run: async () => "yes" },
        { name: "fails", code: "panel/main.ts", run: () => Promise.reject(new Error("no such call")) },
      ],
      bench: { ...trials, probes: [...trials.probes, networkTrial(Requests)] },
    },
  };
}

/** What Premiere renders and imports, on the same disk as the panel's. */
function worldOn(disk: MemoryDisk, rendered: PanelOnDoubles["rendered"]): World {
  return {
    exists: async (path) => disk.files.has(path),
    probe: async (path) => {
      const bytes = disk.files.get(path);
      if (bytes === undefined) return null;
      const hasVideo = path.endsWith(".mp4");
      return { durationSeconds: (bytes.byteLength - 44) / 192_000, hasVideo, hasAudio: true };
    },
    render: async ({ start, end, outputPath }) => {
      const seconds = Number(end - start) / 254_016_000_000;
      const isSound = outputPath.endsWith(".wav");
      disk.files.set(outputPath, isSound ? (rendered.sound ?? silentWav(seconds)) : movieHeader(seconds));
    },
    save: async (path, text) => {
      disk.files.set(path, new TextEncoder().encode(text));
    },
    touch: async (path) => {
      disk.files.set(path, new Uint8Array(0));
    },
  };
}
