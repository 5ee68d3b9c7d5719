import { createHash } from "node:crypto";
import { VOICES, type VoiceGender } from "../../contract/choices.ts";
import { speakLine } from "../local/ask-speech.ts";
import { SpeechEngineError } from "../local/speech-engine.ts";
import { orderedModel, type SpeechSetup } from "../local/speech-setup.ts";
import type { SpokenLine } from "../spoken-line.ts";
import type { InstalledModel } from "../store/installed.ts";
import { type ModelSpeaker, speakersIn } from "./natural-speakers.ts";
import { trimSilence } from "./spoken-from-bytes.ts";
import {
  isPronounceable,
  requireLineLength,
  type Speaker,
  SpeechError,
  type Voice,
  type VoiceRequest,
  VoiceUnavailableError,
} from "./voice.ts";
import { engineVoice } from "./voice-names.ts";

/** Natural voices on this computer, and what runs them. */
export interface NaturalVoiceSettings {
  readonly setup: SpeechSetup;
  /** Those that are to speak, the first that can: never none. */
  readonly models: readonly InstalledModel[];
  /** Voices of the models for names of the catalogue, where they have them. */
  readonly own: Readonly<Record<string, string>>;
}

/** Raised when the tables or the treatment of the sound change, so that cached narration is made anew. */
const VERSION = 1;

/** Speeds that the models are given at the most: beyond them, words are lost. */
const SPEEDS = { minimum: 0.5, maximum: 2 };

/** Speaks by models of the store, through the one process of the speech library. */
export class NaturalVoice implements Voice {
  readonly id: string;
  readonly name: string;
  readonly isCharged = false;
  readonly isMeasured = true;
  readonly #settings: NaturalVoiceSettings;

  constructor(settings: NaturalVoiceSettings) {
    this.#settings = settings;
    const { setup, models, own } = settings;
    // Files that were installed anew may sound otherwise.
    const made = JSON.stringify([setup.version, models.map((model) => [model.id, orderedModel(model).version]), own]);
    this.id = `natural/${VERSION}/${createHash("sha256").update(made).digest("hex").slice(0, 16)}`;
    this.name = models.map(({ title }) => title).join(" and ");
  }

  check(language: string, voice: string): void {
    this.#who(language, voice);
  }

  speaker(language: string, voice: string): Speaker {
    const { model, speaker } = this.#who(language, voice);
    const title = speaker.name === undefined ? model.title : `${model.title}, ${speaker.name}`;
    return { id: `${model.id}/${speaker.id}`, title, gender: speaker.gender };
  }

  async speak(request: VoiceRequest, signal?: AbortSignal): Promise<SpokenLine> {
    const { model, speaker } = this.#who(request.language, request.voice);
    requireLineLength(request);
    signal?.throwIfAborted();
    if (!isPronounceable(request.text)) return { samples: new Float32Array(0), sampleRate: 24_000 };
    const speed = Math.min(SPEEDS.maximum, Math.max(SPEEDS.minimum, request.rate));
    const line = { model: model.id, text: request.text, speaker: speaker.number, speed, language: speaker.code };
    try {
      return trimSilence(await speakLine(this.#settings.setup, line, signal));
    } catch (error) {
      if (!(error instanceof SpeechEngineError)) throw error;
      throw new SpeechError("speech_model_failed", error.message, { cause: error });
    }
  }

  /** Who speaks: of the first model that has a voice of the name's sex, else of the first that speaks the language. */
  #who(language: string, voice: string): { readonly model: InstalledModel; readonly speaker: ModelSpeaker } {
    const able = this.#settings.models.flatMap((model) => {
      const speakers = speakersIn(model, language);
      if (speakers.length === 0) return [];
      const chosen = this.#settings.own[voice];
      const own: Record<string, string> = speakers.some(({ id }) => id === chosen) && chosen ? { [voice]: chosen } : {};
      const names = { own, byGender: { female: [], male: [] }, languages: null, byLanguage: speakers };
      const id = engineVoice(names, nearestAccent(language), voice, this.name);
      const speaker = speakers.find((one) => one.id === id);
      return speaker === undefined ? [] : [{ model, speaker }];
    });
    const wanted = genderOf(voice);
    const isOwn = ({ speaker }: { readonly speaker: ModelSpeaker }) => speaker.id === this.#settings.own[voice];
    const found = able.find(isOwn) ?? able.find(({ speaker }) => speaker.gender === wanted) ?? able[0];
    if (found === undefined) {
      throw new VoiceUnavailableError(
        `${this.name} ${this.#settings.models.length > 1 ? "do" : "does"} not speak ${language}. Install a voice that does, or choose another.`,
      );
    }
    return found;
  }
}

/** The accent that stands for one that no model has. */
function nearestAccent(language: string): string {
  return /^en-(?:au|in)$/i.test(language) ? "en-GB" : language;
}

function genderOf(voice: string): VoiceGender | null {
  return VOICES.find(({ name }) => name === voice)?.gender ?? null;
}
