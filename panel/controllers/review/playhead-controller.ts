import { isSameTime } from "../../../src/core/tolerance.ts";
import type { Session } from "../../session/session.ts";
import type { ReviewController } from "./review-controller.ts";

/** Keeps the review beside the playhead: Premiere tells nobody when it moves, so it is looked at. */
export class PlayheadController {
  readonly #session: Session;
  readonly #reviewController: ReviewController;

  constructor(session: Session, reviewController: ReviewController) {
    this.#session = session;
    this.#reviewController = reviewController;
  }

  /** Looks where the playhead is; where it moved, the strip and the list follow. */
  async look(): Promise<void> {
    const { environment, store, state } = this.#session;
    const { review, playhead } = state;
    if (review === null) return;
    const { runId, offsetSeconds } = review.result;
    // A sequence that was closed meanwhile has none.
    const at = await environment.editor.playhead(review.sequence.id).catch(() => null);
    if (this.#session.isClosed || this.#session.state.review?.result.runId !== runId) return;
    const seconds = at === null ? null : at - offsetSeconds;
    if (seconds === playhead || (seconds !== null && playhead !== null && isSameTime(seconds, playhead))) return;
    store.set({ playhead: seconds });
    if (seconds !== null) this.#reviewController.showAt(seconds);
  }
}
