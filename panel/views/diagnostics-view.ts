import type { Actions } from "../controllers/actions.ts";
import { type ElementNode, element } from "../document/element.ts";
import type { PanelState } from "../state/panel-state.ts";
import { words } from "../words/words.ts";
import { button, primaryButton, text } from "./controls.ts";

/** What runs where, and what the host answers to questions that no documentation answers. */
export function diagnosticsView({ probes }: PanelState, actions: Actions): ElementNode[] {
  const report = probes.map(({ name, finding }) => `${name}: ${finding}`).join("\n");
  return [
    text(words.probesHint, "hint"),
    element(
      "div",
      { class: "actions" },
      primaryButton("run-probes", words.runProbes, () => actions.session.run(() => actions.panelController.probe())),
      button("copy-report", words.copyReport, () => actions.session.run(() => actions.panelController.copy(report)), {
        disabled: probes.length === 0,
      }),
    ),
    element(
      "div",
      { id: "probes", role: "list" },
      probes.map(({ name, finding }) =>
        element(
          "div",
          { class: "probe", role: "listitem", key: name },
          element("span", { class: "strong" }, name),
          element("span", { class: "hint" }, finding),
        ),
      ),
    ),
  ];
}
