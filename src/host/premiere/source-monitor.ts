import type { ProjectItem, premierepro } from "@adobe/premierepro";
import type { Clock } from "../../core/clock.ts";
import { findItem } from "./project-bin.ts";

/** How long the source monitor takes until a file that was opened can be heard, in milliseconds. */
const READY_MS = 200;

/** What was open in the source monitor before a sound was played there. */
interface Earlier {
  readonly itemId: string;
  /** Where it stood, in ticks. */
  readonly ticks: string;
}

/**
 * Plays sound files in Premiere's source monitor, without importing them, and shows again what was open there before. A file that
 * the editor had opened from outside the project cannot be named, so it stays closed.
 */
export class SourceMonitorPlayer {
  readonly name = "SourceMonitor.openFilePath, SourceMonitor.play";
  readonly #premiere: premierepro;
  readonly #clock: Pick<Clock, "sleep">;
  #earlier: Earlier | null = null;
  #isOpen = false;

  constructor(premiere: premierepro, clock: Pick<Clock, "sleep">) {
    this.#premiere = premiere;
    this.#clock = clock;
  }

  /** Opens a file and plays it from its start. Returns whether Premiere did. */
  async play(path: string): Promise<boolean> {
    const { SourceMonitor } = this.#premiere;
    if (!this.#isOpen) this.#earlier = await this.#shown();
    if (!(await SourceMonitor.openFilePath(path))) return false;
    this.#isOpen = true;
    // Played sooner, Premiere says that it plays, and nothing is heard.
    await this.#clock.sleep(READY_MS);
    return SourceMonitor.play(1);
  }

  /** Stops what was played, closes it, and shows what was open before. Nothing happens where nothing was opened. */
  async stop(): Promise<void> {
    const { SourceMonitor, TickTime } = this.#premiere;
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await SourceMonitor.play(0);
    await SourceMonitor.closeClip();
    const item = this.#earlier === null ? null : await findItem(this.#premiere, this.#earlier.itemId);
    if (item === null || this.#earlier === null) return;
    await SourceMonitor.openProjectItem(item);
    // Came with 26.3: before, what was open begins at its start again.
    if ("setPosition" in SourceMonitor) await SourceMonitor.setPosition(TickTime.createWithTicks(this.#earlier.ticks));
  }

  async #shown(): Promise<Earlier | null> {
    const { SourceMonitor } = this.#premiere;
    try {
      // The declarations leave out that nothing may be open.
      const item: ProjectItem | null | undefined = await SourceMonitor.getProjectItem();
      if (!item) return null;
      const itemId = await item.getId();
      return { itemId, ticks: (await SourceMonitor.getPosition()).ticks };
    } catch {
      // What cannot be named is not put back.
      return null;
    }
  }
}
