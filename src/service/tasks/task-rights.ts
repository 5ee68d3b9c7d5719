import { dirname } from "node:path";
import type { TaskRights } from "../isolate/cage.ts";
import { isSet, PROGRAMS, SERVERS, type Variables } from "../isolate/environment.ts";
import type { IsolatedTasks, TaskName } from "./tasks.ts";

/** What a voice is configured by, and what the programs and servers of it need. */
const VOICE = ["ASIDE_LEXICON", "ASIDE_LOUDNESS", "ASIDE_VOICE_*", ...SERVERS, ...PROGRAMS];

/** Whether the voice is a server, or a program that may talk to one. */
const isVoiceElsewhere = (environment: Variables) =>
  isSet(environment["ASIDE_VOICE_COMMAND"]) || isSet(environment["ASIDE_VOICE_URL"]);

const SCREEN_TEXT = ["ASIDE_OCR_DATA", "TESSDATA_PREFIX"];

/** A task that opens media and no more. */
const OPENS_MEDIA = { variables: [], writes: () => [], reachesNetwork: () => false };

/** What the process of each task may do. */
export const RIGHTS: { readonly [Name in TaskName]: TaskRights<IsolatedTasks[Name]["input"]> } = {
  "add-description": { ...OPENS_MEDIA, writes: ({ path }) => [dirname(path)] },
  "fit-sound": { ...OPENS_MEDIA, writes: null },
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
    variables: [...SCREEN_TEXT, ...VOICE, "ASIDE_GLOSSARY", "ASIDE_TRANSCRIPTION_*", "ASIDE_VISION_*"],
    writes: null,
    sharesCompiledCode: true,
    reachesNetwork: (environment) =>
      isVoiceElsewhere(environment) ||
      // Where no address is named, this computer is asked for a server.
      ["ASIDE_VISION_URL", "ASIDE_TRANSCRIPTION_URL"].some((name) => environment[name]?.trim() !== "off"),
  },
  "voice-line": {
    variables: VOICE,
    writes: null,
    sharesCompiledCode: true,
    isAwaited: true,
    reachesNetwork: isVoiceElsewhere,
  },
};
