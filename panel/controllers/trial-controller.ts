import type { TrialProbe } from "../../src/host/probe.ts";
import { trialReport } from "../../src/workflow/first-run/trial-report.ts";
import { OWN_STEPS, tryEverything } from "../../src/workflow/first-run/try-everything.ts";
import { Cancellable } from "../session/cancellable.ts";
import type { Session } from "../session/session.ts";
import { words } from "../words/words.ts";
import { pageTrials } from "./page-trials.ts";

/** The guided first run: everything tried on a copy of the sequence, and one report of it. */
export class TrialController {
  readonly #session: Session;
  readonly #trying = new Cancellable();

  constructor(session: Session) {
    this.#session = session;
  }

  /** Tries everything, shows what was found, and saves the report. */
  async run(): Promise<void> {
    const { environment, store } = this.#session;
    const { editor, clock, probes, bench, files, pathIn, versions } = environment;
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
    }
  }

  /** Asks no more; what was made on the way is removed. */
  cancel(): void {
    this.#trying.cancel();
  }

  /** Shows the report in the system's file manager. */
  async show(): Promise<void> {
    const { trialReport: report } = this.#session.state;
    if (report === null) return;
    const isShown = await this.#session.environment.showFolder(report.folder).catch(() => false);
    if (!isShown) this.#session.tell(words.cannotShow, { details: [report.folder], copy: report.folder });
  }
}
