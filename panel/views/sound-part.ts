import type { Actions } from "../controllers/actions.ts";
import { type ElementNode, element } from "../document/element.ts";
import type { PanelState } from "../state/panel-state.ts";
import { words } from "../words/words.ts";
import { button, text } from "./controls.ts";

/** What is heard beside narration that came alone: nothing, or the programme once it was exported. */
export function soundPart({ review, programmeSound, progress }: PanelState, actions: Actions): ElementNode[] {
  const { auditionController, programmeSoundController } = actions;
  if (review?.result.audio === undefined || !auditionController.isAlone()) return [];
  const isExporting = programmeSound === "exporting";
  return [
    element(
      "div",
      { class: "actions", id: "programme-sound", role: "status" },
      text(words.programmeSounds[programmeSound], "hint"),
      isExporting
        ? button("cancel-sound", words.cancel, () => programmeSoundController.cancel())
        : button(
            "prepare-sound",
            programmeSound === "ready" ? words.renewSound : words.prepareSound,
            () => actions.session.run(() => programmeSoundController.prepare()),
            // Premiere exports one thing at a time.
            { disabled: progress !== null },
          ),
    ),
  ];
}
