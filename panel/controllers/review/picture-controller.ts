import type { Connection } from "../../session/connection.ts";
import type { Session } from "../../session/session.ts";
import { missingPictures, withPictures } from "../../state/pictures.ts";

/** Fetches what the programme shows beside each cue in sight, from a service that keeps such pictures. */
export class PictureController {
  readonly #session: Session;
  readonly #connection: Connection;
  #isLooking = false;
  /** The run whose pictures are kept, and whether its service has any more. */
  #runId: string | null = null;
  #hasMore = true;

  constructor(session: Session, connection: Connection) {
    this.#session = session;
    this.#connection = connection;
  }

  /** Fetches the pictures of the cues in sight, where some are missing. Nothing is said where there are none. */
  async look(): Promise<void> {
    const { store, state } = this.#session;
    const { review, view, shownKey } = state;
    if (this.#isLooking || review === null || view !== "review" || shownKey === null) return;
    const { runId, jobId } = review.result;
    if (runId !== this.#runId) {
      this.#runId = runId;
      this.#hasMore = true;
      store.set({ pictures: {} });
    }
    // After a re-cut the service's programme is another one.
    if (!this.#hasMore || review.result.isRecut === true) return;
    const at = missingPictures(review, this.#session.state.pictures);
    if (at.length === 0) return;
    this.#isLooking = true;
    try {
      const client = await this.#connection.client(review.job.serviceAddress);
      const moments = await client.moments(jobId, at);
      this.#hasMore = moments !== null && moments.length > 0;
      if (moments === null || this.#session.isClosed || this.#session.state.review?.result.runId !== runId) return;
      const found = moments.map(({ at, jpeg }) => [at, `data:image/jpeg;base64,${jpeg}`] as const);
      // A time that has none is not asked for again.
      const none = at.filter((one) => !moments.some((moment) => Math.abs(moment.at - one) < 0.01));
      store.update((now) => ({
        ...now,
        pictures: withPictures(now.pictures, [...found, ...none.map((one) => [one, ""] as const)]),
      }));
    } catch {
      // They are an aid: without them the script is as it was.
      this.#hasMore = false;
    } finally {
      this.#isLooking = false;
    }
  }
}
