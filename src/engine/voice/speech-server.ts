import * as z from "zod/mini";
import type { VoiceGender } from "../../contract/choices.ts";
import { below, exchange } from "../models/exchange.ts";
import { kokoroVoice, sexOfName } from "./natural-speakers.ts";
import { FIRST_OPENAI_VOICES, type LanguageVoice, type VoiceNames } from "./voice-names.ts";

/** Where a server of speech is, and what opens it. */
interface ServerWithVoices {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
}

/** A voice as a server lists it; servers differ in what they call everything. */
const ListedVoice = z.union([
  z.string(),
  z.object({
    id: z.optional(z.string()),
    voice_id: z.optional(z.string()),
    name: z.optional(z.string()),
    model: z.optional(z.string()),
    model_id: z.optional(z.string()),
    language: z.optional(z.nullable(z.string())),
    gender: z.optional(z.nullable(z.string())),
  }),
]);
const Voices = z.union([z.array(z.unknown()), z.object({ voices: z.array(z.unknown()) })]);

/** How long a server may take to say what voices it has, in milliseconds. */
const VOICES_MS = 2_500;

/** Voices of a list that are looked at. */
const MOST_VOICES = 2_000;

/** How long an answer stands, in milliseconds: pages ask for the voices again and again. */
const KNOWN_MS = 30_000;

const known = new Map<string, { readonly at: number; readonly voices: Promise<readonly ServerVoice[] | null> }>();

/** A voice that a server has. */
export interface ServerVoice {
  readonly id: string;
  readonly name: string;
  /** BCP-47 code; `null` where nobody says. */
  readonly language: string | null;
  readonly gender: VoiceGender | null;
}

/**
 * The voices that a server has by its own list, which costs nothing; `null` where it has no list. Never raises: whether the
 * server is there is said when it is to speak.
 */
export function voicesOfServer(server: ServerWithVoices, now = Date.now()): Promise<readonly ServerVoice[] | null> {
  const key = JSON.stringify([server.baseUrl, server.model, server.apiKey]);
  const before = known.get(key);
  if (before !== undefined && now - before.at < KNOWN_MS) return before.voices;
  const voices = askForVoices(server).catch(() => null);
  known.set(key, { at: now, voices });
  // One that is only starting is asked again.
  void voices.then((found) => found ?? known.delete(key));
  return voices;
}

async function askForVoices({ baseUrl, apiKey, model }: ServerWithVoices): Promise<readonly ServerVoice[] | null> {
  // OpenAI itself has no such list.
  if (/(^|\.)openai\.com$/.test(new URL(baseUrl).hostname)) return null;
  const { status, body } = await exchange({
    url: below(baseUrl, "/audio/voices"),
    headers: { authorization: `Bearer ${apiKey}` },
    signal: AbortSignal.timeout(VOICES_MS),
  });
  const list = status === 200 ? Voices.safeParse(body).data : undefined;
  if (list === undefined) return null;
  const entries = (Array.isArray(list) ? list : list.voices).slice(0, MOST_VOICES);
  const voices = entries.flatMap((entry) => voiceFrom(entry, model));
  return voices.length === 0 ? null : voices;
}

function voiceFrom(entry: unknown, model: string): ServerVoice[] {
  const given = ListedVoice.safeParse(entry).data;
  if (given === undefined) return [];
  const told = typeof given === "string" ? { id: given } : given;
  const id = told.id ?? told.voice_id ?? told.name;
  if (id === undefined || id === "") return [];
  // Some list the voices of every model that they have.
  const ofModel = told.model_id ?? told.model ?? model;
  if (ofModel !== model) return [];
  const said = told.gender?.toLowerCase();
  const gender = said === "female" || said === "male" ? said : sexOfName(id);
  return [{ id, name: told.name ?? id, language: told.language ?? null, gender }];
}

/** Names of Kokoro's voices: language, sex, name. */
const KOKORO_ID = /^[a-z][fm]_/;

/**
 * Who speaks for the names of the catalogue on a server with these voices: Kokoro's tell language and sex by themselves, so do
 * those that a server describes; OpenAI's are known; of others, each name gets one of its sex where that is known.
 */
export function namesOnServer(voices: readonly ServerVoice[], names: VoiceNames): VoiceNames {
  const kokoro = voices.filter(({ id }) => KOKORO_ID.test(id));
  if (kokoro.length > 0) {
    // Those of its first version stand beside the same ones of the next.
    const newer = kokoro.filter(({ id }) => !id.includes("_v0"));
    return { ...names, byLanguage: (newer.length > 0 ? newer : kokoro).flatMap(({ id }) => kokoroVoice(id)) };
  }
  const described = voices.flatMap(({ language, ...voice }): LanguageVoice[] =>
    language === null || !/^[a-z]{2,3}(?:[-_]|$)/i.test(language)
      ? []
      : [{ ...voice, language: language.replaceAll("_", "-") }],
  );
  if (described.length === voices.length) return { ...names, byLanguage: described };
  const ids = voices.map(({ id }) => id);
  const openAi = {
    female: FIRST_OPENAI_VOICES.female.filter((id) => ids.includes(id)),
    male: FIRST_OPENAI_VOICES.male.filter((id) => ids.includes(id)),
  };
  if (openAi.female.length > 0 && openAi.male.length > 0) return { ...names, byGender: openAi };
  const ofSex = (sex: VoiceGender) => {
    const own = voices.filter(({ gender }) => gender === sex);
    const unknown = voices.filter(({ gender }) => gender === null);
    return (own.length > 0 ? own : unknown.length > 0 ? unknown : voices).map(({ id }) => id);
  };
  return { ...names, byGender: { female: ofSex("female"), male: ofSex("male") } };
}

/** A server of speech that runs on this computer. */
export interface LocalSpeech {
  /** For people. */
  readonly title: string;
  readonly baseUrl: string;
  readonly model: string;
  /** Voices that it says it has; `null` where it does not say. */
  readonly voices: number | null;
}

/**
 * Where servers of speech listen unless told otherwise; loopback only, so that nothing leaves this computer. At 8000 and 8080
 * there may be others, so that what they have has to say it.
 */
const LOCAL_SPEECH = [
  { title: "Kokoro-FastAPI", baseUrl: "http://127.0.0.1:8880/v1" },
  { title: "A speech server", baseUrl: "http://127.0.0.1:8000/v1" },
  { title: "LocalAI", baseUrl: "http://127.0.0.1:8080/v1" },
  { title: "vLLM", baseUrl: "http://127.0.0.1:8091/v1" },
];

/** A server on this computer answers at once or not at all. */
const LOOK_MS = 800;

/** Models of one server that are offered. */
const MOST_MODELS = 8;

/** Names of models that speak, where a server does not say what its models do. */
const SPEAKING = /tts|kokoro|piper|(?:^|[-_/])voice|speech|orpheus|chatterbox|bark|vits|melo|supertonic|kitten/i;

/** Names that only look so: they hear. */
const HEARING = /whisper|parakeet|canary|transcri|asr/i;

const Models = z.object({
  data: z.array(z.object({ id: z.string(), task: z.optional(z.string()), owned_by: z.optional(z.string()) })),
});

/** Finds the servers of speech that run on this computer now. Never raises: one that is not there has none. */
export async function findLocalSpeech(servers: typeof LOCAL_SPEECH = LOCAL_SPEECH): Promise<LocalSpeech[]> {
  const found = await Promise.all(servers.map((server) => speechAt(server).catch(() => [])));
  return found.flat();
}

async function speechAt({ title, baseUrl }: (typeof LOCAL_SPEECH)[number]): Promise<LocalSpeech[]> {
  const { status, body } = await exchange({ url: below(baseUrl, "/models"), signal: AbortSignal.timeout(LOOK_MS) });
  if (status !== 200) return [];
  const speaking = Models.parse(body).data.filter(({ id, task }) =>
    task === undefined ? SPEAKING.test(id) && !HEARING.test(id) : task === "text-to-speech",
  );
  // Kokoro answers to OpenAI's names as well; its own says what it is.
  const own = speaking.filter(({ id }) => !/^(?:tts-1|gpt-)/.test(id));
  const offered = (own.length > 0 ? own : speaking.slice(0, 1)).slice(0, MOST_MODELS);
  return Promise.all(
    offered.map(async ({ id, owned_by: owner }) => {
      const voices = await voicesOfServer({ baseUrl, apiKey: "none", model: id });
      return { title: owner === "vllm" ? "vLLM" : title, baseUrl, model: id, voices: voices?.length ?? null };
    }),
  );
}
