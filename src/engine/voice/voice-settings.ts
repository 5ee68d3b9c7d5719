import * as z from "zod/mini";
import { defined, parsedJson } from "../../core/objects.ts";
import { isLocalAddress } from "../../core/ports.ts";
import { isSet } from "../isolate/cage.ts";
import { speechSetup } from "../local/speech-setup.ts";
import { type Environment, elsewhereRefused, isLocalOnly } from "../outgoing/local-only.ts";
import type { SpokenLine } from "../spoken-line.ts";
import { voicesBestFirst } from "../store/installed.ts";
import type { RecordingSettings } from "./command.ts";
import { speaksNaturally } from "./natural-speakers.ts";
import type { NaturalVoiceSettings } from "./natural-voice.ts";
import type { SpeechServerSettings } from "./openai-speech.ts";
import { type Speaker, type Voice, type VoiceRequest, VoiceUnavailableError } from "./voice.ts";
import { FIRST_OPENAI_VOICES, familyOf, OPENAI_VOICES, type VoiceNames } from "./voice-names.ts";
import type { CommandSettings } from "./voice-program.ts";

/** What the environment says about the voice. */
export type VoiceConfiguration =
  | OneVoice
  /** Several, of which the first that speaks a language does; the last is the embedded one. */
  | { readonly kind: "by-language"; readonly choices: readonly OneVoice[] }
  /** Something is set, but not enough or not readable; the sentence says what. */
  | { readonly kind: "incomplete"; readonly reason: string };

/** One voice that can be opened. */
export type OneVoice =
  /** The embedded default. */
  | { readonly kind: "espeak" }
  | { readonly kind: "natural"; readonly settings: NaturalVoiceSettings }
  | { readonly kind: "openai-speech"; readonly settings: SpeechServerSettings }
  | { readonly kind: "command"; readonly settings: CommandSettings }
  | { readonly kind: "recordings"; readonly settings: RecordingSettings };

/**
 * Variable in which the service tells its processes what {@link SYSTEM_VOICE} found, as JSON: looking for it takes seconds
 * and programs that they may not start.
 */
export const FOUND_SYSTEM_VOICE = "ASIDE_VOICE_SYSTEM_FOUND";

/** Variable that asks for the voices of the system: `on`, `off`, or names of those that are wanted, in order. */
export const SYSTEM_VOICE = "ASIDE_VOICE_SYSTEM";

/** What a person knows the embedded voice by. */
export const BUILT_IN = "Built in";

/** Variables that say who speaks: one of them at the most. */
const CHOOSING = ["URL", "COMMAND", "RECORDINGS", "SYSTEM", "NATURAL"];

/** Whether variables say who speaks, so that nobody is to be looked for. */
export function isVoiceChosen(environment: Environment): boolean {
  return CHOOSING.some((name) => isChosen(environment[`ASIDE_VOICE_${name}`]));
}

/** `off` takes a voice out of the choice, and chooses none. */
function isChosen(value: string | undefined): boolean {
  return isSet(value) && !isOff(value);
}

function isOff(value: string | undefined): boolean {
  return /^\s*off\s*$/i.test(value ?? "");
}

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
      command: z.optional(z.tuple([z.string()], z.string())),
    }),
  ),
});

/** Default time limit of one line in seconds: a neural voice on a slow processor takes a multiple of real time. */
const DEFAULT_TIMEOUT_SECONDS = 60;

/** Sent where no key is configured: servers on the own machine ask for some word and take any. */
const NO_KEY = "none";

/**
 * Reads the configuration from environment variables. One of `ASIDE_VOICE_URL` (with `ASIDE_VOICE_MODEL` and
 * `ASIDE_VOICE_KEY`), `ASIDE_VOICE_COMMAND` (a JSON list of program and arguments), `ASIDE_VOICE_RECORDINGS` (a folder),
 * `ASIDE_VOICE_SYSTEM` (`on`, or names of the system's voices, best first; found by `withSystemVoice`) or
 * `ASIDE_VOICE_NATURAL` (`on`, or models of the store, best first) chooses the voice. With none of them it is a natural voice
 * that is installed, else one of the system that was found, else the embedded one, whoever speaks the language; the last two
 * variables take theirs out by `off`. `ASIDE_VOICE_NAMES` (`Achernar=nova,Charon=onyx`) names the engine's voices,
 * `ASIDE_VOICE_LANGUAGES` (`en-US,de`) its languages, `ASIDE_VOICE_TIMEOUT` the seconds for a line.
 */
export function voiceConfiguration(environment: Environment): VoiceConfiguration {
  const read = (name: string) => environment[`ASIDE_VOICE_${name}`]?.trim() ?? "";
  const chosen = CHOOSING.filter((name) => isChosen(read(name)));
  if (chosen.length > 1) return incomplete(`${chosen.map((name) => `ASIDE_VOICE_${name}`).join(" and ")} are both set`);
  const elsewhere = read("URL") === "" ? null : elsewhereRefused(environment, read("URL"));
  if (elsewhere !== null) return incomplete(elsewhere);
  const own = namesFrom(read("NAMES"));
  if (own === null) return incomplete("ASIDE_VOICE_NAMES is not of the form Name=voice,Name=voice");
  const languages = listFrom(read("LANGUAGES"));
  const timeoutSeconds = read("TIMEOUT") === "" ? DEFAULT_TIMEOUT_SECONDS : Number(read("TIMEOUT"));
  if (!(timeoutSeconds > 0)) return incomplete("ASIDE_VOICE_TIMEOUT is no number of seconds");
  switch (chosen[0]) {
    case "URL":
      return serverFrom(read, { own, byGender: openAiVoices(read("MODEL"), read("URL")), languages }, timeoutSeconds);
    case "RECORDINGS": {
      const voices = Object.keys(own).length === 0 ? null : Object.keys(own);
      return { kind: "recordings", settings: { folder: read("RECORDINGS"), languages, voices } };
    }
    case "SYSTEM":
      return systemFrom(environment, read, own, timeoutSeconds);
    case "NATURAL":
      return naturalFrom(environment, read("NATURAL"), own);
    case "COMMAND": {
      const command = commandFrom(read("COMMAND"));
      if (command === null) return incomplete("ASIDE_VOICE_COMMAND is no JSON list of a program and its arguments");
      // Without names of its own a program has one voice, or takes the catalogue's names as they are.
      const plain = { female: ["default"], male: ["default"] };
      const settings = {
        command,
        timeoutSeconds,
        names: { own, byGender: plain, languages },
        ...staysHere(environment),
      };
      return { kind: "command", settings };
    }
    default: {
      const natural = isOff(read("NATURAL")) ? [] : installedVoices(environment, own);
      const system =
        isOff(read("SYSTEM")) || read("SYSTEM_FOUND") === ""
          ? null
          : systemFrom(environment, read, own, timeoutSeconds);
      return byLanguage([...natural, ...(system?.kind === "command" ? [system] : [])]);
    }
  }
}

/** The voice of a configuration that speaks a language: where none does, the embedded one says so. */
export function voiceFor(
  configuration: VoiceConfiguration,
  language: string,
): Exclude<VoiceConfiguration, { kind: "by-language" }> {
  if (configuration.kind !== "by-language") return configuration;
  const able = configuration.choices.find((choice) => {
    if (choice.kind === "natural") return choice.settings.models.some((model) => speaksNaturally(model, language));
    const voices = choice.kind === "command" ? choice.settings.names.byLanguage : undefined;
    return voices?.some((voice) => familyOf(voice.language) === familyOf(language)) !== false;
  });
  return able ?? { kind: "espeak" };
}

/** The natural voices that are installed, and all that is needed to hear them; nothing where that is not so. */
function installedVoices(environment: Environment, own: NaturalVoiceSettings["own"]): readonly OneVoice[] {
  const setup = speechSetup(environment);
  const models = voicesBestFirst(setup?.models ?? []);
  return setup === null || models.length === 0 ? [] : [{ kind: "natural", settings: { setup, models, own } }];
}

/** The embedded voice after those that are better where they speak the language. */
function byLanguage(better: readonly OneVoice[]): VoiceConfiguration {
  return better.length === 0 ? { kind: "espeak" } : { kind: "by-language", choices: [...better, { kind: "espeak" }] };
}

/** The natural voices that are asked for: those that are named speak whatever is ordered, or it is refused. */
function naturalFrom(environment: Environment, asked: string, own: NaturalVoiceSettings["own"]): VoiceConfiguration {
  const [installed] = installedVoices(environment, own);
  if (installed?.kind !== "natural") {
    return incomplete(
      "ASIDE_VOICE_NATURAL is set, and no natural voice is installed on this computer: aside models install",
    );
  }
  if (/^on$/i.test(asked)) return byLanguage([installed]);
  const { setup, models } = installed.settings;
  const wanted = listFrom(asked) ?? [];
  const missing = wanted.find((name) => models.every(({ id }) => id !== name));
  if (missing !== undefined) {
    return incomplete(
      `ASIDE_VOICE_NATURAL names "${missing}", which is not installed: aside models install ${missing}`,
    );
  }
  return {
    kind: "natural",
    settings: { setup, models: wanted.flatMap((name) => models.filter(({ id }) => id === name)), own },
  };
}

/**
 * The voice that a configuration names. Only what this voice needs is loaded.
 *
 * @param language Where it is known, the voice that speaks it is opened; else one that knows them all.
 */
export async function openVoice(
  configuration: Exclude<VoiceConfiguration, { kind: "incomplete" }>,
  language?: string,
): Promise<Voice> {
  if (configuration.kind === "by-language") {
    const { choices } = configuration;
    const able = language === undefined ? null : voiceFor(configuration, language);
    if (able !== null && able.kind !== "incomplete") return openVoice(able);
    return new FirstThatSpeaks(await Promise.all(choices.map((choice) => openVoice(choice))));
  }
  switch (configuration.kind) {
    case "natural": {
      const { NaturalVoice } = await import("./natural-voice.ts");
      return new NaturalVoice(configuration.settings);
    }
    case "openai-speech": {
      const { OpenAiSpeechVoice } = await import("./openai-speech.ts");
      return OpenAiSpeechVoice.open(configuration.settings);
    }
    case "command": {
      const { CommandVoice } = await import("./command.ts");
      return new CommandVoice(configuration.settings);
    }
    case "recordings": {
      const { RecordedVoice } = await import("./command.ts");
      return RecordedVoice.open(configuration.settings);
    }
    case "espeak": {
      const { EspeakVoice } = await import("./espeak.ts");
      return new EspeakVoice();
    }
  }
}

/** Several voices, of which the first that speaks a language does. */
class FirstThatSpeaks implements Voice {
  readonly id: string;
  readonly name: string;
  readonly isCharged: boolean;
  readonly #voices: readonly Voice[];

  constructor(voices: readonly Voice[]) {
    this.#voices = voices;
    this.id = voices.map(({ id }) => id).join(" ");
    this.name = voices[0]?.name ?? "";
    this.isCharged = voices.some(({ isCharged }) => isCharged);
  }

  check(language: string, voice: string): void {
    this.#for(language, voice);
  }

  speaker(language: string, voice: string): Speaker {
    const able = this.#for(language, voice);
    return able.speaker?.(language, voice) ?? { id: able.name, title: BUILT_IN, gender: null };
  }

  speak(request: VoiceRequest, signal?: AbortSignal): Promise<SpokenLine> {
    return this.#for(request.language, request.voice).speak(request, signal);
  }

  #for(language: string, voice: string): Voice {
    let refusal: unknown;
    for (const one of this.#voices) {
      try {
        one.check(language, voice);
        return one;
      } catch (error) {
        if (!(error instanceof VoiceUnavailableError)) throw error;
        refusal = error;
      }
    }
    throw refusal;
  }
}

/** OpenAI's voices that a server knows: its own later models have more than its first ones, and than other servers. */
function openAiVoices(model: string, baseUrl: string): VoiceNames["byGender"] {
  return /^tts-1/.test(model) || (URL.canParse(baseUrl) && isLocalAddress(baseUrl))
    ? FIRST_OPENAI_VOICES
    : OPENAI_VOICES;
}

function serverFrom(read: (name: string) => string, names: VoiceNames, timeoutSeconds: number): VoiceConfiguration {
  const price = read("PRICE") === "" ? undefined : Number(read("PRICE"));
  if (price !== undefined && !(price >= 0)) return incomplete("ASIDE_VOICE_PRICE is no number, such as 15");
  if (!/^https?:\/\//.test(read("URL")) || !URL.canParse(read("URL")))
    return incomplete("ASIDE_VOICE_URL is no http(s) address");
  if (read("MODEL") === "") return incomplete("ASIDE_VOICE_URL is set and ASIDE_VOICE_MODEL is not");
  const apiKey = read("KEY") === "" ? NO_KEY : read("KEY");
  const baseUrl = read("URL").replace(/\/+$/, "");
  return {
    kind: "openai-speech",
    settings: { baseUrl, model: read("MODEL"), apiKey, timeoutSeconds, names, ...defined({ price }) },
  };
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
  const wanted = /^(?:on)?$/i.test(read("SYSTEM")) ? [] : (listFrom(read("SYSTEM")) ?? []);
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
