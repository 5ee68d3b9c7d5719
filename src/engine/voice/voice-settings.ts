import * as z from "zod/mini";
import { parsedJson } from "../../core/objects.ts";
import { type Environment, elsewhereRefused, isLocalOnly } from "../outgoing/local-only.ts";
import type { RecordingSettings } from "./command.ts";
import type { SpeechServerSettings } from "./openai-speech.ts";
import type { Voice } from "./voice.ts";
import { OPENAI_VOICES, type VoiceNames } from "./voice-names.ts";
import type { CommandSettings } from "./voice-program.ts";

/** What the environment says about the voice. */
export type VoiceConfiguration =
  /** The embedded default. */
  | { readonly kind: "espeak" }
  | { readonly kind: "openai-speech"; readonly settings: SpeechServerSettings }
  | { readonly kind: "command"; readonly settings: CommandSettings }
  | { readonly kind: "recordings"; readonly settings: RecordingSettings }
  /** Something is set, but not enough or not readable; the sentence says what. */
  | { readonly kind: "incomplete"; readonly reason: string };

/**
 * Variable in which the service tells its processes what {@link SYSTEM_VOICE} found, as JSON: looking for it takes seconds
 * and programs that they may not start.
 */
export const FOUND_SYSTEM_VOICE = "ASIDE_VOICE_SYSTEM_FOUND";

/** Variable that asks for the voices of the system: `on`, or names of those that are wanted, in order. */
export const SYSTEM_VOICE = "ASIDE_VOICE_SYSTEM";

/** The speech of a system, as it is passed on. */
const FoundSpeech = z.object({
  command: z.tuple([z.string()], z.string()),
  replaced: z.optional(z.record(z.string(), z.string())),
  voices: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      language: z.string(),
      gender: z.nullable(z.enum(["female", "male"])),
    }),
  ),
});

/** Default time limit of one line in seconds: a neural voice on a slow processor takes a multiple of real time. */
const DEFAULT_TIMEOUT_SECONDS = 60;

/** Sent where no key is configured: servers on the own machine ask for some word and take any. */
const NO_KEY = "none";

/**
 * Reads the configuration from environment variables. One of `ASIDE_VOICE_URL` (with `ASIDE_VOICE_MODEL` and
 * `ASIDE_VOICE_KEY`), `ASIDE_VOICE_COMMAND` (a JSON list of program and arguments), `ASIDE_VOICE_RECORDINGS` (a folder) or
 * `ASIDE_VOICE_SYSTEM` (`on`, or names of the system's voices, best first; found by `withSystemVoice`) chooses the voice; with none of them it is the embedded one. `ASIDE_VOICE_NAMES` (`Achernar=nova,Charon=onyx`) names the
 * engine's voices, `ASIDE_VOICE_LANGUAGES` (`en-US,de`) its languages, `ASIDE_VOICE_TIMEOUT` the seconds for a line.
 */
export function voiceConfiguration(environment: Environment): VoiceConfiguration {
  const read = (name: string) => environment[`ASIDE_VOICE_${name}`]?.trim() ?? "";
  const chosen = ["URL", "COMMAND", "RECORDINGS", "SYSTEM"].filter((name) => read(name) !== "");
  if (chosen.length > 1) return incomplete(`${chosen.map((name) => `ASIDE_VOICE_${name}`).join(" and ")} are both set`);
  const elsewhere = read("URL") === "" ? null : elsewhereRefused(environment, read("URL"));
  if (elsewhere !== null) return incomplete(elsewhere);
  const own = namesFrom(read("NAMES"));
  if (own === null) return incomplete("ASIDE_VOICE_NAMES is not of the form Name=voice,Name=voice");
  const languages = listFrom(read("LANGUAGES"));
  const timeoutSeconds = read("TIMEOUT") === "" ? DEFAULT_TIMEOUT_SECONDS : Number(read("TIMEOUT"));
  if (!(timeoutSeconds > 0)) return incomplete("ASIDE_VOICE_TIMEOUT is no number of seconds");
  if (read("URL") !== "") return serverFrom(read, { own, byGender: OPENAI_VOICES, languages }, timeoutSeconds);
  if (read("RECORDINGS") !== "") {
    const voices = Object.keys(own).length === 0 ? null : Object.keys(own);
    return { kind: "recordings", settings: { folder: read("RECORDINGS"), languages, voices } };
  }
  if (read("SYSTEM") !== "") return systemFrom(environment, read, own, timeoutSeconds);
  if (read("COMMAND") === "") return { kind: "espeak" };
  const command = commandFrom(read("COMMAND"));
  if (command === null) return incomplete("ASIDE_VOICE_COMMAND is no JSON list of a program and its arguments");
  // Without names of its own a program has one voice, or takes the catalogue's names as they are.
  const plain = { female: ["default"], male: ["default"] };
  const settings = { command, timeoutSeconds, names: { own, byGender: plain, languages }, ...staysHere(environment) };
  return { kind: "command", settings };
}

/** The voice that a configuration names. Only what this voice needs is loaded. */
export async function openVoice(configuration: Exclude<VoiceConfiguration, { kind: "incomplete" }>): Promise<Voice> {
  if (configuration.kind === "openai-speech") {
    const { OpenAiSpeechVoice } = await import("./openai-speech.ts");
    return new OpenAiSpeechVoice(configuration.settings);
  }
  if (configuration.kind === "command") {
    const { CommandVoice } = await import("./command.ts");
    return new CommandVoice(configuration.settings);
  }
  if (configuration.kind === "recordings") {
    const { RecordedVoice } = await import("./command.ts");
    return RecordedVoice.open(configuration.settings);
  }
  const { EspeakVoice } = await import("./espeak.ts");
  return new EspeakVoice();
}

function serverFrom(read: (name: string) => string, names: VoiceNames, timeoutSeconds: number): VoiceConfiguration {
  if (!/^https?:\/\//.test(read("URL")) || !URL.canParse(read("URL")))
    return incomplete("ASIDE_VOICE_URL is no http(s) address");
  if (read("MODEL") === "") return incomplete("ASIDE_VOICE_URL is set and ASIDE_VOICE_MODEL is not");
  const apiKey = read("KEY") === "" ? NO_KEY : read("KEY");
  const baseUrl = read("URL").replace(/\/+$/, "");
  return { kind: "openai-speech", settings: { baseUrl, model: read("MODEL"), apiKey, timeoutSeconds, names } };
}

/** The system's voices: those that are named first, then the others that speak. */
function systemFrom(
  environment: Environment,
  read: (name: string) => string,
  own: Readonly<Record<string, string>>,
  timeoutSeconds: number,
): VoiceConfiguration {
  const found = FoundSpeech.safeParse(parsedJson(read("SYSTEM_FOUND"))).data;
  if (found === undefined) return incomplete("ASIDE_VOICE_SYSTEM is set, and no program that speaks was found here");
  const wanted = /^on$/i.test(read("SYSTEM")) ? [] : (listFrom(read("SYSTEM")) ?? []);
  const missing = wanted.find((name) => !found.voices.some((voice) => voice.name === name || voice.id === name));
  if (missing !== undefined)
    return incomplete(`ASIDE_VOICE_SYSTEM names "${missing}", and this computer has no such voice`);
  const named = wanted.flatMap((name) => found.voices.filter((voice) => voice.name === name || voice.id === name));
  // A voice that was named stands for every name of the catalogue in its language.
  const others = found.voices.filter((voice) => named.every(({ language }) => language !== voice.language));
  const names = { own, byGender: { female: [], male: [] }, languages: null, byLanguage: [...named, ...others] };
  const { command, replaced } = found;
  return {
    kind: "command",
    settings: { command, timeoutSeconds, names, ...(replaced ? { replaced } : {}), ...staysHere(environment) },
  };
}

function staysHere(environment: Environment): Pick<CommandSettings, "staysHere"> {
  return isLocalOnly(environment) ? { staysHere: true } : {};
}

function incomplete(reason: string): VoiceConfiguration {
  return { kind: "incomplete", reason };
}

function commandFrom(text: string): readonly [string, ...string[]] | null {
  const list = parsedJson(text);
  if (!Array.isArray(list)) return null;
  const words = list.filter((word): word is string => typeof word === "string");
  const [program, ...args] = words;
  return program === undefined || program === "" || words.length < list.length ? null : [program, ...args];
}

function namesFrom(text: string): Record<string, string> | null {
  const pairs = (listFrom(text) ?? []).map((pair) => /^([^=]+)=(.+)$/.exec(pair));
  if (pairs.some((pair) => pair === null)) return null;
  return Object.fromEntries(pairs.map((pair) => [pair?.[1]?.trim() ?? "", pair?.[2]?.trim() ?? ""]));
}

function listFrom(text: string): string[] | null {
  const entries = text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  return entries.length === 0 ? null : entries;
}
