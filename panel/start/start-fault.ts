import type { PanelDocument, PanelElement } from "../document/dom.ts";
import { startWords } from "../words/start-words.ts";

/** Where a start can fail: a script that is not there or not read, one that throws while it runs, a panel that cannot open. */
export type StartStep = keyof typeof startWords.failed;

/** A start that failed. */
export interface StartFault {
  readonly step: StartStep;
  /** What was thrown, or a sentence. */
  readonly error: unknown;
}

/** What a report says beside the fault. */
export interface StartFacts {
  readonly version: string;
  /** Whether Premiere took the entry points. */
  readonly isAnnounced: boolean;
  /** What became of them since, or why it did not. */
  readonly entryPoints: string;
  /** Versions of the host and of UXP, where they are told. */
  readonly host: Readonly<Record<string, unknown>>;
}

/** Built-ins that the panel cannot do without and does not fill in. */
const NEEDED = ["Promise", "Map", "Set", "Symbol", "Proxy", "BigInt", "Uint8Array", "XMLHttpRequest"];

const ORDER: readonly StartStep[] = ["load", "run", "open"];

/** How much of what was thrown is shown and reported. */
const MESSAGE_MAX_CHARACTERS = 400;
const STACK_MAX_LINES = 6;

/** Shows a failed start in place of the panel: what failed, what to do, and the two buttons. */
export function showFault(root: PanelElement, fault: StartFault, facts: StartFacts, tryAgain: () => void): void {
  const report = startReport(fault, facts);
  const said = paragraph("hint", startWords.report);
  const copy = async () => {
    try {
      await copyText(report);
      said.textContent = startWords.copied;
    } catch {
      said.textContent = startWords.notCopied;
      frame.appendChild(paragraph("line", report));
    }
  };
  const frame = box("starting", [
    paragraph("strong fault", startWords.title),
    paragraph("line", startWords.failed[fault.step]),
    paragraph("line", startWords.next),
    paragraph("strong", startWords.tried),
    ...triedSteps(fault.step, facts.isAnnounced),
    paragraph("hint", `${startWords.details}: ${messageOf(fault.error)}`),
    box("line", [
      button("button primary", startWords.tryAgain, tryAgain),
      button("button", startWords.copyReport, () => void copy()),
    ]),
    said,
  ]);
  root.textContent = "";
  root.appendChild(frame);
}

/** Each step up to the one that failed, with its sign. */
function triedSteps(failed: StartStep, isAnnounced: boolean): PanelElement[] {
  const reached = ORDER.slice(0, ORDER.indexOf(failed) + 1);
  const lines = reached.map((step) => `${step === failed ? "✗" : "✓"} ${startWords.steps[step]}`);
  return [`${isAnnounced ? "✓" : "✗"} ${startWords.steps.announce}`, ...lines].map((line) => paragraph("line", line));
}

/** What is sent to whoever mends it: versions, the fault and where it was thrown; no path, no name. */
function startReport({ step, error }: StartFault, { version, entryPoints, host }: StartFacts): string {
  const places = placesOf(error).map((place) => `  at ${place}`);
  const missing = NEEDED.filter((name) => !(name in globalThis));
  return [
    `Aside ${version} could not start (${step}).`,
    `Error: ${messageOf(error)}`,
    ...places,
    `Entry points: ${entryPoints}`,
    `Host: ${Object.keys(host)
      .map((name) => `${name} ${String(host[name])}`)
      .join(", ")}`,
    `Missing built-ins: ${missing.length === 0 ? "none" : missing.join(", ")}`,
  ].join("\n");
}

/** The message of what was thrown, without folders: they can name a person or a film. */
function messageOf(error: unknown): string {
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return words.slice(0, MESSAGE_MAX_CHARACTERS).replace(/(?:\b[a-z-]+:\/\/|\b[A-Za-z]:)?[\\/].*[\\/]/g, "…/");
}

/** Where it was thrown, by the names of our scripts alone. */
function placesOf(error: unknown): string[] {
  const stack = error instanceof Error && typeof error.stack === "string" ? error.stack : "";
  const places = [...stack.matchAll(/([\w.-]+\.js):(\d+):(\d+)/g)].map(([place]) => place);
  return places.slice(0, STACK_MAX_LINES);
}

/** Puts text on the clipboard. @throws whatever the host throws, also where it has no clipboard. */
export async function copyText(text: string): Promise<void> {
  const { clipboard } = navigator;
  if (clipboard?.writeText !== undefined) await clipboard.writeText(text);
  else if (clipboard?.setContent !== undefined) await clipboard.setContent({ "text/plain": text });
  else throw new Error("This host has no clipboard.");
}

function paragraph(className: string, text: string): PanelElement {
  const made = page().createElement("p");
  made.className = className;
  made.textContent = text;
  return made;
}

function button(className: string, text: string, press: () => void): PanelElement {
  const made = page().createElement("button");
  made.className = className;
  made.textContent = text;
  made.addEventListener("click", press);
  return made;
}

function box(className: string, children: readonly PanelElement[]): PanelElement {
  const made = page().createElement("div");
  made.className = className;
  for (const child of children) made.appendChild(child);
  return made;
}

/** The document, in the types of what UXP has. */
function page(): PanelDocument {
  return document;
}
