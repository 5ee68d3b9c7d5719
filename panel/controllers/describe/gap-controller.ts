import { defined } from "../../../src/core/objects.ts";
import { isLocalAddress } from "../../../src/core/ports.ts";
import { explain } from "../../../src/workflow/explain.ts";
import { findSound, type HeardFile, hearFile } from "../../../src/workflow/gaps/look-for-gaps.ts";
import type { ServiceConnection } from "../../session/connection.ts";
import type { ServiceClient } from "../../session/environment.ts";
import { Cancellable, type Session } from "../../session/session.ts";
import { rangeOf } from "../../state/form.ts";
import { gapKeys } from "../../state/strip.ts";
import { words } from "../../words/words.ts";

/** Looks for the pauses of the active sequence before anything is described. */
export class GapController {
  readonly #session: Session;
  readonly #connection: ServiceConnection;
  readonly #look = new Cancellable();

  constructor(session: Session, connection: ServiceConnection) {
    this.#session = session;
    this.#connection = connection;
  }

  /**
   * Looks in the chosen captions, else in the transcript; where neither tells, or `byEar`, the sound is exported and heard
   * by the service on this computer. It goes to no other.
   */
  async look(byEar = false): Promise<void> {
    const { store, environment, state } = this.#session;
    const { form, sequence } = state;
    if (sequence === null || this.#look.isUnderWay) return;
    const { start, end } = rangeOf(form, sequence);
    const captions = form.captionSource === "file" && !byEar ? form.captionFile : undefined;
    store.set({ looking: { stage: "read" }, message: null });
    try {
      await this.#look.runQuietly(async (signal) => {
        const found = await findSound(
          {
            transcript: async () => (byEar ? null : environment.editor.transcribedCaptions(start)),
            listen: async (isNeeded) => (isNeeded ? this.#hear(end - start, signal) : null),
          },
          { durationSeconds: end - start, ...defined({ captions }) },
        );
        if (found === null) this.#session.tell(words.gapsUnknown, { next: words.gapsListener });
        else store.set({ gaps: { ...found, ...gapKeys(state) } });
      });
    } finally {
      store.set({ looking: null });
    }
  }

  /** Moves the playhead to a time in seconds on the sequence clock. */
  jump(seconds: number): void {
    const { environment, state } = this.#session;
    const { sequence } = state;
    if (sequence !== null) this.#session.run(() => environment.editor.movePlayhead(sequence.id, seconds));
  }

  /** Ends the look under way. */
  cancel(): void {
    if (this.#look.isUnderWay) this.#session.say(words.heard.stopped);
    this.#look.cancel();
  }

  /** What is heard in the range; `null` where no service on this computer listens to so much. */
  async #hear(seconds: number, signal: AbortSignal): Promise<HeardFile | null> {
    const { environment, state } = this.#session;
    const { editor, files, transfer, clock } = environment;
    const client = await this.#listener(seconds, signal);
    if (client === null) return null;
    this.#session.store.set({ looking: { stage: "export" } });
    const { sequence, form } = state;
    if (sequence === null) return null;
    const sound = await this.#session.narration.silentDuring(sequence.id, () =>
      editor.exportSequence({ range: form.range, content: "sound" }, { signal }),
    );
    try {
      const { path, contentType } = sound;
      const file = { path, contentType, filename: "sound.wav" };
      return await hearFile({ client, transfer, clock }, file, {
        signal,
        onProgress: (looking) => {
          if (!signal.aborted) this.#session.store.set({ looking });
        },
      });
    } finally {
      await files.remove(sound.path);
    }
  }

  /** The service in use where it is on this computer, else the one that may run beside it: sound goes nowhere else. */
  async #listener(seconds: number, signal: AbortSignal): Promise<ServiceClient | null> {
    const { address } = this.#session.state.service;
    const { localAddress } = this.#session.environment;
    try {
      const client = await this.#connection.client(isLocalAddress(address) ? address : localAddress);
      const longest = await client.longestHeardSeconds({ signal });
      return longest !== null && longest >= seconds ? client : null;
    } catch (error) {
      signal.throwIfAborted();
      // It does not run, or does not know the key: the same as if there were none.
      if (["unauthorized", "connection_failed", "service_unavailable"].includes(explain(error).code)) return null;
      throw error;
    }
  }
}
