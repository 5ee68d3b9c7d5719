import type { PremiereDouble } from "../../../test/fakes/premiere/premiere.ts";

/** Elements that are controls, and whatever is made one: only while one of them has the focus do keys reach a panel. */
const CONTROLS = "button, input, select, textarea, [tabindex]";

/** The browser's own: it is taken away from the panel. */
const Observer = MutationObserver;

/** Inputs that nothing is typed into. */
const UNTYPED = new Set(["checkbox", "radio", "button"]);

/**
 * Makes the document as strict as UXP's: keys outside controls go to Premiere, videos say that they play and are silent, nobody
 * is told of scrolling, controls that came late are left out of the Tab order, outlines are not drawn.
 */
export function makeDocumentStrict(premiere: PremiereDouble): void {
  window.addEventListener("keydown", (event) => keepForPremiere(event, premiere), true);
  window.addEventListener("scroll", (event) => event.stopImmediatePropagation(), true);
  HTMLMediaElement.prototype.play = async () => undefined;
  Object.defineProperty(HTMLElement.prototype, "dataset", {
    get: () => {
      throw new Error("dataset is not to be relied on in UXP");
    },
  });
  const { setAttribute } = Element.prototype;
  Element.prototype.setAttribute = function (this: Element, name: string, value: string) {
    if (name === "type" && value === "number") throw new Error("an empty number field shows nan in UXP");
    if (name === "src" && this instanceof HTMLImageElement && !this.isConnected) return;
    setAttribute.call(this, name, value);
  };
  window.addEventListener("load", () => {
    for (const rule of [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules])) {
      if (rule instanceof CSSStyleRule) rule.style.removeProperty("outline");
    }
  });
}

/** From now on, controls that are added are left out of the Tab order. */
export function leaveOutLateControls(): void {
  const leaveOut = (node: Node) => {
    if (!(node instanceof Element)) return;
    const late = [node, ...node.querySelectorAll(CONTROLS)].filter((one) => one.matches(CONTROLS));
    for (const one of late) one.setAttribute("tabindex", "-1");
  };
  new Observer((changes) => {
    for (const { addedNodes } of changes) addedNodes.forEach(leaveOut);
  }).observe(document, { childList: true, subtree: true });
}

/** What Premiere does with keys that a panel does not get: with Delete it removes what is selected on the timeline. */
function keepForPremiere(event: KeyboardEvent, premiere: PremiereDouble): void {
  const active = document.activeElement;
  const isControl = active?.matches(CONTROLS) === true;
  const isTyped =
    active instanceof HTMLTextAreaElement || (active instanceof HTMLInputElement && !UNTYPED.has(active.type));
  const isPremieres = /^(Delete|Backspace|[a-z])$/i.test(event.key) && !event.ctrlKey && !event.metaKey;
  if (isTyped || (isControl && !isPremieres)) return;
  // Tab leads into the panel all the same.
  if (event.key !== "Tab") event.stopImmediatePropagation();
  premiere.user.pressKey(event.key);
}
