import { fingerprintOf } from "../../../src/core/bytes.ts";
import type { Timeline } from "../../../src/core/timeline.ts";
import { cutOf, isNarrationTrack } from "../../../src/host/edit-plan.ts";
import type { ExportedMedia } from "../../../src/host/host.ts";
import { Cancellable, type Session } from "../../session/session.ts";
import { words } from "../../words/words.ts";

/** The sound of a cut, exported, with what tells whether the cut is still that one. */
interface KeptSound extends Pick<ExportedMedia, "path" | "offsetSeconds"> {
  readonly sequenceId: string;
  readonly cut: string | null;
}

/** The programme's sound as it can be put under narration: exported once, and kept until the cut changes or the panel ends. */
export class ProgrammeSoundController {
  readonly #session: Session;
  #kept: KeptSound | null = null;
  readonly #export = new Cancellable();

  constructor(session: Session) {
    this.#session = session;
  }

  /** Has Premiere export the sound of the sequence under review, without our narration. */
  async prepare(): Promise<void> {
    const { environment, store, state } = this.#session;
    const { review } = state;
    if (review === null || this.#export.isUnderWay || state.progress !== null) return;
    const { id: sequenceId, name } = review.sequence;
    const { editor } = environment;
    const sequence = await editor.readSequence();
    if (sequence.id !== sequenceId) return this.#session.tell(words.otherSequence({ name }), { isFault: true });
    const timeline = await editor.readTimeline();
    store.set({ programmeSound: "exporting", message: null });
    try {
      await this.#export.runQuietly(async (signal) => {
        await this.#forget();
        const exported = await this.#session.narration.silentDuring(sequenceId, () =>
          editor.exportSequence({ range: "whole", content: "sound" }, { signal }),
        );
        const { path, offsetSeconds } = exported;
        this.#kept = { path, offsetSeconds, sequenceId, cut: shownCut(timeline) };
        this.#session.tell(words.programmeSounds.ready);
      });
    } finally {
      store.set({ programmeSound: this.#kept === null ? "none" : "ready" });
    }
  }

  /** Ends the export under way. */
  cancel(): void {
    if (this.#export.isUnderWay) this.#session.say(words.heard.stopped);
    this.#export.cancel();
  }

  /** The sound of a sequence, where it is there and the cut is still the one that was exported. */
  async of(sequenceId: string): Promise<Pick<ExportedMedia, "path" | "offsetSeconds"> | null> {
    const kept = this.#kept;
    if (kept === null) return null;
    // Looked at each time: Premiere tells of a first change alone, until the project is saved.
    if (kept.sequenceId === sequenceId && shownCut(await this.#readTimeline(sequenceId)) === kept.cut) return kept;
    await this.#forget();
    this.#session.store.set({ programmeSound: "none" });
    this.#session.tell(words.programmeGone);
    return null;
  }

  async #readTimeline(sequenceId: string): Promise<Timeline | null> {
    const { editor } = this.#session.environment;
    // Another sequence may be in front; what cannot be compared counts as changed.
    return (await editor.readSequence()).id === sequenceId ? editor.readTimeline() : null;
  }

  async #forget(): Promise<void> {
    const kept = this.#kept;
    this.#kept = null;
    if (kept !== null) await this.#session.environment.files.remove(kept.path);
  }
}

function shownCut(timeline: Timeline | null): string | null {
  if (timeline === null) return null;
  // Our own track comes and goes with what is placed, and is muted for the export.
  const sounding = timeline.tracks.filter((track) => !isNarrationTrack(track)).map(({ isEnabled }) => isEnabled);
  return fingerprintOf(JSON.stringify([cutOf(timeline), sounding]));
}
