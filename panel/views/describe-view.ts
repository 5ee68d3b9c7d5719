import { TEXT_FORMATS, VIDEO_CATEGORIES } from "../../src/contract/choices.ts";
import { LANGUAGES, SUGGESTED_LANGUAGES } from "../../src/contract/languages.ts";
import { VOICES } from "../../src/contract/voices.ts";
import type { Actions } from "../actions.ts";
import { forecast } from "../estimate-line.ts";
import { levelDbfsFrom, minimumCueSecondsFrom, trackOf } from "../form.ts";
import { hostNameOf } from "../service-address.ts";
import type { PanelState } from "../state.ts";
import { type ElementNode, element } from "../view/element.ts";
import { words } from "../words.ts";
import { sizeText, tenths } from "../words-for-numbers.ts";
import {
  button,
  checkBox,
  choice,
  labelled,
  primaryButton,
  radios,
  section,
  text,
  textField,
  typedText,
} from "./controls.ts";
import { gapsPart } from "./gaps-part.ts";

type TextEvent = Parameters<typeof typedText>[0];

/** What is to be made of the active sequence, and what that would take. */
export function describeView(state: PanelState, actions: Actions): ElementNode[] {
  const { form, openSections } = state;
  const { settings } = form;
  const isOpen = (id: string) => openSections.includes(id);
  const toggle = (id: string) => actions.toggleSection(id);
  const isStandard = settings.type === "standard";
  return [
    radios("wanted", words.make, form.wanted, entries(words.wanted), (wanted) => actions.changeForm({ wanted })),
    element(
      "div",
      { class: "pair" },
      labelled(
        words.format,
        choice("format", words.format, settings.format, formats(), (format) => actions.changeSettings({ format })),
      ),
      trackOf(form) === "none"
        ? null
        : labelled(
            words.track,
            choice("track", words.track, form.track, entries(words.tracks), (track) => actions.changeForm({ track })),
          ),
      labelled(
        words.range,
        choice("range", words.range, form.range, entries(words.ranges), (range) => actions.changeForm({ range })),
      ),
      labelled(
        words.type,
        choice("type", words.type, settings.type, entries(words.types), (type) => actions.changeSettings({ type })),
      ),
    ),
    section(
      "voice",
      words.sectionVoice,
      `${settings.language}, ${settings.voice}`,
      isOpen("voice"),
      toggle,
      voiceControls(state, actions),
    ),
    section("timing", words.sectionTiming, timingSummary(state), isOpen("timing"), toggle, [
      isStandard
        ? [
            checkBox(
              "auto-fit",
              words.autoFit,
              settings.autoFit,
              (autoFit) => actions.changeSettings({ autoFit }),
              words.autoFitHint,
            ),
            checkBox(
              "over-music",
              words.overMusic,
              settings.allowsOverMusic,
              (allowsOverMusic) => actions.changeSettings({ allowsOverMusic }),
              words.overMusicHint,
            ),
            labelled(
              words.shortest,
              textField("shortest", words.shortest, String(settings.minimumCueSeconds), {
                disabled: !settings.autoFit,
                onchange: (event: TextEvent) =>
                  actions.changeSettings({ minimumCueSeconds: minimumCueSecondsFrom(typedText(event)) }),
              }),
              words.shortestHint,
            ),
          ]
        : checkBox(
            "all-text",
            words.allText,
            settings.readsAllOnscreenText,
            (readsAllOnscreenText) => actions.changeSettings({ readsAllOnscreenText }),
            words.allTextHint,
          ),
    ]),
    contextSection(state, actions, isOpen("context"), toggle),
    exportSection(state, actions, isOpen("export"), toggle),
    savedSection(state, actions, isOpen("saved"), toggle),
    ...orderLines(state, actions),
  ];
}

function voiceControls({ form }: PanelState, actions: Actions): (ElementNode | null)[] {
  const { settings } = form;
  const { language, voice, category, volume } = settings;
  const typed = (id: string, label: string, change: (text: string) => Partial<typeof settings>) =>
    labelled(
      label,
      textField(id, label, "", {
        onchange: (event: TextEvent) => {
          const text = typedText(event).trim();
          if (text !== "") actions.changeSettings(change(text));
        },
      }),
      words.otherHint,
    );
  return [
    labelled(
      words.language,
      choice("language", words.language, language, languages(language), (chosen) =>
        actions.changeSettings({ language: chosen }),
      ),
    ),
    typed("other-language", words.otherLanguage, (text) => ({ language: text })),
    ...(trackOf(form) === "none"
      ? []
      : [
          labelled(
            words.voice,
            choice("voice", words.voice, voice, voices(voice), (chosen) => actions.changeSettings({ voice: chosen })),
          ),
          typed("other-voice", words.otherVoice, (text) => ({ voice: text })),
          labelled(
            words.volume,
            choice("volume", words.volume, volume?.option ?? "auto", entries(words.volumes), (option) =>
              actions.changeSettings({ volume: option === "max" ? { option, levelDbfs: 0 } : { option } }),
            ),
          ),
          volume?.option === "max"
            ? labelled(
                words.level,
                textField("level", words.level, String(volume.levelDbfs ?? 0), {
                  onchange: (event: TextEvent) =>
                    actions.changeSettings({ volume: { option: "max", levelDbfs: levelDbfsFrom(typedText(event)) } }),
                }),
                words.levelHint,
              )
            : null,
        ]),
    labelled(
      words.category,
      choice("category", words.category, category, named(VIDEO_CATEGORIES), (chosen) =>
        actions.changeSettings({ category: chosen }),
      ),
    ),
  ];
}

/** The languages with what is known of them, and one that was typed. */
function languages(chosen: string): (readonly [string, string])[] {
  const unconfirmed = new Set<string>(SUGGESTED_LANGUAGES);
  const listed = LANGUAGES.map((code) => {
    return [code, unconfirmed.has(code) ? `${code} (${words.unconfirmed})` : code] as const;
  });
  return withTyped(listed, chosen);
}

function voices(chosen: string): (readonly [string, string])[] {
  const listed = VOICES.map(({ name, gender, isConfirmed }) => {
    return [name, `${name} (${gender}${isConfirmed ? "" : `, ${words.unconfirmed}`})`] as const;
  });
  return withTyped(listed, chosen);
}

function withTyped(listed: readonly (readonly [string, string])[], chosen: string): (readonly [string, string])[] {
  return listed.some(([value]) => value === chosen) ? [...listed] : [[chosen, chosen], ...listed];
}

function contextSection(
  { form }: PanelState,
  actions: Actions,
  isOpen: boolean,
  toggle: (id: string) => void,
): ElementNode {
  const { captionSource, captionFile, scriptFile, settings } = form;
  const summary = `${words.captionSources[captionSource]}${settings.instructions === "" ? "" : " · …"}`;
  return section("context", words.sectionContext, summary, isOpen, toggle, [
    labelled(
      words.captions,
      choice("captions", words.captions, captionSource, entries(words.captionSources), (source) =>
        actions.changeForm({ captionSource: source }),
      ),
      captionSource === "transcript" ? words.transcriptHint : undefined,
    ),
    captionSource === "file"
      ? element(
          "div",
          { class: "actions" },
          text(captionFile?.filename ?? words.noFile),
          button("choose-captions", words.chooseFile, () => actions.run(() => actions.pickCaptions())),
        )
      : null,
    labelled(
      words.instructions,
      element("textarea", {
        id: "instructions",
        class: "input words",
        "aria-label": words.instructions,
        value: settings.instructions,
        onchange: (event: TextEvent) => actions.changeSettings({ instructions: typedText(event).trim() }),
      }),
      words.instructionsHint,
    ),
    text(words.script, "field-name"),
    element(
      "div",
      { class: "actions" },
      text(scriptFile?.filename ?? words.noScript),
      button("choose-script", words.chooseFile, () => actions.run(() => actions.pickScript()), {
        "aria-label": `${words.script}: ${words.chooseFile}`,
      }),
      scriptFile === undefined ? null : button("drop-script", words.dropScript, () => actions.dropScript()),
    ),
    text(words.scriptHint, "hint"),
  ]);
}

function exportSection(
  { form, presets }: PanelState,
  actions: Actions,
  isOpen: boolean,
  toggle: (id: string) => void,
): ElementNode {
  const options = presets.map(({ name, isProven }) => [name, isProven ? name : `${name} (${words.unproven})`] as const);
  const preset = form.preset ?? "";
  return section("export", words.sectionExport, form.preset ?? words.firstPreset, isOpen, toggle, [
    labelled(
      words.preset,
      choice("preset", words.preset, preset, [["", words.firstPreset], ...options], (name) => {
        actions.choosePreset(name);
      }),
      words.presetHint,
    ),
    button("choose-preset", words.choosePreset, () => actions.run(() => actions.pickPreset())),
  ]);
}

function savedSection(
  { savedForms, formNameDraft }: PanelState,
  actions: Actions,
  isOpen: boolean,
  toggle: (id: string) => void,
): ElementNode {
  const summary = savedForms.length === 0 ? words.noSaved : savedForms.map(({ name }) => name).join(", ");
  return section("saved", words.sectionSaved, summary, isOpen, toggle, [
    savedForms.map(({ name, form }) =>
      element(
        "div",
        { class: "actions", key: name },
        element("span", { class: "grow" }, name),
        button(`use-settings-${name}`, words.useSettings, () => actions.changeForm(form), {
          "data-action": "use-settings",
          "aria-label": `${words.useSettings}: ${name}`,
        }),
        button(`delete-settings-${name}`, words.deleteSettings, () => actions.deleteSavedForm(name), {
          "data-action": "delete-settings",
          "aria-label": `${words.deleteSettings}: ${name}`,
        }),
      ),
    ),
    labelled(
      words.settingsName,
      textField("settings-name", words.settingsName, formNameDraft, {
        oninput: (event: TextEvent) => actions.set({ formNameDraft: typedText(event) }),
      }),
    ),
    button("save-settings", words.saveSettings, () => actions.saveForm(), { disabled: formNameDraft.trim() === "" }),
  ]);
}

/** What it would take, what stands against it, and the button. */
function orderLines(state: PanelState, actions: Actions): ElementNode[] {
  const { form, sequence, service, shownKey } = state;
  const order = (isPossible: boolean) =>
    primaryButton("describe", words.describe, () => actions.run(() => actions.jobs.order()), {
      disabled: !isPossible,
    });
  if (sequence === null) return [order(false)];
  const { minutes, credits, uploadBytes, waitMinutes, isLocal, limit, isLarge } = forecast(
    form,
    sequence,
    service,
    state.presets,
  );
  const line = words.estimate({
    minutes: tenths(minutes),
    credits: isLocal ? words.noCredits : words.credits({ count: tenths(credits) }),
    upload: isLocal ? words.noUpload : words.upload({ size: sizeText(uploadBytes) }),
    wait: words.wait({ minutes: tenths(Math.max(0.1, waitMinutes)) }),
  });
  return [
    element("p", { class: "line", id: "estimate" }, line),
    gapsPart(state, actions),
    ...(isLocal
      ? []
      : [text(words.leaves({ file: sizeText(uploadBytes), host: hostNameOf(service.address) }), "hint")]),
    ...(limit === null
      ? []
      : [
          element(
            "p",
            { class: "fault", id: "limit", role: "alert" },
            limit === "empty" ? words.limitEmpty : words.limitMinutes({ plan: service.planMinutes ?? 0 }),
          ),
        ]),
    ...(isLarge ? [text(`⚠ ${words.largeUpload}`, "warning")] : []),
    ...(shownKey === null
      ? [
          text(words.needsKey, "warning"),
          button("go-connect", words.views.connect, () => actions.go("connect"), { "data-action": "go-connect" }),
        ]
      : []),
    order(limit === null && shownKey !== null),
  ];
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

function formats() {
  return TEXT_FORMATS.map((format) => [format, words.formats[format]] as const);
}

function named<Name extends string>(names: readonly Name[]) {
  return names.map((name) => [name, name] as const);
}

function entries<Key extends string>(names: Readonly<Record<Key, string>>): [Key, string][] {
  // The table's own keys, which Object.entries forgets.
  return Object.entries(names) as [Key, string][];
}
