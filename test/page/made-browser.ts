import { afterEach, beforeEach, vi } from "vitest";
import { SetClock } from "../fakes/set-clock.ts";

/** An element as a browser makes it: what is set is kept, and what happens to it is told to who listens. */
export class MadeElement {
  readonly name: string;
  id?: unknown;
  className?: unknown;
  src?: unknown;
  kind?: unknown;
  srclang?: unknown;
  default?: unknown;
  accept?: unknown;
  multiple?: unknown;
  files?: unknown;
  download?: unknown;
  href?: unknown;
  readonly children: MadeElement[] = [];
  readonly listeners: Record<string, ((event: object) => void)[]> = {};
  readonly done: string[] = [];
  readonly style = {};
  currentTime = 0;
  volume = 1;
  playbackRate = 1;
  muted = false;
  /** Whether it cannot be played. */
  isBroken = false;
  paused = true;
  hidden = false;
  ended = false;
  value = "voice";
  textContent = "";
  parent: MadeElement | null = null;
  constructor(name: string) {
    this.name = name;
  }
  setAttribute(name: string, value: string): void {
    Object.assign(this, { [name]: value });
  }
  removeAttribute(name: string): void {
    Object.assign(this, { [name]: undefined });
  }
  append(...made: readonly MadeElement[]): void {
    for (const one of made) {
      one.parent = this;
      this.children.push(one);
    }
  }
  add(option: MadeElement): void {
    this.append(option);
  }
  remove(): void {
    this.parent?.children.splice(this.parent.children.indexOf(this), 1);
    this.done.push("removed");
  }
  addEventListener(name: string, listener: (event: object) => void): void {
    this.listeners[name] = [...(this.listeners[name] ?? []), listener];
  }
  happens(name: string, event: object = {}): void {
    for (const listener of this.listeners[name] ?? []) listener(event);
  }
  click(): void {
    this.done.push("clicked");
  }
  async play(): Promise<void> {
    if (this.isBroken) throw new Error("cannot be played");
    this.done.push("played");
    this.paused = false;
    this.happens("play");
  }
  pause(): void {
    const was = this.paused;
    this.paused = true;
    if (!was) this.happens("pause");
  }
}

class MadeOption extends MadeElement {
  constructor(text: string, value: string) {
    super("option");
    this.textContent = text;
    this.value = value;
  }
}

/** What a page of a browser is made of, as far as it is used: what is made is told, and time and sound are the test's. */
export interface MadeBrowser {
  /** Every element and sound that was made, in order. */
  made: MadeElement[];
  /** Addresses of blobs that were made, and those that were let go of. */
  addresses: string[];
  revoked: string[];
  /** What stands at an address that was made. */
  blobs: Map<string, Blob>;
  clock: SetClock;
  /** What is done again and again. */
  ticking: (() => void)[];
  body: MadeElement;
  /** The document: what happens to it is told to who listens. */
  document: MadeElement;
  /** Levels to which a film's sound glides; `null` where no mixer runs. */
  levels: number[] | null;
}

function newBrowser(): MadeBrowser {
  return {
    ...{ made: [], addresses: [], revoked: [], ticking: [], blobs: new Map(), clock: new SetClock(), levels: null },
    ...{ body: new MadeElement("body"), document: new MadeElement("document") },
  };
}

/** A browser for each test of a file, in place of the one that there is none of; call it where the file begins. */
export function madeBrowser(): MadeBrowser {
  const browser = newBrowser();
  beforeEach(() => {
    Object.assign(browser, newBrowser());
    const keep = (one: MadeElement) => {
      browser.made.push(one);
      return one;
    };
    class MadeAudio extends MadeElement {
      constructor(address = "") {
        super("audio");
        this.src = address;
        keep(this);
      }
    }
    class MadeContext {
      readonly currentTime = 0;
      resume = async () => {
        if (browser.levels === null) throw new Error("no sound");
      };
      createGain() {
        const gain = { setTargetAtTime: (level: number) => void browser.levels?.push(level) };
        return { gain, connect: (next: object) => next };
      }
      createMediaElementSource() {
        return { connect: (next: object) => next };
      }
    }
    vi.stubGlobal("document", {
      body: browser.body,
      createElement: (name: string) => keep(new MadeElement(name)),
      addEventListener: (name: string, listener: (event: object) => void) =>
        browser.document.addEventListener(name, listener),
    });
    vi.stubGlobal("Audio", MadeAudio);
    vi.stubGlobal("Option", MadeOption);
    vi.stubGlobal("AudioContext", MadeContext);
    vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
      const address = `blob:${browser.addresses.push("")}`;
      browser.blobs.set(address, blob as Blob);
      return address;
    });
    vi.spyOn(URL, "revokeObjectURL").mockImplementation((address) => void browser.revoked.push(address));
    vi.spyOn(Date, "now").mockImplementation(() => browser.clock.now());
    vi.stubGlobal("setInterval", (run: () => void) => browser.ticking.push(run));
    vi.stubGlobal(
      "setTimeout",
      (run: () => void, milliseconds: number) => void browser.clock.sleep(milliseconds).then(run),
    );
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });
  return browser;
}
