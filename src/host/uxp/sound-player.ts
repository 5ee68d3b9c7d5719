import type { Clock } from "../../core/clock.ts";
import { HostError } from "../host-error.ts";

/** What the player uses of UXP's media element, the only one that there is: `video`. */
export interface MediaElement {
  src: string;
  play(): unknown;
  pause(): void;
  addEventListener(name: "ended" | "error", listener: () => void): void;
}

/** What plays sound. Which of it works in the host no documentation says (`premiere-uxp.md` 4.1). */
export interface SoundPlayerOptions {
  /** A media element in the document; `null` where it cannot play. */
  readonly makeElement: () => MediaElement | null;
  /** Opens a file in the host's own source monitor and plays it there. Returns whether it did. */
  readonly playInHost: (path: string) => Promise<boolean>;
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
    const element = this.#options.makeElement();
    if (element !== null && (await this.#playIn(element, path, seconds))) return;
    if (await this.#options.playInHost(path)) return;
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
    let settle: (isPlayed: boolean) => void = () => undefined;
    const over = new Promise<boolean>((resolve) => {
      settle = resolve;
    });
    element.addEventListener("ended", () => settle(true));
    element.addEventListener("error", () => settle(false));
    this.#stop = () => {
      element.pause();
      settle(true);
    };
    // UXP's element answers whatever happens, so that time is what can be relied on.
    void this.#options.clock.sleep(seconds * 1000 + GRACE_MS).then(() => settle(true));
    try {
      element.src = fileAddress(path);
      await element.play();
    } catch {
      settle(false);
    }
    return over;
  }
}

/** A native path as an address: on Windows too. */
function fileAddress(path: string): string {
  const parts = path.replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/").replace(/%3A/i, ":");
  return parts.startsWith("/") ? `file://${parts}` : `file:///${parts}`;
}
