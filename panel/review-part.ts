import type { Actions } from "./actions.ts";
import { Audition } from "./audition.ts";
import { Conforming } from "./conforming.ts";
import { Delivering } from "./delivering.ts";
import { JoiningNew } from "./joining-new.ts";
import { Placing } from "./placing.ts";
import { ProgrammeSound } from "./programme-sound.ts";
import { Reviewing } from "./reviewing.ts";
import { Signing } from "./signing.ts";
import type { PanelState } from "./state.ts";
import type { ElementNode } from "./view/element.ts";
import { conformNotice, conformView } from "./views/conform-view.ts";
import { deliverView } from "./views/deliver-view.ts";
import { reviewView } from "./views/review-view.ts";

/** What can be done to a result. */
interface ReviewWork {
  readonly reviewing: Reviewing;
  readonly placing: Placing;
  readonly conforming: Conforming;
  readonly joiningNew: JoiningNew;
  readonly signing: Signing;
  readonly audition: Audition;
  readonly programme: ProgrammeSound;
  readonly delivering: Delivering;
}

/** What the views of a result can do: what every view can, and what is done to results. */
export type ReviewActions = Actions & ReviewWork;

type Drawing = (state: PanelState) => ElementNode[];

/** The part of the panel that works on results. */
export interface ReviewPart extends ReviewWork {
  /** Its views, by name. */
  readonly drawings: Readonly<Record<"review" | "conform" | "deliver", Drawing>>;
  /** What is said on every view. */
  readonly notice: Drawing;
}

/** Starts the part, once: the panel's actions get what is done to results. */
export function startReviewPart(panel: Actions): ReviewPart {
  const { session } = panel;
  const placing = new Placing(session);
  const reviewing = new Reviewing(session);
  const programme = new ProgrammeSound(session);
  const work: ReviewWork = {
    reviewing,
    placing,
    conforming: new Conforming(session, placing),
    joiningNew: new JoiningNew(session, placing),
    signing: new Signing(session, () => reviewing.save()),
    audition: new Audition(session, programme),
    programme,
    delivering: new Delivering(session, panel.connection),
  };
  const actions = Object.assign(panel, work);
  return {
    ...work,
    drawings: {
      review: (state) => reviewView(state, actions),
      conform: (state) => conformView(state, actions),
      deliver: (state) => deliverView(state, actions),
    },
    notice: (state) => conformNotice(state, actions),
  };
}
