import type { Cue } from "../../src/core/cue.ts";
import { STALE_REASONS, staleIn } from "../../src/result/stale.ts";
import { remediesIn } from "../../src/workflow/remedies.ts";
import type { ReviewController } from "../controllers/review/review-controller.ts";
import { type ElementNode, element } from "../document/element.ts";
import { editCue, type ReviewState, toggleAccepted } from "../state/review-state.ts";
import { words } from "../words/words.ts";
import { button, text } from "./controls.ts";

/** Why an open cue's narration is out of date, and the ways out where its words take longer than its gap offers. */
export function stalePart({ result }: ReviewState, cue: Cue, reviewing: ReviewController): ElementNode[] {
  const stale = staleIn(result);
  const reasons = stale.get(cue.id)?.reasons ?? [];
  const remedies = remediesIn(result, cue, stale);
  const narration =
    reasons.length === 0 ? [] : [text(`♪ ${reasons.map((one) => STALE_REASONS[one]).join("; ")}.`, "hint")];
  if (remedies.length === 0) return narration;
  return [
    ...narration,
    element(
      "div",
      { class: "actions", role: "group", "aria-label": words.tooLong },
      element("span", { class: "warning" }, words.tooLong),
      remedies.map(({ kind, outcome, start, end, text: said }) =>
        button(`remedy-${kind}`, `${words.remedyNames[kind]}: ${outcome}`, () =>
          reviewing.change((state) =>
            kind === "accept" ? toggleAccepted(state) : editCue(state, cue.id, { start, end, text: said }),
          ),
        ),
      ),
    ),
  ];
}
