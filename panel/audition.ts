import type { Cue } from "../src/core/cue.ts";
import { readWavHeader, WAV_HEADER_BYTES } from "../src/core/wav-header.ts";
import { stretchBytes, wavOfStretch } from "../src/core/wav-stretch.ts";
import { trackOf } from "./form.ts";
import type { Session } from "./session.ts";
import { words } from "./strings.ts";

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
    const { files, folders, pathIn } = this.#session.environment;
    const head = await files.readBytes(path, 0, WAV_HEADER_BYTES);
    const header = readWavHeader(head);
    if (header === null) return null;
    const { position, length } = stretchBytes(header, start, end);
    const samples = await files.readBytes(path, position, length);
    const cut = pathIn((await folders()).exportsPath, `listen-${++this.#count}.wav`);
    const writer = await files.openWriter(cut);
    await writer
      .write(0, wavOfStretch(head.subarray(0, header.dataOffset), samples).buffer)
      .finally(() => writer.close());
    return { path: cut, seconds: end - start };
  }
}
