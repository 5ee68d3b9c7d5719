import type { SettingPart } from "../../contract/service-settings.ts";
import { hideSecrets } from "../../core/hide-secrets.ts";
import type { Environment } from "../../engine/outgoing/environment.ts";
import type { Arguments } from "../shell/command.ts";
import { recordsFrom } from "./records-options.ts";

/** A part of the settings as a service of this user takes it: what is set, and the environment, which wins. */
interface CommandPart {
  /** The environment with what is set. */
  readonly variables: Environment;
  /** Where each value comes from: a sentence for people, without keys. */
  readonly sources: string;
  /** A sentence about variables, in the names of the settings unless the environment says who does the work. */
  readonly named: (sentence: string) => string;
}

/**
 * Reads a part of the settings, and what may leave the computer.
 *
 * @throws SettingsError `settings_unusable`, `settings_damaged`.
 */
export async function partInForce(part: SettingPart, given: Arguments, env: NodeJS.ProcessEnv): Promise<CommandPart> {
  // Loaded here alone: help and version start without the service.
  const [{ settingsOf }, { inSettingNames, isDecidedBy }] = await Promise.all([
    import("../../service/admin/open-administration.ts"),
    import("../../service/settings/setting-table.ts"),
  ]);
  const settings = settingsOf(recordsFrom(given, env));
  const [variables, values] = await Promise.all([settings.variables(), settings.valuesWithSource([part, "privacy"])]);
  const said = values.map(({ setting, variable, value, source }) => {
    // An address may have a password in it.
    const shown = value === null ? "(kept)" : hideSecrets(value);
    return source === "settings" ? `${setting}=${shown} by aside settings` : `${variable}=${shown} by the environment`;
  });
  const isEnvironments = isDecidedBy(env, part);
  return {
    variables,
    sources:
      said.length === 0 ? "Neither aside settings nor the environment sets anything." : `Set: ${said.join(", ")}.`,
    named: (sentence) => (isEnvironments ? sentence : inSettingNames(sentence, env)),
  };
}
