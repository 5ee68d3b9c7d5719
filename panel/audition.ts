import type { Cue } from "../src/core/cue.ts";
import { trackOf } from "./form.ts";
import type { Session } from "./session.ts";
import { openWav } from "./wav-cutter.ts";
import { words } from "./words.ts";

/** How much of the programme is heard before and after a cue, in seconds. */
const AROUND_SECONDS = 2;

/** Lets the editor hear a cue in its place: of a mix with the programme around it, else the narration alone. */
export class Audition {
  readonly #session: Session;
  #count = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Plays a cue with 2 s before and after it, with the playhead where the sound begins; a second call ends it. */
  async toggle(cue: Cue): Promise<void> {
    const { store, environment, state } = this.#session;
    const { review, listening } = state;
    environment.player.stop();
    if (review === null || listening === cue.id) return;
    const { audio, exported } = review.review;
    const start = Math.max(0, cue.start - AROUND_SECONDS);
    this.#session.run(() => environment.editor.movePlayhead(review.sequence.id, exported.offsetSeconds + start));
    if (audio === undefined) return this.#session.tell(words.noNarration);
    const cut = await this.#cut(audio.path, start, cue.end + AROUND_SECONDS);
    if (cut === null) return this.#session.tell(words.cannotHear, { isFault: true });
    store.set({ listening: cue.id });
    try {
      await environment.player.play(cut.path, cut.seconds);
    } finally {
      store.update((now) => (now.listening === cue.id ? { ...now, listening: null } : now));
      await environment.files.remove(cut.path);
    }
  }

  /** Whether what is heard is the narration without the programme. */
  isAlone(): boolean {
    const { review } = this.#session.state;
    return review !== null && trackOf(review.job.form) !== "mixed";
  }

  /** A stretch of a sound as a file of its own; `null` where it is no WAV. */
  async #cut(path: string, start: number, end: number): Promise<{ path: string; seconds: number } | null> {
    const { folders, pathIn } = this.#session.environment;
    const wav = await openWav(this.#session.environment, path);
    if (wav === null) return null;
    const cut = pathIn((await folders()).exportsPath, `listen-${++this.#count}.wav`);
    await wav.cut(start, end, cut);
    return { path: cut, seconds: end - start };
  }
}
