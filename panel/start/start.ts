import { hostVersions, setUpPanel } from "../../src/host/uxp/modules.ts";
import type { PanelElement } from "../document/dom.ts";
import type { ViewName } from "../state/panel-state.ts";
import { MENU_NAMES, startWords } from "../words/start-words.ts";
import { type StartFault, type StartStep, showFault } from "./start-fault.ts";

// The panel's first script. It tells Premiere of the panel at once, because a call that comes some 20 ms later can end in
// an error that nobody can catch, and then runs the large scripts, which webpack has made functions until then.

/** How long Premiere may take to show the panel before the panel opens by itself, in milliseconds. */
const UNANSWERED_MS = 1_000;

/** How long the page may take to bring the main script, in milliseconds. */
const UNLOADED_MS = 8_000;

/** What the main script makes. */
export interface StartedPanel {
  /** Opens the panel in an element. @throws whatever keeps it from opening. */
  open(root: PanelElement): void;
  go(view: ViewName): void;
  close(): void;
}

/** What the other scripts find. */
interface Start {
  /** Takes a script that is not run yet. Called by the script itself: webpack.config.js. */
  hold(name: string, run: () => void): void;
  /** Runs a script that is held; one that never came runs nothing. @throws whatever it throws. */
  run(name: string): void;
  /** Takes the panel of the main script. */
  ready(panel: StartedPanel): void;
  /** What became of the entry points, for a report. */
  entryPoints(): string;
}

declare global {
  var asideStart: Start;
}

const scripts: Record<string, () => void> = {};
let panel: StartedPanel | null = null;
let foundRoot: Element | null = null;
let isShown = false;
let isOpen = false;
let fault: StartFault | null = null;
let isAnnounced = false;
let entryPoints = "not set up";

/** The element that the panel is drawn in; `null` before the page is there. Kept, because the host may take it out of the page. */
function rootElement(): Element | null {
  foundRoot ??= document.getElementById("aside-root");
  return foundRoot;
}

/** The outermost catch of every hook: an exception that reaches the host may take it down. */
function safely(step: StartStep, work: () => void): void {
  try {
    work();
  } catch (error) {
    fail(step, error);
  }
}

function fail(step: StartStep, error: unknown): void {
  fault = { step, error };
  const root = rootElement();
  // Before the page is there, the next step shows it.
  if (root === null) return;
  showFault(root, fault, { version: PANEL_VERSION, isAnnounced, entryPoints, host: hostVersions() }, tryAgain);
}

/** Runs everything once more. A script that never came is loaded with the page. */
function tryAgain(): void {
  safely("open", close);
  panel = null;
  fault = null;
  if (scripts["index"] === undefined) window.location?.reload?.();
  else runMain();
}

function close(): void {
  isOpen = false;
  panel?.close();
}

/** Runs the main script, which makes the panel: once, unless it failed. */
function runMain(): void {
  if (panel !== null || fault !== null) return;
  safely("run", () => {
    scripts["index"]?.();
    if (panel === null) throw new Error("The main script did nothing.");
  });
  openWhenDue();
}

/** Opens the panel once it is there and shown, or where nobody shows it. */
function openWhenDue(): void {
  if (panel === null || isOpen || fault !== null || !isShown) return;
  const root = rootElement();
  if (root === null) return;
  isOpen = true;
  safely("open", () => panel?.open(root));
}

/** Premiere shows the panel, once or several times: there is one panel, and it moves to where it is shown. */
function show(given: unknown): void {
  const root = rootElement();
  const host = hostNode(given);
  if (root !== null && host !== null && !root.isConnected) host.appendChild(root);
  isShown = true;
  entryPoints = "set up and answered";
  // At once, if it can be: UXP may leave controls that come later out of the Tab order.
  if (scripts["index"] !== undefined) runMain();
  openWhenDue();
}

/** What `show` is given: a node, or an event that holds one. */
function hostNode(given: unknown): Pick<Node, "appendChild"> | null {
  if (typeof given !== "object" || given === null) return null;
  if ("appendChild" in given) return given as Pick<Node, "appendChild">;
  return "node" in given ? hostNode(given.node) : null;
}

function setUp(): void {
  const views = (["connect", "keys", ...(PANEL_IS_DIRECT ? (["diagnostics"] as const) : [])] as const).map((id) => ({
    id,
    label: MENU_NAMES[id],
  }));
  try {
    setUpPanel("aside", {
      create: () => undefined,
      show: (given) => safely("open", () => show(given)),
      hide: () => undefined,
      destroy: () => safely("open", close),
      menuItems: views,
      invokeMenu: (id) => {
        const view = views.find((one) => one.id === id)?.id;
        if (view !== undefined) safely("open", () => panel?.go(view));
      },
    });
    isAnnounced = true;
    entryPoints = "set up, not answered yet";
  } catch (error) {
    // The page is there all the same, and the panel opens in it.
    entryPoints = `refused: ${error instanceof Error ? error.message : String(error)}`;
    isShown = true;
  }
}

setUp();

globalThis.asideStart = {
  hold(name, run) {
    scripts[name] = run;
    // Later, so that the page is drawn first.
    if (name === "index") setTimeout(runMain, 0);
  },
  run: (name) => scripts[name]?.(),
  ready(started) {
    panel = started;
  },
  entryPoints: () => entryPoints,
};

setTimeout(() => {
  if (isShown) return;
  entryPoints = "set up, and the panel was never shown";
  isShown = true;
  openWhenDue();
}, UNANSWERED_MS);

setTimeout(() => {
  if (scripts["index"] === undefined) fail("load", startWords.noScript);
}, UNLOADED_MS);
