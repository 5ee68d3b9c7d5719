import { EMPTY_BIBLE, type FilmBible } from "../../../src/core/film-bible.ts";
import { type BibleChange, changeBible, readBible } from "../../../src/formats/bible-text.ts";
import type { Session } from "../../session/session.ts";
import type { PanelState, TypedFact } from "../../state/panel-state.ts";
import { withFilmNotes } from "../../state/review-edits.ts";
import type { ReviewController } from "./review-controller.ts";

/** What is known of the film under review, corrected where it is read. */
export class BibleController {
  readonly #session: Session;
  readonly #review: ReviewController;
  /** Counts visits to fields: what is typed at one of them is one step to undo. */
  #visit = 0;

  constructor(session: Session, review: ReviewController) {
    this.#session = session;
    this.#review = review;
  }

  /**
   * Takes what stands in a field into the bible, with each letter: whatever is drawn, closed or saved meanwhile must not lose it.
   *
   * @param change Says what it changes, of the bible as it was before anybody typed into this field.
   */
  typing(field: string, text: string, change: (known: FilmBible, text: string) => BibleChange): void {
    const { review } = this.#session.state;
    if (review === null) return;
    const { runId, bible } = review.result;
    const typed = factTyped(this.#session.state);
    const before = typed?.field === field ? typed.before : (bible?.text ?? "");
    this.#session.store.set({ typedFact: { runId, field, text, before } });
    this.#keep(changeBible(before, change(readBible(before).bible, text)), `${field} ${this.#visit}`);
  }

  /** A field is left: it shows what is kept. */
  leave(): void {
    this.#visit += 1;
    this.#session.store.set({ typedFact: null });
  }

  /** Changes an entry in one go. */
  change(change: BibleChange): void {
    this.leave();
    this.#keep(changeBible(this.#session.state.review?.result.bible?.text ?? "", change));
  }

  #keep(text: string, field?: string): void {
    const correctedAt = new Date(this.#session.environment.clock.now()).toISOString();
    this.#review.change((review) => {
      const { bible } = review.result;
      if (text === (bible?.text ?? "")) return review;
      return withFilmNotes(review, { text, correctedAt }, field);
    });
  }
}

/** What is being typed into the bible of the result under review; `null` while nobody does. */
export function factTyped({ review, typedFact }: PanelState): TypedFact | null {
  return typedFact?.runId === review?.result.runId ? typedFact : null;
}

/** What the view of the bible shows: while a new entry is typed, the entries before it. */
export function shownBible(state: PanelState): FilmBible {
  const { review } = state;
  if (review === null) return EMPTY_BIBLE;
  const typed = factTyped(state);
  const isAdding = typed?.field.startsWith(ADDING) === true;
  return readBible(isAdding ? typed.before : (review.result.bible?.text ?? "")).bible;
}

/** How the names of fields begin in which a new entry is typed. */
export const ADDING = "add-";
