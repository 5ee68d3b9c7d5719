import { soundingCues } from "../../../src/result/result.ts";
import { type SignOff, signOff } from "../../../src/result/sign-off.ts";
import { keepRecord, loadRecord } from "../../session/kept-record.ts";
import type { Session } from "../../session/session.ts";
import { words } from "../../words/words.ts";

/** Signs the result under review off, with name, date and a hash of its cues. */
export class SignOffController {
  readonly #session: Session;
  readonly #saveWaiting: () => Promise<void>;

  /** `saveWaiting` saves at once what of the review waits to be saved. */
  constructor(session: Session, saveWaiting: () => Promise<void>) {
    this.#session = session;
    this.#saveWaiting = saveWaiting;
  }

  /** Signs, once every cue is accepted. The sign-off is kept with the result and, where it is placed, in its record. */
  async sign(): Promise<void> {
    this.#session.commitTyped();
    const { environment, state } = this.#session;
    const { review, reviewer } = state;
    if (review === null) return;
    const { cues, acceptedIds } = review.result;
    const open = cues.filter(({ id }) => !acceptedIds.includes(id)).length;
    if (open > 0 || cues.length === 0) return this.#session.tell(words.acceptFirst({ open }), { isFault: true });
    if (reviewer.trim() === "") return this.#session.tell(words.nameFirst, { isFault: true });
    const signed = signOff(soundingCues(review.result), reviewer, new Date(environment.clock.now()).toISOString());
    await this.#keep({ signOff: signed });
    this.#session.keepPreferences();
    this.#session.tell(words.signedNow({ name: signed.name }));
  }

  /** Takes a sign-off back. */
  async withdraw(): Promise<void> {
    await this.#keep({});
    this.#session.tell(words.withdrawn);
  }

  async #keep(signed: { readonly signOff?: SignOff }): Promise<void> {
    const { store, library, environment } = this.#session;
    // An older state that waits to be saved would be written over the sign-off.
    await this.#saveWaiting();
    const { review } = this.#session.state;
    if (review === null) return;
    const next = withSignOff(review.result, signed);
    // On disk before it is said: nobody signs twice.
    await library.saveResult(next);
    store.update((now) => {
      if (now.review?.result.runId !== next.runId) return now;
      return { ...now, review: { ...now.review, result: withSignOff(now.review.result, signed) } };
    });
    const { id } = review.sequence;
    const active = await environment.editor.readSequence().catch(() => null);
    if (active?.id !== id) return;
    const { record } = await loadRecord(this.#session, id, await environment.editor.readTimeline());
    if (record?.runId !== next.runId) return;
    await keepRecord(this.#session, { ...withSignOff(record, signed), revision: record.revision + 1 });
  }
}

function withSignOff<Signed extends { readonly signOff?: SignOff }>(kept: Signed, signed: { signOff?: SignOff }) {
  const { signOff: _, ...rest } = kept;
  return { ...rest, ...signed };
}
