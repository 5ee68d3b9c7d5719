import { VOLUME_LEVEL_DBFS } from "../../contract/choices.ts";
import { defined } from "../../core/objects.ts";
import type { VoiceSettings } from "../../core/settings.ts";
import type { Arguments } from "./command.ts";
import { didYouMean } from "./output.ts";
import { UsageError } from "./usage-error.ts";

/**
 * The peak that was asked for.
 *
 * @throws UsageError when a level stands alone.
 */
export function volumeFrom(given: Arguments): VoiceSettings["volume"] {
  const option = choiceOf(given, "volume", ["auto", "max"] as const);
  const levelDbfs = numberOf(given, "volume-level-db", VOLUME_LEVEL_DBFS);
  if (levelDbfs !== undefined && option !== "max") {
    throw new UsageError("--volume-level-db counts only together with --volume max");
  }
  if (option === undefined) return undefined;
  return { option, ...defined({ levelDbfs }) };
}

/**
 * The service that `--server` names, with its key, or the folder of the embedded one; neither where none is named.
 *
 * @throws UsageError when both are named, or the key is missing.
 */
export function serviceFrom(
  given: Arguments,
  env: NodeJS.ProcessEnv,
): { readonly server?: { readonly url: string; readonly apiKey: string }; readonly dataFolder?: string } {
  const [url, dataFolder] = [textOf(given, "server"), textOf(given, "data")];
  if (url === undefined) return defined({ dataFolder });
  const apiKey = (env["ASIDE_API_KEY"] ?? "").trim();
  if (apiKey === "") throw new UsageError("--server needs the service's key in the environment variable ASIDE_API_KEY");
  if (dataFolder === undefined) return { server: { url, apiKey } };
  throw new UsageError("--data belongs to the embedded service; it cannot be used with --server");
}

/** An option's value; `undefined` where it is not given.
 *
 * @throws UsageError when it is empty.
 */
export function textOf(given: Arguments, name: string): string | undefined {
  const value = given.values[name];
  if (value === undefined || value === true) return undefined;
  if (value === "") throw new UsageError(`--${name} is empty`);
  return value;
}

/**
 * One of a list of words; upper and lower case count as the same.
 *
 * @throws UsageError naming the words.
 */
export function choiceOf<Choice extends string>(
  given: Arguments,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const value = textOf(given, name);
  if (value === undefined) return undefined;
  const choice = choices.find((one) => one.toLowerCase() === value.toLowerCase());
  if (choice !== undefined) return choice;
  throw new UsageError(`--${name} cannot be "${value}"; choose one of ${choices.map((one) => `"${one}"`).join(", ")}`);
}

/**
 * A name that the embedded service has to know; any text for a service elsewhere, which may know more.
 *
 * @throws UsageError in the option's own words.
 */
export function knownOf(given: Arguments, name: string, known: readonly string[]): string | undefined {
  const value = textOf(given, name);
  if (value === undefined || given.values["server"] !== undefined || known.includes(value)) return value;
  throw new UsageError(`--${name}: there is no "${value}".${didYouMean(value, known)} See "aside voices".`);
}

/**
 * A number within bounds.
 *
 * @throws UsageError naming the bounds.
 */
export function numberOf(
  given: Arguments,
  name: string,
  bounds: { readonly minimum: number; readonly maximum: number },
): number | undefined {
  const value = textOf(given, name);
  if (value === undefined) return undefined;
  const number = Number(value);
  if (value.trim() !== "" && number >= bounds.minimum && number <= bounds.maximum) return number;
  throw new UsageError(`--${name} must be a number from ${bounds.minimum} to ${bounds.maximum}, not "${value}"`);
}
