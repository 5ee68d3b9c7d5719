import { soundingCues } from "../../src/result/result.ts";
import { signOffState } from "../../src/result/sign-off.ts";
import type { Actions } from "../controllers/actions.ts";
import type { PanelEvent } from "../document/dom.ts";
import { type ElementNode, element } from "../document/element.ts";
import type { PanelState } from "../state/panel-state.ts";
import type { ReviewState } from "../state/review-state.ts";
import { words } from "../words/words.ts";
import { button, textField, typedText } from "./controls.ts";

/** Who signed the cues off and whether that still counts, and the means to sign. */
export function signOffPart({ reviewer }: PanelState, { result }: ReviewState, actions: Actions): ElementNode {
  const { signOff } = result;
  const state = signOffState(signOff, soundingCues(result));
  const date = signOff?.signedAt.slice(0, 16).replace("T", " ") ?? "";
  return element(
    "div",
    { class: "actions", key: "sign-off", role: "group", "aria-label": words.signOff },
    signOff === undefined
      ? null
      : element(
          "p",
          { class: state === "void" ? "warning" : "line", id: "signed", role: "status" },
          state === "void"
            ? words.signedVoid({ name: signOff.name, date })
            : words.signed({ name: signOff.name, date }),
        ),
    state === "valid"
      ? button("withdraw", words.withdraw, () => actions.session.run(() => actions.signOffController.withdraw()))
      : [
          element(
            "label",
            { class: "inline-field" },
            element("span", { class: "field-name" }, words.reviewer),
            textField("reviewer", words.reviewer, reviewer, {
              onchange: (event: PanelEvent) => actions.session.store.set({ reviewer: typedText(event) }),
            }),
          ),
          button("sign-off", words.signOff, () => actions.session.run(() => actions.signOffController.sign())),
        ],
  );
}
