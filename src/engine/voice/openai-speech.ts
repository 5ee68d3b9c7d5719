import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { parsedJson } from "../../core/objects.ts";
import { below, faultOf, openReply } from "../models/exchange.ts";
import { FAULT_TRIES, ownPauseMs, toldPauseMs } from "../models/refusal.ts";
import type { SpokenLine } from "../spoken-line.ts";
import { spokenFromBytes } from "./spoken-from-bytes.ts";
import {
  isPronounceable,
  requireLineLength,
  SpeechError,
  type Voice,
  type VoiceRequest,
  VoiceUnavailableError,
} from "./voice.ts";
import { engineVoice, type VoiceNames } from "./voice-names.ts";

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

/** Longest pause that a server may ask for, in milliseconds: somebody waits for the line. */
const LONGEST_TOLD_MS = 60_000;

/** A whole answer of the server. */
interface SpeechReply extends Pick<IncomingMessage, "headers"> {
  readonly status: number;
  readonly bytes: Buffer;
}

/** Speaks through `POST /audio/speech` of OpenAI, Kokoro-FastAPI, Speaches, LocalAI, and others that follow it. */
export class OpenAiSpeechVoice implements Voice {
  readonly id: string;
  readonly isCharged = true;
  readonly #settings: SpeechServerSettings;

  constructor(settings: SpeechServerSettings) {
    this.#settings = settings;
    // The voice behind a name is part of what a line is made from, and so are server and model.
    const made = JSON.stringify([settings.baseUrl, settings.model, settings.names.own, settings.names.byGender]);
    this.id = `openai-speech/1/${createHash("sha256").update(made).digest("hex").slice(0, 16)}`;
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
    const speed = Math.min(SPEED_LIMITS.maximum, Math.max(SPEED_LIMITS.minimum, request.rate));
    const asked = { model: this.#settings.model, voice, input: request.text, response_format: "wav", speed };
    const reply = await this.#ask(asked, signal);
    if (reply.status < 200 || reply.status >= 300) throw this.#refused(reply, request);
    const rawRate = rawRateOf(reply.headers["content-type"] ?? "");
    return spokenFromBytes(reply.bytes, `The speech server at ${this.#host}`, rawRate);
  }

  get #host(): string {
    return new URL(this.#settings.baseUrl).host;
  }

  /** Asks for a line, and again where the server stumbles or the line breaks. @returns The last answer, good or bad. */
  async #ask(asked: object, signal: AbortSignal | undefined): Promise<SpeechReply> {
    for (let tries = 1; ; tries++) {
      const reply = await this.#once(asked, signal, tries);
      if (reply !== null && (tries >= FAULT_TRIES || !isWorthAnotherTry(reply))) return reply;
      const told = reply === null ? undefined : toldPauseMs({ headers: reply.headers, body: null });
      const pause = told !== undefined && told <= LONGEST_TOLD_MS ? told : ownPauseMs(tries);
      await sleep(pause, undefined, { signal }).catch(() => signal?.throwIfAborted());
    }
  }

  /** @returns `null` when no answer came, or not in time, and another try is left. */
  async #once(asked: object, signal: AbortSignal | undefined, tries: number): Promise<SpeechReply | null> {
    const { baseUrl, apiKey, timeoutSeconds } = this.#settings;
    const limit = AbortSignal.timeout(timeoutSeconds * 1000);
    try {
      const reply = await openReply({
        url: below(baseUrl, "/audio/speech"),
        headers: { accept: "application/octet-stream", authorization: `Bearer ${apiKey}` },
        body: asked,
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      });
      return { status: reply.statusCode ?? 0, headers: reply.headers, bytes: await readLimited(reply) };
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof SpeechError) throw cause;
      if (tries < FAULT_TRIES) return null;
      const what = limit.aborted ? `gave no answer within ${timeoutSeconds} s` : "could not be reached";
      throw new SpeechError("speech_unreachable", `The speech server at ${this.#host} ${what}.`, { cause });
    }
  }

  #refused({ status, bytes }: SpeechReply, { language, voice }: VoiceRequest): Error {
    const { message, codes } = faultOf({ body: parsedJson(bytes.toString()) ?? bytes.toString() });
    if ([400, 404, 422].includes(status) && /voice|lang/i.test(`${message} ${codes}`)) {
      return new VoiceUnavailableError(`The speech server does not speak ${language} with the voice ${voice}.`);
    }
    return new SpeechError(
      "speech_refused",
      `The speech server at ${this.#host} refused the request with status ${status}. ` +
        "Check ASIDE_VOICE_MODEL and ASIDE_VOICE_KEY.",
    );
  }
}

/** Whether the same request may be answered the next time: as the server says, else by its status. */
function isWorthAnotherTry({ status, headers }: SpeechReply): boolean {
  const said = headers["x-should-retry"];
  if (said === "true" || said === "false") return said === "true";
  return [408, 409, 429].includes(status) || status >= 500;
}

/** Samples per second of a reply without a header: as its type says, else OpenAI's 24 kHz; `null` for other types. */
function rawRateOf(contentType: string): number | null {
  if (!/^(?:audio\/(?:pcm|l16|raw)|application\/octet-stream|$)/i.test(contentType.trim())) return null;
  const rate = Number(/rate=(\d+)/i.exec(contentType)?.[1]);
  return rate >= 8_000 && rate <= 192_000 ? rate : 24_000;
}

async function readLimited(reply: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of reply as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_REPLY_BYTES) {
      throw new SpeechError("speech_unreadable", "The speech server sent more sound than one line can have.");
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}
