import { isSameTime } from "../../../src/core/time-range.ts";
import type { ServiceConnection } from "../../session/connection.ts";
import type { Session } from "../../session/session.ts";
import { missingPictures, missingPortraits, pictureKey, withPictures } from "../../state/job-progress.ts";
import type { Pictures, ReviewState } from "../../state/review-state.ts";
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

/** Fetches what the programme shows beside each cue in sight, and of each person known, from a service that keeps such pictures. */
export class PictureController {
  readonly #session: Session;
  readonly #connection: ServiceConnection;
  #isLooking = false;

  constructor(session: Session, connection: ServiceConnection) {
    this.#session = session;
    this.#connection = connection;
  }

  /** Fetches the pictures of what is in sight, where some are missing. Nothing is said where there are none. */
  async look(): Promise<void> {
    const { review, shownKey, view } = this.#session.state;
    const missing = view === "bible" ? missingPortraits : missingPictures;
    const at = review === null || shownKey === null ? [] : missing(review);
    if (this.#isLooking || review === null || at.length === 0) return;
    this.#isLooking = true;
    // They are an aid: without them the script is as it was.
    const found = await this.#fetch(review, at).catch(() => null);
    this.#isLooking = false;
    this.#session.store.update((now) => {
      if (now.review?.result.runId !== review.result.runId) return now;
      const pictures = found === null ? null : withPictures(now.review.pictures ?? {}, found);
      return { ...now, review: { ...now.review, pictures } };
    });
  }

  /** The addresses of what is shown at some times, empty where nothing is; `null` where the service has no pictures. */
  async #fetch({ result, job }: ReviewState, at: readonly number[]): Promise<Pictures | null> {
    const client = await this.#connection.client(job.serviceAddress);
    const moments = await client.moments(result.jobId, at);
    if (moments === null || moments.length === 0) return null;
    const found = moments.map((moment) => [pictureKey({ start: moment.at }), `data:image/jpeg;base64,${moment.jpeg}`]);
    // A time that has none is not asked for again.
    return Object.fromEntries([...at.map((start) => [pictureKey({ start }), ""]), ...found]);
  }
}
