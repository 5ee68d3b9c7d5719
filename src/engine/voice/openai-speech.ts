import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { defined, parsedJson } from "../../core/objects.ts";
import { isLocalAddress } from "../../core/ports.ts";
import { JobFailure } from "../isolate/job-failure.ts";
import {
  AnswerTooLong,
  below,
  faultOf,
  openReply,
  readWithin,
  type ServerFault,
  spokenReason,
} from "../models/exchange.ts";
import { FAULT_TRIES, NO_MONEY, ownPauseMs, pauseAfter, toldPauseMs } from "../models/refusal.ts";
import { knownCost, LEDGER_HEADER, type PaidPlan } from "../outgoing/ledger.ts";
import type { SpokenLine } from "../spoken-line.ts";
import { namesOnServer, voicesOfServer } from "./speech-server.ts";
import { spokenFromBytes } from "./spoken-from-bytes.ts";
import {
  isPronounceable,
  requireLineLength,
  type Speaker,
  SpeechError,
  type SpeechErrorCode,
  type Voice,
  type VoiceRequest,
  VoiceUnavailableError,
} from "./voice.ts";
import { engineSpeaker, familyOf, type VoiceNames } from "./voice-names.ts";

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
  /** Price of a million letters, in the currency of all prices; absent where none is stated. */
  readonly price?: number;
}

/** Most bytes taken as the sound of one line: five minutes at 48 kHz and 24 bits in stereo. */
const MAX_REPLY_BYTES = 96 * 2 ** 20;

/** Bytes of an answer in words that are read. */
const MOST_WORDS_BYTES = 65_536;

/** Answers to a kind of sound, or anything else of a request, that a server does not know. */
const NOT_KNOWN: readonly number[] = [400, 404, 415, 422];

/** Speed factors the interface allows. */
const SPEED_LIMITS = { minimum: 0.25, maximum: 4 };

/** Longest pause that a server that stumbles may ask for, in milliseconds: somebody waits for the line. */
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
  readonly name: string;
  readonly isMeasured: boolean;
  readonly #settings: SpeechServerSettings;
  /** Whether it is sent what OpenAI itself refuses; `false` once it has refused that too. */
  #takesMore: boolean;
  /** MP3 once the server has refused WAV. */
  #format: "wav" | "mp3" = "wav";

  /** @param takesMore Whether the server is one of those that take a language, and that stream unless told otherwise. */
  constructor(settings: SpeechServerSettings, takesMore = false) {
    this.#settings = settings;
    this.#takesMore = takesMore;
    // One on this computer costs nothing to ask.
    this.isMeasured = isLocalAddress(settings.baseUrl);
    // The voice behind a name is part of what a line is made from, and so are server and model.
    const made = JSON.stringify([settings.baseUrl, settings.model, settings.names]);
    this.name = `The speech server at ${new URL(settings.baseUrl).host}`;
    this.id = `openai-speech/2/${createHash("sha256").update(made).digest("hex").slice(0, 16)}`;
  }

  /** Opens a server, which is asked for the voices that it has: a name that it lacks is refused before anything is spoken. */
  static async open(settings: SpeechServerSettings): Promise<OpenAiSpeechVoice> {
    const voices = await voicesOfServer(settings);
    if (voices === null) return new OpenAiSpeechVoice(settings, isLocalAddress(settings.baseUrl));
    const own = Object.entries(settings.names.own);
    // Several may be mixed, as in `af_sky+af_bella`.
    const lacking = own.filter(([, id]) => !/[+(]/.test(id) && voices.every((voice) => voice.id !== id));
    const names = { ...namesOnServer(voices, settings.names), lacking: Object.fromEntries(lacking) };
    return new OpenAiSpeechVoice({ ...settings, names }, true);
  }

  check(language: string, voice: string): void {
    this.speaker(language, voice);
  }

  speaker(language: string, voice: string): Speaker {
    return engineSpeaker(this.#settings.names, language, voice, this.name);
  }

  async speak(request: VoiceRequest, signal?: AbortSignal): Promise<SpokenLine> {
    const { id: voice } = this.speaker(request.language, request.voice);
    requireLineLength(request);
    signal?.throwIfAborted();
    // Servers answer an empty input with an error, and some speak the names of marks.
    if (!isPronounceable(request.text)) return { samples: new Float32Array(0), sampleRate: 24_000 };
    const speed = Math.min(SPEED_LIMITS.maximum, Math.max(SPEED_LIMITS.minimum, request.rate));
    const asked = { model: this.#settings.model, voice, input: request.text, speed };
    const { price } = this.#settings;
    const plan = knownCost(price === undefined ? null : (price * request.text.length) / 1e6);
    const whole = () => ({
      ...asked,
      response_format: this.#format,
      // The end of a streamed sound was lost, and its header tells no length.
      ...(this.#takesMore ? { stream: false, ...languageFor(voice, request.language) } : {}),
    });
    let reply = await this.#ask(whole(), plan, signal);
    if (this.#takesMore && NOT_KNOWN.includes(reply.status) && /stream|lang/i.test(saidIn(reply.bytes).message)) {
      this.#takesMore = false;
      reply = await this.#ask(whole(), plan, signal);
    }
    if (this.#refusesWav(reply)) {
      this.#format = "mp3";
      reply = await this.#ask(whole(), plan, signal);
    }
    if (!isGood(reply)) throw this.#refused(reply, request);
    const words = this.#wordsIn(reply.bytes);
    if (words !== "") throw new SpeechError("speech_refused", `${this.name} answered without a sound: “${words}”`);
    return spokenFromBytes(reply.bytes, this.name, rawRateOf(reply.headers["content-type"] ?? ""));
  }

  /** Whether a server says that it makes no WAV. */
  #refusesWav({ status, bytes }: SpeechReply): boolean {
    return (
      this.#format === "wav" && NOT_KNOWN.includes(status) && /\bwav\b|response_format/i.test(saidIn(bytes).message)
    );
  }

  /** What a server says in place of a sound; empty where the bytes are none of its words. */
  #wordsIn(bytes: Buffer): string {
    // "{", after spaces.
    if (bytes.find((byte) => byte > 0x20) !== 0x7b) return "";
    return spokenReason(saidIn(bytes).message, this.#settings.apiKey);
  }

  /** Asks for a line, and again where the server stumbles or the line breaks. @returns The last answer, good or bad. */
  async #ask(asked: object, plan: PaidPlan | undefined, signal: AbortSignal | undefined): Promise<SpeechReply> {
    let waitedMs = 0;
    for (let tries = 1; ; tries++) {
      const reply = await this.#once(asked, plan, signal, tries);
      const pause = reply === null ? ownPauseMs(tries) : pauseBeforeNext(reply, tries, waitedMs);
      if (reply !== null && pause === null) return reply;
      waitedMs += pause ?? 0;
      await sleep(pause ?? 0, undefined, { signal }).catch(() => signal?.throwIfAborted());
    }
  }

  /** @returns `null` when no answer came, or not in time, and another try is left. */
  async #once(
    asked: object,
    plan: PaidPlan | undefined,
    signal: AbortSignal | undefined,
    tries: number,
  ): Promise<SpeechReply | null> {
    const { baseUrl, apiKey, timeoutSeconds } = this.#settings;
    const limit = AbortSignal.timeout(timeoutSeconds * 1000);
    try {
      const reply = await openReply({
        url: below(baseUrl, "/audio/speech"),
        headers: { accept: "application/octet-stream", authorization: `Bearer ${apiKey}` },
        body: asked,
        ...defined({ plan }),
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      });
      return { status: reply.statusCode ?? 0, headers: reply.headers, bytes: await readWithin(reply, MAX_REPLY_BYTES) };
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof AnswerTooLong) {
        throw new SpeechError("speech_unreadable", "The speech server sent more sound than one line can have.");
      }
      if (tries < FAULT_TRIES) return null;
      const what = limit.aborted ? `gave no answer within ${timeoutSeconds} s` : "could not be reached";
      throw new SpeechError("speech_unreachable", `${this.name} ${what}.`, { cause });
    }
  }

  #refused({ status, bytes, headers }: SpeechReply, { language, voice }: VoiceRequest): Error {
    // The book of the job lets it go no further; nobody was asked.
    if (headers[LEDGER_HEADER] === "ceiling") return new JobFailure("cost_limit_reached", bytes.toString("utf8"));
    const { message, codes } = saidIn(bytes);
    if (NOT_KNOWN.includes(status) && /voice|lang/i.test(`${message} ${codes}`)) {
      return new VoiceUnavailableError(`The speech server does not speak ${language} with the voice ${voice}.`);
    }
    const words = spokenReason(message, this.#settings.apiKey);
    const said = words === "" ? "." : `: “${words}”`;
    const wayOut = WAYS_OUT[status] ?? "";
    const code = codeOf({ status, bytes });
    return new SpeechError(code, `${this.name} refused the request with status ${status}${said}${wayOut}`);
  }
}

/** The language as servers take it: Kokoro's by the letter that its voices begin with, others as a code. */
function languageFor(voice: string, language: string): object {
  const [, letter] = /^([a-z])[fm]_/.exec(voice) ?? [];
  return letter === undefined ? { language: familyOf(language) } : { lang_code: letter };
}

/** What to look at, where a status says it. */
const WAYS_OUT: Readonly<Record<number, string | undefined>> = {
  402: " Add credit to the account with its provider.",
  401: " Check ASIDE_VOICE_KEY.",
  403: " Check ASIDE_VOICE_KEY.",
  404: " Check ASIDE_VOICE_URL and ASIDE_VOICE_MODEL.",
  429: " Go on later, or use another voice.",
};

function codeOf(reply: Pick<SpeechReply, "status" | "bytes">): SpeechErrorCode {
  if (isAboutMoney(reply)) return "speech_out_of_credit";
  if (reply.status === 429) return "speech_rate_limited";
  // A server that stumbles has refused nothing.
  return reply.status >= 500 || reply.status === 408 ? "speech_unreachable" : "speech_refused";
}

/** Whether a refusal is about money, which no waiting mends. */
function isAboutMoney({ status, bytes }: Pick<SpeechReply, "status" | "bytes">): boolean {
  return status === 402 || (status === 429 && NO_MONEY.test(saidIn(bytes).codes));
}

/** What a server says in an answer that is no sound. */
function saidIn(bytes: Buffer): ServerFault {
  const words = bytes.subarray(0, MOST_WORDS_BYTES).toString();
  return faultOf({ body: parsedJson(words) ?? words });
}

function isGood({ status }: SpeechReply): boolean {
  return status >= 200 && status < 300;
}

/** Whether the same request may be answered the next time: as the server says, else by its status. */
function isWorthAnotherTry({ status, headers, bytes }: SpeechReply): boolean {
  if (isAboutMoney({ status, bytes })) return false;
  const said = headers["x-should-retry"];
  if (said === "true" || said === "false") return said === "true";
  return [408, 409, 429].includes(status) || status >= 500;
}

/** How long to wait before a line is asked for again, in milliseconds; `null`: not at all. Who says "later" is believed for ten minutes. */
function pauseBeforeNext(reply: SpeechReply, tries: number, waitedMs: number): number | null {
  if (!isWorthAnotherTry(reply)) return null;
  const { status, headers } = reply;
  if (status === 429) return pauseAfter({ status, headers, body: null }, tries, waitedMs);
  if (tries >= FAULT_TRIES) return null;
  const told = toldPauseMs({ headers, body: null });
  return told !== undefined && told <= LONGEST_TOLD_MS ? told : ownPauseMs(tries);
}

/** Samples per second of a reply without a header: as its type says, else OpenAI's 24 kHz; `null` for other types. */
function rawRateOf(contentType: string): number | null {
  if (!/^(?:audio\/(?:pcm|l16|raw)|application\/octet-stream|$)/i.test(contentType.trim())) return null;
  const rate = Number(/rate=(\d+)/i.exec(contentType)?.[1]);
  return rate >= 8_000 && rate <= 192_000 ? rate : 24_000;
}
