import type { Session } from "../../session/session.ts";
import { type Form, withSavedForm } from "../../state/form.ts";

/** The form of what is to be described: its fields, its files, its presets, and settings that are kept under a name. */
export class FormController {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Changes the form, and keeps it for the next time. */
  change(change: Partial<Form>): void {
    this.#session.store.update((state) => ({ ...state, form: { ...state.form, ...change } }));
    this.#session.keepPreferences();
  }

  /** Changes settings of the form. */
  changeSettings(change: Partial<Form["settings"]>): void {
    this.change({ settings: { ...this.#session.state.form.settings, ...change } });
  }

  /** Takes a sound track for the film's own, by number, language or title; the one in which somebody speaks where empty. */
  chooseSoundTrack(named: string): void {
    const { audioTrack: _, ...settings } = this.#session.state.form.settings;
    this.change({ settings: named.trim() === "" ? settings : { ...settings, audioTrack: named.trim() } });
  }

  /** Opens a section of the form, or closes it. */
  toggleSection(id: string): void {
    this.#session.store.update((state) => {
      const { openSections } = state;
      const isOpen = openSections.includes(id);
      return { ...state, openSections: isOpen ? openSections.filter((one) => one !== id) : [...openSections, id] };
    });
  }

  /** Lets the editor pick an export preset. */
  async pickPreset(): Promise<void> {
    const { pickFile, chosenPresets } = this.#session.environment;
    const picked = await pickFile(["epr"]);
    if (picked === null) return;
    if (!chosenPresets.includes(picked.path)) chosenPresets.push(picked.path);
    this.#session.store.set({ presetPaths: [...chosenPresets] });
    this.change({ preset: picked.name });
    await this.loadPresets();
  }

  /** Exports with a preset, or with the first that works where the name is empty. */
  choosePreset(name: string): void {
    this.#session.store.update((state) => {
      const { preset: _, ...rest } = state.form;
      return { ...state, form: name === "" ? rest : { ...rest, preset: name } };
    });
    this.#session.keepPreferences();
  }

  /** Chooses who makes the export: Media Encoder, or the host itself. */
  exportIn(isEncoder: boolean): void {
    this.#session.store.update((state) => {
      const { exportsIn: _, ...rest } = state.form;
      return { ...state, form: isEncoder ? { ...rest, exportsIn: "encoder" } : rest };
    });
    this.#session.keepPreferences();
  }

  /** Looks which export presets there are, and who could export. */
  async loadPresets(): Promise<void> {
    const { editor } = this.#session.environment;
    this.#session.store.set({ presets: await editor.presets(), hasEncoder: await editor.hasEncoder() });
  }

  /** Keeps the form's settings under the typed name. */
  save(): void {
    const { form, savedForms, formNameDraft } = this.#session.state;
    const name = formNameDraft.trim();
    if (name === "") return;
    this.#session.store.set({ savedForms: withSavedForm(savedForms, name, form), formNameDraft: "" });
    this.#session.keepPreferences();
  }

  /** Removes saved settings. */
  deleteSaved(name: string): void {
    this.#session.store.set({ savedForms: this.#session.state.savedForms.filter((one) => one.name !== name) });
    this.#session.keepPreferences();
  }
}
