import {
  cueIdAfterSelected,
  listedCues,
  openReview,
  type ReviewState,
  secondsFromTyped,
  selectCue,
  selectedCue,
} from "./review-state.ts";
import { type RowList, scrollToRow } from "./row-window.ts";
import type { Session } from "./session.ts";
import { jobOf } from "./state.ts";
import { words } from "./strings.ts";
import type { PanelEvent } from "./view/dom.ts";

/** How long after the last edit a result is saved, in milliseconds. */
const SAVE_AFTER_MS = 500;

/** The result under review: edits, selection, playhead. */
export class Reviewing {
  readonly #session: Session;
  #cancelSave: () => void = () => undefined;
  /** Where the cursor was last in the words of the open cue: where it is split. */
  cursor = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Opens a finished job's result. */
  async open(runId: string): Promise<void> {
    const job = jobOf(this.#session.state, runId);
    const review = await this.#session.library.loadReview(runId);
    if (job === undefined || review === null) return;
    this.#session.store.set({
      review: openReview(review, job.sequence),
      view: "review",
      message: null,
      canTakeBack: false,
      muting: null,
    });
  }

  /** Changes the review by a pure function; what cannot be done is told and changes nothing. */
  change(edit: (review: ReviewState) => ReviewState): void {
    const { review } = this.#session.state;
    if (review === null) return;
    try {
      const next = edit(review);
      this.#session.store.set({ review: next });
      if (next.review !== review.review) this.#saveSoon();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#session.tell(words.cannotEdit, { isFault: true, next: error.message });
    }
  }

  /** Takes note of where the cursor is in a field. */
  noteCursor({ target }: PanelEvent): void {
    const isField = typeof target === "object" && target !== null && "selectionStart" in target;
    this.cursor = isField ? Number(target.selectionStart) : 0;
  }

  /** Changes a cue's start or end by a typed timecode. */
  retime(edit: (review: ReviewState, seconds: number) => ReviewState, typed: string): void {
    this.change((review) => {
      const seconds = secondsFromTyped(review, typed);
      if (seconds !== null) return edit(review, seconds);
      this.#session.tell(words.badTimecode(typed), { isFault: true });
      // Drawn anew, so that the field shows what counts.
      return { ...review };
    });
  }

  /** Selects a cue, scrolls to it, and moves the playhead to its start. */
  select(id: string | null, isOpen: boolean): void {
    this.change((review) => scrolled(selectCue(review, id, isOpen)));
    const { review } = this.#session.state;
    const cue = review === null ? undefined : selectedCue(review);
    if (cue !== undefined) this.jump(cue.start);
  }

  /** What a click on a cue does: selects it; selected, opens its row; open, closes it. */
  pick(id: string): void {
    const { review } = this.#session.state;
    this.select(id, review?.selectedId === id && !review.isOpen);
  }

  /** Selects the cue so many places after the selected one. */
  step(places: number): void {
    const { review } = this.#session.state;
    if (review !== null) this.select(cueIdAfterSelected(review, places), review.isOpen);
  }

  /** Moves the playhead to a time on the programme clock. */
  jump(seconds: number): void {
    const { review } = this.#session.state;
    if (review === null) return;
    const { exported } = review.review;
    const { editor } = this.#session.environment;
    this.#session.run(() => editor.movePlayhead(review.sequence.id, exported.offsetSeconds + seconds));
  }

  /** Saves at once what waits to be saved. */
  async save(): Promise<void> {
    this.#cancelSave();
    const { review } = this.#session.state;
    if (review !== null) await this.#session.library.saveReview(review.review);
  }

  #saveSoon(): void {
    this.#cancelSave();
    this.#cancelSave = this.#session.environment.clock.after(SAVE_AFTER_MS, () => {
      this.#session.run(() => this.save());
    });
  }
}

/** The list of a review as its rows are reckoned. */
export function rowListOf(review: ReviewState): RowList {
  const listed = listedCues(review);
  const openIndex = review.isOpen ? listed.findIndex((cue) => cue.id === review.selectedId) : -1;
  const { scrollTop, viewHeight } = review;
  return { count: listed.length, openIndex, scrollTop, viewHeight };
}

function scrolled(review: ReviewState): ReviewState {
  const index = listedCues(review).findIndex((cue) => cue.id === review.selectedId);
  return index < 0 ? review : { ...review, scrollTop: scrollToRow(rowListOf(review), index) };
}
