import { explain } from "../../src/workflow/explain.ts";
import type { Connection } from "../session/connection.ts";
import type { Session } from "../session/session.ts";
import { type Form, withSavedForm } from "../state/form.ts";
import { jobOf, type Message, type PanelState, type Remedy, type ViewName } from "../state/panel-state.ts";
import { words } from "../words/words.ts";
import type { Conforming } from "./conform/conform-controller.ts";
import type { Delivering } from "./deliver/deliver-controller.ts";
import type { GapLooking } from "./describe/gap-controller.ts";
import type { Jobs } from "./describe/job-queue.ts";
import type { Applying } from "./place/apply-controller.ts";
import type { Placing } from "./place/place-controller.ts";
import type { Audition } from "./review/audition-controller.ts";
import type { ProgrammeSound } from "./review/programme-sound.ts";
import type { Reviewing } from "./review/review-controller.ts";
import type { Signing } from "./review/sign-off-controller.ts";

/** The controllers of the panel, each over the same session. */
interface Controllers {
  readonly session: Session;
  readonly connection: Connection;
  readonly jobs: Jobs;
  readonly gaps: GapLooking;
  readonly reviewing: Reviewing;
  readonly applying: Applying;
  readonly placing: Placing;
  readonly conforming: Conforming;
  readonly signing: Signing;
  readonly audition: Audition;
  readonly programme: ProgrammeSound;
  readonly delivering: Delivering;
}

/** What the views can do. Each raises nothing: what goes wrong is told at the foot of the panel. */
export class Actions implements Controllers {
  readonly session: Session;
  readonly connection: Connection;
  readonly jobs: Jobs;
  readonly gaps: GapLooking;
  readonly reviewing: Reviewing;
  readonly applying: Applying;
  readonly placing: Placing;
  readonly conforming: Conforming;
  readonly signing: Signing;
  readonly audition: Audition;
  readonly programme: ProgrammeSound;
  readonly delivering: Delivering;

  constructor(controllers: Controllers) {
    this.session = controllers.session;
    this.connection = controllers.connection;
    this.jobs = controllers.jobs;
    this.gaps = controllers.gaps;
    this.reviewing = controllers.reviewing;
    this.applying = controllers.applying;
    this.placing = controllers.placing;
    this.conforming = controllers.conforming;
    this.signing = controllers.signing;
    this.audition = controllers.audition;
    this.programme = controllers.programme;
    this.delivering = controllers.delivering;
  }

  /** Sets fields of the state. */
  set(change: Partial<PanelState>): void {
    this.session.store.set(change);
  }

  /** Does something that may fail. */
  run(work: () => Promise<unknown>): void {
    this.session.run(work);
  }

  /** Goes to a view. */
  go(view: ViewName): void {
    this.set({ view, message: null });
    if (view === "describe") this.run(() => this.readSequence());
    else if (view === "review" || view === "conform") this.run(() => this.conforming.glance());
  }

  /** Looks at the active sequence, and whether its cut is still the one that was described. */
  async readSequence(): Promise<void> {
    const { environment, store } = this.session;
    const { editor } = environment;
    this.set({ projectId: await editor.projectId().catch(() => null) });
    // A panel that was closed during an export may have left them behind.
    if (store.state.progress === null) await editor.restoreRange().catch(() => undefined);
    try {
      this.set({ sequence: await editor.readSequence(), sequenceFault: null });
    } catch (error) {
      // Having no sequence open is nothing to be told of again and again: the header says it.
      this.set({ sequence: null, sequenceFault: explain(error) });
    }
    await this.conforming.glance();
  }

  /** Changes what is kept for the next time beside the form. */
  changePreferences(change: Partial<Pick<PanelState, "coloursMarkers" | "placesClips">>): void {
    this.set(change);
    this.session.keepPreferences();
  }

  /** Changes the form, and keeps it for the next time. */
  changeForm(change: Partial<Form>): void {
    this.session.store.update((state) => ({ ...state, form: { ...state.form, ...change } }));
    this.session.keepPreferences();
  }

  /** Changes settings of the form. */
  changeSettings(change: Partial<Form["settings"]>): void {
    this.changeForm({ settings: { ...this.session.state.form.settings, ...change } });
  }

  /** Opens a section of the form, or closes it. */
  toggleSection(id: string): void {
    this.session.store.update((state) => {
      const { openSections } = state;
      const isOpen = openSections.includes(id);
      return { ...state, openSections: isOpen ? openSections.filter((one) => one !== id) : [...openSections, id] };
    });
  }

  /** Lets the editor pick a captions file. */
  async pickCaptions(): Promise<void> {
    const { pickFile, files } = this.session.environment;
    const picked = await pickFile(["vtt", "srt", "txt"]);
    if (picked === null) return;
    const content = await files.readText(picked.path);
    this.changeForm({ captionSource: "file", captionFile: { filename: picked.name, content } });
  }

  /** Lets the editor pick descriptions of their own. */
  async pickScript(): Promise<void> {
    const { pickFile, files } = this.session.environment;
    const picked = await pickFile(["edl", "vtt", "srt", "json", "txt"]);
    if (picked === null) return;
    this.changeForm({ scriptFile: { filename: picked.name, content: await files.readText(picked.path) } });
  }

  /** Goes back to generated descriptions. */
  dropScript(): void {
    this.session.store.update((state) => {
      const { scriptFile: _, ...form } = state.form;
      return { ...state, form };
    });
  }

  /** Lets the editor pick an export preset. */
  async pickPreset(): Promise<void> {
    const { pickFile, chosenPresets } = this.session.environment;
    const picked = await pickFile(["epr"]);
    if (picked === null) return;
    if (!chosenPresets.includes(picked.path)) chosenPresets.push(picked.path);
    this.set({ presetPaths: [...chosenPresets] });
    this.changeForm({ preset: picked.name });
    await this.loadPresets();
  }

  /** Exports with a preset, or with the first that works where the name is empty. */
  choosePreset(name: string): void {
    this.session.store.update((state) => {
      const { preset: _, ...rest } = state.form;
      return { ...state, form: name === "" ? rest : { ...rest, preset: name } };
    });
    this.session.keepPreferences();
  }

  /** Looks which export presets there are. */
  async loadPresets(): Promise<void> {
    this.set({ presets: await this.session.environment.editor.presets() });
  }

  /** Keeps the form's settings under the typed name. */
  saveForm(): void {
    const { form, savedForms, formNameDraft } = this.session.state;
    const name = formNameDraft.trim();
    if (name === "") return;
    this.set({ savedForms: withSavedForm(savedForms, name, form), formNameDraft: "" });
    this.session.keepPreferences();
  }

  /** Removes saved settings. */
  deleteSavedForm(name: string): void {
    this.set({ savedForms: this.session.state.savedForms.filter((one) => one.name !== name) });
    this.session.keepPreferences();
  }

  /** Takes a way out of a fault. */
  remedy(remedy: Remedy, { runId }: Message): void {
    this.set({ message: null });
    if (remedy === "connect") this.go("connect");
    else if (remedy === "retry-sequence") this.go("describe");
    else if (remedy === "choose-voice") {
      this.go("describe");
      if (!this.session.state.openSections.includes("voice")) this.toggleSection("voice");
    } else if (runId === undefined) return;
    else if (remedy === "allow-over-speech") this.run(() => this.jobs.again(runId, { autoFit: false }));
    else if (remedy === "use-extended") this.run(() => this.jobs.again(runId, { type: "extended" }));
    else this.run(() => this.jobs.resume(runId, remedy === "send-again"));
  }

  /** Shows a job's reply as it came. */
  async showRaw(runId: string): Promise<void> {
    const path = jobOf(this.session.state, runId)?.rawPath;
    if (path === undefined) return;
    const content = await this.session.environment.files.readText(path);
    this.session.tell(words.raw, { details: content.split("\n").slice(0, 400), copy: content });
  }

  /** Asks the host everything that no documentation answers. */
  async probe(): Promise<void> {
    const { probes, versions } = this.session.environment;
    this.set({ probes: Object.entries(versions).map(([name, finding]) => ({ name, finding })) });
    for (const { name, run } of probes) {
      const finding = await run().catch(
        (error: unknown) => `raises: ${error instanceof Error ? error.message : error}`,
      );
      this.session.store.update((state) => ({ ...state, probes: [...state.probes, { name, finding }] }));
    }
  }

  /** Copies a text to the clipboard. */
  async copy(content: string): Promise<void> {
    await this.session.environment.copyText(content);
    this.session.tell(words.copied);
  }
}
