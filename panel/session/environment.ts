import type { Pairing } from "../../src/contract/pairing.ts";
import type { Clock, FileTransfer } from "../../src/core/ports.ts";
import type { ContactTrial } from "../../src/host/contact.ts";
import type { Editor } from "../../src/host/editor.ts";
import type { Files } from "../../src/host/files.ts";
import type { Learnt } from "../../src/host/learnt.ts";
import type { RunRecord } from "../../src/workflow/describe/recovery.ts";
import type { DescribePorts } from "../../src/workflow/describe/run.ts";
import type { Announcer } from "../document/announcer.ts";
import type { PanelDocument } from "../document/dom.ts";
import type { ViewName } from "../state/panel-state.ts";

/** A client of the service, as the workflow takes it. */
export type ServiceClient = DescribePorts["client"];

/** Plays short sounds. */
interface Player {
  /** Plays a file in place of what plays already; settles when it is over. `seconds`: its length. */
  play(path: string, seconds: number): Promise<void>;
  stop(): void;
}

/** Where the panel keeps things, as native paths of folders that exist. */
export interface PanelFolders {
  readonly path: string;
  readonly exportsPath: string;
  readonly resultsPath: string;
  readonly runsPath: string;
}

/** Keeps secrets; may lose them. */
interface Secrets {
  load(name: string): Promise<string | null>;
  save(name: string, secret: string): Promise<void>;
  forget(name: string): Promise<void>;
}

/** A clock whose timers can be called off, and all of them at once. */
interface PanelClock extends Clock {
  /** Runs a function once, later. Returns a function that calls it off. */
  after(milliseconds: number, run: () => void): () => void;
  /** Ends every timer for good. */
  dispose(): void;
}

/** A file that the editor picked. */
interface PickedFile {
  readonly name: string;
  /** Native path. */
  readonly path: string;
}

/** The theme of the host: a word with `light` in it counts as light. */
interface Theme {
  current(): string;
  watch(listener: (theme: string) => void): void;
}

/** A host whose versions differ: what is tried of a new one, and what was learnt. */
interface HostContact {
  /** Version of the host, as it tells it. */
  readonly version: string;
  readonly learnt: Learnt;
  readonly trials: readonly ContactTrial[];
  /** How each member of the host has answered so far: a line each, without names. */
  readonly calls: () => readonly string[];
}

/** Everything the panel touches. `panel/main.ts` makes it from Premiere and UXP. */
export interface PanelEnvironment {
  readonly document: PanelDocument;
  /** Whether keys reach whatever has the focus, as in a browser; in Premiere they reach fields for text alone. */
  readonly keysReachAll?: true;
  /** Whether there is no timeline to place anything on, as in a browser. */
  readonly noTimeline?: true;
  /** Has a screen reader say things. */
  readonly announcer: Announcer;
  readonly editor: Editor;
  readonly files: Files;
  /** Opens the folders, once. */
  readonly folders: () => Promise<PanelFolders>;
  /** A path inside a folder. */
  readonly pathIn: (folder: string, name: string) => string;
  readonly transfer: FileTransfer;
  readonly player: Player;
  readonly secrets: Secrets;
  readonly clock: PanelClock;
  /**
   * Whether the focus goes along when the work leads to another view by itself. In Premiere it must not: a panel that takes
   * the focus takes the keys of the editor, who works in the timeline.
   */
  readonly focusFollows?: true;
  /** A client of a service. @throws RangeError when address or key cannot be used in a request. */
  readonly connect: (service: { readonly address: string; readonly key: string }) => ServiceClient;
  /** Version of the panel. */
  readonly version: string;
  /** Address of the service that `aside serve` starts on this computer. */
  readonly localAddress: string;
  /** What a service that runs for this user left for the panel; `null` where none runs. */
  readonly findCompanion: () => Promise<Pairing | null>;
  /** Has the system start Aside on this computer; `false` where it did not. The editor is asked first. `null` where it may not. */
  readonly startCompanion: (() => Promise<boolean>) | null;
  /** Lets the editor pick a file by its ending; `null` when they cancel. */
  readonly pickFile: (types: readonly string[]) => Promise<PickedFile | null>;
  /** Lets the editor pick files by their endings, as many as they like; none when they cancel. */
  readonly pickFiles: (types: readonly string[]) => Promise<readonly PickedFile[]>;
  /** Lets the editor pick a folder, as a native path; `null` when they cancel. */
  readonly pickFolder: () => Promise<string | null>;
  /** Shows a folder in the system's file manager; `false` where the system or the editor did not let it, `null` where it may not. */
  readonly showFolder: ((path: string) => Promise<boolean>) | null;
  /** Opens a page of the web outside; `false` where the system or the editor did not let it, `null` where it may not. */
  readonly openAddress: ((address: string) => Promise<boolean>) | null;
  readonly copyText: (text: string) => Promise<void>;
  /** What a run of a sequence begins with where the service has its media already; `null` for none. */
  readonly sentMedia: (sequenceId: string) => Promise<Pick<RunRecord, "exported" | "media"> | null>;
  /** Preset files the editor picked; the panel keeps this list filled. */
  readonly chosenPresets: string[];
  readonly theme: Theme;
  /** What runs where: shown on the diagnostics page. */
  readonly versions: Readonly<Record<string, string>>;
  /** A host that has to be met; absent where it is known. */
  readonly contact?: HostContact;
}

/** A panel at work. */
export interface RunningPanel {
  /** Goes to a view. */
  go(view: ViewName): void;
  /** Ends its timers and listeners. Jobs stay on disk and can be gone on with. */
  close(): void;
}
