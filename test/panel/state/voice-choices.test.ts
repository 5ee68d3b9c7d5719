import { expect, test } from "vitest";
import { FIRST_FORM, withSettings } from "../../../panel/state/form.ts";
import { firstState, type PanelState } from "../../../panel/state/panel-state.ts";
import type { ShownSettings } from "../../../panel/state/service-settings.ts";
import { languageChoices, mayBeHeard, voiceChoices } from "../../../panel/state/voice-choices.ts";
import { languageName } from "../../../panel/words/language-names.ts";
import { LANGUAGES } from "../../../src/contract/choices.ts";

const HERE = "http://127.0.0.1:8420";
const VOICES = [
  { voice: "Achernar", title: "Luciana", gender: "female", languages: ["pt-BR"] },
  { voice: "Achernar", title: "Samantha", gender: "female", languages: ["en-US"] },
  { voice: "Achird", title: "Alex", gender: "male", languages: ["en-US"] },
] as const;

/** A panel whose service says what it has, nothing where `voices` is `null`. */
function stateWith(voices: readonly object[] | null, change: Partial<PanelState> = {}): PanelState {
  const settings = { may_change: true, voices };
  // What else the settings say is not asked for.
  const shown = { address: HERE, settings, trials: {} } as unknown as ShownSettings;
  return { ...firstState(HERE, 0), shownKey: "k…", serviceSettings: voices === null ? null : shown, ...change };
}
const titles = (state: PanelState) => voiceChoices(state).map(({ title }) => title);

test("voices are those that speak the chosen language, by the names that people know", () => {
  const state = stateWith(VOICES);
  expect(titles(state)).toEqual(["Samantha", "Alex"]);
  expect(titles({ ...state, form: withSettings(FIRST_FORM, { language: "pt-BR" }) })).toEqual(["Luciana"]);
  expect(titles({ ...state, form: withSettings(FIRST_FORM, { language: "fr-FR" }) })).toEqual([]);
  expect(voiceChoices(state).every(({ isConfirmed }) => isConfirmed)).toBe(true);
});

test("a voice can be played where the service has it, and this key may try it", () => {
  const state = stateWith(VOICES);
  expect(mayBeHeard(state)).toBe(true);
  expect(mayBeHeard({ ...state, form: withSettings(FIRST_FORM, { voice: "Kore" }) })).toBe(false);
  for (const { voice, languages } of VOICES)
    expect(mayBeHeard({ ...state, form: withSettings(FIRST_FORM, { voice, language: languages[0] }) })).toBe(true);
  expect(mayBeHeard(stateWith(null))).toBe(false);
});

test("nothing is listed of a service on this computer that does not run; of another's voices, the names of its kind", () => {
  expect(titles(stateWith(null, { shownKey: null }))).toEqual([]);
  const hosted = stateWith(null, { service: { address: "https://api.example.com" } });
  expect(voiceChoices(hosted)).toHaveLength(31);
  expect(voiceChoices(hosted).filter(({ isConfirmed }) => isConfirmed)).toHaveLength(1);
});

test("languages that can be spoken come first, all of them are there once, and each has a name that no other has", () => {
  const choices = languageChoices(stateWith(VOICES), languageName);
  expect(choices.slice(0, 3).map(({ code, isSpoken }) => [languageName(code), isSpoken])).toEqual([
    ["English (United States)", "yes"],
    ["Portuguese (Brazil)", "yes"],
    ["Arabic", "no"],
  ]);
  expect(choices.map(({ code }) => code).sort()).toEqual([...LANGUAGES].sort());
  const names = LANGUAGES.map(languageName);
  expect(new Set(names).size).toBe(LANGUAGES.length);
  expect(names.filter((name) => /^[a-z]{2,3}-/.test(name))).toEqual([]);
  expect(languageName("cy-GB")).toBe("cy-GB");
});
