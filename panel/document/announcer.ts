import type { PanelDocument, PanelElement } from "./dom.ts";

/** A sentence for whoever hears the panel in place of seeing it. */
export interface Announcement {
  readonly text: string;
  /** Whether it goes before what the reader says now: for faults. */
  readonly isUrgent?: boolean;
  /** What it is about: a later sentence about the same takes its place while it waits. */
  readonly topic?: string;
  /** Whether it waits until a person has stopped typing. */
  readonly waitsForTyping?: boolean;
}

/** What an announcer needs of a clock. */
interface AnnouncerClock {
  after(milliseconds: number, run: () => void): () => void;
}

/** How long sentences wait for others, in milliseconds. A reader throws away what comes with the key that caused it. */
const GATHER_MS = 120;

/** How long nobody must have typed before what is said of the words is said, in milliseconds. */
const TYPING_MS = 900;

/** How long a sentence stands before it goes: read twice by somebody who walks through the page, it would mislead. */
const STANDS_MS = 8000;

/** How long a text stands at the least: a browser that is busy tells readers of a change only so much later. */
const NOTICED_MS = 600;

/** How long a region is empty before it is filled: readers tell only of a change. */
const EMPTY_MS = 60;

/** What tells two equal sentences apart without being said: a space. */
const UNHEARD = "\u00a0";

/** Where a sentence is put to be said. */
type RegionName = "polite" | "assertive" | "descriptions";

/**
 * Has a screen reader say things: the one place of panel and page that does. Its regions are made once, before anything is
 * said, and nothing else writes into them: readers watch what was there, and keep the first value of `aria-live`.
 *
 * While descriptions of a film are read aloud, everything else waits.
 */
export class Announcer {
  readonly #clock: AnnouncerClock;
  readonly #regions: Readonly<Record<RegionName, Region>>;
  #waiting: Announcement[] = [];
  /** Calls off what is due, and whether that waits for typing to end; `null` while nothing is due. */
  #due: { readonly callOff: () => void; readonly isForTyping: boolean } | null = null;
  #isReading = false;

  constructor(document: PanelDocument, clock: AnnouncerClock) {
    this.#clock = clock;
    this.#regions = {
      polite: new Region(document, clock, { name: "polite", live: "polite", standsMs: STANDS_MS }),
      assertive: new Region(document, clock, { name: "assertive", live: "assertive", standsMs: STANDS_MS }),
      // Of its own, filled while descriptions are read and at no other time.
      descriptions: new Region(document, clock, { name: "descriptions", live: "assertive", standsMs: null }),
    };
  }

  /** Has a sentence said: again, too, when the same was said before. */
  say(sentence: Announcement): void {
    if (sentence.text === "") return;
    const { topic } = sentence;
    if (topic !== undefined) this.#waiting = this.#waiting.filter((one) => one.topic !== topic);
    this.#waiting.push(sentence);
    this.#sayLater();
  }

  /** Has a description of the film read aloud, at once and in place of one that is being read. */
  read(description: string): void {
    this.#isReading = true;
    this.#regions.descriptions.empty();
    this.#regions.descriptions.put(description);
  }

  /** No description is read any more: what has waited is said. */
  endReading(): void {
    if (!this.#isReading) return;
    this.#isReading = false;
    this.#regions.descriptions.empty();
    if (this.#waiting.length > 0) this.#sayLater();
  }

  #sayLater(): void {
    if (this.#due?.isForTyping === false) return;
    this.#due?.callOff();
    const isForTyping = this.#waiting.every(({ waitsForTyping }) => waitsForTyping === true);
    const callOff = this.#clock.after(isForTyping ? TYPING_MS : GATHER_MS, () => {
      this.#due = null;
      this.#sayWaiting();
    });
    this.#due = { callOff, isForTyping };
  }

  /** Says what waits, in one go for each region: a second change would end the first. */
  #sayWaiting(): void {
    if (this.#isReading) return;
    const said = this.#waiting.splice(0);
    const textOf = (isUrgent: boolean) =>
      said.filter((one) => (one.isUrgent === true) === isUrgent).map(({ text }) => asSentence(text));
    for (const [name, isUrgent] of [
      ["polite", false],
      ["assertive", true],
    ] as const) {
      const texts = textOf(isUrgent);
      if (texts.length > 0) this.#regions[name].put(texts.join(" "));
    }
  }
}

/** An element that readers watch. */
class Region {
  readonly #element: PanelElement;
  readonly #clock: AnnouncerClock;
  /** How long a text stands at the most, in milliseconds; `null` where it stands until it is emptied. */
  readonly #standsMs: number | null;
  /** Ends what is due: to fill it, to let another text in, to empty it. */
  #callOff: () => void = () => undefined;
  /** Whether it is about to be filled, or was just filled: what comes meanwhile waits. */
  #isBusy = false;
  /** What it is to be filled with next; empty where nothing waits. */
  #next = "";
  /** What it was filled with last. */
  #last = "";

  constructor(
    document: PanelDocument,
    clock: AnnouncerClock,
    { name, live, standsMs }: { name: RegionName; live: "polite" | "assertive"; standsMs: number | null },
  ) {
    this.#clock = clock;
    this.#standsMs = standsMs;
    const id = `heard-${name}`;
    const present = document.getElementById(id);
    this.#element = present ?? document.createElement("div");
    if (present !== null) return;
    this.#element.className = "heard-only";
    this.#element.setAttribute("id", id);
    // Not atomic: a reader that comes late to a change would read what stands there by then, and that twice.
    this.#element.setAttribute("aria-live", live);
    document.body.appendChild(this.#element);
  }

  /** Puts a text there as soon as what was put before was noticed; texts that wait are put together. */
  put(text: string): void {
    this.#next = this.#next === "" ? text : `${this.#next} ${text}`;
    if (!this.#isBusy) this.#fill();
  }

  /** Empties it; what waits to be put there is not put. */
  empty(): void {
    this.#callOff();
    this.#isBusy = false;
    this.#next = "";
    this.#clear();
  }

  #fill(): void {
    this.#isBusy = true;
    this.#callOff();
    this.#clear();
    this.#callOff = this.#clock.after(EMPTY_MS, () => {
      // Orca takes the same text for the same event, however much later it comes.
      this.#last = this.#next === this.#last ? `${this.#next}${UNHEARD}` : this.#next;
      this.#next = "";
      this.#element.textContent = this.#last;
      this.#callOff = this.#clock.after(NOTICED_MS, () => {
        this.#isBusy = false;
        if (this.#next !== "") this.#fill();
        else if (this.#standsMs !== null) this.#callOff = this.#clock.after(this.#standsMs, () => this.#clear());
      });
    });
  }

  #clear(): void {
    if (this.#element.textContent !== "") this.#element.textContent = "";
  }
}

/** With a full stop where it has no end, so that two sentences in a row are two. */
export function asSentence(text: string): string {
  return /[.!?…:]["”’)]?$/.test(text) ? text : `${text}.`;
}
