import { beforeEach, expect, test } from "vitest";
import { FormController } from "../../../../panel/controllers/describe/form-controller.ts";
import type { PanelEnvironment } from "../../../../panel/session/environment.ts";
import { type SessionInMemory, sessionInMemory } from "../../session-in-memory.ts";

let made: SessionInMemory;
let controller: FormController;
let picked: { readonly name: string; readonly path: string } | null;
beforeEach(() => {
  picked = null;
  const editor = { presets: async () => [], hasEncoder: async () => true } as unknown as PanelEnvironment["editor"];
  made = sessionInMemory({ editor, pickFile: async () => picked, chosenPresets: [] });
  controller = new FormController(made.session);
});

const form = () => made.session.state.form;
/** What is kept for the next time. */
const kept = async () => {
  await made.rest();
  return JSON.parse(made.files.texts.get("/panel/settings.json") ?? '{"value":null}').value;
};
const names = (forms: readonly { readonly name: string }[]) => forms.map(({ name }) => name);

test("what is changed in the form is kept, and the rest of it stays", async () => {
  controller.changeSettings({ language: "de-DE" });
  controller.change({ track: "mixed" });
  expect([form().settings.language, form().settings.voice, form().track]).toEqual(["de-DE", "Achernar", "mixed"]);
  expect((await kept()).form).toMatchObject({ track: "mixed", settings: { language: "de-DE" } });
});

test("a sound track is of one film: it goes along with its job, and into nothing that is kept", async () => {
  controller.chooseSoundTrack(" 2 ");
  expect(form().settings.audioTrack).toBe("2");
  made.session.store.set({ formNameDraft: "mine" });
  controller.save();
  expect(made.session.state.savedForms[0]?.form.settings).not.toHaveProperty("audioTrack");
  expect((await kept()).form.settings).not.toHaveProperty("audioTrack");
  controller.chooseSoundTrack(" ");
  expect(form().settings).not.toHaveProperty("audioTrack");
});

test("settings are saved under a name, written over under the same one, and one alone is deleted", async () => {
  for (const [name, language] of [
    ["one", "de-DE"],
    [" two ", "fr-FR"],
    ["three", "it-IT"],
    ["one", "es-ES"],
  ] as const) {
    controller.changeSettings({ language });
    made.session.store.set({ formNameDraft: name });
    controller.save();
  }
  expect(names(made.session.state.savedForms).toSorted()).toEqual(["one", "three", "two"]);
  expect(made.session.state.savedForms.find(({ name }) => name === "one")?.form.settings.language).toBe("es-ES");
  made.session.store.set({ formNameDraft: "  " });
  controller.save();
  controller.deleteSaved("three");
  expect(names(made.session.state.savedForms).toSorted()).toEqual(["one", "two"]);
  expect(names((await kept()).savedForms).toSorted()).toEqual(["one", "two"]);
});

test("a preset that is picked is chosen, listed once, and kept; the empty name leaves the choice to the host", async () => {
  picked = { name: "Mine.epr", path: "/presets/Mine.epr" };
  await controller.pickPreset();
  await controller.pickPreset();
  expect([made.session.state.presetPaths, form().preset]).toEqual([["/presets/Mine.epr"], "Mine.epr"]);
  controller.choosePreset("");
  expect(form()).not.toHaveProperty("preset");
  picked = null;
  await controller.pickPreset();
  expect(form()).not.toHaveProperty("preset");
  expect((await kept()).presetPaths).toEqual(["/presets/Mine.epr"]);
});

test("a section opens and closes by itself, and who exports is one or the other", () => {
  for (const id of ["voice", "text", "voice"]) controller.toggleSection(id);
  expect(made.session.state.openSections).toContain("text");
  expect(made.session.state.openSections).not.toContain("voice");
  controller.exportIn(true);
  expect(form().exportsIn).toBe("encoder");
  controller.exportIn(false);
  expect(form()).not.toHaveProperty("exportsIn");
});
