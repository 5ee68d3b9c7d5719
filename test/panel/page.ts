import type { PanelDocument, PanelElement, PanelEvent, PanelNode } from "../../panel/document/dom.ts";

/** Elements that UXP has a class for, or treats as a plain box with text (`premiere-uxp.md` 5.1), as far as we use them. */
const ELEMENTS = new Set(["div", "span", "p", "button", "input", "select", "option", "textarea", "label", "img"]);

/** Controls, and whatever is made focusable. */
const FOCUSABLE = ["button", "input", "select", "textarea"];

/** Controls of Adobe's own, which it draws itself; what they do with keys and the focus is not known. */
const WIDGETS = new Set(["sp-button", "sp-action-button", "sp-checkbox", "sp-textfield"]);

/** Attributes that UXP is documented to lack, or whose meaning it does not know. */
const REFUSED = /^(hidden|for|accesskey|contenteditable|dir|inputmode|part|spellcheck|translate|on\w+|style-.*)$/;

/** A node of the page: just enough of a document to see what the panel would show. */
export class PageNode implements PanelElement {
  readonly name: string;
  className = "";
  scrollTop = 0;
  currentTime = 0;
  value = "";
  checked = false;
  disabled = false;
  readonly attributes: Record<string, string> = {};
  readonly children: PageNode[] = [];
  readonly #listeners: Record<string, ((event: PanelEvent) => void)[]> = {};
  readonly #page: Page;
  #text = "";
  /** What it was last put into, which may have lost it since. */
  #parent: PageNode | null = null;

  constructor(page: Page, name: string, text = "") {
    this.#page = page;
    this.name = name;
    this.#text = text;
  }

  get clientHeight(): number {
    return this.#size("height") ?? 400;
  }

  get clientWidth(): number {
    return this.#size("width") ?? 300;
  }

  /** What its style asks for; of widgets that the host draws at a size of their own, that one. */
  #size(name: "width" | "height"): number | undefined {
    const asked = new RegExp(`(?:^|; )${name}: (\\d+)px`).exec(this.attributes["style"] ?? "")?.[1];
    if (asked === undefined) return undefined;
    return this.#page.sizesItself.has(this.name) ? 32 : Number(asked);
  }

  /** Of a `video` alone: it answers whatever happens. */
  get play(): (() => Promise<void>) | undefined {
    if (this.name !== "video") return undefined;
    return async () => {
      const address = this.attributes["src"] ?? "";
      if (!this.#page.playsSound(address)) return;
      this.#page.played.push(address);
      setTimeout(() => {
        this.currentTime = 0.1;
        this.happens("timeUpdate");
      }, 0);
    };
  }

  pause(): void {
    this.currentTime = 0;
  }

  get textContent(): string {
    return this.name === "#text" ? this.#text : this.children.map((child) => child.textContent).join("");
  }

  /** What a person is told of it: its words, and of what is a picture or a sign its description. */
  get said(): string {
    if (this.attributes["role"] === "img") return this.attributes["aria-label"] ?? "";
    return this.name === "#text" ? this.#text : this.children.map((child) => child.said).join("");
  }

  set textContent(text: string) {
    if (text !== "" && this.attributes["aria-live"] !== undefined) this.#page.heard.push(text);
    if (this.name === "#text") this.#text = text;
    else
      this.children.splice(0, this.children.length, ...(text === "" ? [] : [new PageNode(this.#page, "#text", text)]));
  }

  setAttribute(name: string, value: string): void {
    if (REFUSED.test(name)) throw new Error(`UXP does not know the attribute ${name}`);
    this.attributes[name] = value;
  }

  removeAttribute(name: string): void {
    delete this.attributes[name];
  }

  appendChild(child: PanelNode): void {
    this.#adopt(child, this.children.length);
  }

  insertBefore(child: PanelNode, before: PanelNode): void {
    this.#adopt(child, this.children.indexOf(before as PageNode));
  }

  removeChild(child: PanelNode): void {
    this.children.splice(this.children.indexOf(child as PageNode), 1);
  }

  addEventListener(name: string, listener: (event: PanelEvent) => void): void {
    this.#listeners[name] = [...(this.#listeners[name] ?? []), listener];
  }

  focus(): void {
    const isFocusable = FOCUSABLE.includes(this.name) || "tabindex" in this.attributes;
    if (!isFocusable || this.#page.refusesFocus.has(this.name) || this.#page.activeElement === this) return;
    this.#page.activeElement = this;
  }

  /** Something happens to it. Keys that Premiere keeps for itself never reach it: with Delete it removes the editor's clips. */
  happens(name: string, more: Partial<PanelEvent> = {}): void {
    const from = more.target instanceof PageNode ? more.target : this;
    if (name.startsWith("key") && isPremieres(from, more.key ?? "")) throw new Error(`"${more.key}" goes to Premiere`);
    const event = {
      target: this,
      currentTarget: this,
      preventDefault: () => undefined,
      stopPropagation: () => undefined,
      ...more,
    };
    for (const listener of this.#listeners[name] ?? []) listener(event);
  }

  /** It and everything in it. */
  *all(): Generator<PageNode> {
    yield this;
    for (const child of this.children) yield* child.all();
  }

  #adopt(child: PanelNode, index: number): void {
    const node = child as PageNode;
    const old = node.#parent?.children.indexOf(node) ?? -1;
    if (old >= 0) node.#parent?.children.splice(old, 1);
    node.#parent = this;
    const at = Math.min(index < 0 ? this.children.length : index, this.children.length);
    this.children.splice(at, 0, node);
  }
}

/** Whether a key goes to Premiere: every one outside a control, and outside a text field whatever Premiere has a use for. */
function isPremieres({ name, attributes }: PageNode, key: string): boolean {
  if (!FOCUSABLE.includes(name) && attributes["tabindex"] !== "0") return true;
  const isText = name === "textarea" || (name === "input" && !/^(checkbox|radio)$/.test(attributes["type"] ?? ""));
  return !isText && (key === "Delete" || key === "Backspace" || /^[a-z]$/i.test(key));
}

/** A document that refuses what UXP lacks, and the hands of the person before it. */
export class Page implements PanelDocument {
  activeElement: unknown = null;
  readonly body = new PageNode(this, "body");
  readonly root = new PageNode(this, "div");
  /** How many elements were ever made. */
  made = 0;
  /** What a screen reader was given to say, in order. */
  readonly heard: string[] = [];
  /** Whether its `video` plays what lies at an address; before UXP 9.1 it plays no sound. */
  playsSound: (address: string) => boolean = () => false;
  /** Addresses that its `video` has played. */
  readonly played: string[] = [];
  /** Elements that have a size of their own, whatever is asked of them, and those that take no focus. */
  readonly sizesItself = new Set(["button", "sp-button", "sp-action-button", "sp-checkbox", "sp-textfield"]);
  readonly refusesFocus = new Set(WIDGETS);

  constructor() {
    this.body.children.push(this.root);
  }

  createElement(name: string): PageNode {
    if (!ELEMENTS.has(name) && !WIDGETS.has(name) && name !== "video") throw new Error(`UXP has no element ${name}`);
    this.made += 1;
    return new PageNode(this, name);
  }

  getElementById(id: string): PageNode | null {
    return [...this.body.all()].find((node) => node.attributes["id"] === id) ?? null;
  }

  createTextNode(text: string): PageNode {
    return new PageNode(this, "#text", text);
  }

  /** The control or part with an id. */
  byId(id: string): PageNode {
    const found = this.find(id);
    if (found === null) throw new Error(`nothing has the id ${id}; the page says: ${this.root.textContent}`);
    return found;
  }

  /** The same; `null` where there is none. */
  find(id: string): PageNode | null {
    return [...this.root.all()].find((node) => node.attributes["id"] === id) ?? null;
  }

  /** Every element with an attribute of this value. */
  withAttribute(name: string, value?: string): PageNode[] {
    return [...this.root.all()].filter(
      (node) => name in node.attributes && (value === undefined || node.attributes[name] === value),
    );
  }

  /** The view that is shown. */
  get view(): string {
    return this.withAttribute("data-view")[0]?.attributes["data-view"] ?? "";
  }

  /** Every control with what it stands in, the nearest first. */
  *controls(node: PageNode = this.root, parents: readonly PageNode[] = []): Generator<[PageNode, readonly PageNode[]]> {
    if (FOCUSABLE.includes(node.name) || "tabindex" in node.attributes) yield [node, parents];
    for (const child of node.children) yield* this.controls(child, [node, ...parents]);
  }

  click(id: string): void {
    const node = this.byId(id);
    if (node.disabled || node.attributes["aria-disabled"] === "true") throw new Error(`${id} is disabled`);
    node.happens("click");
  }

  /** Types into a field and leaves it. */
  type(id: string, text: string): void {
    const node = this.byId(id);
    node.value = text;
    node.happens("input");
    node.happens("change");
  }

  /** Ticks a box, or takes the tick away. */
  tick(id: string, isTicked: boolean): void {
    const node = this.byId(id);
    node.checked = isTicked;
    node.happens("change");
  }
}
