import { join } from "node:path";
import type { DescribeRequest, WrittenDescription } from "../../../../src/engine/describe/describer.ts";
import { visionDescriber } from "../../../../src/engine/describe/vision/vision.ts";
import type { VisionSettings } from "../../../../src/engine/models/vision-settings.ts";
import { type Shown, type StageRules, startDescribingModel } from "../../../fakes/describing-model.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { filmRequest, keyFramesAt, SMALL_FILM, SMALL_FILM_SHOWS, shot } from "../describe-request.ts";
import { settingsAt } from "./asker-of.ts";

/** What is described, by which model, and how. */
interface FilmToDescribe {
  readonly shown?: readonly Shown[];
  readonly rules?: StageRules;
  readonly settings?: Partial<VisionSettings>;
  readonly film?: Partial<DescribeRequest>;
  readonly foundLocally?: boolean;
}

/** A film, a model, and what describes the one with the other, as often as it is called. */
export async function describing({
  shown = SMALL_FILM_SHOWS,
  rules,
  settings,
  film,
  foundLocally = false,
}: FilmToDescribe = {}) {
  const model = await startDescribingModel(shown, rules);
  const request = await filmRequest({ ...SMALL_FILM, ...film });
  const kept = join(await temporaryFolder(), "kept");
  const fractions: number[] = [];
  const run = (signal = new AbortController().signal, asked = request) => {
    const describer = visionDescriber(settingsAt(model.url, 6, settings), kept, foundLocally);
    return describer.describe(asked, signal, (done) => fractions.push(done));
  };
  return { model, request, run, fractions };
}

/** The same, described once. */
export async function described(given?: FilmToDescribe) {
  const film = await describing(given);
  return { ...film, ...(await film.run()) };
}

/** The first wording of each. */
export const textsOf = (descriptions: readonly WrittenDescription[]) => descriptions.map(({ wordings }) => wordings[0]);
/** Words as they are spoken. */
export const sentence = (words: string) => `${words[0]?.toUpperCase()}${words.slice(1)}.`;
/** What is spoken of the small film. */
export const SENTENCES = SMALL_FILM_SHOWS.map(({ what }) => sentence(what));

/** A film of three minutes without a word, in more than one scene, that shows something every ten seconds. */
export const LONG = {
  durationSeconds: 180,
  shots: Array.from({ length: 18 }, (_, index) => shot(10 * index, 10 * index + 10)),
  keyFrames: keyFramesAt(Array.from({ length: 90 }, (_, index) => 1 + 2 * index)),
  transcript: [],
  gaps: [{ start: 0, end: 180, sound: "ambience" }],
} as const satisfies Partial<DescribeRequest>;
/** What it shows. */
export const LONG_SHOWS = Array.from({ length: 18 }, (_, index) => ({
  at: 10 * index + 1,
  what: `the sailor lifts box number ${index + 1}`,
}));
