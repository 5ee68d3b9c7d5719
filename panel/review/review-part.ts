import type { Actions } from "../actions.ts";
import { Conforming } from "../conform/conforming.ts";
import { JoiningNew } from "../conform/joining-new.ts";
import { Delivering } from "../deliver/delivering.ts";
import type { ElementNode } from "../document/element.ts";
import { Applying } from "../place/applying.ts";
import { Placing } from "../place/placing.ts";
import type { PanelState } from "../state.ts";
import { conformNotice, conformView } from "../views/conform-view.ts";
import { deliverView } from "../views/deliver-view.ts";
import { reviewView } from "../views/review-view.ts";
import { Audition } from "./audition.ts";
import { ProgrammeSound } from "./programme-sound.ts";
import { Reviewing } from "./reviewing.ts";
import { Signing } from "./signing.ts";

/** What can be done to a result. */
interface ReviewWork {
  readonly reviewing: Reviewing;
  readonly applying: Applying;
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
  const applying = new Applying(session);
  const reviewing = new Reviewing(session);
  const programme = new ProgrammeSound(session);
  const work: ReviewWork = {
    reviewing,
    applying,
    placing: new Placing(session, applying),
    conforming: new Conforming(session, applying),
    joiningNew: new JoiningNew(session, applying),
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
