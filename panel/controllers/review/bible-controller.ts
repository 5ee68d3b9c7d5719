import { EMPTY_BIBLE, type FilmBible } from "../../../src/core/film-bible.ts";
import { type BibleChange, changeBible, readBible } from "../../../src/formats/bible-text.ts";
import type { Session } from "../../session/session.ts";
import type { ReviewController } from "./review-controller.ts";

/** What is known of the film under review, corrected where it is read. */
export class BibleController {
  readonly #session: Session;
  readonly #review: ReviewController;

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
    const { review, typedFact } = this.#session.state;
    if (review === null) return;
    const before = typedFact?.field === field ? typedFact.before : (review.result.bible?.text ?? "");
    this.#session.store.set({ typedFact: { field, text, before } });
    this.#keep(changeBible(before, change(readBible(before).bible, text)));
  }

  /** A field is left: it shows what is kept. */
  leave(): void {
    this.#session.store.set({ typedFact: null });
  }

  /** Changes an entry in one go. */
  change(change: BibleChange): void {
    this.leave();
    this.#keep(changeBible(this.#session.state.review?.result.bible?.text ?? "", change));
  }

  #keep(text: string): void {
    const correctedAt = new Date(this.#session.environment.clock.now()).toISOString();
    this.#review.change((review) => {
      const { bible } = review.result;
      if (text === (bible?.text ?? "")) return review;
      return { ...review, result: { ...review.result, bible: { text, correctedAt } } };
    });
  }
}

/** What the view of the bible shows: while a new entry is typed, the entries before it. */
export function shownBible({ review, typedFact }: Session["state"]): FilmBible {
  if (review === null) return EMPTY_BIBLE;
  const isAdding = typedFact?.field.startsWith(ADDING) === true;
  return readBible(isAdding ? typedFact.before : (review.result.bible?.text ?? "")).bible;
}

/** How the names of fields begin in which a new entry is typed. */
export const ADDING = "add-";
