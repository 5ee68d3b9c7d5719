import { isAbsolute } from "node:path";
import type { NumberPart, SettingPart } from "../../contract/service-settings.ts";
import { isLocalAddress } from "../../core/ports.ts";
import { isSwitchedOn } from "../../core/settings.ts";
import { transcriptionConfiguration } from "../../engine/dialogue/transcription-settings.ts";
import { isSet } from "../../engine/isolate/cage.ts";
import { HERE_URL } from "../../engine/models/presets.ts";
import { visionConfiguration } from "../../engine/models/vision-settings.ts";
import { type Environment, LOCAL_ONLY } from "../../engine/outgoing/local-only.ts";
import { MODELS_MIRROR, mirrorFault } from "../../engine/store/fetch-file.ts";
import { MODELS_FOLDER } from "../../engine/store/installed.ts";
import {
  FOUND_SYSTEM_VOICE,
  type OneVoice,
  SYSTEM_VOICE,
  voiceConfiguration,
} from "../../engine/voice/voice-settings.ts";
import { NUMBERS, numberFault } from "./number-settings.ts";

/** How a part is, as far as is known without asking anybody. */
export interface PartState {
  readonly isReady: boolean;
  /** What it is, or what is missing: for people, in the names of variables. */
  readonly sentence: string;
  /** Why it cannot be used, without a full stop; `null` where it can. */
  readonly fault: string | null;
  /** Host that something is sent to by it; `null` where nothing leaves this computer. */
  readonly sendsTo: string | null;
}

/** How a part is by variables, those of the system's voice among them. */
export function stateOfPart(part: SettingPart, variables: Environment): PartState {
  switch (part) {
    case "describer":
      return describerState(variables);
    case "dialogue":
      return dialogueState(variables);
    case "voice":
      return voiceState(variables);
    case "privacy":
      return privacyState(variables);
    case "models":
      return modelsState(variables);
    case "limits":
    case "retention":
    case "network":
      return numbersState(part, variables);
  }
}

function modelsState(variables: Environment): PartState {
  const [mirror, folder] = [variables[MODELS_MIRROR], variables[MODELS_FOLDER]];
  const fault = isSet(mirror) ? mirrorFault(mirror) : null;
  if (fault !== null) return faulty(fault);
  if (isSet(folder) && !isAbsolute(folder)) return faulty(`${MODELS_FOLDER} must be the whole path of a folder`);
  const from = isSet(mirror) ? `from the mirror at ${new URL(mirror.trim()).host}` : "from where their makers put them";
  return ready(`Models that are ordered come ${from}${isSet(folder) ? `, and are kept in ${folder}` : ""}.`);
}

function describerState(variables: Environment): PartState {
  const configuration = visionConfiguration(variables);
  switch (configuration.kind) {
    case "incomplete":
      return faulty(configuration.reason);
    case "off":
      return ready("Text on screen alone is told. Every other pause is left for a person to write.");
    case "absent":
      return ready("A model that runs on this computer is used where there is one; else text on screen alone is told.");
    case "configured": {
      const { model, baseUrl, preset } = configuration.settings;
      if (baseUrl === HERE_URL) return ready(`${model}, run by Aside on this computer`);
      return ready(`${model}, ${preset?.title ?? "a server"} ${whereIs(baseUrl)}`, baseUrl);
    }
  }
}

function dialogueState(variables: Environment): PartState {
  const configuration = transcriptionConfiguration(variables);
  switch (configuration.kind) {
    case "incomplete":
      return faulty(configuration.reason);
    case "off":
      return ready("What is said comes from captions and subtitles alone.");
    case "here":
      return ready(`From captions and subtitles, else by ${configuration.ears.model.title} on this computer.`);
    case "absent":
      return ready(
        "From captions and subtitles, else from a transcription server of this computer where there is one.",
      );
    case "configured": {
      const { model, baseUrl } = configuration.settings;
      return ready(`${model === "" ? "A transcription server" : model} ${whereIs(baseUrl)}`, baseUrl);
    }
  }
}

function voiceState(variables: Environment): PartState {
  const configuration = voiceConfiguration(variables);
  switch (configuration.kind) {
    case "incomplete":
      return faulty(configuration.reason);
    case "espeak":
      return ready("The built-in voice.");
    case "natural":
      return ready(`${namesOf(configuration)}, on this computer.`);
    case "by-language": {
      const [first] = configuration.choices;
      const natural = first?.kind === "natural" ? namesOf(first) : "The voices of this computer's system";
      return ready(`${natural} in the languages that they speak; else the built-in voice.`);
    }
    case "recordings":
      return ready("Recordings of a person.");
    case "command": {
      const isSystems = variables[SYSTEM_VOICE] !== undefined && variables[FOUND_SYSTEM_VOICE] !== undefined;
      return ready(isSystems ? "The voices of this computer's system." : "A program of this computer.");
    }
    case "openai-speech": {
      const { model, baseUrl } = configuration.settings;
      return ready(`${model} ${whereIs(baseUrl)}`, baseUrl);
    }
  }
}

function namesOf({ settings }: Extract<OneVoice, { kind: "natural" }>): string {
  return settings.models.map(({ title }) => title).join(", ");
}

function privacyState(variables: Environment): PartState {
  const isOn = isSwitchedOn(variables[LOCAL_ONLY] ?? "");
  if (isOn === null) return faulty(`${LOCAL_ONLY} must be on or off`);
  return ready(
    isOn
      ? "Nothing leaves this computer: no server elsewhere is asked, and nothing is fetched."
      : "Servers that you choose are sent what they need: pictures, sound, or lines to speak.",
  );
}

function numbersState(part: NumberPart, variables: Environment): PartState {
  const fault = numberFault(part, variables);
  if (fault !== null) return faulty(fault);
  const set = Object.values(NUMBERS[part]).flatMap(({ variable, title }) => {
    const value = variables[variable];
    return isSet(value) ? [`${title}: ${value.trim()}.`] : [];
  });
  return ready(set.length === 0 ? "As Aside comes, or as its configuration file says." : set.join(" "));
}

function whereIs(baseUrl: string): string {
  return isLocalAddress(baseUrl) ? "on this computer" : `at ${new URL(baseUrl).host}`;
}

/** @param baseUrl The server that is asked; left out where none is, but those of this computer. */
function ready(sentence: string, baseUrl?: string): PartState {
  const sendsTo = baseUrl === undefined || isLocalAddress(baseUrl) ? null : new URL(baseUrl).host;
  return { isReady: true, sentence, fault: null, sendsTo };
}

function faulty(reason: string): PartState {
  return { isReady: false, sentence: `Not fully set: ${reason}.`, fault: reason, sendsTo: null };
}
