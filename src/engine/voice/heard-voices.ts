import { LANGUAGES, VOICES, type VoiceGender } from "../../contract/choices.ts";
import type { HeardVoice } from "../../contract/service-settings.ts";
import type { Environment } from "../outgoing/local-only.ts";
import { espeakSpeaker } from "./espeak-tables.ts";
import { type Voice, VoiceUnavailableError } from "./voice.ts";
import { engineVoice, type VoiceNames } from "./voice-names.ts";
import { openVoice, type VoiceConfiguration, voiceConfiguration } from "./voice-settings.ts";

/** What speaks behind a name of the catalogue in a language. */
interface Speaker {
  /** Tells it from the configuration's other voices. */
  readonly id: string;
  /** What a person knows it by. */
  readonly title: string;
  readonly gender: VoiceGender | null;
}

/**
 * The voices that can be heard as the environment configures them, each once: a name of the catalogue that leads to it, what a
 * person knows it by, and its languages in the interface's order. None where the configuration cannot be used.
 */
export async function heardVoices(environment: Environment): Promise<readonly HeardVoice[]> {
  const configuration = voiceConfiguration(environment);
  if (configuration.kind === "incomplete") return [];
  // Of the built-in voice the tables are enough: it takes 45 MB. A folder of recordings may be gone.
  const isBuiltIn = configuration.kind === "espeak";
  const voice = isBuiltIn ? { check: espeakSpeaker } : await openVoice(configuration).catch(() => null);
  if (voice === null) return [];
  const heard = new Map<string, HeardVoice & { readonly languages: string[] }>();
  for (const language of LANGUAGES) {
    const present = new Set<string>();
    for (const { name, gender } of VOICES) {
      const speaker = speakerOf(configuration, voice, language, { name, gender });
      if (speaker === null || present.has(speaker.id)) continue;
      present.add(speaker.id);
      const key = `${name} ${speaker.id}`;
      const one = heard.get(key) ?? { voice: name, title: speaker.title, gender: speaker.gender, languages: [] };
      one.languages.push(language);
      heard.set(key, one);
    }
  }
  return [...heard.values()];
}

type Usable = Exclude<VoiceConfiguration, { kind: "incomplete" }>;

/** Who speaks for a name of the catalogue in a language; `null` where nobody does. */
function speakerOf(
  configuration: Usable,
  voice: Pick<Voice, "check">,
  language: string,
  named: { readonly name: string; readonly gender: VoiceGender },
): Speaker | null {
  try {
    voice.check(language, named.name);
  } catch (error) {
    if (error instanceof VoiceUnavailableError) return null;
    throw error;
  }
  switch (configuration.kind) {
    case "espeak":
      // Its many timbres are one voice to who listens: a woman's and a man's are told apart.
      return { id: named.gender, title: "Built in", gender: named.gender };
    case "recordings": {
      const isNamed = configuration.settings.voices !== null;
      return { id: isNamed ? named.name : "", title: isNamed ? named.name : "Your recordings", gender: null };
    }
    case "command":
    case "openai-speech":
      return engineSpeaker(configuration.settings.names, language, named);
  }
}

function engineSpeaker(
  names: VoiceNames,
  language: string,
  { name, gender }: { readonly name: string; readonly gender: VoiceGender },
): Speaker {
  const id = engineVoice(names, language, name, "The voice");
  const own = names.byLanguage?.find((one) => one.id === id);
  if (own !== undefined) return { id, title: own.name ?? id, gender: own.gender };
  // A program without names of its own has one voice.
  return id === "default" ? { id, title: "The program's voice", gender: null } : { id, title: id, gender };
}
