import { explain } from "../../src/workflow/explain.ts";
import type { Session } from "../session/session.ts";
import { openReview } from "../state/opened-review.ts";
import {
  type FaultRemedy,
  jobOf,
  jobsOfProject,
  type Message,
  type PlacingChoices,
  type ViewName,
} from "../state/panel-state.ts";
import { reachOf } from "../state/reach.ts";
import { words } from "../words/words.ts";
import type { ConformController } from "./conform/conform-controller.ts";
import type { ContactController } from "./contact-controller.ts";
import type { FormController } from "./describe/form-controller.ts";
import type { JobQueue } from "./describe/job-queue.ts";
import type { ModelsController } from "./models-controller.ts";
import type { SettingsController } from "./settings-controller.ts";

/** What concerns the panel as a whole: its views, the active sequence, ways out of faults, diagnostics. */
export class PanelController {
  readonly #session: Session;
  readonly #form: FormController;
  readonly #jobs: JobQueue;
  readonly #conform: ConformController;
  readonly #settings: SettingsController;
  readonly #models: ModelsController;
  readonly #contact: ContactController;

  constructor(
    session: Session,
    {
      formController,
      jobQueue,
      conformController,
      settingsController,
      modelsController,
      contactController,
    }: {
      readonly formController: FormController;
      readonly jobQueue: JobQueue;
      readonly conformController: ConformController;
      readonly settingsController: SettingsController;
      readonly modelsController: ModelsController;
      readonly contactController: ContactController;
    },
  ) {
    this.#session = session;
    this.#form = formController;
    this.#jobs = jobQueue;
    this.#conform = conformController;
    this.#settings = settingsController;
    this.#models = modelsController;
    this.#contact = contactController;
  }

  /** Goes to where the model that describes is set up. */
  setUpModel(): void {
    const openSections = [...new Set([...this.#session.state.openSections, "settings-describer"])];
    this.#session.store.set({ openSections });
    this.go("connect");
  }

  /** Goes to a view. */
  go(view: ViewName): void {
    // While everything is tried, a copy is the open sequence: nothing else may be begun on it.
    if (this.#session.state.trial !== null) return;
    this.#session.store.set({ view, message: null, isMenuOpen: false });
    if (view === "describe") {
      this.#session.run(() => this.readSequence());
      // It may have been started since.
      const { kind } = reachOf(this.#session.state);
      if (kind === "off" || kind === "silent") this.#session.run(() => this.#settings.lookAgain());
    } else if (view === "connect") this.#session.run(() => this.#settings.lookAgain());
    else if (view === "models") this.#session.run(() => this.#models.look());
    else if (view === "review" || view === "conform") this.#session.run(() => this.#conform.glance());
  }

  /**
   * Looks at the active sequence, and whether its cut is still the one that was described. Where no result is under review, the
   * sequence's last one is from then on.
   */
  async readSequence(): Promise<void> {
    const { environment, store } = this.#session;
    const { editor } = environment;
    store.set({ projectId: await editor.projectId().catch(() => null) });
    // A panel that was closed during an export may have left them behind.
    const isFree = store.state.progress === null && store.state.trial === null;
    if (isFree) {
      await editor.restoreRange().catch(() => undefined);
      await this.#session.narration.putBack().catch(() => undefined);
    }
    try {
      store.set({ sequence: await editor.readSequence(), sequenceFault: null });
    } catch (error) {
      // Having no sequence open is nothing to be told of again and again: the header says it.
      store.set({ sequence: null, sequenceFault: explain(error) });
    }
    await this.#openLast();
    await this.#conform.glance();
  }

  /** Puts the last result of the active sequence under review, unless one is; the view stays. */
  async #openLast(): Promise<void> {
    const { store, state } = this.#session;
    const id = state.sequence?.id;
    const done = jobsOfProject(state).filter((job) => job.state === "done");
    const own = done.filter(({ sequence, copyId }) => id !== undefined && (sequence.id === id || copyId === id));
    for (const { runId, voices, adds } of own) {
      if (store.state.review !== null) return;
      // Narration that was made anew, and what is new in a cut, belong to the result they were made for.
      const job = jobOf(state, voices ?? adds?.to ?? runId);
      const result = job === undefined ? null : await this.#session.library.loadResult(job.runId).catch(() => null);
      if (job === undefined || result === null || store.state.review !== null) continue;
      store.set({ review: openReview(result, job) });
    }
  }

  /** Changes what is kept for the next time beside the form. */
  changePreferences(change: Partial<PlacingChoices>): void {
    this.#session.store.set(change);
    this.#session.keepPreferences();
  }

  /** Takes a way out of a fault. */
  remedy(remedy: FaultRemedy, message: Message): void {
    const { runId } = message;
    if (remedy !== "copy-report") this.#session.store.set({ message: null });
    if (remedy === "copy-report") this.#session.run(() => this.#contact.copyReport(message));
    else if (remedy === "connect") this.go("connect");
    else if (remedy === "retry-sequence") this.go("describe");
    else if (remedy === "follow-cut") this.go("conform");
    else if (remedy === "choose-voice") {
      this.go("describe");
      if (!this.#session.state.openSections.includes("voice")) this.#form.toggleSection("voice");
    } else if (runId === undefined) return;
    else if (remedy === "allow-over-speech") this.#session.run(() => this.#jobs.again(runId, { autoFit: false }));
    else if (remedy === "use-extended") this.#session.run(() => this.#jobs.again(runId, { type: "extended" }));
    else this.#session.run(() => this.#jobs.resume(runId, remedy === "send-again"));
  }

  /** Shows a job's reply as it came. */
  async showRaw(runId: string): Promise<void> {
    const path = jobOf(this.#session.state, runId)?.rawPath;
    if (path === undefined) return;
    const content = await this.#session.environment.files.readText(path);
    this.#session.tell(words.raw, { details: content.split("\n").slice(0, 400), copy: content });
  }

  /** Copies a text to the clipboard. */
  async copy(content: string): Promise<void> {
    await this.#session.environment.copyText(content);
    this.#session.tell(words.copied);
  }
}
