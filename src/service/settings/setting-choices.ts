import type { SettingChoice, SettingChoicesReply } from "../../contract/service-settings.ts";
import { findLocalTranscription } from "../../engine/dialogue/local-transcription.ts";
import { findLocalModels } from "../../engine/models/local-models.ts";
import { PRESETS } from "../../engine/models/presets.ts";
import type { Environment } from "../../engine/outgoing/environment.ts";
import { findSystemSpeechAnew } from "../../engine/voice/system/system-voice-variable.ts";

/** What looks around on this computer; replaced in tests. */
export interface LocalSearch {
  readonly findModels: typeof findLocalModels;
  readonly findTranscription: (timeoutSeconds: number) => ReturnType<typeof findLocalTranscription>;
  readonly findSpeech: typeof findSystemSpeechAnew;
}

const SEARCH: LocalSearch = {
  findModels: () => findLocalModels(),
  findTranscription: (timeoutSeconds) => findLocalTranscription(timeoutSeconds),
  findSpeech: findSystemSpeechAnew,
};

/** Seconds that a search for a transcription server stands for; what is found is asked with limits of its own. */
const SEARCH_SECONDS = 60;

/**
 * What can be chosen: what runs on this computer now, and the providers that are known. Never raises.
 *
 * @param isLocalOnly Whether nothing may leave this computer: providers are left out then.
 */
export async function settingChoices(
  environment: Environment,
  isLocalOnly: boolean,
  { findModels, findTranscription, findSpeech }: LocalSearch = SEARCH,
): Promise<SettingChoicesReply> {
  const [models, transcription, speech] = await Promise.all([
    findModels(),
    findTranscription(SEARCH_SECONDS),
    findSpeech(environment),
  ]);
  const providers = isLocalOnly ? [] : PRESETS.filter(({ isLocal }) => !isLocal);
  return {
    describer: [
      choice("Text on screen only", "Every other pause is left for a person to write.", { server: "off" }),
      ...models.map(({ server, baseUrl, model, preset }) =>
        choice(`${model} in ${server}`, "Runs on this computer. Costs nothing.", {
          server: baseUrl,
          model,
          ...(preset === undefined ? {} : { preset: preset.name }),
        }),
      ),
      ...providers.map(({ name, title, baseUrl }) => {
        const values = baseUrl === null ? { preset: name } : { server: name };
        const needs = [...(baseUrl === null ? ["server"] : []), "model", "key"];
        return {
          ...choice(title, "Is sent pictures and captions, and charges for them.", values, needs),
          is_local: false,
        };
      }),
    ],
    dialogue: [
      choice("Captions and subtitles only", "Without them, nothing is known of what is said.", { server: "off" }),
      ...(transcription === null
        ? []
        : [
            choice(
              transcription.model === "" ? "whisper.cpp" : transcription.model,
              "Runs on this computer. Costs nothing.",
              { server: transcription.baseUrl, model: transcription.model },
            ),
          ]),
      ...(isLocalOnly
        ? []
        : [
            {
              ...choice("A transcription server", "One that gives times of words.", {}, ["server", "model", "key"]),
              is_local: false,
            },
          ]),
    ],
    voice: [
      choice("Built in", "Speaks everywhere, and sounds like a machine.", {}),
      ...(speech === null
        ? []
        : [
            choice(`Voices of ${speech.title}`, `${speech.voices.length} on this computer. Costs nothing.`, {
              system: "on",
            }),
          ]),
      ...(isLocalOnly
        ? []
        : [
            {
              ...choice("A speech server", "One that takes OpenAI's requests.", {}, ["server", "model", "key"]),
              is_local: false,
            },
          ]),
    ],
    system_voices: (speech?.voices ?? []).map(({ id, name, language, gender }) => ({ id, name, language, gender })),
  };
}

function choice(
  title: string,
  detail: string,
  values: Readonly<Record<string, string>>,
  needs: readonly string[] = [],
): SettingChoice {
  return { title, detail, values: { ...values }, needs: [...needs], is_local: true };
}
