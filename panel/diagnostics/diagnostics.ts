import type { Probe, TrialBench, TrialProbe } from "../../src/host/host-error.ts";
import { trialReport } from "../../src/workflow/first-run/trial-report.ts";
import { OWN_STEPS, tryEverything } from "../../src/workflow/first-run/try-everything.ts";
import type { Actions, PanelTools } from "../controllers/actions.ts";
import { type ElementNode, element } from "../document/element.ts";
import { Cancellable, type Session } from "../session/session.ts";
import type { PanelState } from "../state/panel-state.ts";
import { contactRows } from "../views/contact-view.ts";
import { button, primaryButton, text } from "../views/controls.ts";
import { bar } from "../views/progress-view.ts";
import { words } from "../words/words.ts";
import { pageTrials } from "./page-trials.ts";

/** What Premiere and UXP are asked: by looking, and by trying it on a copy. */
export interface Probing {
  readonly probes: readonly Probe[];
  readonly bench: TrialBench;
}

/** What whoever looks into a fault is helped with: probes, and the guided first run with its one report. */
export class Diagnostics implements PanelTools {
  readonly #actions: Pick<Actions, "session" | "panelController">;
  readonly #session: Session;
  readonly #probing: Probing;
  readonly #trying = new Cancellable();

  constructor(actions: Pick<Actions, "session" | "panelController">, probing: Probing) {
    this.#actions = actions;
    this.#session = actions.session;
    this.#probing = probing;
  }

  readonly views = { diagnostics: (state: PanelState) => diagnosticsView(state, this.#actions, this) };

  /** Asks everything that changes nothing. */
  async probe(): Promise<void> {
    const { environment, store } = this.#session;
    const told = Object.entries(environment.versions).map(([name, finding]) => ({ name, finding }));
    store.set({ probes: told, trialReport: null });
    for (const { name, run } of this.#probing.probes) {
      const finding = await run().catch(
        (error: unknown) => `raises: ${error instanceof Error ? error.message : error}`,
      );
      store.update((state) => ({ ...state, probes: [...state.probes, { name, finding }] }));
    }
  }

  /** Tries everything, shows what was found, and saves the report. */
  async tryEverything(): Promise<void> {
    const { environment, store } = this.#session;
    const { editor, clock, files, pathIn, versions } = environment;
    const { probes, bench } = this.#probing;
    if (this.#trying.isUnderWay) return;
    const all: readonly TrialProbe[] = [...pageTrials(environment, this.#session.heard), ...bench.probes];
    const total = probes.length + all.length + OWN_STEPS.length;
    const { address } = this.#session.state.service;
    store.set({ probes: [], trialReport: null, message: null, trial: { name: "", done: 0, total } });
    try {
      const outcome = await this.#trying.run((signal) =>
        tryEverything(
          { editor, clock, probes, bench: { ...bench, probes: all }, address },
          { signal, onProgress: (name, done) => store.set({ trial: { name, done, total } }) },
        ),
      );
      const { path } = await environment.folders();
      const [, user = ""] = /[\\/](?:Users|home)[\\/]([^\\/]+)/.exec(path) ?? [];
      const date = new Date(clock.now()).toISOString();
      const secrets = [user, address, this.#session.state.shownKey ?? ""];
      const text = trialReport(outcome, { versions, date, secrets });
      store.set({ probes: outcome.answers, trialReport: { text, folder: path } });
      const name = `aside-first-run-${date.slice(0, 16).replace(/\D/g, "")}.txt`;
      await files.writeText(pathIn(path, name), text);
      this.#session.tell(words.trialDone({ name }), { copy: text });
    } finally {
      store.set({ trial: null });
      // The copy was the open sequence meanwhile.
      await this.#actions.panelController.readSequence();
    }
  }

  /** Asks no more; what was made on the way is removed. */
  cancel(): void {
    this.#trying.cancel();
  }

  close(): void {
    this.cancel();
  }

  /** Shows the report in the system's file manager. */
  async show(): Promise<void> {
    const { trialReport: report } = this.#session.state;
    if (report === null) return;
    const isShown = await this.#session.environment.showFolder?.(report.folder).catch(() => false);
    if (isShown !== true) this.#session.tell(words.cannotShow, { details: [report.folder], copy: report.folder });
  }
}

/** What the buttons do. */
interface DiagnosticsWork {
  probe(): Promise<void>;
  tryEverything(): Promise<void>;
  cancel(): void;
  show(): Promise<void>;
}

/** What runs where, and what the host answers to questions that no documentation answers: by looking, or by trying. */
function diagnosticsView(
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
