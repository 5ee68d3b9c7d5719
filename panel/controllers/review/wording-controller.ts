import type { WordingKind } from "../../../src/contract/wordings.ts";
import { AudioDescriptionError } from "../../../src/core/error.ts";
import { staleIn } from "../../../src/result/stale.ts";
import { roomFor } from "../../../src/workflow/remedies.ts";
import type { ServiceConnection } from "../../session/connection.ts";
import { Cancellable, type Session } from "../../session/session.ts";
import type { RowWordings } from "../../state/panel-state.ts";
import { editCues } from "../../state/review-edits.ts";
import { pauseOf, type ReviewState, rowOf } from "../../state/review-state.ts";
import { words } from "../../words/words.ts";
import type { ReviewController } from "./review-controller.ts";

/** Lines on either side that the model is told. */
const LINES_AROUND = 3;

/** Codes under which the service says in a sentence of its own why there is no wording. */
const SAID_BY_SERVICE: readonly string[] = ["invalid_input", "not_found", "internal_error"];

/** Least room that is asked for, in seconds: where a line has none, its shortest wording is wanted. */
const LEAST_SECONDS = 0.5;

/** Asks the model for wordings of the open line or pause: one request each, its price known before, cancellable. */
export class WordingController {
  readonly #session: Session;
  readonly #connection: ServiceConnection;
  readonly #reviewController: ReviewController;
  readonly #asking = new Cancellable();

  constructor(session: Session, connection: ServiceConnection, reviewController: ReviewController) {
    this.#session = session;
    this.#connection = connection;
    this.#reviewController = reviewController;
  }

  /** Finds out once for a result who would be asked, and what it costs; where nobody can be, nothing is offered. */
  look(): void {
    const { store, state } = this.#session;
    const { review, wordingOffer } = state;
    if (review === null || state.shownKey === null || wordingOffer?.runId === review.result.runId) return;
    // A film of a script, or of one's own hand, where no model is known: there is nobody to ask for.
    const { describer } = review.result;
    const model = state.modelEstimate?.reply.model;
    if ((describer === "script" && model === undefined) || (describer !== "vision" && model === null)) return;
    const { runId, jobId } = review.result;
    store.set({ wordingOffer: { runId, offer: null } });
    const find = async () => {
      const client = await this.#connection.client(review.job.serviceAddress);
      const offer = await client.wordingOffer(jobId);
      if (this.#session.state.wordingOffer?.runId === runId) store.set({ wordingOffer: { runId, offer } });
    };
    // Whoever cannot say it offers none: nobody asked yet.
    find().catch(() => undefined);
  }

  /** Asks for wordings of the open row; what is asked for another one is given up. */
  async ask(kind: WordingKind): Promise<void> {
    this.#session.commitTyped();
    this.#asking.cancel();
    await this.#asking.whenFree();
    const { store, state } = this.#session;
    const { review } = state;
    const cue = review === null ? undefined : rowOf(review, review.selectedId);
    if (review === null || cue === undefined) return;
    const { runId, jobId } = review.result;
    const show = (change: Partial<RowWordings>) =>
      store.set({ wordings: { runId, id: cue.id, kind, wordings: null, model: "", fault: null, ...change } });
    await this.#asking.run(async (signal) => {
      show({});
      this.#session.say(words.asking);
      try {
        const client = await this.#connection.client(review.job.serviceAddress);
        const { wordings, model } = await client.wordings(jobId, askedOf(review, cue.id, kind), { signal });
        if (signal.aborted) return;
        show({ wordings: wordings.map(({ text }) => text), model });
        this.#session.say(words.wordingsHeard({ count: wordings.length }));
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof AudioDescriptionError && SAID_BY_SERVICE.includes(error.code))) {
          store.set({ wordings: null });
          throw error;
        }
        // The service's own sentence, beside what was asked for.
        show({ fault: error.message });
        this.#session.say(error.message);
      }
    });
  }

  /** Stops asking: the request to the model ends with it. */
  cancel(): void {
    this.#asking.cancel();
    this.#session.store.set({ wordings: null });
  }

  /** Takes a wording over, as one step. */
  choose(text: string): void {
    const { wordings, review } = this.#session.state;
    if (wordings === null || wordings.runId !== review?.result.runId) return;
    this.#session.commitTyped();
    this.#session.store.set({ wordings: null });
    this.#reviewController.change((now) => editCues(now, [{ id: wordings.id, text }], "suggested"));
  }
}

/** What is asked about a row: its stretch, its room, and what is told around it. */
function askedOf(review: ReviewState, id: string, kind: WordingKind) {
  const { result } = review;
  const cue = rowOf(review, id) ?? { id, start: 0, end: LEAST_SECONDS, text: "" };
  const { seconds, left } = roomFor(result, cue, cue.text, staleIn(result));
  const room = pauseOf(review, id) === undefined ? seconds + left : cue.end - cue.start;
  const others = result.cues.filter((one) => one.id !== id && one.text.trim() !== "");
  const texts = (cues: typeof others) => cues.map(({ text }) => text.slice(0, 1000));
  return {
    kind,
    start: cue.start,
    end: Math.max(cue.end, cue.start + LEAST_SECONDS),
    seconds: Math.min(600, Math.max(LEAST_SECONDS, room)),
    text: cue.text.slice(0, 1000),
    before: texts(others.filter(({ start }) => start <= cue.start).slice(-LINES_AROUND)),
    after: texts(others.filter(({ start }) => start > cue.start).slice(0, LINES_AROUND)),
    notes: (result.bible?.text ?? "").slice(0, 40_000),
  };
}
