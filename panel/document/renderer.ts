import type { PanelDocument, PanelElement, PanelEvent, PanelNode } from "./dom.ts";
import type { ElementNode, Listener, Properties } from "./element.ts";
import { ICON_BEGINNINGS, ICON_ENDINGS, type IconName } from "./icon-pictures.ts";

/**
 * What buttons are made of. On 26.3 the host's own `button` keeps a grey of its own and takes no background: `box` is a focusable
 * element with the role and the keys of a button; `sp-action-button` is one of Adobe's; the plain one is the last way.
 */
export const BUTTON_KINDS = ["box", "sp-action-button", "button"] as const;

/** One of {@link BUTTON_KINDS}. */
export type ButtonKind = (typeof BUTTON_KINDS)[number];

/** A kind of button by its name; the plain one for any other. */
export function buttonKind(name: string | undefined): ButtonKind {
  return BUTTON_KINDS.find((kind) => kind === name) ?? "button";
}

/** An element or text that is in the document. */
interface Drawn {
  wanted: ElementNode | string;
  readonly node: PanelNode;
  /** Absent for text. */
  readonly element?: PanelElement;
  children: Drawn[];
  readonly listeners: Record<string, Listener>;
  /** Whether somebody is typing into it: words that no `change` has told of yet. */
  isTyping: boolean;
  /** Whether it is a box that stands for a button. */
  isBox?: boolean;
  /** Address of the icon that it shows. */
  iconShown?: string;
}

/** How the focus is led while something is drawn. */
interface FocusHow {
  /** Whether the focus is where nothing is to be done, so that what is drawn new may take it. */
  readonly isFocusLost?: boolean;
  /**
   * Runs a function a moment later. Where it is given, a focus that is lost rests on its refuge for that moment, and one that is
   * elsewhere stays there: a screen reader that is told of a new element and of its focus at once says nothing of it.
   */
  readonly later?: ((run: () => void) => void) | undefined;
}

/** Elements that are typed into. */
const FIELDS = new Set(["input", "textarea"]);

/**
 * Property of an element that takes the focus when it appears: `true`, or `lost` where what had the focus has gone and the
 * keyboard would be nowhere.
 */
const TAKES_FOCUS = "takesFocus";

/** Property of an `img` that shows an icon by its name, drawn for the theme. */
const ICON = "icon";

/** Property of an element that names, by its id, what takes the focus when something inside it goes that has it. */
const REFUGE = "refuge";

/** Controls, in whose order Tab leads. */
const CONTROLS = new Set(["button", "input", "select", "textarea"]);

/** Events after which what they changed is drawn at once: the next key is meant for what the person then sees. */
const PRESSES = new Set(["keydown", "click"]);

/** Properties that are set as such, because the attribute of that name says only what they were at first. */
const LIVE = new Set(["value", "checked", "disabled", "scrollTop"]);

/**
 * Brings the document to what is wanted, changing only what differs: what is being typed, the focus and the place that is
 * scrolled to stay. What a listener raises goes to `onError`; `onPressed` is called when a key or a click has been answered.
 */
export class Renderer {
  readonly #document: PanelDocument;
  readonly #root: PanelElement;
  readonly #onError: (error: unknown) => void;
  readonly #onPressed: () => void;
  #drawn: Drawn[] = [];
  /** What is being updated, the outermost first. */
  readonly #path: Drawn[] = [];
  /** Elements of this drawing that take the focus, and where it goes when it is lost and none of them takes it. */
  #takers: Drawn[] = [];
  /** Pictures of this drawing that have another address: an element is to be in the document before it is told. */
  #pictures: (() => void)[] = [];
  #refuge: string | null = null;
  #isFocusLost = false;
  #buttons: ButtonKind = "button";
  #ground: keyof typeof ICON_BEGINNINGS = "dark";

  constructor(
    document: PanelDocument,
    root: PanelElement,
    onError: (error: unknown) => void,
    onPressed: () => void = () => undefined,
  ) {
    this.#document = document;
    this.#root = root;
    this.#onError = onError;
    this.#onPressed = onPressed;
    root.addEventListener("keydown", (event) => this.#tab(event));
  }

  /**
   * Makes buttons of another element from now on. Those that are drawn stay as they are: the focus stays, and with it the way
   * into a panel whose host leaves controls that came late out of the Tab order.
   */
  makeButtonsOf(kind: ButtonKind): void {
    this.#buttons = kind;
  }

  /** Says what icons are seen on, from the next drawing on. */
  drawIconsOn(ground: "dark" | "light"): void {
    this.#ground = ground;
  }

  /** Draws. */
  draw(wanted: readonly (ElementNode | string)[], { isFocusLost = false, later }: FocusHow = {}): void {
    this.#takers = [];
    this.#refuge = null;
    this.#isFocusLost = isFocusLost;
    this.#drawn = this.#children(this.#root, this.#drawn, wanted);
    for (const show of this.#pictures.splice(0)) show();
    const taker = this.#takers.find(({ wanted }) => this.#isFocusLost || propertiesOf(wanted)[TAKES_FOCUS] === true);
    const refuge = this.#refuge === null ? null : this.#document.getElementById(this.#refuge);
    if (later === undefined || taker === undefined || (refuge === null && !isFocusLost)) {
      (taker?.element ?? refuge)?.focus();
      return;
    }
    refuge?.focus();
    const resting = this.#document.activeElement;
    later(() => {
      if (this.#document.activeElement === resting) taker.element?.focus();
    });
  }

  /** Tab goes through the controls as they stand: UXP may leave out those that were added after the first show. */
  #tab(event: PanelEvent): void {
    if (event.key !== "Tab") return;
    const reached = reachedIn(this.#drawn);
    // Compared by identity alone.
    const at = reached.indexOf(this.#document.activeElement as PanelElement);
    const next = at < 0 ? undefined : reached[at + (event.shiftKey === true ? -1 : 1)];
    // Past the first and the last the host goes on.
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  }

  #children(parent: PanelElement, present: readonly Drawn[], wanted: readonly (ElementNode | string)[]): Drawn[] {
    const free = [...present];
    const next = wanted.map((child) => {
      const index = free.findIndex((candidate) => isSameKind(candidate.wanted, child));
      const [found] = index < 0 ? [] : free.splice(index, 1);
      return found === undefined ? this.#create(child) : this.#update(found, child);
    });
    for (const gone of free) {
      if (this.#hasFocus(gone)) this.#loseFocus();
      parent.removeChild(gone.node);
    }
    const left = present.filter((drawn) => !free.includes(drawn));
    // Only what is not at its place is moved: moving an element takes its focus away.
    for (const [index, drawn] of next.entries()) {
      const here = left[index];
      if (here === drawn) continue;
      const old = left.indexOf(drawn);
      if (old >= 0) left.splice(old, 1);
      left.splice(index, 0, drawn);
      if (here === undefined) parent.appendChild(drawn.node);
      else parent.insertBefore(drawn.node, here.node);
    }
    return next;
  }

  #create(wanted: ElementNode | string): Drawn {
    if (typeof wanted === "string") {
      return { wanted, node: this.#document.createTextNode(wanted), children: [], listeners: {}, isTyping: false };
    }
    const isBox = wanted.name === "button" && this.#buttons === "box";
    const element = this.#document.createElement(
      isBox ? "div" : wanted.name === "button" ? this.#buttons : wanted.name,
    );
    const drawn: Drawn = {
      wanted: { ...wanted, properties: {} },
      node: element,
      element,
      children: [],
      listeners: {},
      isTyping: false,
    };
    if (isBox) this.#makeBox(drawn, element, wanted.properties);
    if (FIELDS.has(wanted.name)) {
      element.addEventListener("input", () => (drawn.isTyping = true));
      element.addEventListener("change", () => (drawn.isTyping = false));
    }
    if (wanted.properties[TAKES_FOCUS] !== undefined) this.#takers.push(drawn);
    return this.#update(drawn, wanted);
  }

  /** Gives a box what a button has by itself: its role, a place in the order of Tab, and the key that presses it. */
  #makeBox(drawn: Drawn, element: PanelElement, properties: Properties): void {
    drawn.isBox = true;
    if (properties["role"] === undefined) element.setAttribute("role", "button");
    element.setAttribute("tabindex", "0");
    element.addEventListener("keydown", (event) => {
      // Not Space: where the focus is on no field, Premiere plays by it.
      if (event.key !== "Enter") return;
      event.preventDefault();
      this.#call(drawn, "click", event);
    });
  }

  #update(drawn: Drawn, wanted: ElementNode | string): Drawn {
    const { element, wanted: was } = drawn;
    drawn.wanted = wanted;
    if (typeof wanted === "string" || typeof was === "string" || element === undefined) {
      if (was !== wanted && typeof wanted === "string") drawn.node.textContent = wanted;
      return drawn;
    }
    if (was === wanted) return drawn;
    this.#path.push(drawn);
    drawn.children = this.#children(element, drawn.children, wanted.children);
    this.#path.pop();
    this.#properties(drawn, element, was.properties, wanted.properties);
    return drawn;
  }

  #hasFocus({ element, children }: Drawn): boolean {
    return (
      (element !== undefined && element === this.#document.activeElement) || children.some((one) => this.#hasFocus(one))
    );
  }

  /** What has the focus goes: what the nearest thing around it names gets it. */
  #loseFocus(): void {
    this.#isFocusLost = true;
    const around = [...this.#path].reverse();
    const refuge = around.map(({ wanted }) => propertiesOf(wanted)[REFUGE]).find((name) => typeof name === "string");
    this.#refuge = typeof refuge === "string" ? refuge : null;
  }

  #properties(drawn: Drawn, element: PanelElement, was: Properties, wanted: Properties): void {
    for (const name of Object.keys(was)) {
      if (wanted[name] === undefined) this.#set(drawn, element, name, undefined, was[name]);
    }
    for (const name of Object.keys(wanted)) this.#set(drawn, element, name, wanted[name], was[name]);
  }

  #set(drawn: Drawn, element: PanelElement, name: string, value: Properties[string], was: Properties[string]): void {
    if (name === "key" || name === TAKES_FOCUS || name === REFUGE) return;
    if (name === ICON) this.#showIcon(drawn, element, value);
    else if (name.startsWith("on")) this.#listen(drawn, element, name.slice(2), value);
    else if (drawn.isBox === true && (name === "class" || name === "disabled")) setBoxClass(drawn, element);
    else if (LIVE.has(name)) {
      // What is being typed stays, unless something else is to stand there.
      if (name !== "value" || value !== was || !drawn.isTyping) setLive(element, name, value, was);
      if (name === "value" && value !== was) drawn.isTyping = false;
    } else if (value === was) return;
    else if (name === "src") this.#pictures.push(() => setAttribute(element, name, value));
    else setAttribute(element, name, value);
  }

  #showIcon(drawn: Drawn, element: PanelElement, name: Properties[string]): void {
    // Only names of icons are written there.
    const ending = ICON_ENDINGS[name as IconName];
    const address = `data:image/png;base64,${ICON_BEGINNINGS[this.#ground]}${ending}`;
    if (ending === undefined || drawn.iconShown === address) return;
    drawn.iconShown = address;
    this.#pictures.push(() => setAttribute(element, "src", address));
  }

  #listen(drawn: Drawn, element: PanelElement, name: string, listener: Properties[string]): void {
    const isNew = drawn.listeners[name] === undefined;
    drawn.listeners[name] = typeof listener === "function" ? listener : () => undefined;
    if (isNew) element.addEventListener(name, (event) => this.#call(drawn, name, event));
  }

  /** The outermost catch: an exception that reaches the host may take it down. */
  #call(drawn: Drawn, name: string, event: PanelEvent): void {
    // A box cannot be disabled: it only looks so, and does nothing.
    if (drawn.isBox === true && propertiesOf(drawn.wanted)["disabled"] === true) return;
    try {
      const answer = drawn.listeners[name]?.(event);
      if (answer instanceof Promise) answer.catch(this.#onError);
      if (PRESSES.has(name)) this.#onPressed();
    } catch (error) {
      this.#onError(error);
    }
  }
}

/** The classes of a box: its own, and what a button shows of its state by itself. */
function setBoxClass({ wanted }: Drawn, element: PanelElement): void {
  const { class: own, disabled } = propertiesOf(wanted);
  const isOff = disabled === true;
  element.className = ["box", own, isOff && "is-disabled"].filter(Boolean).join(" ");
  element.setAttribute("aria-disabled", String(isOff));
}

function propertiesOf(wanted: ElementNode | string): Properties {
  return typeof wanted === "string" ? {} : wanted.properties;
}

/** What Tab leads to, in the order of the page; of radio buttons of one name the chosen one alone, where one is chosen. */
function reachedIn(drawn: readonly Drawn[]): PanelElement[] {
  const all = [...everyElement(drawn)];
  const chosen = new Set(
    all.flatMap(([{ properties }]) => (properties["checked"] === true ? [properties["name"]] : [])),
  );
  return all.flatMap(([{ name, properties }, element]) => {
    const isControl = CONTROLS.has(name) && properties["disabled"] !== true && properties["tabindex"] !== "-1";
    const isReached = isControl || properties["tabindex"] === "0";
    const isOther = properties["type"] === "radio" && properties["checked"] !== true && chosen.has(properties["name"]);
    return isReached && !isOther ? [element] : [];
  });
}

function* everyElement(drawn: readonly Drawn[]): Generator<[ElementNode, PanelElement]> {
  for (const { wanted, element, children } of drawn) {
    if (typeof wanted !== "string" && element !== undefined) yield [wanted, element];
    yield* everyElement(children);
  }
}

function isSameKind(a: ElementNode | string, b: ElementNode | string): boolean {
  if (typeof a === "string" || typeof b === "string") return typeof a === typeof b;
  return a.name === b.name && a.properties["key"] === b.properties["key"];
}

/** A control's value is compared with what stands there: the editor may have typed since it was drawn. */
function setLive(element: PanelElement, name: string, value: Properties[string], was: Properties[string]): void {
  if (name === "value") {
    const text = String(value ?? "");
    // A select tells nothing about its value in UXP; what was drawn last counts there.
    if (element.value !== text && (value !== was || element.value !== undefined)) element.value = text;
  } else if (name === "scrollTop") {
    if (value !== was && element.scrollTop !== value) element.scrollTop = Number(value);
  } else if (name === "checked") element.checked = value === true;
  else element.disabled = value === true;
}

function setAttribute(element: PanelElement, name: string, value: Properties[string]): void {
  if (name === "class") element.className = String(value ?? "");
  else if (value === undefined || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? name : String(value));
}
