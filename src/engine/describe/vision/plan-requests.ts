import { type CostEstimate, ModelBudget, type PlannedRequests } from "../../models/model-budget.ts";
import { placeOf, presetAt, type SmallModel } from "../../models/presets.ts";
import type { VisionSettings } from "../../models/vision-settings.ts";
import { ANSWER_TOKENS } from "./asker.ts";
import { mostShown } from "./look.ts";

/** Key frames of a second of film, where they are not chosen yet. */
const PICTURES_PER_SECOND = 1;
/** Share of looks that are asked back or in halves. */
const LOOKED_AGAIN = 0.1;
/**
 * Requests that look at the lines a second time, for one that looks at the film: from a quarter where little happens to one and
 * a quarter in a battle.
 */
const CHECKED_AS_LOOKED = 1.25;
/** Seconds of film in one request that writes, those asked back among them. */
const WRITTEN_SECONDS = 50;
/** The same of a small model, which is asked in smaller parts, more often asked back, and answers in few words. */
const SMALL_ASKED_AGAIN = 0.4;
const SMALL_WRITTEN_SECONDS = 12;
const SMALL_ANSWER_TOKENS = 350;
/** Tokens of the words of a request: rules, log, bible, dialogue. */
const TEXT_TOKENS = 1_800;

/**
 * What describing a film will take of a model, as far as that can be known before.
 *
 * @param film Its length, and its pictures where they are chosen already.
 * @param picturesPerRequest At most.
 */
export function plannedRequests(
  film: { readonly durationSeconds: number; readonly pictures?: number },
  picturesPerRequest: number,
  small?: SmallModel | null,
): PlannedRequests {
  const { durationSeconds } = film;
  const pictures = Math.min(film.pictures ?? durationSeconds * PICTURES_PER_SECOND, mostShown(durationSeconds));
  const looks = Math.ceil((1 + (small ? SMALL_ASKED_AGAIN : LOOKED_AGAIN)) * Math.ceil(pictures / picturesPerRequest));
  const scenes = Math.ceil(durationSeconds / (small ? SMALL_WRITTEN_SECONDS : WRITTEN_SECONDS));
  const checks = Math.ceil(CHECKED_AS_LOOKED * looks);
  // The bible, the words that fit with a look at each, and the last reading.
  const others = 4 + Math.ceil(scenes / (small ? 1 : 4));
  const requests = looks + scenes + checks + others;
  return {
    requests,
    pictures: Math.ceil(pictures + checks * Math.min(picturesPerRequest, 10)),
    textTokens: requests * TEXT_TOKENS,
    answerTokens: requests * (small ? SMALL_ANSWER_TOKENS : ANSWER_TOKENS),
  };
}

/** What describing so many seconds of film takes of a model, before its pictures are known and its server was asked. */
export function estimateFilm(settings: VisionSettings, durationSeconds: number): CostEstimate {
  const { preset = presetAt(settings.baseUrl) } = settings;
  return new ModelBudget(settings).estimate(
    plannedRequests({ durationSeconds }, preset.picturesPerRequest, preset.small),
  );
}

/** How the first note of a result begins that a model wrote. */
export function writtenBy({ model, baseUrl }: Pick<VisionSettings, "model" | "baseUrl">): string {
  return `Written by the vision model ${model} ${placeOf(baseUrl)}`;
}

/** Most pictures that a request for wordings of one moment shows. */
export const WORDING_PICTURES = 4;

/** What one request for wordings of a moment takes, rather too much than too little. */
export function estimateWordings(settings: VisionSettings): CostEstimate {
  const plan = { requests: 1, pictures: WORDING_PICTURES, textTokens: 1500, answerTokens: 300 };
  return new ModelBudget(settings).estimate(plan);
}
