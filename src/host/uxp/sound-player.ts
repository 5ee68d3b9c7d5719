import type { Clock } from "../../core/clock.ts";
import { HostError } from "../host-error.ts";

/** What the player uses of UXP's media element, the only one that there is: `video`. */
export interface MediaElement {
  src: string;
  play(): unknown;
  pause(): void;
  addEventListener(name: "ended" | "error", listener: () => void): void;
}

/** The host's own player of sounds. */
export interface HostPlayer {
  /** Opens a file and plays it. Returns whether it did; it does not wait for the end. */
  play(path: string): Promise<boolean>;
  /** Stops it where it is. */
  stop(): Promise<unknown>;
}

/** What plays sound. Which of it works in the host no documentation says (`premiere-uxp.md` 4.1). */
export interface SoundPlayerOptions {
  /** A media element in the document; `null` where it cannot play. */
  readonly makeElement: () => MediaElement | null;
  /** The host's own player, which opens a file in the source monitor. */
  readonly host: HostPlayer;
  readonly clock: Pick<Clock, "sleep">;
}

/** How long after its length a sound is taken to be over where nobody says so, in milliseconds. */
const GRACE_MS = 1500;

/** Plays short sound files: in the panel, or in the host's source monitor where the panel cannot. */
export class SoundPlayer {
  readonly #options: SoundPlayerOptions;
  #stop: () => void = () => undefined;

  constructor(options: SoundPlayerOptions) {
    this.#options = options;
  }

  /**
   * Plays a file, in place of what plays already; settles when it is over or was stopped.
   *
   * @param path Native path. @param seconds Its length.
   * @throws HostError `host_failed` when nothing can play it.
   */
  async play(path: string, seconds: number): Promise<void> {
    this.stop();
    const { makeElement, host } = this.#options;
    const element = makeElement();
    if (element !== null && (await this.#playIn(element, path, seconds))) return;
    // Over or stopped, counted from before the host opens the file: it may be stopped while it does.
    let isHeard = true;
    const over = this.#untilOver(seconds, () => (isHeard = false));
    if (await host.play(path)) {
      await over;
      // What the host does not stop ends by itself.
      if (!isHeard) await host.stop().catch(() => undefined);
      return;
    }
    throw new HostError("host_failed", "Neither the panel nor the source monitor can play sound here.", {
      operation: "play a cue",
      state: "the playhead stands before it: play the sequence",
    });
  }

  /** Ends what plays. */
  stop(): void {
    this.#stop();
  }

  async #playIn(element: MediaElement, path: string, seconds: number): Promise<boolean> {
    const failed = new Promise<boolean>((resolve) => {
      element.addEventListener("error", () => resolve(false));
    });
    const ended = new Promise<boolean>((resolve) => {
      element.addEventListener("ended", () => resolve(true));
    });
    const over = this.#untilOver(seconds, () => element.pause());
    try {
      element.src = fileAddress(path);
      await element.play();
    } catch {
      return false;
    }
    return Promise.race([failed, ended, over]);
  }

  /** Settles when a sound was stopped, or when its time has passed: UXP's element answers whatever happens. */
  #untilOver(seconds: number, stop: () => unknown): Promise<true> {
    return new Promise((resolve) => {
      this.#stop = () => {
        stop();
        resolve(true);
      };
      void this.#options.clock.sleep(seconds * 1000 + GRACE_MS).then(() => resolve(true));
    });
  }
}

/** A native path as an address: on Windows too. */
function fileAddress(path: string): string {
  const parts = path.replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/").replace(/%3A/i, ":");
  return parts.startsWith("/") ? `file://${parts}` : `file:///${parts}`;
}
