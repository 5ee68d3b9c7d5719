import type { UndoEntry } from "../../../test/fakes/premiere/machine.ts";
import type { PremiereDouble } from "../../../test/fakes/premiere/premiere.ts";
import { type ProjectState, sequenceEnd, type TrackState } from "../../../test/fakes/premiere/state.ts";
import type { PageSettings } from "../preview-server.ts";
import { openProject, type PreviewSwitches, readSwitches } from "./sample-sequence.ts";

// The page around the panel: what stays while the panel is closed and opened again. It stands for Premiere's window, with
// the project, the undo history and the secure storage of the computer.

/** What outlives the panel. */
export interface KeptPremiere {
  readonly project: ProjectState | null;
  readonly undoStack: readonly UndoEntry[];
  readonly redoStack: readonly UndoEntry[];
  readonly secrets: readonly (readonly [string, readonly number[]])[];
}

/** What the panel's document finds in the page around it. */
export interface PremierePage {
  readonly switches: PreviewSwitches;
  readonly theme: () => string;
  readonly onTheme: (listener: (theme: string) => void) => void;
  /** What was kept when the panel was last closed. */
  readonly take: () => KeptPremiere;
  /** Keeps a copy of what must outlive the panel. */
  readonly keep: (kept: KeptPremiere) => void;
  /** Tells the page which Premiere the panel talks to now. */
  readonly attach: (premiere: PremiereDouble) => void;
  /** Asks the person for a file of these endings; `null` when they cancel. */
  readonly pickFile: (types: readonly string[]) => Promise<File | null>;
  readonly say: (sentence: string) => void;
}

declare global {
  var previewSettings: PageSettings;
  var premierePage: PremierePage;
}

const SECRETS = "aside-preview-secrets";
const settings = globalThis.previewSettings;
const switches = readSwitches(location.search);
const panel = element("panel", HTMLIFrameElement);
let theme = switches.theme;
let themeListeners: ((theme: string) => void)[] = [];
let premiere: PremiereDouble | null = null;
let kept: KeptPremiere = {
  project: openProject(settings, switches),
  undoStack: [],
  redoStack: [],
  secrets: JSON.parse(sessionStorage.getItem(SECRETS) ?? "[]"),
};

globalThis.premierePage = {
  switches,
  theme: () => theme,
  onTheme: (listener) => themeListeners.push(listener),
  take: () => kept,
  keep: (now) => {
    // The panel's document is about to go, and its objects with it.
    kept = structuredClone(now);
    premiere = null;
    themeListeners = [];
    sessionStorage.setItem(SECRETS, JSON.stringify(kept.secrets));
  },
  attach: (now) => {
    premiere = now;
    now.machine.onChange(draw);
    draw();
  },
  pickFile,
  say,
};

function draw(): void {
  const project = premiere?.machine.activeProjectId
    ? premiere.machine.project(premiere.machine.activeProjectId)
    : kept.project;
  const steps = premiere?.machine.undoStack ?? kept.undoStack;
  drawTimeline(element("timeline", HTMLElement), project, settings.media.name);
  element("history", HTMLElement).textContent =
    steps.length === 0 ? "Nothing to undo." : `Undo: ${steps.at(-1)?.label} (${steps.length} steps)`;
}

function pickFile(types: readonly string[]): Promise<File | null> {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = types.map((type) => `.${type}`).join(",");
  return new Promise((resolve) => {
    input.addEventListener("change", () => resolve(input.files?.[0] ?? null));
    input.addEventListener("cancel", () => resolve(null));
    input.click();
  });
}

function say(sentence: string): void {
  element("said", HTMLElement).textContent = sentence;
}

function element<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${id}`);
  return found;
}

function onClick(id: string, run: () => void): void {
  element(id, HTMLButtonElement).addEventListener("click", run);
}

element("address", HTMLInputElement).value = location.origin;
element("key", HTMLInputElement).value = settings.apiKey;
panel.style.width = `${switches.width}px`;
onClick("undo", () => void premiere?.user.undo());
onClick("redo", () => void premiere?.user.redo());
onClick("close", () => {
  panel.src = "about:blank";
});
onClick("open", () => {
  panel.src = "/panel/";
});
element("theme", HTMLSelectElement).value = theme;
element("theme", HTMLSelectElement).addEventListener("change", (event) => {
  if (event.target instanceof HTMLSelectElement) theme = event.target.value;
  for (const listener of themeListeners) listener(theme);
});
element("width", HTMLSelectElement).addEventListener("change", (event) => {
  if (event.target instanceof HTMLSelectElement) panel.style.width = `${event.target.value}px`;
});
if (settings.isWatched) {
  new EventSource("/preview/built").addEventListener("message", ({ data }) => {
    // The panel's page leaves the project as it is.
    if (data === "panel") panel.contentWindow?.location.reload();
    else location.reload();
  });
}
draw();
panel.src = "/panel/";

/** Draws the active sequence: markers above, tracks below, each to scale. */
export function drawTimeline(into: HTMLElement, project: ProjectState | null, mediaName: string): void {
  into.textContent = "";
  const sequence = project?.activeSequenceId == null ? undefined : project.sequences.get(project.activeSequenceId);
  if (sequence === undefined) {
    into.append(row(project === null ? "No project is open." : "No sequence is open.", "note"));
    return;
  }
  const end = sequenceEnd(sequence);
  const percent = (ticks: bigint) => (Number(ticks) / Number(end)) * 100;
  into.append(row(`${sequence.name} · ${sequence.display} · shows ${mediaName}`, "note"));
  const markers = row("", "lane");
  for (const marker of sequence.markers) {
    const width = Math.max(0.3, percent(marker.duration));
    markers.append(block(marker.name, `marker ${marker.colour.toLowerCase()}`, percent(marker.start), width));
  }
  into.append(markers);
  const lane = (track: TrackState) => {
    const drawn = row("", "lane");
    for (const item of track.items) {
      drawn.append(block(item.name, "clip", percent(item.start), percent(item.end - item.start)));
    }
    into.append(row(`${track.name}${track.isMuted ? " (muted)" : ""}`, "track-name"), drawn);
  };
  sequence.videoTracks.forEach(lane);
  sequence.audioTracks.forEach(lane);
}

function row(text: string, name: string): HTMLElement {
  const made = document.createElement("div");
  made.className = name;
  made.textContent = text;
  return made;
}

function block(text: string, name: string, left: number, width: number): HTMLElement {
  const made = row(text, name);
  made.title = text;
  made.style.left = `${left}%`;
  made.style.width = `${width}%`;
  return made;
}
