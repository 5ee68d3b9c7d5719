import { type ChangedSettings, SETTING_PARTS, type SettingPart } from "../../contract/service-settings.ts";
import { isSet } from "../../engine/isolate/cage.ts";
import type { Environment } from "../../engine/outgoing/local-only.ts";
import { MODELS_MIRROR } from "../../engine/store/fetch-file.ts";
import { MODELS_FOLDER } from "../../engine/store/installed.ts";
import { NUMBERS } from "./number-settings.ts";
import { hasKey, type KeptSettings, type PartWithKey, SettingsError } from "./settings-file.ts";

/** One setting: the environment variable that says the same. */
interface Setting {
  readonly variable: string;
  /** A secret: it is kept apart, and never told. */
  readonly isKey?: true;
  /** It names a program or a file of the service's computer: only whoever sits there may set it, see `ServiceSettings.change`. */
  readonly isOfThisComputer?: true;
  /** It means the same whatever else its part says: a variable of it alone leaves the rest to the settings. */
  readonly isByItself?: true;
}

const byItself = (variable: string): Setting => ({ variable, isByItself: true });
const numbers = (ofPart: Readonly<Record<string, { readonly variable: string }>>) =>
  Object.fromEntries(Object.entries(ofPart).map(([name, { variable }]) => [name, byItself(variable)]));
const ofThisComputer = (variable: string): Setting => ({ variable, isOfThisComputer: true });

/** Every setting by part and name. What each takes is read where its variable is. */
export const SETTINGS: { readonly [Part in SettingPart]: Readonly<Record<string, Setting>> } = {
  describer: {
    server: { variable: "ASIDE_VISION_URL" },
    model: { variable: "ASIDE_VISION_MODEL" },
    key: { variable: "ASIDE_VISION_KEY", isKey: true },
    preset: { variable: "ASIDE_VISION_PRESET" },
    price: byItself("ASIDE_VISION_PRICE"),
    parallel: byItself("ASIDE_VISION_PARALLEL"),
    timeout: byItself("ASIDE_VISION_TIMEOUT"),
  },
  dialogue: {
    server: { variable: "ASIDE_TRANSCRIPTION_URL" },
    model: { variable: "ASIDE_TRANSCRIPTION_MODEL" },
    key: { variable: "ASIDE_TRANSCRIPTION_KEY", isKey: true },
    price: byItself("ASIDE_TRANSCRIPTION_PRICE"),
    timeout: byItself("ASIDE_TRANSCRIPTION_TIMEOUT"),
  },
  voice: {
    server: { variable: "ASIDE_VOICE_URL" },
    model: { variable: "ASIDE_VOICE_MODEL" },
    key: { variable: "ASIDE_VOICE_KEY", isKey: true },
    system: { variable: "ASIDE_VOICE_SYSTEM" },
    natural: { variable: "ASIDE_VOICE_NATURAL" },
    command: ofThisComputer("ASIDE_VOICE_COMMAND"),
    recordings: ofThisComputer("ASIDE_VOICE_RECORDINGS"),
    names: { variable: "ASIDE_VOICE_NAMES" },
    languages: byItself("ASIDE_VOICE_LANGUAGES"),
    price: byItself("ASIDE_VOICE_PRICE"),
    timeout: byItself("ASIDE_VOICE_TIMEOUT"),
  },
  privacy: {
    local_only: { variable: "ASIDE_LOCAL_ONLY" },
  },
  models: {
    mirror: byItself(MODELS_MIRROR),
    folder: { ...ofThisComputer(MODELS_FOLDER), isByItself: true },
  },
  limits: numbers(NUMBERS.limits),
  retention: numbers(NUMBERS.retention),
  network: numbers(NUMBERS.network),
};

/** Whether an environment says who does the work of a part: the settings do not count then, not even their key. */
export function isDecidedBy(environment: Environment, part: SettingPart): boolean {
  return Object.values(SETTINGS[part]).some(
    ({ variable, isByItself }) => isByItself !== true && isSet(environment[variable]),
  );
}

/** What variables say of a part, without its key. */
export function valuesIn(environment: Environment, part: SettingPart): Record<string, string> {
  const said = Object.entries(SETTINGS[part]).flatMap(([name, { variable, isKey }]) => {
    const value = environment[variable];
    return isKey !== true && isSet(value) ? [[name, value] as const] : [];
  });
  return Object.fromEntries(said);
}

/**
 * A sentence about variables as one about settings: `ASIDE_VISION_MODEL` is `describer.model`.
 *
 * @param environment Variables that it says itself keep their names. Default: none.
 */
export function inSettingNames(sentence: string, environment: Environment = {}): string {
  // Whole names alone: ASIDE_MODELS begins another one.
  return sentence.replace(/\bASIDE_\w+/g, (variable) =>
    isSet(environment[variable]) ? variable : (NAMES.get(variable) ?? variable),
  );
}

/** Names of settings by their variables. */
const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(SETTINGS).flatMap(([part, settings]) =>
    Object.entries(settings).map(([name, { variable }]) => [variable, `${part}.${name}`] as const),
  ),
);

/** A change with what else is set of its parts. */
export function addedTo(kept: KeptSettings, change: ChangedSettings): ChangedSettings {
  const parts = SETTING_PARTS.filter((part) => change[part] !== undefined);
  return Object.fromEntries(parts.map((part) => [part, { ...kept[part], ...change[part] }]));
}

/** The settings after a change. @throws SettingsError `setting_unknown`. */
export function changed(kept: KeptSettings, change: ChangedSettings): KeptSettings {
  const next: { -readonly [Name in keyof KeptSettings]: KeptSettings[Name] } = { ...kept, keys: { ...kept.keys } };
  for (const part of SETTING_PARTS) {
    const values = change[part];
    if (values === undefined) continue;
    const unknown = Object.keys(values).find((name) => !Object.hasOwn(SETTINGS[part], name));
    if (unknown !== undefined) {
      const names = Object.keys(SETTINGS[part]).join(", ");
      throw new SettingsError("setting_unknown", `There is no setting "${part}.${unknown}". There are: ${names}.`);
    }
    const { key, ...others } = values;
    next[part] = Object.fromEntries(Object.entries(others).filter(([, value]) => isSet(value)));
    if (hasKey(part)) next.keys = { ...next.keys, [part]: keptKey(part, next, key) };
  }
  return next;
}

/** The key of a part after a change: the new one, else the old one where the server stayed. An empty one removes it. */
function keptKey(part: PartWithKey, next: KeptSettings, given: string | undefined) {
  const server = next[part]?.["server"] ?? "";
  if (given !== undefined) return isSet(given) ? { server, key: given.trim() } : undefined;
  const before = next.keys?.[part];
  return before?.server === server ? before : undefined;
}

/** Refuses what names a program or a file of the service's computer anew. @throws SettingsError `setting_of_its_computer`. */
export function requireNoneOfItsComputer(
  part: SettingPart,
  values: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>>,
): void {
  for (const [name, value] of Object.entries(values)) {
    if (SETTINGS[part][name]?.isOfThisComputer !== true || value === before[name]) continue;
    throw new SettingsError(
      "setting_of_its_computer",
      `"${part}.${name}" names something of the service's own computer, and is set there alone: aside settings set ${part}.${name}=…`,
    );
  }
}
