import type { Timeline } from "../../../src/core/timeline.ts";
import type { SequenceInfo } from "../../../src/host/host.ts";
import type { Session } from "../../session/session.ts";
import { words } from "../../words/words.ts";

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
