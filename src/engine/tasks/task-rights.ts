import { dirname } from "node:path";
import type { TaskRights } from "../isolate/cage.ts";
import { askedOfJob, askedOfVoice } from "./asked-of-job.ts";
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

/** What the process of each task may do. */
export const RIGHTS: { readonly [Name in TaskName]: TaskRights<IsolatedTasks[Name]["input"]> } = {
  "add-description": { ...OPENS_MEDIA, writes: ({ path }) => [dirname(path)] },
  "fit-sound": { ...OPENS_MEDIA, writes: null },
  "write-adm": { ...OPENS_MEDIA, writes: null },
  "detect-speech": OPENS_MEDIA,
  "measure-picture": {
    ...OPENS_MEDIA,
    variables: SCREEN_TEXT,
    writes: ({ stills }) => (stills === undefined ? [] : [stills.folder]),
  },
  "measure-sound": OPENS_MEDIA,
  moments: { ...OPENS_MEDIA, isAwaited: true },
  "probe-media": { ...OPENS_MEDIA, isAwaited: true },
  "render-cut": { ...OPENS_MEDIA, writes: ({ output }) => [dirname(output)] },
  "run-job": {
    variables: [
      ...SCREEN_TEXT,
      ...VOICE,
      "ASIDE_GLOSSARY",
      ...named("ASIDE_TRANSCRIPTION", ["URL", "MODEL", "TIMEOUT"]),
      ...named("ASIDE_VISION", ["URL", "MODEL", "PRESET", "TIMEOUT", "PARALLEL", "PRICE", "CEILING"]),
    ],
    keys: ["ASIDE_TRANSCRIPTION_KEY", "ASIDE_VISION_KEY", "ASIDE_VOICE_KEY"],
    writes: null,
    sharesCompiledCode: true,
    asks: askedOfJob,
  },
  "voice-line": {
    variables: VOICE,
    keys: ["ASIDE_VOICE_KEY"],
    writes: null,
    sharesCompiledCode: true,
    isAwaited: true,
    asks: askedOfVoice,
  },
};
