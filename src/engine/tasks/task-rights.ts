import { dirname } from "node:path";
import { LOCAL_TRANSCRIPTION, transcriptionConfiguration } from "../dialogue/transcription-settings.ts";
import type { TaskRights } from "../isolate/cage.ts";
import { eyesOutlet } from "../local/llama-server.ts";
import { LOCAL_SERVERS } from "../models/local-models.ts";
import { HERE_URL } from "../models/presets.ts";
import { visionConfiguration } from "../models/vision-settings.ts";
import type { PaidKind } from "../outgoing/ledger.ts";
import type { Environment } from "../outgoing/local-only.ts";
import { type AskedServer, type Outlet, serverOutlet } from "../outgoing/relay.ts";
import { voiceProgram } from "../voice/voice-program.ts";
import { voiceConfiguration } from "../voice/voice-settings.ts";
import type { IsolatedTasks, TaskName } from "./tasks.ts";

const SCREEN_TEXT = ["ASIDE_OCR_DATA", "TESSDATA_PREFIX"];

/** A task that opens media and no more. */
const OPENS_MEDIA = { variables: [], writes: () => [] };

const named = (beginning: string, ends: readonly string[]) => ends.map((end) => `${beginning}_${end}`);

/** What a voice is configured by. */
const VOICE = [
  ...["ASIDE_LEXICON", "ASIDE_LOUDNESS", "ASIDE_LOCAL_ONLY"],
  ...named("ASIDE_VOICE", [
    "URL",
    "MODEL",
    "COMMAND",
    "RECORDINGS",
    "SYSTEM",
    "SYSTEM_FOUND",
    "NAMES",
    "LANGUAGES",
    "TIMEOUT",
  ]),
];

/** What a model that describes is configured by, and what is installed here. */
const VISION = [
  ...named("ASIDE_VISION", ["URL", "MODEL", "PRESET", "TIMEOUT", "PARALLEL", "PRICE", "CEILING"]),
  "ASIDE_MODELS_FOUND",
];

/** What the process of each task may do. */
export const RIGHTS: { readonly [Name in TaskName]: TaskRights<IsolatedTasks[Name]["input"]> } = {
  addDescription: { ...OPENS_MEDIA, writes: ({ path }) => [dirname(path)] },
  fitSound: { ...OPENS_MEDIA, writes: null },
  writeAdm: { ...OPENS_MEDIA, writes: null },
  detectSpeech: OPENS_MEDIA,
  measurePicture: {
    ...OPENS_MEDIA,
    variables: SCREEN_TEXT,
    writes: ({ stills }) => (stills === undefined ? [] : [stills.folder]),
  },
  measureSound: OPENS_MEDIA,
  moments: { ...OPENS_MEDIA, isAwaited: true },
  probe: { ...OPENS_MEDIA, isAwaited: true },
  renderCut: { ...OPENS_MEDIA, writes: ({ output }) => [dirname(output)] },
  describe: {
    variables: [
      ...SCREEN_TEXT,
      ...VOICE,
      "ASIDE_GLOSSARY",
      ...named("ASIDE_TRANSCRIPTION", ["URL", "MODEL", "TIMEOUT"]),
      ...VISION,
    ],
    keys: ["ASIDE_TRANSCRIPTION_KEY", "ASIDE_VISION_KEY", "ASIDE_VOICE_KEY"],
    writes: null,
    sharesCompiledCode: true,
    asks: askedOfJob,
  },
  voiceLine: {
    variables: VOICE,
    keys: ["ASIDE_VOICE_KEY"],
    writes: null,
    sharesCompiledCode: true,
    isAwaited: true,
    asks: askedOfVoice,
  },
  wordings: {
    variables: VISION,
    keys: ["ASIDE_VISION_KEY"],
    writes: null,
    sharesCompiledCode: true,
    isAwaited: true,
    asks: (environment) => askedOfModel(environment, "wording"),
  },
};

/** What models are asked by, and what servers tell of them: nothing that would change a server. */
const VISION_PATHS = /\/(?:chat\/completions|api\/(?:chat|show|tags)|(?:language-)?models|models\/capabilities|props)$/;

/** What says what is said, in the forms of OpenAI and of whisper.cpp, whose page names it. */
const TRANSCRIPTION_PATHS = /^\/$|\/(?:audio\/transcriptions|inference|models)$/;

const SPEECH_PATHS = /\/audio\/speech$/;

/**
 * Whom a job's process may ask by the configuration: the servers of model, transcription and speech, or those of this
 * computer that are looked for where none is named, and the program that speaks.
 */
function askedOfJob(environment: Environment): Outlet[] {
  const transcription = transcriptionConfiguration(environment);
  const servers: readonly AskedServer[] = [
    ...(transcription.kind === "configured"
      ? [asked("transcription", transcription.settings, TRANSCRIPTION_PATHS, "ASIDE_TRANSCRIPTION_KEY")]
      : []),
    ...(transcription.kind === "absent"
      ? Object.values(LOCAL_TRANSCRIPTION).map((baseUrl) => asked("transcription", { baseUrl }, TRANSCRIPTION_PATHS))
      : []),
  ];
  return [...askedOfModel(environment, "model"), ...servers.map(serverOutlet), ...askedOfVoice(environment)];
}

/** The server of the model that describes, or the one that runs it here, or those of this computer where none is named. */
function askedOfModel(environment: Environment, kind: "model" | "wording"): Outlet[] {
  const vision = visionConfiguration(environment);
  if (vision.kind === "absent") return LOCAL_SERVERS.map((server) => serverOutlet(asked(kind, server, VISION_PATHS)));
  if (vision.kind !== "configured") return [];
  const { settings } = vision;
  if (settings.baseUrl === HERE_URL) return [eyesOutlet(environment, settings.model)];
  return [serverOutlet(asked(kind, settings, VISION_PATHS, "ASIDE_VISION_KEY"))];
}

/** Whom a process that speaks may ask by the configuration: the server of speech, or the program that speaks. */
function askedOfVoice(environment: Environment): Outlet[] {
  const voice = voiceConfiguration(environment);
  if (voice.kind === "command") return [voiceProgram(voice.settings)];
  return voice.kind === "openai-speech"
    ? [serverOutlet(asked("voice", voice.settings, SPEECH_PATHS, "ASIDE_VOICE_KEY"))]
    : [];
}

/** In the process that asks, the name of a key stands for it. */
function asked(
  kind: PaidKind,
  { baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey?: string },
  paths: RegExp,
  keyName?: string,
): AskedServer {
  const { origin } = new URL(baseUrl);
  const key = keyName === undefined || apiKey === undefined ? {} : { key: { standIn: keyName, secret: apiKey } };
  return { kind, origin, paths, ...key };
}
