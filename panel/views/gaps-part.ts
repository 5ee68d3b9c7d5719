import type { Actions } from "../actions.ts";
import { lookAtGaps, shownGaps } from "../gap-look.ts";
import type { PanelState } from "../state.ts";
import { type ElementNode, element } from "../view/element.ts";
import { words } from "../words.ts";
import { button } from "./controls.ts";

/** What the pauses offer, in a line; the button that looks for them. */
export function gapsPart(state: PanelState, actions: Actions): ElementNode {
  const found = shownGaps(state);
  const look = button("look-for-gaps", words.lookForGaps, () => actions.run(() => lookAtGaps(actions.session)));
  if (found === null) return element("div", { class: "actions" }, look);
  const { gaps, words: room, expectedCues, advice, reason, expectsNotEnoughGaps } = found.map;
  const line = words.gaps({ pauses: gaps.length, room, cues: expectedCues, basis: words.gapBases[found.basis] });
  const next = expectsNotEnoughGaps ? words.gapsFail : `${reason} ${words.advice[advice]}`;
  return element("p", { class: "hint", id: "gaps", role: "status" }, `${line} ${next}`);
}
