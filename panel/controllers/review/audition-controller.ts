import type { Cue } from "../../../src/core/cue.ts";
import type { TimeRange } from "../../../src/core/time-range.ts";
import { mixStretch } from "../../../src/workflow/mix-stretch.ts";
import { openWave } from "../../../src/workflow/open-wave.ts";
import { spokenLines } from "../../../src/workflow/spoken-lines.ts";
import { openWaveCutter } from "../../../src/workflow/wave-cutter.ts";
import type { Session } from "../../session/session.ts";
import { type ReviewState, rowOf } from "../../state/review-state.ts";
import { words } from "../../words/words.ts";
import type { LineController } from "./line-controller.ts";
import type { ProgrammeSoundController } from "./programme-sound-controller.ts";

/** How much of the programme is heard before and after a cue, in seconds. */
const AROUND_SECONDS = 2;

/** A sound that was made to be heard once. */
interface AuditionSound {
  readonly path: string;
  readonly seconds: number;
}

/** Lets the editor hear a cue in its place: with the programme around it where it is in the mix or was exported, else alone. */
export class AuditionController {
  readonly #session: Session;
  readonly #programme: ProgrammeSoundController;
  readonly #lines: LineController;
  /** Counts what was asked for: work for an earlier wish is dropped. */
  #wish = 0;
  #count = 0;

  constructor(session: Session, programme: ProgrammeSoundController, lines: LineController) {
    this.#session = session;
    this.#programme = programme;
    this.#lines = lines;
  }

  /**
   * Plays a cue with 2 s before and after it, with the playhead where the sound begins; a second call ends it, also while
   * the sound is being made.
   */
  async toggle(cue: Cue): Promise<void> {
    const { store, environment, state } = this.#session;
    const { review, listening } = state;
    const wish = ++this.#wish;
    environment.player.stop();
    const isEnd = listening === cue.id;
    store.set({ listening: isEnd || review === null ? null : cue.id });
    if (isEnd || review === null) return;
    try {
      // A line that was edited is voiced first, where the service does that at once.
      const isTrue = await this.#lines.voice(cue);
      const now = this.#session.state.review;
      if (now?.result.runId !== review.result.runId || wish !== this.#wish) return;
      if (!isTrue && review.result.audio !== undefined) this.#session.tell(words.heardBefore);
      const heard = await this.#soundOf(rowOf(now, cue.id) ?? cue, now);
      if (heard === null) return;
      try {
        if (wish === this.#wish) await environment.player.play(heard.path, heard.seconds);
      } finally {
        await environment.files.remove(heard.path);
      }
    } finally {
      if (wish === this.#wish) store.set({ listening: null });
    }
  }

  /** The sound of a cue in its place; `null` where there is none, which is told. */
  async #soundOf(cue: Cue, shown: ReviewState): Promise<AuditionSound | null> {
    const { environment } = this.#session;
    const { sequence, result } = shown;
    const { audio, offsetSeconds } = result;
    const start = Math.max(0, cue.start - AROUND_SECONDS);
    this.#session.run(() => environment.editor.movePlayhead(sequence.id, offsetSeconds + start));
    const piece = result.pieces?.[cue.id];
    if (audio === undefined && piece === undefined) {
      this.#session.tell(words.noNarration);
      return null;
    }
    const range = { start, end: cue.end + AROUND_SECONDS };
    const mixed = this.isAlone() ? await this.#mix(shown, range) : null;
    if (mixed !== null) return mixed;
    // A voice in a file of its own is not in the narration.
    const begins = audio?.start ?? 0;
    const inFile = { start: Math.max(0, range.start - begins), end: range.end - begins };
    const alone = piece === undefined ? inFile : { start: 0, end: piece.durationSeconds };
    const cut = await this.#cut(piece?.path ?? audio?.path ?? "", alone);
    if (cut === null) this.#session.tell(words.cannotHear, { isFault: true });
    return cut;
  }

  /** Whether the narration came without the programme. */
  isAlone(): boolean {
    const { review } = this.#session.state;
    return review !== null && review.result.track !== "mixed";
  }

  /** A stretch of the exported programme, lowered under each cue's voice; `null` where the sound of one is not there. */
  async #mix(shown: ReviewState, range: TimeRange): Promise<AuditionSound | null> {
    const { files } = this.#session.environment;
    const sound = await this.#programme.of(shown.sequence.id);
    const programme = sound === null ? null : await openWave(files, sound.path);
    if (sound === null || programme === null) return null;
    const { offsetSeconds, music = [] } = shown.result;
    const lines = await spokenLines(files, shown.result, range);
    if (lines === null) return null;
    const { sampleRate } = lines[0]?.wave ?? programme;
    const programmeStart = offsetSeconds - sound.offsetSeconds;
    const path = await this.#newPath();
    const writer = await files.openWriter(path);
    await mixStretch({ programme, sampleRate, programmeStart, range, lines, music }, (position, bytes) =>
      writer.write(position, bytes),
    ).finally(() => writer.close());
    return { path, seconds: range.end - range.start };
  }

  /** A stretch of a sound as a file of its own; `null` where it is no WAV. */
  async #cut(path: string, { start, end }: TimeRange): Promise<AuditionSound | null> {
    const wave = await openWaveCutter(this.#session.environment.files, path);
    if (wave === null) return null;
    const cut = await this.#newPath();
    const last = Math.min(end, wave.seconds);
    await wave.cut({ start, end: last }, cut);
    return { path: cut, seconds: last - start };
  }

  async #newPath(): Promise<string> {
    const { folders, pathIn } = this.#session.environment;
    return pathIn((await folders()).exportsPath, `listen-${++this.#count}.wav`);
  }
}
