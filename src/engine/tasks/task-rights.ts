import { dirname } from "node:path";
import { LOCAL_TRANSCRIPTION, transcriptionConfiguration } from "../dialogue/transcription-settings.ts";
import type { TaskRights } from "../isolate/cage.ts";
import { speechOutlet } from "../local/ask-speech.ts";
import { eyesOutlet } from "../local/llama-server.ts";
import { soundsIn, speechSetup } from "../local/speech-setup.ts";
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

/** What a voice is configured by; the models that are installed belong to it. */
const VOICE = [
  ...["ASIDE_LEXICON", "ASIDE_LOUDNESS", "ASIDE_LOCAL_ONLY", "ASIDE_MODELS_FOUND"],
  ...named("ASIDE_VOICE", [
    "URL",
    "MODEL",
    "COMMAND",
    "RECORDINGS",
    "SYSTEM",
    "SYSTEM_FOUND",
    "NATURAL",
    "NAMES",
    "LANGUAGES",
    "TIMEOUT",
    "PRICE",
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
      ...named("ASIDE_TRANSCRIPTION", ["URL", "MODEL", "TIMEOUT", "PRICE"]),
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
    asks: (environment) => askedOfVoice(environment, true),
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

/** What speaks, and what it has to speak with. */
const SPEECH_PATHS = /\/audio\/(?:speech|voices)$/;

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
  const voice = askedOfVoice(environment);
  // One outlet is for all that the speech library does.
  const hears = speechSetup(environment);
  const listens = transcription.kind === "here" || soundsIn(environment) !== null;
  const ears = hears === null || !listens ? [] : [speechOutlet(hears, false)];
  return [...askedOfModel(environment, "model"), ...servers.map(serverOutlet), ...ears, ...voice];
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

/**
 * Whom a process that speaks may ask by the configuration: the server of speech, the program that speaks, or the process of the
 * speech library.
 *
 * @param isAwaited Whether a person waits for the line.
 */
function askedOfVoice(environment: Environment, isAwaited = false): Outlet[] {
  const voice = voiceConfiguration(environment);
  const choices = voice.kind === "by-language" ? voice.choices : [voice];
  return choices.flatMap((one): Outlet[] => {
    if (one.kind === "command") return [voiceProgram(one.settings)];
    if (one.kind === "natural") return [speechOutlet(one.settings.setup, isAwaited)];
    return one.kind === "openai-speech"
      ? [serverOutlet(asked("voice", one.settings, SPEECH_PATHS, "ASIDE_VOICE_KEY"))]
      : [];
  });
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
