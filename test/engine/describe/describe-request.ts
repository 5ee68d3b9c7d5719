import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { EMPTY_BIBLE } from "../../../src/core/film-bible.ts";
import { ADDED_SHARE, DEFAULT_SETTINGS } from "../../../src/core/settings.ts";
import type { Shot } from "../../../src/core/shot.ts";
import type { DescribeRequest } from "../../../src/engine/describe/describer.ts";
import { NOTHING_READ } from "../../../src/engine/onscreen-text.ts";
import { rehearse } from "../../../src/engine/pipeline/fit.ts";
import type { KeyFrame } from "../../../src/engine/programme-analysis.ts";
import { PICTURE_HEAD } from "../../fakes/describing-model.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

/** A shot of which nothing is told but its times and how it opens. */
export function shot(start: number, end: number, opening: Shot["opening"] = "cut"): Shot {
  return {
    start,
    end,
    opening,
    brightness: 0.5,
    contrast: 0.2,
    saturation: 0.3,
    motion: "slow",
    colours: [],
    frozenSeconds: 0,
    titleCard: false,
    keyFrameAt: (start + end) / 2,
  };
}

/** Pictures of these times; the first of each shot is new. */
export function keyFramesAt(times: readonly number[], shots: readonly Shot[] = []): KeyFrame[] {
  return times.map((at, index) => {
    const before = times[index - 1] ?? Number.NEGATIVE_INFINITY;
    const isFirst = index === 0 || shots.some(({ start }) => start > before && start <= at);
    return { at, file: `${at.toFixed(3)}.jpg`, novelty: isFirst ? 1 : 0.4 };
  });
}

/**
 * What a describer is given of an empty programme of a minute, changed as stated. It is rehearsed as jobs place it, with
 * speaking times by estimate; what the transcript has is its speech.
 */
export function describeRequest(more: Partial<DescribeRequest> = {}): DescribeRequest {
  const request = {
    durationSeconds: 60,
    language: "en-US",
    category: "Auto",
    type: "standard" as const,
    instructions: "",
    glossary: [],
    bible: EMPTY_BIBLE,
    readsAllOnscreenText: false,
    onscreen: NOTHING_READ,
    shots: [],
    gaps: [],
    transcript: [],
    keyFrames: [],
    keyFrameFolder: "",
    maximumAddedShare: ADDED_SHARE,
    maximumCost: undefined,
    ...more,
  };
  return {
    pace: 1,
    rehearse: (descriptions, signal) => {
      const { language, type, shots, gaps, transcript, durationSeconds, maximumAddedShare } = request;
      const settings = { ...DEFAULT_SETTINGS, language, type, describing: { maximumAddedShare } };
      const cuts = shots.map(({ start }) => start);
      return rehearse(
        { descriptions, settings, gaps, speech: transcript, phraseEnds: [], cuts, durationSeconds },
        null,
        signal,
      );
    },
    ...request,
  };
}

/** The request of a film whose key frames are files in a folder of their own. */
export async function filmRequest(more: Partial<DescribeRequest>): Promise<DescribeRequest> {
  const keyFrameFolder = await temporaryFolder();
  for (const { file } of more.keyFrames ?? []) {
    await writeFile(join(keyFrameFolder, file), Buffer.concat([PICTURE_HEAD, Buffer.from(file)]));
  }
  return describeRequest({ keyFrameFolder, ...more });
}

const SHOTS = [shot(0, 10, "start"), shot(10, 20), shot(20, 30), shot(30, 40)];

/** A film of 40 seconds: four shots, a picture every two seconds, two lines of speech with pauses around them. */
export const SMALL_FILM = {
  durationSeconds: 40,
  shots: SHOTS,
  keyFrames: keyFramesAt(
    Array.from({ length: 20 }, (_, index) => 1 + 2 * index),
    SHOTS,
  ),
  transcript: [
    { start: 8, end: 12, text: "She sails tonight.", speaker: "ANNA" },
    { start: 24, end: 26, text: "Surprise!" },
  ],
  gaps: [
    { start: 0, end: 8, sound: "ambience" },
    { start: 12, end: 24, sound: "ambience" },
    { start: 26, end: 40, sound: "ambience" },
  ],
} as const satisfies Partial<DescribeRequest>;

/** What the small film shows. */
export const SMALL_FILM_SHOWS = [
  { at: 1, what: "a woman in red opens the door" },
  { at: 5, what: "a dog runs into the snow" },
  { at: 13, what: "the woman drops her brown suitcase" },
  { at: 17, what: "a boy climbs over the fence" },
  { at: 27, what: "the dog jumps at the boy" },
  { at: 33, what: "the woman waves at the boat" },
];

/** A request for a voice that takes so many times as long as an estimate says. */
export function atPace(pace: number, request: DescribeRequest): DescribeRequest {
  return { ...request, pace };
}
