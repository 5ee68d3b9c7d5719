import type { Clock } from "../../src/core/ports.ts";
import { waveHeader } from "../../src/formats/wave/write-wave.ts";
import type { ContactAnswer } from "../../src/host/contact.ts";
import type { Files } from "../../src/host/files.ts";
import type { Learnt } from "../../src/host/learnt.ts";
import type { PanelDocument, PanelElement } from "../document/dom.ts";

/** Names of the event by which a playing element tells where it is: the web's, and as UXP's changelog spells it. */
const TIME_EVENTS = ["timeupdate", "timeUpdate"] as const;

/** Forms in which a file's address is given to an element. */
const FORMS: Readonly<Record<string, (path: string) => string>> = {
  file: (path) => {
    const address = encodeURI(path.replaceAll("\\", "/")).replace(/[?#]/g, encodeURIComponent);
    return `file://${address.startsWith("/") ? "" : "/"}${address}`;
  },
  path: (path) => path,
};

/** Length of the silence that playing is tried with, in samples of 48 kHz: a third of a second. */
const SILENT_SAMPLES = 16_000;

/** Writes a moment of silence as a sound file, where it is not there already. Gives its path. */
export async function writeSilence(files: Pick<Files, "size" | "openWriter">, path: string): Promise<string> {
  if ((await files.size(path)) !== null) return path;
  const format = { encoding: "integer", channels: 1, sampleRate: 48_000, bits: 16, channelMask: 0 } as const;
  const header = waveHeader({ format, sampleCount: SILENT_SAMPLES });
  const sound = new Uint8Array(header.length + SILENT_SAMPLES * 2);
  sound.set(header);
  const writer = await files.openWriter(path);
  try {
    await writer.write(0, sound.buffer);
  } finally {
    await writer.close();
  }
  return path;
}

/** What is learnt where no form plays. */
const NONE = "none";

/** How long it is waited until an element tells that it plays, in milliseconds: as it is tried, and as it is used. */
const TRIAL_MS = 700;
const START_MS = 1500;

/** What playing in the panel's own page needs. */
interface PageSoundOptions {
  readonly document: PanelDocument;
  readonly clock: Pick<Clock, "sleep">;
  readonly learnt: Learnt;
}

/**
 * Plays sound files by an element of the panel's own page, which UXP is said to do from 9.1 on. Its `play` answers whatever happens,
 * and a silent success is a failure that nobody hears: only one that tells where it is plays.
 */
export class PageSound {
  readonly name = "video";
  readonly #options: PageSoundOptions;
  #element: PanelElement | null = null;
  /** Whether it has failed in this session. */
  #hasFailed = false;

  constructor(options: PageSoundOptions) {
    this.#options = options;
  }

  /** Plays a file from its start. Returns whether it is heard; at once where this Premiere is known not to play any. */
  async play(path: string): Promise<boolean> {
    const form = FORMS[this.#options.learnt.recall("sound") ?? NONE];
    if (form === undefined || this.#hasFailed) return false;
    await this.stop();
    this.#element = this.#begin(form(path));
    const plays = this.#element !== null && (await this.#isHeard(this.#element, START_MS));
    this.#hasFailed = !plays;
    return plays;
  }

  /** Ends what plays. */
  async stop(): Promise<void> {
    const element = this.#element;
    this.#element = null;
    if (element !== null) this.#end(element);
  }

  /** Tries with a moment of silence whether anything plays, in each form at once, and keeps which. */
  async contact(silence: () => Promise<string>): Promise<ContactAnswer> {
    const { learnt } = this.#options;
    const path = await silence();
    const tried = Object.entries(FORMS).map(async ([name, form]) => {
      const element = this.#begin(form(path));
      if (element === null) return [];
      const plays = await this.#isHeard(element, TRIAL_MS);
      this.#end(element);
      return plays ? [name] : [];
    });
    const [name = NONE] = (await Promise.all(tried)).flat();
    learnt.keep("sound", name);
    return name === NONE
      ? { outcome: "differs", seen: "not in the panel: by the source monitor" }
      : { outcome: "usual", seen: `in the panel, by ${name}` };
  }

  /** Has an element of the page play an address; `null` where the host has none that plays. */
  #begin(address: string): PanelElement | null {
    const { document } = this.#options;
    try {
      const element = document.createElement("video");
      if (element.play === undefined) return null;
      // In the page before it is told of its file: some elements stay blank otherwise.
      // Nothing of it is to be seen, and nothing to be found by a screen reader.
      element.setAttribute("aria-hidden", "true");
      element.setAttribute("style", "width: 1px; height: 1px; position: absolute; left: 0; bottom: 0");
      document.body.appendChild(element);
      element.setAttribute("src", address);
      return element;
    } catch {
      return null;
    }
  }

  /** Plays, and waits until the element tells that it has moved on. */
  async #isHeard(element: PanelElement, limitMs: number): Promise<boolean> {
    const told = new Promise<boolean>((resolve) => {
      for (const name of TIME_EVENTS) {
        element.addEventListener(name, () => (element.currentTime ?? 0) > 0 && resolve(true));
      }
      element.addEventListener("error", () => resolve(false));
    });
    try {
      // What it answers proves nothing.
      Promise.resolve(element.play?.()).catch(() => undefined);
    } catch {
      return false;
    }
    return Promise.race([told, this.#options.clock.sleep(limitMs).then(() => false)]);
  }

  #end(element: PanelElement): void {
    try {
      element.pause?.();
    } finally {
      this.#options.document.body.removeChild(element);
    }
  }
}
