import { wordsPerMinute } from "../../core/speaking-time.ts";
import { type SpokenLine, spokenSeconds } from "../spoken-line.ts";
import { EspeakEngine } from "./espeak-engine.ts";
import { espeakSpeaker } from "./espeak-tables.ts";
import { trimSilence } from "./spoken-from-bytes.ts";
import { requireLineLength, type Voice, type VoiceRequest } from "./voice.ts";

/**
 * Raised when the tables or the treatment of the sound change, so that cached narration is made anew; the first part is
 * the version of the package.
 */
const ESPEAK_VOICE_ID = "espeak-ng-0.3.5/2";

/**
 * Setting of the engine at rate 1, below its own 175. It counts its pauses in, and short lines end slowly: at 128, lines of
 * descriptions came out at 138 words per minute over all, long words at 105.
 */
const NORMAL_WORDS_PER_MINUTE = 160;

/**
 * Words per minute at rate 1 from which a line is said slower: the engine counts syllables, so a line of short words would
 * pass the pace from which the check warns, and nothing presses it. The narrator measures what comes of it, and asks for as
 * much faster as 165 words a minute take.
 */
const MAXIMUM_PACE = 156;

/** What the engine can be set to. */
const RATE_LIMITS = { minimum: 80, maximum: 450 };

/**
 * The embedded default voice: espeak-ng in this process, without network, model or system package. Clear and robotic; the
 * 31 catalogue names are 31 stable timbres in each of the languages of {@link ESPEAK_LANGUAGES}.
 */
export class EspeakVoice implements Voice {
  readonly id = ESPEAK_VOICE_ID;
  readonly name = "The built-in voice";
  readonly isCharged = false;
  readonly isMeasured = true;
  /** One for all of a process: it is put back before every line. */
  static #engine: Promise<EspeakEngine> | undefined;

  /** Loads the engine, so that the first line need not wait for it. */
  static load(): Promise<EspeakEngine> {
    EspeakVoice.#engine ??= EspeakEngine.load();
    return EspeakVoice.#engine;
  }

  check(language: string, voice: string): void {
    espeakSpeaker(language, voice);
  }

  async speak(request: VoiceRequest, signal?: AbortSignal): Promise<SpokenLine> {
    const { identifier, timbre } = espeakSpeaker(request.language, request.voice);
    requireLineLength(request);
    signal?.throwIfAborted();
    const engine = await EspeakVoice.load();
    signal?.throwIfAborted();
    try {
      const say = (wordsPerMinute: number): SpokenLine => {
        const { pcm, sampleRate } = engine.speak({
          text: request.text,
          voice: `${identifier}+${timbre.variant}`,
          wordsPerMinute: Math.min(RATE_LIMITS.maximum, Math.max(RATE_LIMITS.minimum, wordsPerMinute)),
          pitch: timbre.pitch,
          range: timbre.range,
        });
        return trimSilence({ samples: floatSamples(pcm), sampleRate });
      };
      const setting = NORMAL_WORDS_PER_MINUTE * request.rate;
      const line = say(setting);
      const pace = wordsPerMinute(request.text, spokenSeconds(line)) / request.rate;
      return pace <= MAXIMUM_PACE ? line : say((setting * MAXIMUM_PACE) / pace);
    } catch (error) {
      EspeakVoice.#engine = undefined;
      throw error;
    }
  }
}

/** Samples of 16 bits with full scale at 1. */
function floatSamples(pcm: Int16Array): Float32Array {
  // A loop: `Float32Array.from` takes as long as an eighth of the speaking.
  const samples = new Float32Array(pcm.length);
  for (let i = 0; i < pcm.length; i++) samples[i] = (pcm[i] ?? 0) / 32_768;
  return samples;
}
