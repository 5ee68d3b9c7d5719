import { describe, expect, test } from "vitest";
import type { PanelState } from "../../../panel/state/panel-state.ts";
import { gapKeys } from "../../../panel/state/strip.ts";
import {
  contextSection,
  exportSection,
  savedSection,
  timingSection,
  voiceField,
  voiceSection,
} from "../../../panel/views/form-sections.ts";
import { gapsPart, gapsSection, lookForGaps } from "../../../panel/views/gaps-part.ts";
import { words } from "../../../panel/words/words.ts";
import { jobEntry } from "../session-in-memory.ts";
import { elementOf, optionsOf, outlineOf, usesOf } from "./drawn.ts";
import { viewPage } from "./view-page.ts";

const HERE = "http://127.0.0.1:8420";
const { form: FORM } = jobEntry();
const VOICES = [
  { voice: "Achernar", title: "Amy", gender: "female", languages: ["en-US", "en-GB"] },
  { voice: "Charon", title: "Ben", gender: "male", languages: ["de-DE"] },
  { voice: "Puck", title: "Cy", gender: null, languages: ["en-US"] },
];
const SERVICE = { address: HERE, settings: { may_change: true, voices: VOICES } } as never;
const settings = (change: object) => ({ form: { ...FORM, settings: { ...FORM.settings, ...change } } });

const SECTIONS = { voiceSection, timingSection, exportSection, savedSection };
function shown(
  state: Partial<PanelState>,
  part: keyof typeof SECTIONS | "field" | "context" | "film" = "field",
  isOpen = true,
) {
  const page = viewPage(state);
  const toggle = (id: string) => void page.did.push(`toggle ${id}`);
  const draw = () => {
    const now = page.session.state;
    if (part === "field") return voiceField(now, page.actions);
    if (part === "context" || part === "film")
      return contextSection(now, page.actions, isOpen, toggle, part === "film");
    return SECTIONS[part](now, page.actions, isOpen, toggle);
  };
  return { ...page, draw };
}
const summaryOf = (state: Partial<PanelState>, part: Parameters<typeof shown>[1]) =>
  outlineOf(shown(state, part, false).draw());

describe("the voice", () => {
  test("is one that speaks the language, with its sex, and is played by a button; what the list lacks stands above it", async () => {
    const page = shown({ serviceSettings: SERVICE });
    expect(outlineOf(page.draw())).toEqual([
      `combobox “${words.voice}” #voice = Achernar (${words.voiceIn({ language: "English (United States)" })})`,
      `button “${words.hearVoice({ voice: "Amy (female)" })}” #hear-voice`,
    ]);
    expect(optionsOf(page.draw(), "voice")).toEqual(["Achernar: Amy (female)", "Puck: Cy"]);
    expect(await usesOf(page, page.draw(), { voice: "Puck" })).toEqual({
      voice: ['formController.changeSettings({"voice":"Puck"})'],
      "hear-voice": ["settingsController.hear()"],
    });
    const other = shown({ serviceSettings: SERVICE, ...settings({ voice: "Somebody" }) });
    expect(optionsOf(other.draw(), "voice")[0]).toBe("Somebody: Somebody");
    expect(outlineOf(other.draw()).join()).not.toContain("hear-voice");
  });

  test("of a service that tells none is named as known of its kind, which may not be so", () => {
    const voices = optionsOf(shown({ shownKey: "••••" }).draw(), "voice");
    expect(voices.slice(0, 2)).toEqual(["Achernar: Achernar (female)", "Aoede: Aoede (female, not confirmed)"]);
  });

  test("that nobody here has is said to be none; where a natural one can be had, the list leads there", async () => {
    const model = { id: "v", kind: "voice", state: "absent", suits: "yes", is_recommended: true, bytes: 1, title: "V" };
    const modelsHere = {
      address: HERE,
      question: null,
      reply: { refused: null, download: null, models: [model] },
    } as never;
    const page = shown({ serviceSettings: SERVICE, modelsHere, ...settings({ language: "fr-FR" }) });
    expect(outlineOf(page.draw())).toEqual([
      `combobox “${words.voice}” #voice = Achernar (${words.voiceIn({ language: "French (France)" })})`,
      words.noVoiceFor({ language: "French (France)" }),
    ]);
    expect((await usesOf(page, page.draw(), { voice: "…models" }))["voice"]).toEqual(['panelController.go("models")']);
  });
});

describe("language and loudness", () => {
  test("are chosen from what can be spoken, or typed; an empty field changes nothing", async () => {
    const page = shown({ serviceSettings: SERVICE }, "voiceSection");
    expect(outlineOf(page.draw())).toEqual([
      `button “${words.sectionVoice}” #section-voice expanded=true`,
      `combobox “${words.language}” #language = en-US`,
      `textbox “${words.otherLanguage}” #other-language =  (${words.otherHint})`,
      `textbox “${words.otherVoice}” #other-voice =  (${words.otherHint})`,
      `combobox “${words.volume}” #volume = auto`,
      `combobox “${words.category}” #category = Auto`,
    ]);
    const languages = optionsOf(page.draw(), "language");
    expect([languages.slice(0, 4), languages.length > 20].flat()).toEqual([
      "en-GB: English (United Kingdom)",
      "en-US: English (United States)",
      "de-DE: German",
      "ar-XA: Arabic (no voice)",
      true,
    ]);
    const typed = {
      language: "de-DE",
      "other-language": " gsw ",
      "other-voice": " Kore ",
      volume: "max",
      category: "movie",
    };
    expect(await usesOf(page, page.draw(), typed)).toEqual({
      "section-voice": ["toggle voice"],
      language: ['formController.changeSettings({"language":"de-DE"})'],
      "other-language": ['formController.changeSettings({"language":"gsw"})'],
      "other-voice": ['formController.changeSettings({"voice":"Kore"})'],
      volume: ['formController.changeSettings({"volume":{"option":"max","levelDbfs":0}})'],
      category: ['formController.changeSettings({"category":"movie"})'],
    });
    const empty = await usesOf(page, page.draw(), { "other-language": "  ", "other-voice": "", volume: "auto" });
    expect([empty["other-language"], empty["other-voice"], empty["volume"]]).toEqual([
      [],
      [],
      ['formController.changeSettings({"volume":{"option":"auto"}})'],
    ]);
    expect(summaryOf({}, "voiceSection")).toEqual([
      `button “${words.sectionVoice} English (United States)” #section-voice expanded=false`,
    ]);
  });

  test("has a level where the peak is to be one, within its bounds", async () => {
    const page = shown(settings({ volume: { option: "max", levelDbfs: -3 } }), "voiceSection");
    expect(outlineOf(page.draw()).filter((line) => /level|volume/.test(line))).toEqual([
      `combobox “${words.volume}” #volume = max`,
      `textbox “${words.level}” #level = -3 (${words.levelHint})`,
    ]);
    expect((await usesOf(page, page.draw(), { level: "−40" }))["level"]).toEqual([
      'formController.changeSettings({"volume":{"option":"max","levelDbfs":-10}})',
    ]);
    expect(
      outlineOf(shown(settings({ volume: { option: "max" } }), "voiceSection").draw()).filter((line) =>
        line.includes("#level"),
      ),
    ).toEqual([`textbox “${words.level}” #level = 0 (${words.levelHint})`]);
    expect(outlineOf(shown({ form: { ...FORM, wanted: "markers" } }, "voiceSection").draw()).join()).not.toMatch(
      /#(volume|other-voice|level)/,
    );
  });
});

test("the timing is of pauses and music in Standard, of text on screen in Extended", async () => {
  const standard = shown({}, "timingSection");
  expect(outlineOf(standard.draw())).toEqual([
    `button “${words.sectionTiming}” #section-timing expanded=true`,
    `checkbox “${words.autoFit}” #auto-fit checked (${words.autoFitHint})`,
    `checkbox “${words.overMusic}” #over-music checked (${words.overMusicHint})`,
    `textbox “${words.shortest}” #shortest = 0.75 (${words.shortestHint})`,
  ]);
  expect(await usesOf(standard, standard.draw(), { shortest: "1,23" })).toEqual({
    "section-timing": ["toggle timing"],
    "auto-fit": ['formController.changeSettings({"autoFit":false})'],
    "over-music": ['formController.changeSettings({"allowsOverMusic":false})'],
    shortest: ['formController.changeSettings({"minimumCueSeconds":1.25})'],
  });
  expect(
    outlineOf(shown(settings({ autoFit: false }), "timingSection").draw()).filter((line) => line.includes("shortest")),
  ).toEqual([`textbox “${words.shortest}” #shortest disabled = 0.75 (${words.shortestHint})`]);
  const extended = shown(settings({ type: "extended" }), "timingSection");
  expect(outlineOf(extended.draw())).toEqual([
    `button “${words.sectionTiming}” #section-timing expanded=true`,
    `checkbox “${words.allText}” #all-text (${words.allTextHint})`,
  ]);
  expect((await usesOf(extended, extended.draw()))["all-text"]).toEqual([
    'formController.changeSettings({"readsAllOnscreenText":true})',
  ]);
  const summaries = [
    {},
    { autoFit: false, allowsOverMusic: true },
    { type: "extended" },
    { type: "extended", readsAllOnscreenText: true },
  ];
  expect(summaries.flatMap((change) => summaryOf(settings(change), "timingSection"))).toEqual([
    `button “${words.sectionTiming} ${words.autoFit} · ${words.overMusic} · 0.75 s” #section-timing expanded=false`,
    `button “${words.sectionTiming} ${words.overMusic} · 0.75 s” #section-timing expanded=false`,
    `button “${words.sectionTiming}” #section-timing expanded=false`,
    `button “${words.sectionTiming} ${words.allText}” #section-timing expanded=false`,
  ]);
});

test("what helps the service is captions, instructions and a script; of a film the sound track too", async () => {
  const captionFile = { filename: "a.srt", content: "" };
  const page = shown(
    { form: { ...FORM, captionSource: "file", captionFile, settings: { ...FORM.settings, instructions: "Names." } } },
    "context",
  );
  expect(outlineOf(page.draw())).toEqual([
    `button “${words.sectionContext}” #section-context expanded=true`,
    `combobox “${words.captions}” #captions = file`,
    "a.srt",
    `button “${words.textKinds.captions}: ${words.chooseFile}” #choose-captions : ${words.chooseFile}`,
    `button “${words.textKinds.captions}: ${words.dropScript}” #drop-captions : ${words.dropScript}`,
    `textbox “${words.instructions}” #instructions = Names. (${words.instructionsHint})`,
    words.script,
    words.noScript,
    `button “${words.textKinds.script}: ${words.chooseFile}” #choose-script : ${words.chooseFile}`,
    words.scriptHint,
  ]);
  expect(await usesOf(page, page.draw(), { captions: "transcript", instructions: " Ann, Bo. " })).toEqual({
    "section-context": ["toggle context"],
    captions: ['formController.change({"captionSource":"transcript"})'],
    "choose-captions": ['textController.pick("captions")'],
    "drop-captions": ['textController.drop("captions")'],
    instructions: ['formController.changeSettings({"instructions":"Ann, Bo."})'],
    "choose-script": ['textController.pick("script")'],
  });
  const film = shown(settings({ audioTrack: "2" }), "film");
  expect(outlineOf(film.draw()).filter((line) => /sound-track|caption/.test(line))).toEqual([
    `combobox “${words.captions}” #captions = none`,
    `textbox “${words.soundTrack}” #sound-track = 2 (${words.soundTrackHint})`,
  ]);
  expect((await usesOf(film, film.draw()))["sound-track"]).toEqual(['formController.chooseSoundTrack("typed")']);
  const transcript = shown({ form: { ...FORM, captionSource: "transcript" } }, "context");
  expect(outlineOf(transcript.draw()).filter((line) => line.includes("#captions"))).toEqual([
    `combobox “${words.captions}” #captions = transcript (${words.transcriptHint})`,
  ]);
  expect([
    ...summaryOf({}, "context"),
    ...summaryOf(
      { form: { ...FORM, captionSource: "file", settings: { ...FORM.settings, instructions: "x" } } },
      "context",
    ),
  ]).toEqual([
    `button “${words.sectionContext} ${words.captionSources.none}” #section-context expanded=false`,
    `button “${words.sectionContext} ${words.captionSources.file} · …” #section-context expanded=false`,
  ]);
});

test("the export has its presets, those that nobody tried named so, and another program where there is one", async () => {
  const presets = [
    { name: "H.264", isProven: true },
    { name: "Small", isProven: false },
    { name: "ProRes", isProven: true },
  ];
  const page = shown({ presets, hasEncoder: true, form: { ...FORM, preset: "Small" } }, "exportSection");
  expect(outlineOf(page.draw())).toEqual([
    `button “${words.sectionExport}” #section-export expanded=true`,
    `combobox “${words.preset}” #preset = Small (${words.presetHint})`,
    `button “${words.choosePreset}” #choose-preset`,
    `combobox “${words.exportsIn}” #exports-in = premiere (${words.exportsInHint})`,
  ]);
  expect([...optionsOf(page.draw(), "preset"), ...optionsOf(page.draw(), "exports-in")]).toEqual([
    ": First that works",
    "H.264: H.264",
    "Small: Small (not yet tried in Premiere)",
    "ProRes: ProRes",
    `premiere: ${words.exporters.premiere}`,
    `encoder: ${words.exporters.encoder}`,
  ]);
  expect(await usesOf(page, page.draw(), { preset: "ProRes", "exports-in": "encoder" })).toEqual({
    "section-export": ["toggle export"],
    preset: ['formController.choosePreset("ProRes")'],
    "choose-preset": ["formController.pickPreset()"],
    "exports-in": ["formController.exportIn(true)"],
  });
  expect((await usesOf(page, page.draw(), { preset: "", "exports-in": "premiere" }))["exports-in"]).toEqual([
    "formController.exportIn(false)",
  ]);
  const shownIn = (state: Partial<PanelState>) =>
    outlineOf(shown(state, "exportSection").draw()).filter((line) => line.includes("exports-in"));
  expect([shownIn({}), shownIn({ form: { ...FORM, exportsIn: "encoder" } })].flat()).toEqual([
    `combobox “${words.exportsIn}” #exports-in = encoder (${words.exportsInHint})`,
  ]);
  expect([
    ...summaryOf({}, "exportSection"),
    ...summaryOf({ form: { ...FORM, preset: "Small" } }, "exportSection"),
  ]).toEqual([
    `button “${words.sectionExport} ${words.firstPreset}” #section-export expanded=false`,
    "button “Export Small” #section-export expanded=false",
  ]);
});

test("settings under a name are used and deleted each for itself, and kept once they have a name", async () => {
  const savedForms = ["Drama", "News", "Ads"].map((name) => ({
    name,
    form: { ...FORM, settings: { ...FORM.settings, voice: name } },
  }));
  const page = shown({ savedForms }, "savedSection");
  expect(outlineOf(page.draw())).toEqual([
    `button “${words.sectionSaved}” #section-saved expanded=true`,
    "Drama",
    `button “${words.useSettings}: Drama” #use-settings-Drama : ${words.useSettings}`,
    `button “${words.deleteSettings}: Drama” #delete-settings-Drama : ${words.deleteSettings}`,
    "News",
    `button “${words.useSettings}: News” #use-settings-News : ${words.useSettings}`,
    `button “${words.deleteSettings}: News” #delete-settings-News : ${words.deleteSettings}`,
    "Ads",
    `button “${words.useSettings}: Ads” #use-settings-Ads : ${words.useSettings}`,
    `button “${words.deleteSettings}: Ads” #delete-settings-Ads : ${words.deleteSettings}`,
    `textbox “${words.settingsName}” #settings-name = `,
    `button “${words.saveSettings}” #save-settings disabled`,
  ]);
  const uses = await usesOf(page, page.draw());
  expect(Object.keys(uses)).toEqual([
    "section-saved",
    "use-settings-Drama",
    "delete-settings-Drama",
    "use-settings-News",
    "delete-settings-News",
    "use-settings-Ads",
    "delete-settings-Ads",
    "settings-name",
  ]);
  for (const { name, form } of savedForms) {
    expect(uses[`use-settings-${name}`]).toEqual([`formController.change(${JSON.stringify(form)})`]);
    expect(uses[`delete-settings-${name}`]).toEqual([`formController.deleteSaved("${name}")`]);
  }
  expect(uses["settings-name"]).toEqual(['formNameDraft: "typed"']);
  const named = shown({ savedForms, formNameDraft: " x " }, "savedSection");
  expect((await usesOf(named, named.draw()))["save-settings"]).toEqual(["formController.save()"]);
  expect([...summaryOf({}, "savedSection"), ...summaryOf({ savedForms }, "savedSection")]).toEqual([
    `button “${words.sectionSaved} ${words.noSaved}” #section-saved expanded=false`,
    `button “${words.sectionSaved} Drama, News, Ads” #section-saved expanded=false`,
  ]);
});

describe("the pauses of the sequence", () => {
  const SEQUENCE = { ...jobEntry().sequence, durationSeconds: 120 };
  const SPEECH = [
    { start: 0, end: 10 },
    { start: 20, end: 30 },
    { start: 70, end: 110 },
  ];
  function gapsOf(state: Partial<PanelState> = {}, change: object = {}) {
    const page = viewPage({ sequence: SEQUENCE, ...state });
    const found = { basis: "sound", durationSeconds: 120, speech: SPEECH, music: [], unknown: [], ...change };
    if (change !== NONE) page.session.store.set({ gaps: { ...found, ...gapKeys(page.session.state) } as never });
    const { session, actions } = page;
    const parts = [gapsPart, gapsSection, lookForGaps];
    return { ...page, draw: () => parts.map((part) => part(session.state, actions)).filter((one) => one !== null) };
  }
  const NONE = {};

  test("are looked for by a press, not beside a job; while that lasts it is said how far it is", async () => {
    const page = gapsOf({}, NONE);
    expect(outlineOf(page.draw())).toEqual([`button “${words.lookForGaps}” #look-for-gaps`]);
    expect(await usesOf(page, page.draw())).toEqual({
      "look-for-gaps": ["gapController.look(false)"],
    });
    expect(outlineOf(gapsOf({ progress: {} as never }, NONE).draw()).at(-1)).toContain("disabled");
    const listening = gapsOf({ looking: { stage: "listen", fraction: 0.256 } }, NONE);
    expect(outlineOf(listening.draw())).toEqual([
      words.looking.listen,
      `progressbar “${words.looking.listen}” valuenow=26`,
      `button “${words.cancel}” #cancel-look`,
    ]);
    expect(await usesOf(listening, listening.draw())).toEqual({
      "cancel-look": ["gapController.cancel()"],
    });
    expect(outlineOf(gapsOf({ looking: { stage: "export" } }, NONE).draw())).toEqual([
      words.looking.export,
      words.exportHint,
      `button “${words.cancel}” #cancel-look`,
    ]);
  });

  test("are counted, with the words that fit; opened, they are told and listed, each with its time and room", async () => {
    expect(outlineOf(gapsOf().draw())).toEqual([
      `img “${words.gapStripLabel({ pauses: 3 })}” #strip`,
      "3 pauses · room for about 155 words · 5 descriptions",
      `button “${words.gapSection} 3 pauses” #section-gaps-listed expanded=false`,
    ]);
    const open = gapsOf({ openSections: ["gaps-listed"] });
    expect(outlineOf(open.draw())).toEqual([
      `img “${words.gapStripLabel({ pauses: 3 })}” #strip`,
      "3 pauses · room for about 155 words · 5 descriptions",
      `button “${words.gapSection}” #section-gaps-listed expanded=true`,
      `${words.gaps({ pauses: 3, basis: "the sound", room: 155, cues: 5 })} The pauses hold a sentence often enough. Standard fits. Pauses: 60.0 s. Speech: 50 %. 2 min at the hosted service: 1 credits as text, 1.5 with sound, 2 as a video.`,
      `group “${words.gapList}”`,
      "  button “00:00:10:00 · 10.0 s · 25 words” #gap-10",
      "  button “00:00:30:00 · 40.0 s · 105 words” #gap-30",
      "  button “00:01:50:00 · 10.0 s · 25 words” #gap-110",
      `button “${words.listenAgain}” #listen-for-gaps`,
    ]);
    expect(await usesOf(open, open.draw())).toEqual({
      "jump in strip": ["gapController.jump(30)"],
      "section-gaps-listed": ['formController.toggleSection("gaps-listed")'],
      "gap-10": ["gapController.jump(10)"],
      "gap-30": ["gapController.jump(30)"],
      "gap-110": ["gapController.jump(110)"],
      "listen-for-gaps": ["gapController.look(true)"],
    });
  });

  test("are listed as the eight longest, in order of time, on the clock of the sequence from where the range begins", () => {
    const speech = Array.from({ length: 11 }, (_, index) => ({
      start: 10 * index + 2 + 0.3 * index,
      end: 10 * index + 10,
    }));
    const from = { ...SEQUENCE, startFrame: 90_000, inPoint: 5, outPoint: 115 };
    const open = gapsOf(
      { openSections: ["gaps-listed"], sequence: from, form: { ...FORM, range: "in-to-out" } },
      { speech, durationSeconds: 110 },
    );
    const listed = outlineOf(open.draw()).filter((line) => line.includes("#gap-"));
    expect(listed.filter((line) => line.includes("button"))).toEqual([
      `  button “${words.gap({ time: "01:00:35:00", seconds: 2.9, room: 6 })}” #gap-30`,
      `  button “${words.gap({ time: "01:00:45:00", seconds: 3.2, room: 7 })}” #gap-40`,
      `  button “${words.gap({ time: "01:00:55:00", seconds: 3.5, room: 8 })}” #gap-50`,
      `  button “${words.gap({ time: "01:01:05:00", seconds: 3.8, room: 9 })}” #gap-60`,
      `  button “${words.gap({ time: "01:01:15:00", seconds: 4.1, room: 9 })}” #gap-70`,
      `  button “${words.gap({ time: "01:01:25:00", seconds: 4.4, room: 10 })}” #gap-80`,
      `  button “${words.gap({ time: "01:01:35:00", seconds: 4.7, room: 11 })}” #gap-90`,
      "  button “01:01:45:00 · 5.0 s · 12 words” #gap-100",
    ]);
  });

  test("that hold nothing say so, and what fits better; those that captions told can be listened for", () => {
    const speech = [{ start: 0, end: 120 }];
    expect(outlineOf(gapsOf({}, { speech }).draw())).toEqual([
      `0 pauses · room for about 0 words · 0 descriptions ${words.gapsFail}`,
      `button “${words.gapSection} 0 pauses” #section-gaps-listed expanded=false`,
    ]);
    const close = Array.from({ length: 100 }, (_, index) => ({ start: index * 1.2, end: index * 1.2 + 0.3 }));
    expect(outlineOf(gapsOf({}, { speech: close }).draw()).join()).toContain(
      "No pause is long enough for a sentence. Extended fits better.",
    );
    const told = gapsOf({ openSections: ["gaps-listed"], progress: {} as never }, { basis: "captions" });
    expect(
      outlineOf(told.draw())
        .filter((line) => line.includes("listen-for-gaps"))
        .map((line) => line.trim()),
    ).toEqual([`button “${words.listenForGaps}” #listen-for-gaps disabled`]);
    expect(elementOf(told.draw(), "gaps").children.length).toBe(2);
  });
});
