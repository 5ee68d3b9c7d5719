import type { Actions } from "../controllers/actions.ts";
import { type ElementNode, element } from "../document/element.ts";
import type { PanelState } from "../state/panel-state.ts";
import { words } from "../words/words.ts";
import { button, text } from "./controls.ts";
import { bar } from "./progress-view.ts";

/** What is being done to the timeline, and the button that stops it. */
export function placingProgress(
  { what, fraction }: NonNullable<PanelState["placing"]>,
  { applyController }: Actions,
): ElementNode {
  return element(
    "div",
    { class: "footer", key: "placing" },
    text(`${what}…`, "line"),
    bar(Math.round(fraction * 100), what),
    button("stop-placing", words.stop, () => applyController.stop()),
  );
}
