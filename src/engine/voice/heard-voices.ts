import { LANGUAGES, VOICES, type VoiceGender } from "../../contract/choices.ts";
import type { HeardVoice } from "../../contract/service-settings.ts";
import type { Environment } from "../outgoing/local-only.ts";
import { espeakSpeaker } from "./espeak-tables.ts";
import { type Speaker, type Voice, VoiceUnavailableError } from "./voice.ts";
import { BUILT_IN, type OneVoice, openVoice, voiceConfiguration, voiceFor } from "./voice-settings.ts";

/**
 * The voices that can be heard as the environment configures them, each once: a name of the catalogue that leads to it, what a
 * person knows it by, and its languages in the interface's order. None where the configuration cannot be used.
 */
export async function heardVoices(environment: Environment): Promise<readonly HeardVoice[]> {
  const configuration = voiceConfiguration(environment);
  if (configuration.kind === "incomplete") return [];
  // The first that speaks a language does: what the others have of it is not heard.
  const choices = configuration.kind === "by-language" ? configuration.choices : [configuration];
  const opened = await Promise.all(
    choices.map(async (choice) => ({
      choice,
      // Of the built-in voice the tables are enough: it takes 45 MB. A folder of recordings may be gone.
      voice: choice.kind === "espeak" ? { check: espeakSpeaker } : await openVoice(choice).catch(() => null),
    })),
  );
  const heard = new Map<string, HeardVoice & { readonly languages: string[] }>();
  for (const language of LANGUAGES) {
    const able = voiceFor(configuration, language);
    const { choice, voice = null } = opened.find((one) => one.choice.kind === able.kind) ?? { choice: choices[0] };
    if (voice === null || choice === undefined) continue;
    const present = new Set<string>();
    for (const { name, gender } of VOICES) {
      const speaker = speakerOf(choice, voice, language, { name, gender });
      if (speaker === null || present.has(speaker.id)) continue;
      present.add(speaker.id);
      const key = `${name} ${speaker.id}`;
      const one = heard.get(key) ?? { voice: name, title: speaker.title, gender: speaker.gender, languages: [] };
      one.languages.push(language);
      heard.set(key, one);
    }
  }
  return inOrder([...heard.values()], opened.length > 1);
}

/** Natural voices first, whatever languages they have; the built-in one last. */
function inOrder(voices: readonly HeardVoice[], hasSeveral: boolean): readonly HeardVoice[] {
  if (!hasSeveral) return voices;
  const isBuiltIn = ({ title }: HeardVoice) => title === BUILT_IN;
  return [...voices.filter((voice) => !isBuiltIn(voice)), ...voices.filter(isBuiltIn)];
}

/** Who speaks for a name of the catalogue in a language; `null` where nobody does. */
function speakerOf(
  configuration: OneVoice,
  voice: Pick<Voice, "check" | "speaker">,
  language: string,
  named: { readonly name: string; readonly gender: VoiceGender },
): Speaker | null {
  try {
    voice.check(language, named.name);
    const speaker = voice.speaker?.(language, named.name);
    if (speaker !== undefined) return speaker;
  } catch (error) {
    if (error instanceof VoiceUnavailableError) return null;
    throw error;
  }
  // Its many timbres are one voice to who listens: a woman's and a man's are told apart.
  if (configuration.kind !== "recordings") return { id: named.gender, title: BUILT_IN, gender: named.gender };
  const isNamed = configuration.settings.voices !== null;
  return { id: isNamed ? named.name : "", title: isNamed ? named.name : "Your recordings", gender: null };
}
