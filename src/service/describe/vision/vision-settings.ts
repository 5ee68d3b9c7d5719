/** Where a vision model is and how it is asked. */
export interface VisionSettings {
  /** Base address of an OpenAI-compatible endpoint, such as `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Sent as a bearer token; local servers take any. Never logged. */
  readonly apiKey: string;
  /** Seconds one request may take. */
  readonly timeoutSeconds: number;
  /** Price in currency units per million tokens, in and out, where the user states it; for the report alone. */
  readonly pricePerMillion?: { readonly input: number; readonly output: number };
}

/** Default time limit of one request: a local model on a processor needs minutes for a few pictures. */
const DEFAULT_TIMEOUT_SECONDS = 180;

/** Sent where no key is configured: servers on the own machine ask for some word and take any. */
const NO_KEY = "none";

/** What the environment says about a vision model. */
export type VisionConfiguration =
  | { readonly kind: "configured"; readonly settings: VisionSettings }
  /** Nothing is set: a model that runs on this machine may be used. */
  | { readonly kind: "absent"; readonly timeoutSeconds: number }
  /** Something is set, but not enough or not readable; the sentence says what. */
  | { readonly kind: "incomplete"; readonly reason: string }
  /** `ASIDE_VISION_URL=off`. */
  | { readonly kind: "off" };

/**
 * Reads the configuration from environment variables: `ASIDE_VISION_URL` (`off` forbids any model), `ASIDE_VISION_MODEL`,
 * `ASIDE_VISION_KEY`, `ASIDE_VISION_TIMEOUT` (seconds) and `ASIDE_VISION_PRICE` (`input/output` per million tokens).
 */
export function visionConfiguration(environment: Readonly<Record<string, string | undefined>>): VisionConfiguration {
  const url = environment["ASIDE_VISION_URL"]?.trim() ?? "";
  const model = environment["ASIDE_VISION_MODEL"]?.trim() ?? "";
  if (url === "off") return { kind: "off" };
  const timeoutSeconds = secondsFrom(environment["ASIDE_VISION_TIMEOUT"]);
  if (timeoutSeconds === null) return { kind: "incomplete", reason: "ASIDE_VISION_TIMEOUT is no number of seconds" };
  if (url === "" && model === "") return { kind: "absent", timeoutSeconds };
  if (url === "") return { kind: "incomplete", reason: "ASIDE_VISION_MODEL is set and ASIDE_VISION_URL is not" };
  if (model === "") return { kind: "incomplete", reason: "ASIDE_VISION_URL is set and ASIDE_VISION_MODEL is not" };
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    return { kind: "incomplete", reason: "ASIDE_VISION_URL is no http(s) address" };
  const price = priceFrom(environment["ASIDE_VISION_PRICE"]);
  if (price === null) {
    return { kind: "incomplete", reason: 'ASIDE_VISION_PRICE is not of the form "input/output", such as 2.5/10' };
  }
  const key = environment["ASIDE_VISION_KEY"]?.trim() ?? "";
  return {
    kind: "configured",
    settings: {
      baseUrl: url.replace(/\/+$/, ""),
      model,
      apiKey: key === "" ? NO_KEY : key,
      timeoutSeconds,
      ...(price === undefined ? {} : { pricePerMillion: price }),
    },
  };
}

/** Settings for a model found on this machine. */
export function localVisionSettings(baseUrl: string, model: string, timeoutSeconds: number): VisionSettings {
  return { baseUrl, model, apiKey: NO_KEY, timeoutSeconds };
}

/** Seconds as they are set; `null` for what is no time. */
function secondsFrom(text = ""): number | null {
  if (text.trim() === "") return DEFAULT_TIMEOUT_SECONDS;
  const value = Number(text);
  return Number.isFinite(value) && value > 0 ? value : null;
}

/** The prices as they are set, `undefined` for none; `null` for what is not two numbers. */
function priceFrom(text = ""): { input: number; output: number } | null | undefined {
  if (text.trim() === "") return undefined;
  const match = /^\s*(\d*\.?\d+)\s*\/\s*(\d*\.?\d+)\s*$/.exec(text);
  return match === null ? null : { input: Number(match[1]), output: Number(match[2]) };
}
