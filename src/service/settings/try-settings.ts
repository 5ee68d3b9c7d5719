import * as z from "zod/mini";
import { DEFAULT_LANGUAGE, DEFAULT_VOICE } from "../../contract/choices.ts";
import type { SettingsTestReply, TestSettingsAsked } from "../../contract/service-settings.ts";
import { AudioDescriptionError } from "../../core/error.ts";
import { defined } from "../../core/objects.ts";
import { hideSecrets } from "../../core/text.ts";
import { answerShape, readAnswer } from "../../engine/describe/vision/answer.ts";
import { estimateFilm } from "../../engine/describe/vision/plan-requests.ts";
import { earsTranscriber, SENT_RATE, serverTranscriber, type Transcriber } from "../../engine/dialogue/transcriber.ts";
import {
  findLocalTranscription,
  type TranscriptionConfiguration,
  transcriptionConfiguration,
} from "../../engine/dialogue/transcription-settings.ts";
import type { Engine } from "../../engine/index.ts";
import { secondsFor, tooWeak, tryEyes } from "../../engine/local/eyes-pace.ts";
import { askedDirectly } from "../../engine/local/llama-server.ts";
import { resample } from "../../engine/mix/resample.ts";
import type { ModelAnswer } from "../../engine/models/ask-model.ts";
import { findLocalModels } from "../../engine/models/local-models.ts";
import { plainJpeg } from "../../engine/models/picture-count.ts";
import { HERE_URL } from "../../engine/models/presets.ts";
import { withoutThoughts } from "../../engine/models/thoughts.ts";
import {
  eyesIn,
  localVisionSettings,
  type VisionSettings,
  visionConfiguration,
} from "../../engine/models/vision-settings.ts";
import type { Environment } from "../../engine/outgoing/local-only.ts";
import { spokenFromBytes } from "../../engine/voice/spoken-from-bytes.ts";
import { FOUND_SYSTEM_VOICE, SYSTEM_VOICE } from "../../engine/voice/voice-settings.ts";
import { inSettingNames } from "./setting-table.ts";

/** What a trial works with. */
export interface TrialParts {
  readonly engine: Engine;
  /** Folder in which spoken lines of the one who tries are kept. */
  readonly narrationFolder: string;
  readonly signal: AbortSignal;
}

/** What came of a trial, but for its time. */
type TriedSettings = Omit<SettingsTestReply, "seconds">;

/** A red that no model calls by another name, as JPEG has colours. */
const RED = [82, 90, 240] as const;

/** What is asked of a model: a sentence, as it has to write them. */
const QUESTION = "This picture has one colour. Answer with one short sentence that says which.";

const SENTENCE = answerShape("sentence", z.object({ sentence: z.string() }));

/** Characters that are shown of an answer in another shape. */
const LONGEST_SENTENCE = 300;

/** Length of the answer; models that think need more than its words. */
const ANSWER_TOKENS = 1_024;

/** A sentence to hear in some languages; in others, numbers. */
const SENTENCES: Readonly<Record<string, string>> = {
  de: "Eine Frau öffnet den Brief und lächelt.",
  en: "A woman opens the letter and smiles.",
  es: "Una mujer abre la carta y sonríe.",
  fr: "Une femme ouvre la lettre et sourit.",
  it: "Una donna apre la lettera e sorride.",
  nl: "Een vrouw opent de brief en glimlacht.",
  pt: "Uma mulher abre a carta e sorri.",
};

/**
 * Tries one part of the settings: has a model look at one picture, a server hear one sentence, a voice speak one. What fails
 * is a sentence of the outcome, and no error.
 *
 * @param variables The settings as they are to be tried.
 * @throws the signal's reason.
 */
export async function trySettings(
  { part, voice, language }: Pick<TestSettingsAsked, "part" | "voice" | "language">,
  variables: Environment,
  parts: TrialParts,
): Promise<SettingsTestReply> {
  const began = performance.now();
  const trial = {
    describer: () => tryDescriber(variables, parts.signal),
    dialogue: () => tryDialogue(variables, parts),
    voice: () => tryVoice(variables, { voice: voice ?? DEFAULT_VOICE, language: language ?? DEFAULT_LANGUAGE }, parts),
  }[part];
  const outcome = await trial().catch((error: unknown): TriedSettings => {
    parts.signal.throwIfAborted();
    return failed(error instanceof AudioDescriptionError ? error.message : "It does not work, and nothing says why.");
  });
  return { ...outcome, seconds: (performance.now() - began) / 1000 };
}

async function tryDescriber(variables: Environment, signal: AbortSignal): Promise<TriedSettings> {
  const settings = await visionFrom(variables);
  if ("message" in settings) return settings;
  const { VisionModel } = await import("../../engine/models/ask-model.ts");
  const model = new VisionModel(askedDirectly(settings, variables));
  const answer = await model.ask(
    {
      system: "You describe pictures for people who cannot see them. Answer with JSON.",
      turns: [{ from: "user", parts: [{ text: `${QUESTION} As JSON: {"sentence": "…"}` }, { jpeg: plainJpeg(RED) }] }],
      schema: SENTENCE.schema,
      answerTokens: ANSWER_TOKENS,
    },
    signal,
  );
  const sentence = sentenceIn(answer);
  const tokens = answer.inputTokens + answer.outputTokens;
  const { pricePerMillion: price } = settings;
  const cost =
    price === undefined ? undefined : (answer.inputTokens * price.input + answer.outputTokens * price.output) / 1e6;
  const sees = /\bred\b|scarlet|crimson/i.test(sentence);
  const said = `${settings.model} was shown a red picture and said: “${sentence}”`;
  const notes = [...model.notes, ...(await howQuick(settings, variables, signal))].map((note) => ` ${note}`).join("");
  return {
    works: sees,
    message: sees ? `${said}${notes}` : `${said} It may not see pictures.${notes}`,
    ...defined({ cost }),
    ...(tokens > 0 ? { tokens } : {}),
  };
}

/** A length in words: whole seconds up to a minute and a half, then minutes, each begun one. */
export function aboutSo(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}

/** How long a minute of film takes the model of this computer, which is tried on one shot for it. */
async function howQuick(settings: VisionSettings, variables: Environment, signal: AbortSignal): Promise<string[]> {
  const eyes = settings.baseUrl === HERE_URL ? eyesIn(variables, settings.model) : null;
  if (eyes === null) return [];
  const durationSeconds = 60;
  const seconds = secondsFor(await tryEyes(settings, variables, signal), estimateFilm(settings, durationSeconds));
  const weak = await tooWeak(eyes, { durationSeconds, seconds });
  return [`A minute of film takes about ${aboutSo(seconds)} here.`, ...(weak === null ? [] : [weak])];
}

/** The model that a job would ask, or why there is none. */
async function visionFrom(variables: Environment): Promise<VisionSettings | TriedSettings> {
  const configuration = visionConfiguration(variables);
  switch (configuration.kind) {
    case "configured":
      return configuration.settings;
    case "incomplete":
      return failed(`${inSettingNames(configuration.reason)}.`);
    case "off":
      return { works: true, message: "No model is asked: text on screen alone is told." };
    case "absent": {
      const [found] = await findLocalModels();
      if (found !== undefined) return localVisionSettings(found, configuration.asked);
      return { works: true, message: "No model that sees runs on this computer: text on screen alone is told." };
    }
  }
}

/** The sentence of an answer, whether or not the model kept to JSON. */
function sentenceIn({ words, thoughts }: ModelAnswer): string {
  const read = readAnswer(words, SENTENCE, thoughts);
  return read.ok ? read.answer.sentence : withoutThoughts(words).trim().slice(0, LONGEST_SENTENCE);
}

async function tryDialogue(variables: Environment, parts: TrialParts): Promise<TriedSettings> {
  const configuration = transcriptionConfiguration(variables);
  if (configuration.kind === "incomplete") return failed(`${inSettingNames(configuration.reason)}.`);
  if (configuration.kind === "off")
    return { works: true, message: "No server is asked: captions and subtitles alone count." };
  const transcriber = await transcriberBy(configuration);
  if (transcriber === null)
    return {
      works: true,
      message: "No transcription server runs on this computer: captions and subtitles alone count.",
    };
  const sentence = SENTENCES["en"] ?? "";
  // The built-in voice says it: it is there on every computer, and nobody charges for it.
  const { wave } = await speak(
    sentence,
    { voice: DEFAULT_VOICE, language: DEFAULT_LANGUAGE },
    withBuiltInVoice(variables),
    parts,
  );
  const lines = await transcriber.ask(await asSent(wave), "en", parts.signal);
  const heard = lines.map(({ text }) => text.trim()).join(" ");
  const works = /woman|letter|smile/i.test(heard);
  return { works, message: `It was told: “${sentence}” and heard: “${heard}”` };
}

/** Who would be asked; `null` where nobody is there. */
async function transcriberBy(
  configuration: Exclude<TranscriptionConfiguration, { kind: "incomplete" | "off" }>,
): Promise<Transcriber | null> {
  switch (configuration.kind) {
    case "configured":
      return serverTranscriber(configuration.settings);
    case "here":
      return earsTranscriber(configuration.ears);
    case "absent": {
      const found = await findLocalTranscription(configuration.timeoutSeconds);
      return found === null ? null : serverTranscriber(found);
    }
  }
}

async function tryVoice(
  variables: Environment,
  speaker: { readonly voice: string; readonly language: string },
  parts: TrialParts,
): Promise<TriedSettings> {
  if (!/^(?:off)?$/i.test(variables[SYSTEM_VOICE]?.trim() ?? "") && variables[FOUND_SYSTEM_VOICE] === undefined) {
    return failed("No program that speaks was found on this computer.");
  }
  const family = speaker.language.split("-")[0] ?? "";
  const { wave, seconds } = await speak(SENTENCES[family] ?? "1, 2, 3.", speaker, variables, parts);
  return {
    works: true,
    message: `It spoke for ${seconds.toFixed(1)} s.`,
    audio: Buffer.from(wave).toString("base64"),
  };
}

async function speak(
  text: string,
  speaker: { readonly voice: string; readonly language: string },
  environment: Environment,
  { engine, narrationFolder, signal }: TrialParts,
) {
  const order = { text, ...speaker, kept: {}, narrationFolder };
  const line = await engine.voiceLine(order, { signal, environment });
  if (line === null) throw new RangeError("a sentence without words");
  return line;
}

function withBuiltInVoice(variables: Environment): Environment {
  const others = Object.entries(variables).filter(([name]) => !name.startsWith("ASIDE_VOICE_"));
  return { ...Object.fromEntries(others), ASIDE_VOICE_NATURAL: "off", ASIDE_VOICE_SYSTEM: "off" };
}

/** A line as transcribers are given sound. */
async function asSent(wave: Uint8Array): Promise<Int16Array<ArrayBuffer>> {
  const { samples, sampleRate } = await spokenFromBytes(wave, "The built-in voice");
  const resampled = resample(samples, sampleRate, SENT_RATE);
  return Int16Array.from(resampled, (sample) => Math.round(32_767 * Math.max(-1, Math.min(1, sample))));
}

function failed(message: string): TriedSettings {
  return { works: false, message: hideSecrets(message) };
}
