import type { Actions } from "../controllers/actions.ts";
import { type ElementNode, element } from "../document/element.ts";
import type { PanelState } from "../state/panel-state.ts";
import { contactRows } from "../views/contact-view.ts";
import { button, primaryButton, text } from "../views/controls.ts";
import { bar } from "../views/progress-view.ts";
import { words } from "../words/words.ts";

/** What the buttons do. */
interface DiagnosticsWork {
  probe(): Promise<void>;
  tryEverything(): Promise<void>;
  cancel(): void;
  show(): Promise<void>;
}

/** What runs where, and what the host answers to questions that no documentation answers: by looking, or by trying. */
export function diagnosticsView(
  state: PanelState,
  { session, panelController }: Pick<Actions, "session" | "panelController">,
  diagnostics: DiagnosticsWork,
): ElementNode[] {
  const { probes, trial, trialReport } = state;
  if (trial !== null) {
    const said = words.trying({ ...trial });
    return [
      text(said),
      bar(Math.round((trial.done / trial.total) * 100), said),
      button("cancel-trial", words.cancel, () => diagnostics.cancel()),
    ];
  }
  const report = trialReport?.text ?? probes.map(({ name, finding }) => `${name}: ${finding}`).join("\n");
  return [
    ...contactRows(state.contact),
    text(words.probesHint, "hint"),
    element(
      "div",
      { class: "actions" },
      primaryButton("run-probes", words.runProbes, () => session.run(() => diagnostics.probe())),
      button("try-everything", words.tryEverything, () => session.run(() => diagnostics.tryEverything()), {
        disabled: state.sequence === null || state.progress !== null || state.placing !== null,
      }),
    ),
    text(words.tryHint, "hint"),
    element(
      "div",
      { class: "actions" },
      button("copy-report", words.copyReport, () => session.run(() => panelController.copy(report)), {
        disabled: probes.length === 0,
      }),
      trialReport === null
        ? null
        : button("show-report", words.showReport, () => session.run(() => diagnostics.show())),
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
