import type { Clock } from "../../core/ports.ts";
import { HostError } from "../host-error.ts";

/** The host's own player of sounds. */
export interface HostPlayer {
  /** What it is called in a report: the members that it plays by. */
  readonly name: string;
  /** Opens a file and plays it. Returns whether it did; it does not wait for the end. */
  play(path: string): Promise<boolean>;
  /** Stops it, closes the file, and shows what was open before. */
  stop(): Promise<unknown>;
}

/** What plays sound. */
export interface SoundPlayerOptions {
  /** Players in the order in which they are tried: the first that is heard plays. */
  readonly hosts: readonly HostPlayer[];
  readonly clock: Pick<Clock, "sleep">;
}

/** How long after its length a sound is taken to be over where nobody says so, in milliseconds. */
const GRACE_MS = 500;

/** Plays short sound files by the first player that is heard. */
export class SoundPlayer {
  readonly #options: SoundPlayerOptions;
  #stop: () => void = () => undefined;
  /** The end of what was played last, when the host shows again what it showed. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: SoundPlayerOptions) {
    this.#options = options;
  }

  /**
   * Plays a file, in place of what plays already; settles when it is over or was stopped, and the host shows what it showed.
   *
   * @param path Native path. @param seconds Its length.
   * @throws HostError `host_failed` when the host cannot play it.
   */
  play(path: string, seconds: number): Promise<void> {
    this.stop();
    const stopped = new Promise<"stopped">((resolve) => {
      this.#stop = () => resolve("stopped");
    });
    const played = this.#last.then(() => this.#play(path, seconds, stopped));
    this.#last = played.catch(() => undefined);
    return played;
  }

  /** Ends what plays. */
  stop(): void {
    this.#stop();
  }

  async #play(path: string, seconds: number, stopped: Promise<"stopped">): Promise<void> {
    const { hosts, clock } = this.#options;
    const tried: string[] = [];
    for (const host of hosts) {
      // Stopped before its turn came.
      if ((await Promise.race([stopped, Promise.resolve("on")])) === "stopped") return;
      try {
        if (await host.play(path)) {
          // Over, counted from when it is heard, or stopped, also while the host opened it.
          await Promise.race([stopped, clock.sleep(seconds * 1000 + GRACE_MS)]);
          return;
        }
        tried.push(`${host.name} plays nothing`);
      } catch (error) {
        tried.push(`${host.name} raises ${error instanceof Error ? error.message : String(error)}`);
      } finally {
        // What the host does not stop ends by itself.
        await host.stop().catch(() => undefined);
      }
    }
    throw new HostError("host_failed", "Premiere's source monitor does not play this sound.", {
      operation: "play a cue",
      state: "the playhead stands before it: play the sequence",
      tried,
    });
  }
}
