import * as z from "zod/mini";
import { defined } from "../../core/objects.ts";
import { earsIn, type InstalledHearing } from "../local/speech-setup.ts";
import { type Environment, elsewhereRefused } from "../outgoing/local-only.ts";
import { serverFetch } from "../outgoing/send-request.ts";

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
  /** Price of a minute of sound, in the currency of all prices; absent where none is stated. */
  readonly price?: number;
}

/** What the environment says about a transcription server. */
export type TranscriptionConfiguration =
  | { readonly kind: "configured"; readonly settings: TranscriptionSettings }
  /** A model that is installed on this computer: named, or the one there is where nothing is set. */
  | { readonly kind: "here"; readonly ears: InstalledHearing }
  /** Nothing is set: a server that runs on this machine may be used. */
  | { readonly kind: "absent"; readonly timeoutSeconds: number }
  /** Something is set, but not enough or not readable; the sentence says what. */
  | { readonly kind: "incomplete"; readonly reason: string }
  /** `ASIDE_TRANSCRIPTION_URL=off`. */
  | { readonly kind: "off" };

/** Default time limit of one request: ten minutes of sound take a processor alone about as long. */
const DEFAULT_TIMEOUT_SECONDS = 900;

/**
 * Reads the configuration from environment variables: `ASIDE_TRANSCRIPTION_URL` (`off` forbids any server, `here` stands for a model
 * that is installed on this computer, which is used where nothing is set, too),
 * `ASIDE_TRANSCRIPTION_MODEL`, which whisper.cpp's own server does without, `ASIDE_TRANSCRIPTION_KEY`,
 * `ASIDE_TRANSCRIPTION_PRICE` (of a minute of sound) and `ASIDE_TRANSCRIPTION_TIMEOUT` (seconds).
 */
export function transcriptionConfiguration(environment: Environment): TranscriptionConfiguration {
  const setting = (name: string) => environment[`ASIDE_TRANSCRIPTION_${name}`]?.trim() ?? "";
  const incomplete = (reason: string) => ({ kind: "incomplete", reason }) as const;
  const [url, model, timeout] = [setting("URL"), setting("MODEL"), setting("TIMEOUT")];
  if (url === "off") return { kind: "off" };
  const timeoutSeconds = timeout === "" ? DEFAULT_TIMEOUT_SECONDS : Number(timeout);
  if (!Number.isFinite(timeoutSeconds) || timeoutSeconds <= 0)
    return incomplete("ASIDE_TRANSCRIPTION_TIMEOUT is no number of seconds");
  const price = setting("PRICE") === "" ? undefined : Number(setting("PRICE"));
  if (price !== undefined && !(price >= 0)) return incomplete("ASIDE_TRANSCRIPTION_PRICE is no number, such as 0.006");
  if (url === "here" || (url === "" && model === "")) {
    const ears = earsIn(environment, model);
    if (ears !== null) return { kind: "here", ears };
    if (url === "") return { kind: "absent", timeoutSeconds };
    const named = model === "" ? "no model that transcribes" : `no model “${model}”`;
    return incomplete(
      `ASIDE_TRANSCRIPTION_URL is here, and ${named} is installed on this computer: see aside models list`,
    );
  }
  if (url === "") return incomplete("ASIDE_TRANSCRIPTION_MODEL is set and ASIDE_TRANSCRIPTION_URL is not");
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    return incomplete("ASIDE_TRANSCRIPTION_URL is no http(s) address");
  const baseUrl = url.replace(/\/+$/, "");
  const elsewhere = elsewhereRefused(environment, baseUrl);
  if (elsewhere !== null) return incomplete(elsewhere);
  if (model === "" && !isWhisperCpp(baseUrl))
    return incomplete("ASIDE_TRANSCRIPTION_URL is set and ASIDE_TRANSCRIPTION_MODEL is not");
  return {
    kind: "configured",
    settings: { baseUrl, model, apiKey: setting("KEY"), timeoutSeconds, ...defined({ price }) },
  };
}

/** Whether an address is that of whisper.cpp's own server. */
export function isWhisperCpp(baseUrl: string): boolean {
  return baseUrl.endsWith("/inference");
}

/** Where servers listen unless told otherwise; loopback only, so that nothing leaves this computer. */
export const LOCAL_TRANSCRIPTION = { speaches: "http://127.0.0.1:8000", localAi: "http://127.0.0.1:8080" };

/** A server on this machine answers at once or not at all. */
const LOOK_MILLISECONDS = 800;

/** Names of models that transcribe, where a server does not say what its models do. */
const TRANSCRIBING = /whisper|parakeet|canary|moonshine/i;

const Models = z.object({ data: z.array(z.object({ id: z.string(), task: z.optional(z.string()) })) });

/**
 * Finds a transcription server that runs on this machine now: Speaches, LocalAI, or whisper.cpp's own; `null` when none does.
 * Never raises.
 *
 * @param origins Where they listen, for a machine (or a test) where it is elsewhere.
 */
export async function findLocalTranscription(
  timeoutSeconds: number,
  origins: typeof LOCAL_TRANSCRIPTION = LOCAL_TRANSCRIPTION,
): Promise<TranscriptionSettings | null> {
  const looks = [listedModel(origins.speaches), listedModel(origins.localAi), whisperCpp(origins.localAi)];
  const found = await Promise.all(looks.map((look) => look.catch(() => null)));
  const first = found.find((one) => one !== null);
  return first === undefined ? null : { ...first, apiKey: "", timeoutSeconds };
}

type FoundServer = Pick<TranscriptionSettings, "baseUrl" | "model">;

/** The first model that transcribes of a server that lists its models. */
async function listedModel(origin: string): Promise<FoundServer | null> {
  const { data } = Models.parse(await (await get(`${origin}/v1/models`)).json());
  const found = data.find(({ id, task }) =>
    task === undefined ? TRANSCRIBING.test(id) : task === "automatic-speech-recognition",
  );
  return found === undefined ? null : { baseUrl: `${origin}/v1`, model: found.id };
}

/** whisper.cpp lists nothing; its page names it. */
async function whisperCpp(origin: string): Promise<FoundServer | null> {
  const page = await (await get(`${origin}/`)).text();
  return /whisper\.cpp/i.test(page) ? { baseUrl: `${origin}/inference`, model: "" } : null;
}

async function get(url: string): Promise<Response> {
  const reply = await serverFetch(url, { signal: AbortSignal.timeout(LOOK_MILLISECONDS) });
  if (!reply.ok) throw new Error(`status ${reply.status}`);
  return reply;
}
