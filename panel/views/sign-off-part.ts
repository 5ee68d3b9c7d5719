import { soundingCues } from "../../src/result/result.ts";
import { signOffState } from "../../src/result/sign-off.ts";
import type { Actions } from "../controllers/actions.ts";
import type { PanelEvent } from "../document/dom.ts";
import { type ElementNode, element } from "../document/element.ts";
import type { PanelState } from "../state/panel-state.ts";
import type { ReviewState } from "../state/review-state.ts";
import { words } from "../words/words.ts";
import { beside, button, textField, typedText } from "./controls.ts";

/** Who signed the cues off, and whether that still counts; `null` while nobody has. */
export function signedLine({ result }: ReviewState): ElementNode | null {
  const { signOff } = result;
  if (signOff === undefined) return null;
  const isVoid = signOffState(signOff, soundingCues(result)) === "void";
  const date = signOff.signedAt.slice(0, 16).replace("T", " ");
  return element(
    "p",
    { class: isVoid ? "warning" : "line", id: "signed", key: "signed", role: "status" },
    isVoid ? words.signedVoid({ name: signOff.name, date }) : words.signed({ name: signOff.name, date }),
  );
}

/** The means to sign the cues off, or to take that back. `signs` draws the button where it is more than one among others. */
export function signOffPart(
  { reviewer }: PanelState,
  { result }: ReviewState,
  actions: Actions,
  signs = button,
): ElementNode {
  const state = signOffState(result.signOff, soundingCues(result));
  return element(
    "div",
    { class: "actions", key: "sign-off", role: "group", "aria-label": words.signOff },
    state === "valid"
      ? button("withdraw", words.withdraw, () => actions.session.run(() => actions.signOffController.withdraw()))
      : [
          beside(
            words.reviewer,
            textField("reviewer", words.reviewer, reviewer, {
              onchange: (event: PanelEvent) => actions.session.store.set({ reviewer: typedText(event) }),
            }),
          ),
          signs("sign-off", words.signOff, () => actions.session.run(() => actions.signOffController.sign())),
        ],
  );
}
