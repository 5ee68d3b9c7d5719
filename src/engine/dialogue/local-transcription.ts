import * as z from "zod/mini";
import { serverFetch } from "../outgoing/server-fetch.ts";
import type { TranscriptionSettings } from "./transcription-settings.ts";

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
