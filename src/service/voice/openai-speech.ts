import { createHash } from "node:crypto";
import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIError } from "openai";
import { defined } from "../../core/defined.ts";
import { serverFetch } from "../outgoing/server-fetch.ts";
import type { SpokenLine } from "../spoken-line.ts";
import { SpeechError } from "./speech-error.ts";
import { spokenFromBytes } from "./spoken-from-bytes.ts";
import { isPronounceable, requireLineLength, type Voice, type VoiceRequest } from "./voice.ts";
import { engineVoice, type VoiceNames } from "./voice-names.ts";
import { VoiceUnavailableError } from "./voice-unavailable-error.ts";

/** Where a speech server is and how it is asked. */
export interface SpeechServerSettings {
  /** Base address of an OpenAI-compatible endpoint, such as `http://127.0.0.1:8880/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Sent as a bearer token; local servers take any. Never logged. */
  readonly apiKey: string;
  /** Seconds one request may take. */
  readonly timeoutSeconds: number;
  readonly names: VoiceNames;
}

/** Most bytes taken as the sound of one line: five minutes at 48 kHz and 24 bits in stereo. */
const MAX_REPLY_BYTES = 96 * 2 ** 20;

/** Speed factors the interface allows. */
const SPEED_LIMITS = { minimum: 0.25, maximum: 4 };

/** Speaks through `POST /audio/speech` of OpenAI, Kokoro-FastAPI, Speaches, LocalAI, and others that follow it. */
export class OpenAiSpeechVoice implements Voice {
  readonly id: string;
  readonly isCharged = true;
  readonly #settings: SpeechServerSettings;
  readonly #client: OpenAI;

  constructor(settings: SpeechServerSettings) {
    this.#settings = settings;
    // The voice behind a name is part of what a line is made from, and so are server and model.
    const made = JSON.stringify([settings.baseUrl, settings.model, settings.names.own, settings.names.byGender]);
    this.id = `openai-speech/1/${createHash("sha256").update(made).digest("hex").slice(0, 16)}`;
    this.#client = new OpenAI({
      baseURL: settings.baseUrl,
      apiKey: settings.apiKey,
      timeout: settings.timeoutSeconds * 1000,
      maxRetries: 2,
      fetch: serverFetch,
      // The library would read the user's unrelated OpenAI settings from the environment.
      organization: null,
      project: null,
      logLevel: "off",
    });
  }

  check(language: string, voice: string): void {
    engineVoice(this.#settings.names, language, voice, "The speech server");
  }

  async speak(request: VoiceRequest, signal?: AbortSignal): Promise<SpokenLine> {
    const voice = engineVoice(this.#settings.names, request.language, request.voice, "The speech server");
    requireLineLength(request);
    signal?.throwIfAborted();
    // Servers answer an empty input with an error, and some speak the names of marks.
    if (!isPronounceable(request.text)) return { samples: new Float32Array(0), sampleRate: 24_000 };
    try {
      const reply = await this.#client.audio.speech.create(
        {
          model: this.#settings.model,
          voice,
          input: request.text,
          response_format: "wav",
          speed: Math.min(SPEED_LIMITS.maximum, Math.max(SPEED_LIMITS.minimum, request.rate)),
        },
        defined({ signal }),
      );
      const rawRate = rawRateOf(reply.headers.get("content-type") ?? "");
      return spokenFromBytes(await readLimited(reply), `The speech server at ${this.#host}`, rawRate);
    } catch (error) {
      signal?.throwIfAborted();
      throw this.#raised(error, request);
    }
  }

  get #host(): string {
    return new URL(this.#settings.baseUrl).host;
  }

  #raised(error: unknown, request: VoiceRequest): unknown {
    if (error instanceof APIConnectionTimeoutError) {
      const limit = this.#settings.timeoutSeconds;
      return new SpeechError(
        "speech_unreachable",
        `The speech server at ${this.#host} gave no answer within ${limit} s.`,
      );
    }
    if (error instanceof APIConnectionError) {
      return new SpeechError("speech_unreachable", `The speech server at ${this.#host} could not be reached.`);
    }
    if (!(error instanceof APIError)) return error;
    if ([400, 404, 422].includes(error.status ?? 0) && /voice|lang/i.test(error.message)) {
      return new VoiceUnavailableError(
        `The speech server does not speak ${request.language} with the voice ${request.voice}.`,
      );
    }
    return new SpeechError(
      "speech_refused",
      `The speech server at ${this.#host} refused the request with status ${error.status ?? "unknown"}. ` +
        "Check ASIDE_VOICE_MODEL and ASIDE_VOICE_KEY.",
    );
  }
}

/** Samples per second of a reply without a header: as its type says, else OpenAI's 24 kHz; `null` for other types. */
function rawRateOf(contentType: string): number | null {
  if (!/^(?:audio\/(?:pcm|l16|raw)|application\/octet-stream|$)/i.test(contentType.trim())) return null;
  const rate = Number(/rate=(\d+)/i.exec(contentType)?.[1]);
  return rate >= 8_000 && rate <= 192_000 ? rate : 24_000;
}

async function readLimited(reply: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of reply.body ?? []) {
    size += part.length;
    if (size > MAX_REPLY_BYTES) {
      throw new SpeechError("speech_unreadable", "The speech server sent more sound than one line can have.");
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}
