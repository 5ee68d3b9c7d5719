import type { NumberInForce, NumberPart, SettingsTestReply } from "../../src/contract/service-settings.ts";
import { isSwitchedOn } from "../../src/core/settings.ts";
import type { Actions } from "../controllers/actions.ts";
import { type Child, type ElementNode, element } from "../document/element.ts";
import type { PanelState } from "../state/panel-state.ts";
import {
  chosenOf,
  fieldsOf,
  NUMBER_PARTS,
  type ShownSettings,
  valuesOf,
  WORKING_PARTS,
  type WorkingPart,
} from "../state/service-settings.ts";
import { languageName } from "../words/language-names.ts";
import { costText, secondsText, words } from "../words/words.ts";
import { button, checkBox, choice, labelled, primaryButton, section, text, textField, typedText } from "./controls.ts";

/** Value of the choice that leaves a part as it is. */
const AS_IT_IS = "as-it-is";

/**
 * Who describes, hears and speaks in the service in use, and what may leave its computer. Nothing where it does not say.
 *
 * @param where The card that says where it runs, for its place among the others.
 */
export function settingsPart(state: PanelState, actions: Actions, where: Child = null): Child[] {
  const { serviceSettings: shown, damagedSettings: damaged } = state;
  if (damaged !== null && damaged.address === state.service.address) {
    return [
      where,
      text(damaged.sentence, "fault"),
      button("settings-anew", words.settingsAnew, () =>
        actions.session.run(() => actions.settingsController.beginAnew()),
      ),
    ];
  }
  if (shown === null || shown.address !== state.service.address) return [where];
  return [
    ...WORKING_PARTS.map((part) => partSection(part, shown, state, actions)),
    modelsCard(shown, actions),
    where,
    privacyBox(shown, actions),
    ...NUMBER_PARTS.map((part) => numbersSection(part, shown, state, actions)),
    shown.settings.may_change ? null : text(words.settingsForAdministrators, "hint"),
  ];
}

function partSection(part: WorkingPart, shown: ShownSettings, state: PanelState, actions: Actions): ElementNode {
  const id = `settings-${part}`;
  const { state: said, is_ready, decided_by } = shown.settings[part];
  const toggle = () => {
    actions.formController.toggleSection(id);
    actions.session.run(() => actions.settingsController.findChoices());
  };
  return settingCard(
    {
      id,
      label: words.settingParts[part],
      state: said,
      isReady: is_ready,
      isOpen: state.openSections.includes(id),
      toggle,
    },
    decided_by === "environment" ? text(words.settingsOfEnvironment, "hint") : null,
    decided_by === "environment" || !shown.settings.may_change ? null : chooser(part, shown, actions),
    trialLines(part, shown),
    shown.settings.may_change ? tryAndUse(part, shown, actions) : null,
  );
}

/** What a card of the settings says of its part, and what opens it. */
interface SettingCard {
  readonly id: string;
  readonly label: string;
  readonly state: string;
  readonly isReady: boolean;
  readonly isOpen: boolean;
  /** `null` where it stays open, whatever is pressed. */
  readonly toggle: (() => void) | null;
}

/** A part of the settings: what it does, how it stands, and one button, which is the main one where something is missing. */
export function settingCard(card: SettingCard, ...children: readonly Child[]): ElementNode {
  const { id, label, state, isReady, isOpen, toggle } = card;
  const action = isOpen ? words.settingsClose : isReady ? words.changeWriter : words.settingsSetUp;
  return element(
    "div",
    { class: "card", key: id, role: "group", "aria-label": label },
    element(
      "div",
      { class: "setting-head" },
      element(
        "div",
        { class: "grow" },
        element("div", { class: "hint" }, label),
        element(
          "div",
          { class: isReady ? "setting-state" : "setting-state warning" },
          `${isReady ? "" : "⚠ "}${state}`,
        ),
      ),
      toggle === null
        ? null
        : button(`section-${id}`, action, toggle, {
            class: isReady || isOpen ? "button" : "button primary",
            "aria-expanded": String(isOpen),
            "aria-label": `${action}: ${label}`,
          }),
    ),
    isOpen ? element("div", { class: "setting-body" }, children) : null,
  );
}

function chooser(part: WorkingPart, shown: ShownSettings, actions: Actions): Child {
  const { settingsController } = actions;
  const { choices, drafts } = shown;
  if (choices === null) return text(words.settingsLooking, "hint");
  const options = choices[part].map(({ title }, index) => [String(index), title] as const);
  const chosen = chosenOf(shown, part);
  return element(
    "div",
    { class: "settings-choice", key: "choice" },
    labelled(
      words.settingsChange,
      choice(
        `${part}-choice`,
        words.settingsChange,
        String(drafts[part]?.index ?? AS_IT_IS),
        [[AS_IT_IS, words.settingsAsTheyAre], ...options],
        (value) => settingsController.choose(part, value === AS_IT_IS ? null : Number(value)),
      ),
      chosen === undefined ? undefined : `${chosen.detail}${chosen.is_local ? "" : ` ${words.settingsLeaves}`}`,
    ),
    chosen === undefined
      ? null
      : fieldsOf(chosen).map((name) => field(part, name, drafts[part]?.typed[name] ?? "", actions)),
    chosen?.values["system"] === undefined ? null : systemVoices(shown, actions),
  );
}

function field(part: WorkingPart, name: string, value: string, { settingsController }: Actions): ElementNode {
  const label = words.settingFields[name as keyof typeof words.settingFields] ?? name;
  return labelled(
    label,
    textField(`${part}-${name}`, label, value, {
      oninput: (event: Parameters<typeof typedText>[0]) => settingsController.type(part, name, typedText(event)),
    }),
    name === "price" ? words.priceHints[part] : undefined,
  );
}

/** The way to the models that this computer has or may have. */
function modelsCard({ settings }: ShownSettings, { panelController }: Actions): Child {
  if (!settings.may_change) return null;
  return element(
    "div",
    { class: "card", key: "models-here", role: "group", "aria-label": words.modelsHere },
    element(
      "div",
      { class: "setting-head" },
      element(
        "div",
        { class: "grow" },
        element("div", { class: "setting-state" }, words.modelsHere),
        text(words.modelsHereHint, "hint"),
      ),
      button("go-models", words.modelsOpen, () => panelController.go("models")),
    ),
  );
}

/** A part that is numbers alone: a field for each that can be set here. Nothing where the service does not tell its numbers. */
function numbersSection(part: NumberPart, shown: ShownSettings, state: PanelState, actions: Actions): Child {
  const { numbers, state: said, is_ready } = shown.settings[part];
  if (numbers.length === 0) return null;
  const { session, formController, settingsController } = actions;
  const id = `settings-${part}`;
  const drafts = shown.numbers[part];
  const sentence = `${is_ready ? "" : "✕ "}${said}`;
  return section(
    id,
    words.settingParts[part],
    sentence,
    state.openSections.includes(id),
    () => formController.toggleSection(id),
    is_ready ? null : text(sentence, "fault"),
    numbers.map((number) => numberField(part, number, drafts?.[number.name], actions)),
    primaryButton(`use-${part}`, words.settingsUse, () => session.run(() => settingsController.useNumbers(part)), {
      disabled: drafts === undefined,
    }),
  );
}

function numberField(
  part: NumberPart,
  { name, title, value, decided_by, minimum, maximum, word, waits_for_start }: NumberInForce,
  typed: string | undefined,
  { settingsController }: Actions,
): ElementNode {
  const hints = [
    decided_by === "environment" ? words.settingsOfEnvironment : words.settingsRange({ minimum, maximum }),
    word === null || decided_by === "environment" ? "" : words.settingsOrWord({ word }),
    waits_for_start ? words.settingsFromStart : "",
  ];
  return labelled(
    title,
    textField(`${part}-${name}`, title, typed ?? value, {
      disabled: decided_by === "environment",
      oninput: (event: Parameters<typeof typedText>[0]) => settingsController.typeNumber(part, name, typedText(event)),
    }),
    hints.filter((hint) => hint !== "").join(" "),
  );
}

/** The voices that the system has, one of which may be named. */
function systemVoices({ choices, drafts }: ShownSettings, { settingsController }: Actions): ElementNode {
  const named = (choices?.system_voices ?? []).map(
    ({ name, language, gender }) =>
      [name, [name, languageName(language), gender].filter((word) => word !== null).join(", ")] as const,
  );
  return labelled(
    words.systemVoice,
    choice(
      "voice-system",
      words.systemVoice,
      drafts.voice?.typed["system"] ?? "on",
      [["on", words.systemVoiceAny], ...named],
      (name) => settingsController.type("voice", "system", name),
    ),
  );
}

function tryAndUse(part: WorkingPart, shown: ShownSettings, actions: Actions): ElementNode {
  const { session, settingsController } = actions;
  const isChosen = shown.drafts[part] !== undefined;
  const isWhole = valuesOf(shown, part) !== null;
  return element(
    "div",
    { class: "actions", key: "actions" },
    button(`try-${part}`, words.settingsTry[part], () => session.run(() => settingsController.try(part)), {
      disabled: (isChosen && !isWhole) || shown.trials[part] === "trying",
    }),
    isChosen
      ? primaryButton(`use-${part}`, words.settingsUse, () => session.run(() => settingsController.use(part)), {
          disabled: !isWhole,
        })
      : null,
  );
}

/** What came of a trial: the sentence, and what it took. */
export function trialWords(trial: SettingsTestReply | "trying"): readonly string[] {
  if (trial === "trying") return [words.settingsTrying];
  const { message, seconds, cost, tokens } = trial;
  const took = words.trialTook({ seconds: secondsText(seconds) });
  const price = cost === undefined ? (tokens === undefined ? "" : `, ${words.trialTokens({ tokens })}`) : "";
  const paid = cost === undefined ? price : `, ${words.trialCost({ cost: costText(cost) })}`;
  return [message, `${took}${paid}`];
}

function trialLines(part: WorkingPart, { trials }: ShownSettings): ElementNode {
  const trial = trials[part];
  const [first, took] = trial === undefined ? [] : trialWords(trial);
  const sign = trial === undefined || trial === "trying" ? "" : trial.works ? "✓ " : "✕ ";
  return element(
    "div",
    { id: `trial-${part}`, key: "trial" },
    first === undefined ? null : text(`${sign}${first}`, sign === "✕ " ? "fault" : "line"),
    took === undefined ? null : text(took, "hint"),
  );
}

function privacyBox(shown: ShownSettings, { session, settingsController }: Actions): ElementNode {
  const { decided_by, state } = shown.settings.privacy;
  const isOn = isLocalOnly(shown);
  if (!shown.settings.may_change || decided_by === "environment") return text(state, "hint");
  return checkBox(
    "local-only",
    words.localOnly,
    isOn,
    (isTicked) => session.run(() => settingsController.setLocalOnly(isTicked)),
    state,
  );
}

/** Whether nothing may leave the service's computer. */
function isLocalOnly({ settings }: ShownSettings): boolean {
  return isSwitchedOn(settings.privacy.values["local_only"] ?? "") === true;
}
