import { isLocalAddress } from "../../core/ports.ts";
import { type Environment, elsewhereRefused, isLocalOnly } from "../outgoing/local-only.ts";
import { inOrderOfChoice } from "../store/catalog.ts";
import { type InstalledModel, installedModels } from "../store/installed.ts";
import type { SendRequest } from "./exchange.ts";
import { HERE, HERE_URL, PRESETS, type Preset, presetAt, presetNamed, rootOf } from "./presets.ts";

/** Where a vision model is and how it is asked. */
export interface VisionSettings {
  /** Base address of an OpenAI-compatible endpoint, such as `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Sent as the provider asks for it; local servers take any. Never logged. */
  readonly apiKey: string;
  /** Seconds one request may take. */
  readonly timeoutSeconds: number;
  /** What is known of the server; told from the address where it is left out. */
  readonly preset?: Preset;
  /** Requests at the same time; default: what the preset says. */
  readonly parallel?: number;
  /** Whether a server on this computer may not pass anything on to another one. */
  readonly staysHere?: true;
  /** Price in currency units per million tokens, in and out, where the user states it. */
  readonly pricePerMillion?: { readonly input: number; readonly output: number };
  /** Most that the requests of one job may cost by that price. A model without a price costs nothing: it runs on this computer. */
  readonly costCeiling?: number;
  /** Sends requests where they go another way than all others. */
  readonly send?: SendRequest;
}

/** A model that sees and the program that runs it, as they are installed on this computer. */
export interface InstalledEyes {
  readonly engine: InstalledModel;
  readonly model: InstalledModel;
}

/**
 * The installed model of that id, or without an id the first in the order of choice, with the program that runs it; `null` where one of both is not
 * there.
 */
export function eyesIn(environment: Environment, id = ""): InstalledEyes | null {
  const installed = inOrderOfChoice(installedModels(environment));
  const engine = installed.find(({ kind, form }) => kind === "engine" && form === "llama-server");
  const model = installed.find((one) => one.kind === "eyes" && one.form === "qwen-vl" && (id === "" || one.id === id));
  return engine === undefined || model === undefined ? null : { engine, model };
}

/** Variable with the most that a job may spend on a model: a number, or `unlimited`. */
export const COST_CEILING = "ASIDE_VISION_CEILING";

/** Sent where no key is configured: servers on the own machine ask for some word and take any. */
const NO_KEY = "none";

/** What is set for any model, wherever it runs. */
export interface AnyModelSettings
  extends Pick<VisionSettings, "parallel" | "pricePerMillion" | "staysHere" | "costCeiling"> {
  /** Seconds one request may take, where the user says so. */
  readonly timeoutSeconds?: number;
}

/** What the environment says about a vision model. */
export type VisionConfiguration =
  | { readonly kind: "configured"; readonly settings: VisionSettings }
  /** No model is named: one that runs on this machine may be used. */
  | { readonly kind: "absent"; readonly asked: AnyModelSettings }
  /** Something is set, but not enough or not readable; the sentence says what. */
  | { readonly kind: "incomplete"; readonly reason: string }
  /** `ASIDE_VISION_URL=off`. */
  | { readonly kind: "off" };

/** A variable that cannot be used; its message completes "not fully configured: ". */
class Unusable extends Error {}

/**
 * Reads the configuration from environment variables: `ASIDE_VISION_URL` (a preset's name or an address; `here` for a model that
 * is installed on this computer, `off` forbids any model), `ASIDE_VISION_PRESET` (whose server stands at the address), `ASIDE_VISION_MODEL`, `ASIDE_VISION_KEY`,
 * `ASIDE_VISION_TIMEOUT` (seconds), `ASIDE_VISION_PARALLEL`, `ASIDE_VISION_PRICE` (`input/output` per million tokens) and
 * `ASIDE_VISION_CEILING` (most that a job may cost).
 */
export function visionConfiguration(environment: Environment): VisionConfiguration {
  const url = settingOf(environment, "ASIDE_VISION_URL");
  const model = settingOf(environment, "ASIDE_VISION_MODEL");
  if (url === "off") return { kind: "off" };
  try {
    const asked = askedSettings(environment);
    if (url.toLowerCase() === "here") return { kind: "configured", settings: settingsHere(environment, asked, model) };
    if (url === "" && model === "") {
      // What somebody had installed is meant to be used; a server that happens to run is not.
      const isHere = settingOf(environment, "ASIDE_VISION_PRESET") === "" && eyesIn(environment) !== null;
      if (isHere) return { kind: "configured", settings: settingsHere(environment, asked) };
      return { kind: "absent", asked };
    }
    if (url === "") throw new Unusable("ASIDE_VISION_MODEL is set and ASIDE_VISION_URL is not");
    if (model === "") throw new Unusable("ASIDE_VISION_URL is set and ASIDE_VISION_MODEL is not");
    const { baseUrl, preset } = addressFrom(environment);
    const elsewhere = elsewhereRefused(environment, baseUrl);
    if (elsewhere !== null) throw new Unusable(elsewhere);
    if (asked.costCeiling !== undefined && asked.pricePerMillion === undefined && !isLocalAddress(baseUrl))
      throw new Unusable(`${COST_CEILING} needs the price of the model in ASIDE_VISION_PRICE, such as 2.5/10`);
    const key = settingOf(environment, "ASIDE_VISION_KEY");
    if (key === "" && !preset.isLocal && preset.baseUrl !== null)
      throw new Unusable(`${preset.title} needs a key in ASIDE_VISION_KEY`);
    const apiKey = key === "" ? NO_KEY : key;
    return {
      kind: "configured",
      settings: { timeoutSeconds: preset.timeoutSeconds, ...asked, baseUrl, model, apiKey, preset },
    };
  } catch (error) {
    if (error instanceof Unusable) return { kind: "incomplete", reason: error.message };
    throw error;
  }
}

/** Settings for a model that this program runs itself. It costs nothing. @throws Unusable where it is not installed. */
function settingsHere(environment: Environment, asked: AnyModelSettings, id = ""): VisionSettings {
  const eyes = eyesIn(environment, id);
  const named = id === "" ? "no model that describes" : `no model “${id}”`;
  if (eyes === null)
    throw new Unusable(`ASIDE_VISION_URL is here, and ${named} is installed on this computer: see aside models list`);
  const { pricePerMillion: _, costCeiling: __, ...free } = asked;
  const timeoutSeconds = asked.timeoutSeconds ?? HERE.timeoutSeconds;
  // One question at a time, whatever is set: it has room for one.
  return {
    ...free,
    timeoutSeconds,
    parallel: 1,
    baseUrl: HERE_URL,
    model: eyes.model.id,
    apiKey: NO_KEY,
    preset: HERE,
  };
}

/**
 * Settings for a model found on this machine.
 *
 * @param asked What the user set for any model.
 */
export function localVisionSettings(
  found: { readonly baseUrl: string; readonly model: string; readonly preset?: Preset },
  asked: AnyModelSettings,
): VisionSettings {
  const { baseUrl, model, preset = presetAt(baseUrl) } = found;
  return { timeoutSeconds: preset.timeoutSeconds, ...asked, baseUrl, model, apiKey: NO_KEY, preset };
}

/** Root address of the Ollama that is configured, else of the one on this computer. */
export function ollamaRoot(environment: Environment): string {
  const own = "http://127.0.0.1:11434";
  const url = settingOf(environment, "ASIDE_VISION_URL");
  if (url === "" || url === "off") return own;
  try {
    const { baseUrl, preset } = addressFrom(environment);
    return preset.api === "ollama" ? rootOf(baseUrl) : own;
  } catch {
    // What is wrong with the address is said where a model is to be asked there.
    return own;
  }
}

/** @throws Unusable naming the variable. */
function addressFrom(environment: Environment): { baseUrl: string; preset: Preset } {
  const url = settingOf(environment, "ASIDE_VISION_URL");
  const name = settingOf(environment, "ASIDE_VISION_PRESET");
  const stated = name === "" ? undefined : presetNamed(name);
  if (name !== "" && stated === undefined)
    throw new Unusable(`ASIDE_VISION_PRESET is none of ${PRESETS.map((preset) => preset.name).join(", ")}`);
  const named = presetNamed(url);
  if (named !== undefined) {
    if (named.baseUrl === null)
      throw new Unusable(`${named.title} is at another address for everybody: put yours into ASIDE_VISION_URL`);
    return { baseUrl: named.baseUrl, preset: stated ?? named };
  }
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new Unusable("ASIDE_VISION_URL is no http(s) address and no name of a provider");
  const preset = stated ?? presetAt(url);
  // People copy Ollama's address as Ollama prints it, without the path of the other interface.
  const baseUrl = preset.api === "ollama" ? `${rootOf(url)}/v1` : url.replace(/\/+$/, "");
  return { baseUrl, preset };
}

/** @throws Unusable naming the variable. */
function askedSettings(environment: Environment): AnyModelSettings {
  const timeout = settingOf(environment, "ASIDE_VISION_TIMEOUT");
  const parallel = settingOf(environment, "ASIDE_VISION_PARALLEL");
  const price = settingOf(environment, "ASIDE_VISION_PRICE");
  if (timeout !== "" && !(Number(timeout) > 0 && Number(timeout) <= MAX_TIMEOUT_SECONDS))
    throw new Unusable(`ASIDE_VISION_TIMEOUT is no number of seconds up to ${MAX_TIMEOUT_SECONDS}`);
  if (parallel !== "" && !(/^\d+$/.test(parallel) && Number(parallel) >= 1 && Number(parallel) <= MAX_PARALLEL))
    throw new Unusable(`ASIDE_VISION_PARALLEL is no number from 1 to ${MAX_PARALLEL}`);
  const prices = /^(\d*\.?\d+)\s*\/\s*(\d*\.?\d+)$/.exec(price);
  if (price !== "" && prices === null)
    throw new Unusable('ASIDE_VISION_PRICE is not of the form "input/output", such as 2.5/10');
  const ceiling = settingOf(environment, COST_CEILING);
  const isLimited = ceiling !== "" && ceiling !== "unlimited";
  if (isLimited && !(Number(ceiling) > 0)) throw new Unusable(`${COST_CEILING} is no number above 0`);
  return {
    ...(isLimited ? { costCeiling: Number(ceiling) } : {}),
    ...(isLocalOnly(environment) ? { staysHere: true } : {}),
    ...(timeout === "" ? {} : { timeoutSeconds: Number(timeout) }),
    ...(parallel === "" ? {} : { parallel: Number(parallel) }),
    ...(prices === null ? {} : { pricePerMillion: { input: Number(prices[1]), output: Number(prices[2]) } }),
  };
}

/** Longest time limit: a day. Node's timers end at 24 days, and would then fire at once. */
const MAX_TIMEOUT_SECONDS = 86_400;

/** Most requests at the same time: no provider takes more from one user without a limit on the rate. */
const MAX_PARALLEL = 64;

function settingOf(environment: Environment, name: string): string {
  return environment[name]?.trim() ?? "";
}
