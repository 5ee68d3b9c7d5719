import type { Environment } from "../outgoing/environment.ts";
import { elsewhereRefused } from "../outgoing/local-only.ts";

/** Where a transcription server is and how it is asked. */
export interface TranscriptionSettings {
  /**
   * Base address of an OpenAI-compatible endpoint, such as `http://127.0.0.1:8000/v1`; one that ends in `/inference` is
   * whisper.cpp's own server, asked there.
   */
  readonly baseUrl: string;
  readonly model: string;
  /** Sent as a bearer token; `""` for none. Never logged. */
  readonly apiKey: string;
  /** Seconds one request may take. */
  readonly timeoutSeconds: number;
}

/** What the environment says about a transcription server. */
export type TranscriptionConfiguration =
  | { readonly kind: "configured"; readonly settings: TranscriptionSettings }
  /** Nothing is set: a server that runs on this machine may be used. */
  | { readonly kind: "absent"; readonly timeoutSeconds: number }
  /** Something is set, but not enough or not readable; the sentence says what. */
  | { readonly kind: "incomplete"; readonly reason: string }
  /** `ASIDE_TRANSCRIPTION_URL=off`. */
  | { readonly kind: "off" };

/** Default time limit of one request: ten minutes of sound take a processor alone about as long. */
const DEFAULT_TIMEOUT_SECONDS = 900;

/**
 * Reads the configuration from environment variables: `ASIDE_TRANSCRIPTION_URL` (`off` forbids any server),
 * `ASIDE_TRANSCRIPTION_MODEL`, which whisper.cpp's own server does without, `ASIDE_TRANSCRIPTION_KEY` and
 * `ASIDE_TRANSCRIPTION_TIMEOUT` (seconds).
 */
export function transcriptionConfiguration(environment: Environment): TranscriptionConfiguration {
  const setting = (name: string) => environment[`ASIDE_TRANSCRIPTION_${name}`]?.trim() ?? "";
  const incomplete = (reason: string) => ({ kind: "incomplete", reason }) as const;
  const [url, model, timeout] = [setting("URL"), setting("MODEL"), setting("TIMEOUT")];
  if (url === "off") return { kind: "off" };
  const timeoutSeconds = timeout === "" ? DEFAULT_TIMEOUT_SECONDS : Number(timeout);
  if (!Number.isFinite(timeoutSeconds) || timeoutSeconds <= 0)
    return incomplete("ASIDE_TRANSCRIPTION_TIMEOUT is no number of seconds");
  if (url === "" && model === "") return { kind: "absent", timeoutSeconds };
  if (url === "") return incomplete("ASIDE_TRANSCRIPTION_MODEL is set and ASIDE_TRANSCRIPTION_URL is not");
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    return incomplete("ASIDE_TRANSCRIPTION_URL is no http(s) address");
  const baseUrl = url.replace(/\/+$/, "");
  const elsewhere = elsewhereRefused(environment, baseUrl);
  if (elsewhere !== null) return incomplete(elsewhere);
  if (model === "" && !isWhisperCpp(baseUrl))
    return incomplete("ASIDE_TRANSCRIPTION_URL is set and ASIDE_TRANSCRIPTION_MODEL is not");
  return { kind: "configured", settings: { baseUrl, model, apiKey: setting("KEY"), timeoutSeconds } };
}

/** Whether an address is that of whisper.cpp's own server. */
export function isWhisperCpp(baseUrl: string): boolean {
  return baseUrl.endsWith("/inference");
}
