import { soundingCues } from "../../src/result/result.ts";
import { signOffState } from "../../src/result/sign-off.ts";
import type { Actions } from "../controllers/actions.ts";
import type { PanelEvent } from "../document/dom.ts";
import { type ElementNode, element } from "../document/element.ts";
import type { PanelState } from "../state/panel-state.ts";
import type { ReviewState } from "../state/review-state.ts";
import { words } from "../words/words.ts";
import { beside, button, menuRow, text, textField, typedText } from "./controls.ts";

/** Who signed the cues off, and whether that still counts; `null` while nobody has. */
export function signedLine({ result }: ReviewState): ElementNode | null {
  const { signOff } = result;
  if (signOff === undefined) return null;
  const isVoid = signOffState(signOff, soundingCues(result)) === "void";
  const date = signOff.signedAt.slice(0, 16).replace("T", " ");
  return element(
    "p",
    { class: isVoid ? "warning" : "line", id: "signed", key: "signed" },
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

/** The means to have the programme heard under narration that came alone. */
export function soundPart({ review, programmeSound, progress }: PanelState, actions: Actions): ElementNode | null {
  const { auditionController, programmeSoundController } = actions;
  if (review?.result.audio === undefined || !auditionController.isAlone() || programmeSound === "exporting")
    return null;
  return element(
    "div",
    { class: "menu-part", id: "programme-sound" },
    menuRow(
      "prepare-sound",
      programmeSound === "ready" ? words.renewSound : words.prepareSound,
      () => programmeSoundController.prepare(),
      actions,
      // Premiere exports one thing at a time.
      progress === null,
    ),
    text(words.programmeSounds[programmeSound], "hint"),
  );
}

/** That the programme's sound is being exported, and how to stop it; `null` while it is not. */
export function soundUnderWay({ programmeSound }: PanelState, actions: Actions): ElementNode | null {
  if (programmeSound !== "exporting") return null;
  return element(
    "div",
    { class: "actions", id: "sound-under-way", key: "sound-under-way" },
    text(words.programmeSounds.exporting, "hint"),
    button("cancel-sound", words.cancel, () => actions.programmeSoundController.cancel()),
  );
}
