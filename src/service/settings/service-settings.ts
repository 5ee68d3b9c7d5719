import { dirname, join } from "node:path";
import {
  type ChangedSettings,
  NUMBER_PARTS,
  type PartInForce,
  SETTING_PARTS,
  type SettingPart,
  type SettingsInForce,
} from "../../contract/service-settings.ts";
import { hideSecrets } from "../../core/text.ts";
import { isSet } from "../../engine/isolate/cage.ts";
import { type Environment, isLocalOnly } from "../../engine/outgoing/local-only.ts";
import { withInstalledModels } from "../../engine/store/installed.ts";
import { withSystemVoice } from "../../engine/voice/system/system-voices.ts";
import type { ServiceConfiguration } from "../configuration.ts";
import { KeptKeys, type OpenedKey } from "./kept-keys.ts";
import { KEY_STORE_WORDS, type KeyStoreFault, type UserKeyStore } from "./key-store.ts";
import { numberFault, numberIn, numbersInForce, withNumbers } from "./number-settings.ts";
import {
  addedTo,
  changed,
  inSettingNames,
  isDecidedBy,
  requireNoneOfItsComputer,
  SETTINGS,
  valuesIn,
} from "./setting-table.ts";
import {
  hasKey,
  type KeptSettings,
  PARTS_WITH_KEY,
  type PartWithKey,
  putSettingsAside,
  readSettingsFile,
  SettingsError,
  writeSettingsFile,
} from "./settings-file.ts";
import { stateOfPart } from "./state-of-part.ts";

/** Where settings come from. */
export interface SettingsSource {
  /** The file they are kept in; made when something is set. `null`: nothing can be set, the environment alone counts. */
  readonly file: string | null;
  /** Environment of the service's process: its variables win. */
  readonly environment: Environment;
  /** Where keys stand that are set: the key store of the one user whose file it is. Default: the file has them too. */
  readonly keyStore?: UserKeyStore;
}

/** The keys that count, as far as they can be had, by part. */
type OpenedKeys = { readonly [Part in PartWithKey]?: OpenedKey };

/** Name of the file of settings in its folder. */
export const SETTINGS_FILE = "settings.json";

/** Who asks for a change, and how. */
export interface ChangedBy {
  /** Whether it is somebody at the service's own computer, who may name programs and files of it. */
  readonly isOnItsComputer: boolean;
  /** Whether what else is set of a part stays. Default: a part is replaced as a whole. */
  readonly isAddition?: boolean;
}

/** One value that counts, and whose word it is. */
interface ValueWithSource {
  /** Part and name, such as `voice.server`. */
  readonly setting: string;
  /** The variable that says the same. */
  readonly variable: string;
  /** `null` for a key: it is never told. */
  readonly value: string | null;
  readonly source: "settings" | "environment";
}

/**
 * What a person set of a service: who describes, hears and speaks. It is read anew whenever it is needed: the page, the
 * panel and the command line change one file. Variables of the environment win: where they say who does the work of a part,
 * that part of the settings does not count, and no key of it is sent anywhere.
 */
export class ServiceSettings {
  readonly #source: SettingsSource;
  readonly #keys: KeptKeys;
  /** One change after the other. */
  #changing: Promise<unknown> = Promise.resolve();
  /** The variables that a service was started with; `null` where none runs in this process. */
  #atStart: Environment | null = null;

  constructor(source: SettingsSource) {
    this.#source = source;
    this.#keys = new KeptKeys(source.keyStore ?? null);
  }

  /** Whether anything can be set. */
  get canChange(): boolean {
    return this.#source.file !== null;
  }

  /** Folder in which models are kept, unless a variable names another; `null` where nothing can be set. */
  get modelsFolder(): string | null {
    return this.#source.file === null ? null : join(dirname(this.#source.file), "models");
  }

  /**
   * The environment with what is set: what processes of jobs are started with, and the voices of this system where they are
   * to speak.
   *
   * @param keysNeeded Variables of keys that have to be there where they are set; others are left out when the key store does
   * not give them. Default: every one.
   * @throws SettingsError `settings_unusable`, `settings_damaged`, `key_store_unusable`.
   */
  async variables(keysNeeded?: readonly string[]): Promise<Environment> {
    return this.#withFound(await this.#withKeys(await this.#read(), keysNeeded));
  }

  /**
   * The same as if some parts were set otherwise: for a trial. A key that is not given is the kept one, where its server
   * stays.
   *
   * @throws SettingsError as {@link change} does, but for what cannot be used: that is what a trial shows.
   */
  async trial(change: ChangedSettings, by: ChangedBy): Promise<Environment> {
    const before = await this.#read();
    const kept = changed(before, change);
    this.#require(change, before, by);
    return this.#withFound(await this.#withKeys(kept));
  }

  /** Whether nothing may leave this computer. @throws SettingsError `settings_unusable`, `settings_damaged`. */
  async isLocalOnly(): Promise<boolean> {
    return isLocalOnly(this.#with(await this.#read()));
  }

  /**
   * A configuration with the numbers that are set: limits and retention. They count over those of its file.
   *
   * @throws SettingsError `settings_unusable`, `settings_damaged`, `setting_refused` where a variable or the file says what is no number of the
   * range.
   */
  async over(configuration: ServiceConfiguration): Promise<ServiceConfiguration> {
    return withNumbers(configuration, this.#with(await this.#read()));
  }

  /** The same, where what is not readable must stop nobody: the configuration alone counts then, and the settings say why. */
  async limits(configuration: ServiceConfiguration): Promise<ServiceConfiguration> {
    return this.over(configuration).catch((error: unknown) => {
      if (error instanceof SettingsError) return configuration;
      throw error;
    });
  }

  /** The port that a service is to listen on; `null` where nobody says, or the file cannot be used. @throws as {@link start}. */
  async port(): Promise<number | null> {
    return numberIn(await this.#startable(), "network", "port") ?? null;
  }

  /**
   * Notes that a service starts with what is set now. A file that cannot be used keeps none from starting: what needs it says
   * so, and the rest goes on.
   *
   * @throws SettingsError `setting_refused` where a variable of the environment says what is no number of its range.
   */
  async start(): Promise<void> {
    this.#atStart = await this.#startable();
  }

  async #startable(): Promise<Environment> {
    const { environment } = this.#source;
    for (const part of NUMBER_PARTS) {
      const fault = numberFault(part, environment);
      if (fault !== null) throw new SettingsError("setting_refused", `${fault}.`);
    }
    const variables = await this.#read().then(
      (kept) => this.#with(kept),
      () => environment,
    );
    return numberFault("network", variables) === null ? variables : environment;
  }

  /**
   * What is in force, without keys.
   *
   * @param configuration What counts where nobody sets anything.
   * @throws SettingsError `settings_unusable`, `settings_damaged`.
   */
  async inForce(configuration: ServiceConfiguration): Promise<SettingsInForce> {
    const kept = await this.#read();
    const keys = await this.#opened(kept);
    const variables = await this.#withFound(this.#with(kept, keys));
    const inForce = (part: SettingPart) => this.#partInForce(part, kept, { variables, configuration, keys });
    return {
      describer: inForce("describer"),
      dialogue: inForce("dialogue"),
      voice: inForce("voice"),
      privacy: inForce("privacy"),
      models: inForce("models"),
      limits: inForce("limits"),
      retention: inForce("retention"),
      network: inForce("network"),
    };
  }

  /** Every value of some parts that is not the default, with its source. @throws SettingsError `settings_unusable`, `settings_damaged`. */
  async valuesWithSource(parts: readonly SettingPart[]): Promise<readonly ValueWithSource[]> {
    const { environment } = this.#source;
    const kept = await this.#read();
    const variables = this.#with(kept, await this.#opened(kept));
    return parts.flatMap((part) =>
      Object.entries(SETTINGS[part]).flatMap(([name, { variable, isKey }]): ValueWithSource[] => {
        const value = variables[variable];
        if (!isSet(value)) return [];
        const source = isSet(environment[variable]) ? "environment" : "settings";
        return [{ setting: `${part}.${name}`, variable, value: isKey === true ? null : value, source }];
      }),
    );
  }

  /**
   * Sets some parts anew, each as a whole, or adds to them. A part that cannot be used is refused, and nothing changes then.
   *
   * @throws SettingsError with what stands in the way.
   */
  change(change: ChangedSettings, by: ChangedBy): Promise<void> {
    const turn = this.#changing.then(() => this.#change(change, by));
    this.#changing = turn.catch(() => undefined);
    return turn;
  }

  /**
   * Puts a damaged file aside, so that nothing is set any more. Keys that it named in the key store stay there.
   *
   * @returns The name that the file has now, in the same folder.
   * @throws SettingsError `setting_refused` where it is not damaged; `settings_unusable`.
   */
  beginAnew(): Promise<string> {
    const turn = this.#changing.then(() => this.#beginAnew());
    this.#changing = turn.catch(() => undefined);
    return turn;
  }

  async #beginAnew(): Promise<string> {
    const { file } = this.#source;
    const isDamaged = await this.#read().then(
      () => false,
      (error: unknown) => {
        if (error instanceof SettingsError && error.code === "settings_damaged") return true;
        throw error;
      },
    );
    if (file !== null && isDamaged) return putSettingsAside(file, new Date());
    throw new SettingsError(
      "setting_refused",
      "The settings can be read, so nothing was set aside. Each part can be reset by itself.",
    );
  }

  async #change(asked: ChangedSettings, by: ChangedBy): Promise<void> {
    const { file } = this.#source;
    if (file === null) {
      throw new SettingsError(
        "decided_by_environment",
        "This service is set by the environment of its processes alone, because there may be many of them.",
      );
    }
    const before = await this.#read();
    const change = by.isAddition === true ? addedTo(before, asked) : asked;
    const kept = changed(before, change);
    this.#require(change, before, by);
    const variables = await this.#withFound(this.#with(kept, await this.#opened(kept)));
    for (const part of SETTING_PARTS) {
      if (change[part] === undefined) continue;
      const { fault } = stateOfPart(part, variables);
      if (fault !== null) throw new SettingsError("setting_refused", `${inSettingNames(fault)}.`);
    }
    await this.#keys.write(before, kept, (settings) => writeSettingsFile(file, settings));
  }

  /** @throws SettingsError `decided_by_environment`, `setting_of_its_computer`. */
  #require(change: ChangedSettings, before: KeptSettings, { isOnItsComputer }: ChangedBy): void {
    for (const part of SETTING_PARTS) {
      const values = change[part];
      if (values === undefined) continue;
      if (isDecidedBy(this.#source.environment, part)) {
        throw new SettingsError(
          "decided_by_environment",
          `Variables of the service's environment say the "${part}": take them out there, then it can be set here.`,
        );
      }
      this.#requireNotOfEnvironment(part, values, before[part] ?? {});
      if (!isOnItsComputer) requireNoneOfItsComputer(part, values, before[part] ?? {});
    }
  }

  /** What a variable says is said there alone. @throws SettingsError `decided_by_environment`. */
  #requireNotOfEnvironment(
    part: SettingPart,
    values: Readonly<Record<string, string>>,
    before: Readonly<Record<string, string>>,
  ): void {
    for (const [name, value] of Object.entries(values)) {
      const variable = SETTINGS[part][name]?.variable;
      if (variable === undefined || value === (before[name] ?? "") || !isSet(this.#source.environment[variable]))
        continue;
      throw new SettingsError(
        "decided_by_environment",
        `The variable ${variable} of the service's environment says "${part}.${name}": take it out there, then it can be set here.`,
      );
    }
  }

  /** Where the key of a part is, if not where it is expected: a sentence for people. */
  #remarkOnKey(part: SettingPart, kept: KeptSettings, opened: OpenedKey | undefined): string | null {
    if (opened === undefined || !hasKey(part)) return null;
    if ("fault" in opened) return `Its key ${isUnread(opened)}`;
    const key = kept.keys?.[part];
    if (!this.#keys.hasStore || key === undefined || !("key" in key)) return null;
    const inFile = `Its key stands in ${SETTINGS_FILE}, which its owner alone may read`;
    return key.fault === undefined
      ? `${inFile}; it moves into the system's key store with the next change.`
      : `${inFile}, and not in the system's key store: ${KEY_STORE_WORDS[key.fault]}.`;
  }

  /** With what this computer has to speak, hear and see with. */
  async #withFound(environment: Environment): Promise<Environment> {
    return withInstalledModels(await withSystemVoice(environment), this.modelsFolder);
  }

  async #read(): Promise<KeptSettings> {
    return this.#source.file === null ? {} : readSettingsFile(this.#source.file);
  }

  /** The keys of the parts that are not the environment's, where their server is the one that they were given for. */
  async #opened(kept: KeptSettings): Promise<OpenedKeys> {
    const opened = PARTS_WITH_KEY.map(async (part) => {
      const key = kept.keys?.[part];
      const isOfServer = key !== undefined && key.server === (kept[part]?.["server"] ?? "");
      if (!isOfServer || isDecidedBy(this.#source.environment, part)) return [];
      return [[part, await this.#keys.open(key)] as const];
    });
    return Object.fromEntries((await Promise.all(opened)).flat());
  }

  /** @throws SettingsError `key_store_unusable` where a key that is needed cannot be had. */
  async #withKeys(kept: KeptSettings, keysNeeded?: readonly string[]): Promise<Environment> {
    const opened = Object.entries(await this.#opened(kept)).filter(([name, key]) => {
      if ("key" in key) return true;
      const part = name as PartWithKey;
      const variable = SETTINGS[part]["key"]?.variable ?? "";
      if (keysNeeded?.includes(variable) === false) return false;
      throw new SettingsError("key_store_unusable", `The key of "${part}" ${isUnread(key)}`);
    });
    return this.#with(kept, Object.fromEntries(opened));
  }

  /** @param keys Those that could not be had are told by a sign that is none: for whoever asks whether they are set. */
  #with(kept: KeptSettings, keys: OpenedKeys = {}): Environment {
    const { environment } = this.#source;
    const variables: Record<string, string | undefined> = { ...environment };
    for (const part of SETTING_PARTS) {
      if (isDecidedBy(environment, part)) continue;
      const values = { ...kept[part], ...keyIn(part, keys) };
      for (const [name, value] of Object.entries(values)) {
        const variable = SETTINGS[part][name]?.variable;
        if (variable !== undefined && !isSet(variables[variable])) variables[variable] = value;
      }
    }
    return variables;
  }

  #partInForce(
    part: SettingPart,
    kept: KeptSettings,
    {
      variables,
      configuration,
      keys,
    }: {
      readonly variables: Environment;
      readonly configuration: ServiceConfiguration;
      readonly keys: OpenedKeys;
    },
  ): PartInForce {
    const { environment } = this.#source;
    const isEnvironments = isDecidedBy(environment, part);
    const values = valuesIn(variables, part);
    const numberPart = NUMBER_PARTS.find((one) => one === part);
    const key = Object.values(SETTINGS[part]).find(({ isKey }) => isKey === true);
    const { isReady, sentence, sendsTo } = stateOfPart(part, variables);
    const opened = hasKey(part) ? keys[part] : undefined;
    return {
      decided_by: isEnvironments ? "environment" : Object.keys(kept[part] ?? {}).length > 0 ? "settings" : "nobody",
      // An address may have a password in it.
      values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, hideSecrets(value)])),
      has_key: key !== undefined && isSet(variables[key.variable]),
      is_ready: isReady && (opened === undefined || "key" in opened),
      state: withRemark(inSettingNames(sentence), this.#remarkOnKey(part, kept, opened)),
      sends_to: sendsTo,
      numbers:
        numberPart === undefined
          ? []
          : numbersInForce(numberPart, configuration, { variables, environment, atStart: this.#atStart }),
    };
  }
}

function keyIn(part: SettingPart, keys: OpenedKeys): Record<string, string> {
  const opened = hasKey(part) ? keys[part] : undefined;
  return opened === undefined ? {} : { key: "key" in opened ? opened.key : "(not read)" };
}

function isUnread({ fault }: { readonly fault: KeyStoreFault }): string {
  return `is in the system's key store and cannot be read: ${KEY_STORE_WORDS[fault]}. Unlock the store, or give the key again.`;
}

function withRemark(sentence: string, remark: string | null): string {
  return remark === null ? sentence : `${sentence.replace(/\.$/, "")}. ${remark}`;
}
