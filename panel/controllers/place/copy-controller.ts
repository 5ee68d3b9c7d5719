import type { Timeline } from "../../../src/core/timeline.ts";
import type { SequenceInfo } from "../../../src/host/host.ts";
import { HostError } from "../../../src/host/host-error.ts";
import type { Session } from "../../session/session.ts";
import { jobOf } from "../../state/panel-state.ts";
import type { JobEntry } from "../../state/saved.ts";
import { words } from "../../words/words.ts";
import type { ApplyController } from "./apply-controller.ts";
import type { PlaceController } from "./place-controller.ts";

/** A copy that is open, as it was when it was opened. */
interface OpenCopy {
  readonly copy: SequenceInfo;
  readonly asLeft: Timeline;
  /** Whether it was made just now: then taking back what is placed on it removes it. */
  readonly isNew: boolean;
}

/** Places a result on a copy of its sequence: the editor's cut stays as it is. */
export class CopyController {
  readonly #session: Session;
  readonly #applyController: ApplyController;
  readonly #placeController: Pick<PlaceController, "everything">;
  #isUnderWay = false;

  constructor(
    session: Session,
    applyController: ApplyController,
    placeController: Pick<PlaceController, "everything">,
  ) {
    this.#session = session;
    this.#applyController = applyController;
    this.#placeController = placeController;
  }

  /**
   * Places what there is of the result under review on a copy of its sequence: the one that was made before, else a new one. A
   * new one goes again when that is taken back and nobody has worked on it.
   */
  async place(): Promise<void> {
    const { review } = this.#session.state;
    const job = jobOf(this.#session.state, review?.result.runId);
    if (review === null || job === undefined || this.#isUnderWay || this.#applyController.isUnderWay) return;
    this.#isUnderWay = true;
    try {
      const open = await this.#open(job);
      this.#show(job, open.copy);
      await this.#placeController.everything();
      if (open.isNew) this.#applyController.afterTakingBack(() => this.#remove(job, open));
      const { message } = this.#session.state;
      if (message === null) return;
      const where = words.onCopy({ copy: open.copy.name, original: job.sequence.name });
      this.#session.store.set({ message: { ...message, details: [where, ...(message.details ?? [])] } });
    } finally {
      this.#isUnderWay = false;
    }
  }

  /** Opens the copy by its kept identity; where it is gone, or none was made, makes one. */
  async #open(job: JobEntry): Promise<OpenCopy> {
    const { editor } = this.#session.environment;
    const kept = job.copyId === undefined ? null : await editor.openSequence(job.copyId).catch(goneAsNull);
    if (kept !== null) return { copy: kept, asLeft: await editor.readTimeline(), isNew: false };
    const name = words.copyName({ name: job.sequence.name });
    return this.#applyController.work(words.copying, async (operation) => {
      const copy = await editor.copySequence({ sequenceId: job.sequence.id, name }, operation);
      await this.#session.changeJob(job.runId, { copyId: copy.id });
      return { copy, asLeft: await editor.readTimeline(), isNew: true };
    });
  }

  /** The review is about this sequence from now on. What was placed on another is not taken back from here. */
  #show({ runId }: JobEntry, sequence: SequenceInfo): void {
    const { review } = this.#session.state;
    if (review?.result.runId !== runId) return;
    this.#session.store.set({ review: { ...review, sequence }, sequence, canTakeBack: false });
  }

  async #remove(job: JobEntry, { copy, asLeft }: OpenCopy): Promise<void> {
    if (!(await removeCopy(this.#session, { original: job.sequence, copy, asLeft }))) return;
    await this.#session.changeJob(job.runId, { copyId: undefined });
    this.#show(job, job.sequence);
  }
}

function goneAsNull(error: unknown): null {
  if (error instanceof HostError && error.code === "no_sequence") return null;
  throw error;
}

/** A copy of a sequence that this panel has made. */
export interface MadeCopy {
  readonly original: SequenceInfo;
  readonly copy: SequenceInfo;
  /** The copy as it was left last. */
  readonly asLeft: Timeline;
}

/**
 * Removes a copy as long as nobody has worked on it, and says what became of it. `false` where it stays. What fails is told, and
 * not raised: the rest is taken back by then, and is not to be taken back once more.
 */
export async function removeCopy(session: Session, { original, copy, asLeft }: MadeCopy): Promise<boolean> {
  const { editor } = session.environment;
  const { name } = copy;
  try {
    const isRemoved = await editor.removeSequence(copy.id, { asLeft, opensInstead: original.id });
    if (isRemoved) session.store.set({ sequence: original });
    session.tell(isRemoved ? words.copyRemoved({ name, original: original.name }) : words.copyStays({ name }));
    return isRemoved;
  } catch (error) {
    session.fail(error);
    return false;
  }
}
