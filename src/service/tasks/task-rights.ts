import { dirname } from "node:path";
import type { TaskRights } from "../isolate/cage.ts";
import { isSet, PROGRAMS, SERVERS } from "../isolate/environment.ts";
import type { IsolatedTasks, TaskName } from "./tasks.ts";

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
  "probe-media": { ...OPENS_MEDIA, isAwaited: true },
  "render-cut": { ...OPENS_MEDIA, writes: ({ output }) => [dirname(output)] },
  "run-job": {
    variables: [
      ...SCREEN_TEXT,
      ...["ASIDE_GLOSSARY", "ASIDE_LEXICON", "ASIDE_LOUDNESS"],
      ...["ASIDE_TRANSCRIPTION_*", "ASIDE_VISION_*", "ASIDE_VOICE_*"],
      ...SERVERS,
      ...PROGRAMS,
    ],
    writes: null,
    sharesCompiledCode: true,
    reachesNetwork: (environment) =>
      isSet(environment["ASIDE_VOICE_COMMAND"]) ||
      isSet(environment["ASIDE_VOICE_URL"]) ||
      // Where no address is named, this computer is asked for a server.
      ["ASIDE_VISION_URL", "ASIDE_TRANSCRIPTION_URL"].some((name) => environment[name]?.trim() !== "off"),
  },
};
