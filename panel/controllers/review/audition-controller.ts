import type { Cue } from "../../../src/core/cue.ts";
import type { TimeRange } from "../../../src/core/time-range.ts";
import type { NarrationFile } from "../../../src/result/result.ts";
import { soundStanding } from "../../../src/result/stale.ts";
import { mixStretch } from "../../../src/workflow/mix-stretch.ts";
import { voiceLine } from "../../../src/workflow/revoice/voice-line.ts";
import { spokenLines } from "../../../src/workflow/spoken-lines.ts";
import { openWave, openWaveCutter } from "../../../src/workflow/wave-files.ts";
import type { ServiceConnection } from "../../session/connection.ts";
import { voiceFilesBeside } from "../../session/kept-record.ts";
import type { Session } from "../../session/session.ts";
import { withVoicedLine } from "../../state/review-edits.ts";
import { type ReviewState, rowOf } from "../../state/review-state.ts";
import { words } from "../../words/words.ts";
import type { ProgrammeSoundController } from "./programme-sound-controller.ts";
import type { ReviewController } from "./review-controller.ts";

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

/** Has edited lines voiced by themselves, at once, by a service that does that: ours. Others voice them in a job, when asked. */
export class LineController {
  readonly #session: Session;
  readonly #connection: ServiceConnection;
  readonly #reviewController: ReviewController;
  /** Addresses of services that voice no single lines. */
  readonly #withoutLines = new Set<string>();
  /** Lines under way, by run and cue. */
  readonly #underWay = new Map<string, Promise<boolean>>();

  constructor(session: Session, connection: ServiceConnection, reviewController: ReviewController) {
    this.#session = session;
    this.#connection = connection;
    this.#reviewController = reviewController;
  }

  /**
   * Voices a cue whose sound says other words than it has. `true` where its sound is as it reads afterwards; `false` where
   * that takes a job, or does not work now.
   */
  voice({ id }: Pick<Cue, "id">): Promise<boolean> {
    const { review, shownKey } = this.#session.state;
    if (review === null || shownKey === null) return Promise.resolve(false);
    const { result, job } = review;
    if (!soundStanding(result).untrue.has(id)) return Promise.resolve(true);
    // The old words would still be heard in a mix; and what is no narration yet is made by a job.
    const audio = result.track === "ad_only" ? result.audio : undefined;
    if (audio === undefined || this.#withoutLines.has(job.serviceAddress)) return Promise.resolve(false);
    const name = `${result.runId} ${id}`;
    const present = this.#underWay.get(name);
    if (present !== undefined) return present;
    const made = this.#voice(review, audio, id).finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, made);
    return made;
  }

  /** The same in the background: where it does not work, the cue is out of date, and Listen says why. */
  voiceQuietly(cue: Pick<Cue, "id">): void {
    this.voice(cue).catch(() => undefined);
  }

  async #voice({ result, job }: ReviewState, audio: NarrationFile, cueId: string): Promise<boolean> {
    const { environment } = this.#session;
    const pathOf = await voiceFilesBeside(environment, audio.path);
    const client = await this.#connection.client(job.serviceAddress);
    const made = await voiceLine({ client, files: environment.files }, { result, cueId, pathOf });
    if (made.kind === "not-offered") this.#withoutLines.add(job.serviceAddress);
    if (made.kind !== "voiced" || this.#session.isClosed) return false;
    if (this.#session.state.review?.result.runId !== result.runId) return false;
    this.#reviewController.change((now) => withVoicedLine(now, made.line));
    const now = this.#session.state.review;
    return now !== null && !soundStanding(now.result).untrue.has(cueId);
  }
}
