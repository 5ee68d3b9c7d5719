import type { Actions } from "../controllers/actions.ts";
import { type ElementNode, element } from "../document/element.ts";
import type { PanelState } from "../state/panel-state.ts";
import { words } from "../words/words.ts";
import { button, text } from "./controls.ts";
import { menuRow } from "./menu.ts";

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
    { class: "actions", id: "sound-under-way", key: "sound-under-way", role: "status" },
    text(words.programmeSounds.exporting, "hint"),
    button("cancel-sound", words.cancel, () => actions.programmeSoundController.cancel()),
  );
}
