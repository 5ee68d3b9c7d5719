import { VIDEO_CATEGORIES } from "../../src/contract/choices.ts";
import type { Actions } from "../controllers/actions.ts";
import { type ElementNode, element } from "../document/element.ts";
import { levelDbfsFrom, minimumCueSecondsFrom, trackOf } from "../state/form.ts";
import { offeredModel } from "../state/models-here.ts";
import type { PanelState } from "../state/panel-state.ts";
import { languageChoices, mayBeHeard, type VoiceChoice, voiceChoices } from "../state/voice-choices.ts";
import { languageName } from "../words/language-names.ts";
import { words } from "../words/words.ts";
import {
  button,
  checkBox,
  choice,
  entries,
  iconButton,
  labelled,
  section,
  text,
  textField,
  typedText,
} from "./controls.ts";
import { givenText } from "./text-question.ts";

type TextEvent = Parameters<typeof typedText>[0];

/** Opens a section by its name, or closes it. */
type Toggle = (id: string) => void;

/** Who speaks, with a button that plays it; nothing where nothing is spoken. */
export function voiceField(state: PanelState, actions: Actions): ElementNode | null {
  const { form } = state;
  if (trackOf(form) === "none") return null;
  const { language, voice } = form.settings;
  const chosenVoice = voiceChoices(state).find((one) => one.voice === voice);
  const title = chosenVoice === undefined ? voice : voiceTitle(chosenVoice);
  const isSpoken = languageChoices(state, languageName).find(({ code }) => code === language)?.isSpoken;
  const label = words.voiceIn({ language: languageName(language) });
  return element(
    "div",
    { class: "field", key: "voice-field" },
    element(
      "div",
      { class: "pick-row" },
      element(
        "label",
        { class: "grow" },
        element("div", { class: "field-name" }, label),
        choice("voice", words.voice, voice, voices(state), (chosen) =>
          chosen === TO_MODELS
            ? actions.panelController.go("models")
            : actions.formController.changeSettings({ voice: chosen }),
        ),
      ),
      mayBeHeard(state)
        ? iconButton("hear-voice", "play", words.hearVoice({ voice: title }), () =>
            actions.session.run(() => actions.settingsController.hear()),
          )
        : null,
    ),
    isSpoken === "no" ? text(words.noVoiceFor({ language: languageName(language) }), "warning") : null,
  );
}

/** Which language is spoken, and how loud. */
export function voiceSection(state: PanelState, actions: Actions, isOpen: boolean, toggle: Toggle): ElementNode {
  const { form } = state;
  const { settings } = form;
  const { language, category, volume } = settings;
  const typed = (id: string, label: string, change: (text: string) => Partial<typeof settings>) =>
    labelled(
      label,
      textField(id, label, "", {
        onchange: (event: TextEvent) => {
          const text = typedText(event).trim();
          if (text !== "") actions.formController.changeSettings(change(text));
        },
      }),
      words.otherHint,
    );
  return section("voice", words.sectionVoice, languageName(language), isOpen, toggle, [
    labelled(
      words.language,
      choice("language", words.language, language, languages(state), (chosen) =>
        actions.formController.changeSettings({ language: chosen }),
      ),
    ),
    typed("other-language", words.otherLanguage, (text) => ({ language: text })),
    ...(trackOf(form) === "none"
      ? []
      : [
          typed("other-voice", words.otherVoice, (text) => ({ voice: text })),
          labelled(
            words.volume,
            choice("volume", words.volume, volume?.option ?? "auto", entries(words.volumes), (option) =>
              actions.formController.changeSettings({
                volume: option === "max" ? { option, levelDbfs: 0 } : { option },
              }),
            ),
          ),
          volume?.option === "max"
            ? labelled(
                words.level,
                textField("level", words.level, String(volume.levelDbfs ?? 0), {
                  onchange: (event: TextEvent) =>
                    actions.formController.changeSettings({
                      volume: { option: "max", levelDbfs: levelDbfsFrom(typedText(event)) },
                    }),
                }),
                words.levelHint,
              )
            : null,
        ]),
    labelled(
      words.category,
      choice("category", words.category, category, named(VIDEO_CATEGORIES), (chosen) =>
        actions.formController.changeSettings({ category: chosen }),
      ),
    ),
  ]);
}

/** What may be said when, and how short it may be. */
export function timingSection(state: PanelState, actions: Actions, isOpen: boolean, toggle: Toggle): ElementNode {
  const { settings } = state.form;
  const isStandard = settings.type === "standard";
  return section("timing", words.sectionTiming, timingSummary(state), isOpen, toggle, [
    isStandard
      ? [
          checkBox(
            "auto-fit",
            words.autoFit,
            settings.autoFit,
            (autoFit) => actions.formController.changeSettings({ autoFit }),
            words.autoFitHint,
          ),
          checkBox(
            "over-music",
            words.overMusic,
            settings.allowsOverMusic,
            (allowsOverMusic) => actions.formController.changeSettings({ allowsOverMusic }),
            words.overMusicHint,
          ),
          labelled(
            words.shortest,
            textField("shortest", words.shortest, String(settings.minimumCueSeconds), {
              disabled: !settings.autoFit,
              onchange: (event: TextEvent) =>
                actions.formController.changeSettings({ minimumCueSeconds: minimumCueSecondsFrom(typedText(event)) }),
            }),
            words.shortestHint,
          ),
        ]
      : checkBox(
          "all-text",
          words.allText,
          settings.readsAllOnscreenText,
          (readsAllOnscreenText) => actions.formController.changeSettings({ readsAllOnscreenText }),
          words.allTextHint,
        ),
  ]);
}

function timingSummary({ form }: PanelState): string {
  const { settings } = form;
  if (settings.type === "extended") return settings.readsAllOnscreenText ? words.allText : "";
  const parts = [
    settings.autoFit ? words.autoFit : "",
    settings.allowsOverMusic ? words.overMusic : "",
    words.seconds({ seconds: settings.minimumCueSeconds }),
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

/** What helps the service: captions, instructions, a script. */
export function contextSection(
  state: PanelState,
  actions: Actions,
  isOpen: boolean,
  toggle: Toggle,
  isFilm: boolean,
): ElementNode {
  const { form } = state;
  const { captionSource, captionFile, scriptFile, settings } = form;
  const summary = `${words.captionSources[captionSource]}${settings.instructions === "" ? "" : " · …"}`;
  return section("context", words.sectionContext, summary, isOpen, toggle, [
    labelled(
      words.captions,
      choice("captions", words.captions, captionSource, entries(words.captionSources), (source) =>
        actions.formController.change({ captionSource: source }),
      ),
      captionSource === "transcript" ? words.transcriptHint : undefined,
    ),
    // What a host exports has one track of sound.
    isFilm
      ? labelled(
          words.soundTrack,
          textField("sound-track", words.soundTrack, settings.audioTrack ?? "", {
            onchange: (event: TextEvent) => actions.formController.chooseSoundTrack(typedText(event)),
          }),
          words.soundTrackHint,
        )
      : null,
    captionSource === "file" ? givenText("captions", captionFile, state, actions) : null,
    labelled(
      words.instructions,
      element("textarea", {
        id: "instructions",
        class: "input words",
        "aria-label": words.instructions,
        value: settings.instructions,
        onchange: (event: TextEvent) =>
          actions.formController.changeSettings({ instructions: typedText(event).trim() }),
      }),
      words.instructionsHint,
    ),
    text(words.script, "field-name"),
    givenText("script", scriptFile, state, actions),
    text(words.scriptHint, "hint"),
  ]);
}

/** How the programme is exported. */
export function exportSection(
  { form, presets, hasEncoder }: PanelState,
  actions: Actions,
  isOpen: boolean,
  toggle: Toggle,
): ElementNode {
  const options = presets.map(({ name, isProven }) => [name, isProven ? name : `${name} (${words.unproven})`] as const);
  const preset = form.preset ?? "";
  return section("export", words.sectionExport, form.preset ?? words.firstPreset, isOpen, toggle, [
    labelled(
      words.preset,
      choice("preset", words.preset, preset, [["", words.firstPreset], ...options], (name) => {
        actions.formController.choosePreset(name);
      }),
      words.presetHint,
    ),
    button("choose-preset", words.choosePreset, () => actions.session.run(() => actions.formController.pickPreset())),
    ...(hasEncoder || form.exportsIn !== undefined
      ? [
          labelled(
            words.exportsIn,
            choice(
              "exports-in",
              words.exportsIn,
              form.exportsIn ?? "premiere",
              Object.entries(words.exporters),
              (name) => actions.formController.exportIn(name === "encoder"),
            ),
            words.exportsInHint,
          ),
        ]
      : []),
  ]);
}

/** Settings that are kept under a name. */
export function savedSection(
  { savedForms, formNameDraft }: PanelState,
  actions: Actions,
  isOpen: boolean,
  toggle: Toggle,
): ElementNode {
  const summary = savedForms.length === 0 ? words.noSaved : savedForms.map(({ name }) => name).join(", ");
  return section("saved", words.sectionSaved, summary, isOpen, toggle, [
    savedForms.map(({ name, form }) =>
      element(
        "div",
        { class: "actions", key: name },
        element("span", { class: "grow" }, name),
        button(`use-settings-${name}`, words.useSettings, () => actions.formController.change(form), {
          "data-action": "use-settings",
          "aria-label": `${words.useSettings}: ${name}`,
        }),
        button(`delete-settings-${name}`, words.deleteSettings, () => actions.formController.deleteSaved(name), {
          "data-action": "delete-settings",
          "aria-label": `${words.deleteSettings}: ${name}`,
        }),
      ),
    ),
    labelled(
      words.settingsName,
      textField("settings-name", words.settingsName, formNameDraft, {
        oninput: (event: TextEvent) => actions.session.store.set({ formNameDraft: typedText(event) }),
      }),
    ),
    button("save-settings", words.saveSettings, () => actions.formController.save(), {
      disabled: formNameDraft.trim() === "",
    }),
  ]);
}

/** The languages by name, with what is known of their voices, and one that was typed. */
function languages(state: PanelState): (readonly [string, string])[] {
  const marks = { yes: "", unknown: "", no: ` (${words.noVoiceHere})`, unlisted: ` (${words.unconfirmed})` };
  const listed = languageChoices(state, languageName).map(
    ({ code, isSpoken }) => [code, `${languageName(code)}${marks[isSpoken]}`] as const,
  );
  return withTyped(listed, state.form.settings.language);
}

function voices(state: PanelState): (readonly [string, string])[] {
  const listed = voiceChoices(state).map((one) => [one.voice, voiceTitle(one)] as const);
  const all = withTyped(listed, state.form.settings.voice);
  return offeredModel(state, "voice") === undefined ? all : [...all, [TO_MODELS, words.naturalVoices]];
}

/** Stands among the voices for the way to those that can be had: no voice is called so. */
const TO_MODELS = "…models";

function voiceTitle({ title, gender, isConfirmed }: VoiceChoice): string {
  const facts = [...(gender === null ? [] : [words.genders[gender]]), ...(isConfirmed ? [] : [words.unconfirmed])];
  return facts.length === 0 ? title : `${title} (${facts.join(", ")})`;
}

function withTyped(listed: readonly (readonly [string, string])[], chosen: string): (readonly [string, string])[] {
  return listed.some(([value]) => value === chosen) ? [...listed] : [[chosen, chosen], ...listed];
}

function named<Name extends string>(names: readonly Name[]) {
  return names.map((name) => [name, name] as const);
}
