import { describe, expect, test } from "vitest";
import type { PanelState } from "../../../panel/state/panel-state.ts";
import type { ShownSettings } from "../../../panel/state/service-settings.ts";
import { settingsPart, trialWords } from "../../../panel/views/settings-part.ts";
import { words } from "../../../panel/words/words.ts";
import type { NumberInForce, PartInForce, SettingsReply } from "../../../src/contract/service-settings.ts";
import { optionsOf, outlineOf, usesOf } from "./drawn.ts";
import { viewPage } from "./view-page.ts";

const HERE = "http://127.0.0.1:8420";
const part = (state: string, change: Partial<PartInForce> = {}): PartInForce => ({
  decided_by: "settings",
  values: {},
  has_key: false,
  is_ready: true,
  state,
  sends_to: null,
  numbers: [],
  ...change,
});
const number = (name: string, change: Partial<NumberInForce> = {}): NumberInForce => ({
  name,
  title: `The ${name}`,
  value: "7",
  decided_by: "nobody",
  minimum: 1,
  maximum: 99,
  word: null,
  waits_for_start: false,
  ...change,
});
const CHOICES = {
  describer: [
    { title: "None", detail: "Nobody.", values: {}, needs: [], is_local: true },
    {
      title: "OpenAI",
      detail: "By the picture.",
      values: { server: "openai" },
      needs: ["model", "key"],
      is_local: false,
    },
    { title: "A server", detail: "Of your own.", values: {}, needs: ["server", "other"], is_local: true },
  ],
  dialogue: [],
  voice: [
    { title: "Built in", detail: "Plain.", values: {}, needs: [], is_local: true },
    { title: "The system's", detail: "Of this computer.", values: { system: "on" }, needs: [], is_local: true },
  ],
  system_voices: [
    { id: "1", name: "Anna", language: "de-DE", gender: "female" },
    { id: "2", name: "Tom", language: "en-US", gender: null },
    { id: "3", name: "Amelie", language: "fr-FR", gender: "female" },
  ],
} as const;

function settingsOf(change: Partial<SettingsReply> = {}): SettingsReply {
  const parts = {
    describer: part("OpenAI writes."),
    dialogue: part("Nobody listens.", { is_ready: false }),
    voice: part("The built-in voice.", { decided_by: "environment" }),
    privacy: part("What is chosen may leave.", { values: { local_only: "on" } }),
    models: part(""),
    limits: part("As usual.", {
      numbers: [
        number("minutes"),
        number("requests", { word: "forever" }),
        number("size", { decided_by: "environment" }),
      ],
    }),
    retention: part("Not readable.", { is_ready: false, numbers: [number("days", { waits_for_start: true })] }),
    network: part(""),
  };
  return { may_change: true, voices: [], ...parts, ...change };
}

function shown(
  change: Partial<ShownSettings> = {},
  state: Partial<PanelState> = {},
  settings: Partial<SettingsReply> = {},
) {
  const serviceSettings = {
    address: HERE,
    settings: settingsOf(settings),
    choices: CHOICES,
    drafts: {},
    numbers: {},
    trials: {},
    ...change,
  } as unknown as ShownSettings;
  const page = viewPage({ serviceSettings, ...state });
  return { ...page, draw: () => settingsPart(page.session.state, page.actions, "WHERE") };
}
const open = (...parts: readonly string[]) => ({ openSections: parts.map((one) => `settings-${one}`) });

describe("the settings of a service", () => {
  test("stand one card below the other, each with how it stands and one button, which is the main one where something is missing", async () => {
    const page = shown();
    expect(outlineOf(page.draw())).toEqual([
      `group “${words.settingParts.describer}”`,
      "  Writes OpenAI writes.",
      `  button “${words.changeWriter}: ${words.settingParts.describer}” #section-settings-describer expanded=false : ${words.changeWriter}`,
      `group “${words.settingParts.dialogue}”`,
      "  Listens ⚠ Nobody listens.",
      `  button “${words.settingsSetUp}: ${words.settingParts.dialogue}” #section-settings-dialogue expanded=false : ${words.settingsSetUp}`,
      `group “${words.settingParts.voice}”`,
      "  Speaks The built-in voice.",
      `  button “${words.changeWriter}: ${words.settingParts.voice}” #section-settings-voice expanded=false : ${words.changeWriter}`,
      `group “${words.modelsHere}”`,
      `  ${words.modelsHere} ${words.modelsHereHint}`,
      `  button “${words.modelsOpen}” #go-models`,
      "WHERE",
      `checkbox “${words.localOnly}” #local-only checked (What is chosen may leave.)`,
      "button “Limits As usual.” #section-settings-limits expanded=false",
      `button “${words.settingParts.retention} ✕ Not readable.” #section-settings-retention expanded=false`,
    ]);
    expect(await usesOf(page, page.draw())).toEqual({
      "section-settings-describer": [
        'formController.toggleSection("settings-describer")',
        "settingsController.findChoices()",
      ],
      "section-settings-dialogue": [
        'formController.toggleSection("settings-dialogue")',
        "settingsController.findChoices()",
      ],
      "section-settings-voice": ['formController.toggleSection("settings-voice")', "settingsController.findChoices()"],
      "go-models": ['panelController.go("models")'],
      "local-only": ["settingsController.setLocalOnly(false)"],
      "section-settings-limits": ['formController.toggleSection("settings-limits")'],
      "section-settings-retention": ['formController.toggleSection("settings-retention")'],
    });
    expect(JSON.stringify(page.draw()).match(/button primary/g)).toHaveLength(1);
  });

  test("that a key may not change say so, and offer nothing to be changed", () => {
    expect(outlineOf(shown({}, open("describer", "voice"), { may_change: false }).draw())).toEqual([
      `group “${words.settingParts.describer}”`,
      "  Writes OpenAI writes.",
      `  button “${words.close}: ${words.settingParts.describer}” #section-settings-describer expanded=true : ${words.close}`,
      `group “${words.settingParts.dialogue}”`,
      "  Listens ⚠ Nobody listens.",
      `  button “${words.settingsSetUp}: ${words.settingParts.dialogue}” #section-settings-dialogue expanded=false : ${words.settingsSetUp}`,
      `group “${words.settingParts.voice}”`,
      "  Speaks The built-in voice.",
      `  button “${words.close}: ${words.settingParts.voice}” #section-settings-voice expanded=true : ${words.close}`,
      `  ${words.settingsOfEnvironment}`,
      "WHERE",
      "What is chosen may leave.",
      "button “Limits As usual.” #section-settings-limits expanded=false",
      `button “${words.settingParts.retention} ✕ Not readable.” #section-settings-retention expanded=false`,
      words.settingsForAdministrators,
    ]);
  });

  test("of another service are not shown; damaged ones can be begun anew", async () => {
    expect(outlineOf(shown({ address: "http://other" }).draw())).toEqual(["WHERE"]);
    expect(outlineOf(shown({}, { serviceSettings: null }).draw())).toEqual(["WHERE"]);
    const damaged = shown({}, { damagedSettings: { address: HERE, sentence: "They cannot be read." } });
    expect(outlineOf(damaged.draw())).toEqual([
      "WHERE",
      "They cannot be read.",
      `button “${words.settingsAnew}” #settings-anew`,
    ]);
    expect(await usesOf(damaged, damaged.draw())).toEqual({
      "settings-anew": ["settingsController.beginAnew()"],
    });
    expect(
      outlineOf(shown({}, { damagedSettings: { address: "http://other", sentence: "They cannot be read." } }).draw()),
    ).toEqual(outlineOf(shown().draw()));
  });
});

describe("a part that is open", () => {
  const cardOf = (page: ReturnType<typeof shown>, name = words.settingParts.describer) => {
    const lines = outlineOf(page.draw());
    const at = lines.indexOf(`group “${name}”`);
    return lines
      .slice(
        at + 1,
        lines.findIndex((line, index) => index > at && !line.startsWith(" ")),
      )
      .map((line) => line.trim());
  };

  test("says that it is looked what there is, until that is known", () => {
    expect(cardOf(shown({ choices: null }, open("describer")))).toEqual([
      "Writes OpenAI writes.",
      `button “${words.close}: ${words.settingParts.describer}” #section-settings-describer expanded=true : ${words.close}`,
      words.settingsLooking,
      `button “${words.settingsTry.describer}” #try-describer`,
    ]);
  });

  test("offers each choice, and to leave it as it is; what is chosen is said, with what it needs", async () => {
    const page = shown({}, open("describer"));
    expect(cardOf(page)).toEqual([
      "Writes OpenAI writes.",
      `button “${words.close}: ${words.settingParts.describer}” #section-settings-describer expanded=true : ${words.close}`,
      `combobox “${words.settingsChange}” #describer-choice = as-it-is`,
      `button “${words.settingsTry.describer}” #try-describer`,
    ]);
    expect(optionsOf(page.draw(), "describer-choice")).toEqual([
      `as-it-is: ${words.settingsAsTheyAre}`,
      `0: ${words.captionSources.none}`,
      "1: OpenAI",
      "2: A server",
    ]);
    const typed = { model: "eyes", key: "" };
    const chosen = shown({ drafts: { describer: { index: 1, typed } } }, open("describer"));
    expect(cardOf(chosen)).toEqual([
      "Writes OpenAI writes.",
      `button “${words.close}: ${words.settingParts.describer}” #section-settings-describer expanded=true : ${words.close}`,
      `combobox “${words.settingsChange}” #describer-choice = 1 (By the picture. What it needs leaves this computer.)`,
      `textbox “${words.settingFields.model}” #describer-model = eyes`,
      "textbox “Key” #describer-key =",
      `textbox “${words.settingFields.price}” #describer-price =  (${words.priceHints.describer})`,
      `button “${words.settingsTry.describer}” #try-describer disabled`,
      `button “${words.settingsUse}” #use-describer disabled`,
    ]);
    const uses = await usesOf(chosen, chosen.draw(), { "describer-choice": "2" });
    expect(Object.fromEntries(Object.entries(uses).filter(([id]) => id.includes("describer")))).toEqual({
      "section-settings-describer": [
        'formController.toggleSection("settings-describer")',
        "settingsController.findChoices()",
      ],
      "describer-choice": ['settingsController.choose("describer", 2)'],
      "describer-model": ['settingsController.type("describer", "model", "typed")'],
      "describer-key": ['settingsController.type("describer", "key", "typed")'],
      "describer-price": ['settingsController.type("describer", "price", "typed")'],
    });
    expect((await usesOf(chosen, chosen.draw(), { "describer-choice": "as-it-is" }))["describer-choice"]).toEqual([
      'settingsController.choose("describer", null)',
    ]);
  });

  test("is used and tested once all that it needs is there; a field that has no name of ours has its own", () => {
    const drafts = (typed: Record<string, string>) => ({ drafts: { describer: { index: 2, typed } } });
    expect(cardOf(shown(drafts({}), open("describer"))).slice(-4)).toEqual([
      "textbox “Address” #describer-server =",
      "textbox “other” #describer-other =",
      `button “${words.settingsTry.describer}” #try-describer disabled`,
      `button “${words.settingsUse}” #use-describer disabled`,
    ]);
    expect(cardOf(shown(drafts({ server: "http://x", other: "y" }), open("describer"))).slice(-2)).toEqual([
      `button “${words.settingsTry.describer}” #try-describer`,
      `button “${words.settingsUse}” #use-describer`,
    ]);
  });

  test("that the environment decides says so and is tested, not chosen", () => {
    expect(cardOf(shown({}, open("voice")), words.settingParts.voice)).toEqual([
      "Speaks The built-in voice.",
      `button “${words.close}: ${words.settingParts.voice}” #section-settings-voice expanded=true : ${words.close}`,
      words.settingsOfEnvironment,
      `button “${words.listen}” #try-voice`,
    ]);
  });

  test("offers each of the system's voices where that is chosen", async () => {
    const page = shown({ drafts: { voice: { index: 1, typed: { system: "Tom" } } } }, open("voice"), {
      voice: part("Built in."),
    });
    expect(cardOf(page, words.settingParts.voice)).toEqual([
      "Speaks Built in.",
      `button “${words.close}: ${words.settingParts.voice}” #section-settings-voice expanded=true : ${words.close}`,
      `combobox “${words.settingsChange}” #voice-choice = 1 (Of this computer.)`,
      `combobox “${words.voice}” #voice-system = Tom`,
      `button “${words.listen}” #try-voice`,
      `button “${words.settingsUse}” #use-voice`,
    ]);
    expect(optionsOf(page.draw(), "voice-system")).toEqual([
      `on: ${words.systemVoiceAny}`,
      "Anna: Anna, German, female",
      "Tom: Tom, English (United States)",
      "Amelie: Amelie, French (France), female",
    ]);
    expect((await usesOf(page, page.draw(), { "voice-system": "Anna" }))["voice-system"]).toEqual([
      'settingsController.type("voice", "system", "Anna")',
    ]);
    const any = shown({ drafts: { voice: { index: 1, typed: {} } } }, open("voice"), { voice: part("Built in.") });
    expect(
      outlineOf(any.draw())
        .filter((line) => line.includes("voice-system"))
        .map((line) => line.trim()),
    ).toEqual([`combobox “${words.voice}” #voice-system = on`]);
  });

  test("shows what came of its trial, and is not tried again while one is under way", () => {
    const trial = { works: true, message: "It sees a boat.", seconds: 1.25, cost: 0.004 };
    expect(
      cardOf(shown({ trials: { describer: trial as never, voice: "trying" } }, open("describer"))).slice(-3),
    ).toEqual([
      `combobox “${words.settingsChange}” #describer-choice = as-it-is`,
      "✓ It sees a boat. 1.3 s, cost < 0.01",
      `button “${words.settingsTry.describer}” #try-describer`,
    ]);
    expect(
      cardOf(shown({ trials: { describer: { ...trial, works: false } as never } }, open("describer"))).slice(-3),
    ).toEqual([
      `combobox “${words.settingsChange}” #describer-choice = as-it-is`,
      "✕ It sees a boat. 1.3 s, cost < 0.01",
      `button “${words.settingsTry.describer}” #try-describer`,
    ]);
    expect(cardOf(shown({ trials: { describer: "trying" } }, open("describer"))).slice(-2)).toEqual([
      words.testing,
      `button “${words.settingsTry.describer}” #try-describer disabled`,
    ]);
  });
});

test.each([
  [{ message: "Yes.", seconds: 2 }, ["Yes.", words.trialTook({ seconds: "2.0" })]],
  [
    { message: "Yes.", seconds: 0.26, cost: 0.004 },
    ["Yes.", `${words.trialTook({ seconds: "0.3" })}, ${words.trialCost({ cost: "< 0.01" })}`],
  ],
  [
    { message: "Yes.", seconds: 2, tokens: 90 },
    ["Yes.", `${words.trialTook({ seconds: "2.0" })}, ${words.trialTokens({ tokens: 90 })}`],
  ],
  [
    { message: "Yes.", seconds: 2, tokens: 90, cost: 0.5 },
    ["Yes.", `${words.trialTook({ seconds: "2.0" })}, ${words.trialCost({ cost: "0.5" })}`],
  ],
  ["trying", [words.settingsTrying]],
] as const)("a trial, %o, is told with what it took", (trial, said) => {
  expect(trialWords(trial as never)).toEqual(said);
});

describe("a part of numbers", () => {
  test("has a field for each, with its range, its word and whose it is; what is typed counts once it is used", async () => {
    const page = shown({ numbers: { limits: { minutes: "12" } } }, open("limits", "retention"));
    const lines = outlineOf(page.draw());
    expect(lines.slice(lines.findIndex((line) => line.includes("section-settings-limits")))).toEqual([
      `button “${words.settingParts.limits}” #section-settings-limits expanded=true`,
      `textbox “The minutes” #limits-minutes = 12 (${words.settingsRange({ minimum: 1, maximum: 99 })})`,
      `textbox “The requests” #limits-requests = 7 (${words.settingsRange({ minimum: 1, maximum: 99 })} ${words.settingsOrWord({ word: "forever" })})`,
      `textbox “The size” #limits-size disabled = 7 (${words.settingsOfEnvironment})`,
      `button “${words.settingsUse}” #use-limits`,
      `button “${words.settingParts.retention}” #section-settings-retention expanded=true`,
      "✕ Not readable.",
      `textbox “The days” #retention-days = 7 (${words.settingsRange({ minimum: 1, maximum: 99 })} ${words.settingsFromStart})`,
      `button “${words.settingsUse}” #use-retention disabled`,
    ]);
    const uses = Object.entries(await usesOf(page, page.draw())).filter(([id]) => /limits|retention/.test(id));
    expect(Object.fromEntries(uses)).toEqual({
      "section-settings-limits": ['formController.toggleSection("settings-limits")'],
      "limits-minutes": ['settingsController.typeNumber("limits", "minutes", "typed")'],
      "limits-requests": ['settingsController.typeNumber("limits", "requests", "typed")'],
      "use-limits": ['settingsController.useNumbers("limits")'],
      "section-settings-retention": ['formController.toggleSection("settings-retention")'],
      "retention-days": ['settingsController.typeNumber("retention", "days", "typed")'],
    });
  });
});

test("whether something may leave is a box where it can be changed, and a sentence where it cannot", async () => {
  const page = shown();
  expect(outlineOf(page.draw()).filter((line) => line.includes("local-only"))).toEqual([
    `checkbox “${words.localOnly}” #local-only checked (What is chosen may leave.)`,
  ]);
  const off = shown({}, {}, { privacy: part("What is chosen may leave.") });
  expect(outlineOf(off.draw()).filter((line) => line.includes("local-only"))).toEqual([
    `checkbox “${words.localOnly}” #local-only (What is chosen may leave.)`,
  ]);
  expect((await usesOf(off, off.draw()))["local-only"]).toEqual(["settingsController.setLocalOnly(true)"]);
  const fixed = shown({}, {}, { privacy: part("It is fixed.", { decided_by: "environment" }) });
  expect(outlineOf(fixed.draw())).toContain("It is fixed.");
});
