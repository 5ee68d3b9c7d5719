import type {
  ModelEstimateReply,
  NumberPart,
  SettingChoice,
  SettingChoicesReply,
  SettingsReply,
  SettingsTestReply,
} from "../../src/contract/service-settings.ts";

/** The parts that somebody does the work of. */
export const WORKING_PARTS = ["describer", "dialogue", "voice"] as const;

/** A part that somebody does the work of. */
export type WorkingPart = (typeof WORKING_PARTS)[number];

/** The parts that are numbers alone. */
export const NUMBER_PARTS = ["limits", "retention", "network"] as const satisfies readonly NumberPart[];

/** What is chosen of a part and not set yet. */
export interface PartDraft {
  /** Place of the choice in the list of its part. */
  readonly index: number;
  /** What was typed beside it, by name. */
  readonly typed: Readonly<Record<string, string>>;
}

/** The settings of the service in use, as the panel shows them. */
export interface ShownSettings {
  /** The service they are of. */
  readonly address: string;
  readonly settings: SettingsReply;
  /** What there is to choose; `null` until it was looked for. */
  readonly choices: SettingChoicesReply | null;
  readonly drafts: { readonly [Part in WorkingPart]?: PartDraft };
  /** Numbers that are typed and not set yet, by part and name. */
  readonly numbers: { readonly [Part in NumberPart]?: Readonly<Record<string, string>> };
  /** What came of trials; `trying` while one is under way. */
  readonly trials: { readonly [Part in WorkingPart]?: SettingsTestReply | "trying" };
}

/** What the model of a service would take for a film. */
export interface ModelEstimate {
  /** The service that was asked, and for how many seconds. */
  readonly address: string;
  readonly durationSeconds: number;
  readonly reply: ModelEstimateReply;
}

/** What is chosen of a part; absent while it is left as it is. */
export function chosenOf({ choices, drafts }: ShownSettings, part: WorkingPart): SettingChoice | undefined {
  const draft = drafts[part];
  return draft === undefined ? undefined : choices?.[part][draft.index];
}

/** Names of what can be typed beside a choice: what it needs, and a price where one is paid. */
export function fieldsOf({ needs, is_local }: SettingChoice): readonly string[] {
  return is_local ? needs : [...needs, "price"];
}

/** The values of a part as they are chosen and typed; `null` where something is missing, or nothing is chosen. */
export function valuesOf(shown: ShownSettings, part: WorkingPart): Readonly<Record<string, string>> | null {
  const chosen = chosenOf(shown, part);
  if (chosen === undefined) return null;
  const typed = Object.entries(shown.drafts[part]?.typed ?? {}).filter(([, value]) => value.trim() !== "");
  const values: Record<string, string> = { ...chosen.values, ...Object.fromEntries(typed) };
  // A key that is kept for the same server need not be typed again, nor is any asked for on this computer.
  const mayLack = (name: string) => name === "key" && (part !== "describer" || shown.settings[part].has_key);
  return chosen.needs.every((name) => mayLack(name) || values[name] !== undefined) ? values : null;
}

/** The numbers of a part as they are typed, beside those that were set before. An empty field sets its number no more. */
export function numbersOf({ settings, numbers }: ShownSettings, part: NumberPart): Readonly<Record<string, string>> {
  const set = settings[part].numbers.filter(({ decided_by }) => decided_by === "settings");
  return { ...Object.fromEntries(set.map(({ name, value }) => [name, value])), ...numbers[part] };
}

/** Hosts that are sent something by the settings; empty where nothing leaves the service's computer. */
export function hostsSentTo({ settings }: Pick<ShownSettings, "settings">): readonly string[] {
  const hosts = WORKING_PARTS.map((part) => settings[part].sends_to).filter((host) => host !== null);
  return [...new Set(hosts)];
}
