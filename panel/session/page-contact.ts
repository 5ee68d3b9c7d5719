import type { Clock } from "../../src/core/ports.ts";
import type { ContactAnswer, ContactTrial } from "../../src/host/contact.ts";
import type { Learnt } from "../../src/host/learnt.ts";
import type { PanelDocument, PanelElement } from "../document/dom.ts";
import { BUTTON_KINDS, type ButtonKind } from "../document/renderer.ts";
import type { PageSound } from "./page-sound.ts";

/** How large a control is asked to be, in pixels: no control of a host's is so by itself. */
const WIDTH = 93;
const HEIGHT = 27;

/** How long the page takes until what was put into it has its size, in milliseconds. */
const LAYOUT_MS = 120;

/** What a first contact asks the panel's page with. */
interface PageContact {
  readonly document: PanelDocument;
  readonly clock: Pick<Clock, "sleep">;
  readonly learnt: Learnt;
  readonly sound: PageSound;
  /** Makes a file with a moment of silence, and gives its path. */
  readonly silence: () => Promise<string>;
}

/** What is asked of the page in a new Premiere: which element buttons are made of, and whether it plays sound. */
export function pageContact(options: PageContact): ContactTrial[] {
  return [
    { name: "buttons", run: () => chosenButton(options) },
    { name: "sound", run: () => options.sound.contact(options.silence) },
  ];
}

/** What was seen of one kind of button. */
interface SeenButton {
  readonly kind: ButtonKind;
  readonly takesFocus: boolean;
  /** Whether it is as large as it is asked to be: whoever takes no size takes no background either. */
  readonly isSized: boolean;
}

/**
 * Takes the first kind of button that has the size it is asked to have and takes the focus: without the focus no key would reach the
 * panel. Where none does, the host's own stays. What had the focus has it again.
 */
async function chosenButton({ document, clock, learnt }: PageContact): Promise<ContactAnswer> {
  const box = document.createElement("div");
  box.setAttribute("style", "position: absolute; left: 0; bottom: 0; width: 200px; height: 100px; opacity: 0");
  // It takes the focus, so that it cannot be hidden from a screen reader, which expects all of a page in some region.
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", "Aside");
  const made = BUTTON_KINDS.map((kind) => ({ kind, element: sample(document, kind) }));
  for (const { element } of made) box.appendChild(element);
  document.body.appendChild(box);
  try {
    await clock.sleep(LAYOUT_MS);
    const seen = seenOf(document, made);
    const kind = (seen.find((one) => one.takesFocus && one.isSized) ?? { kind: "button" as const }).kind;
    learnt.keep("button", kind);
    return { outcome: kind === "button" ? "differs" : "usual", seen: `${kind}: ${seen.map(told).join("; ")}` };
  } finally {
    document.body.removeChild(box);
  }
}

/** Tries each in one go: a key that is pressed meanwhile waits, and then meets the control that had the focus. */
function seenOf(document: PanelDocument, made: readonly { kind: ButtonKind; element: PanelElement }[]): SeenButton[] {
  const before = document.activeElement;
  const seen = made.map(({ kind, element }): SeenButton => {
    element.focus();
    const takesFocus = document.activeElement === element;
    const isSized = isAbout(element.clientWidth, WIDTH) && isAbout(element.clientHeight, HEIGHT);
    return { kind, takesFocus, isSized };
  });
  if (isFocusable(before)) before.focus();
  return seen;
}

function sample(document: PanelDocument, kind: ButtonKind): PanelElement {
  const element = document.createElement(kind === "box" ? "div" : kind);
  const look = `width: ${WIDTH}px; height: ${HEIGHT}px; padding: 0; border: 0; min-width: 0; min-height: 0; margin: 0`;
  element.setAttribute("style", `${look}; background-color: #4096f3; box-sizing: border-box`);
  // A screen reader that meets it meets a name.
  element.setAttribute("aria-label", "Aside");
  if (kind === "box") {
    element.setAttribute("role", "button");
    element.setAttribute("tabindex", "0");
  }
  return element;
}

function told({ kind, takesFocus, isSized }: SeenButton): string {
  return `${kind} ${isSized ? "as large as asked" : "of a size of its own"}, ${takesFocus ? "takes" : "takes no"} focus`;
}

/** Within a pixel at each side. */
function isAbout(size: number, wanted: number): boolean {
  return Math.abs(size - wanted) <= 2;
}

function isFocusable(value: unknown): value is PanelElement {
  return typeof value === "object" && value !== null && "focus" in value && typeof value.focus === "function";
}
