import { type ChangedSettings, SETTING_PARTS, type SettingPart } from "../../contract/service-settings.ts";
import { isSet } from "../../engine/isolate/passed-variables.ts";
import { SETTINGS } from "./setting-table.ts";
import { SettingsError } from "./settings-error.ts";
import { hasKey, type KeptSettings, type PartWithKey } from "./settings-file.ts";

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
