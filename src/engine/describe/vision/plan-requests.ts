import { type CostEstimate, ModelBudget, type PlannedRequests } from "../../models/model-budget.ts";
import { presetAt } from "../../models/presets.ts";
import type { VisionSettings } from "../../models/vision-settings.ts";
import { ANSWER_TOKENS } from "./asker.ts";
import { mostShown } from "./look.ts";

/** Key frames of a second of film: measured on films that move much and little (`docs/benchmarks.md`, "Telling"). */
const PICTURES_PER_SECOND = 1.5;
/** Seconds of film in one request that writes, and in one that looks for the second time. */
const WRITTEN_SECONDS = 75;
const CHECKED_SECONDS = 8;
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
): PlannedRequests {
  const { durationSeconds } = film;
  const pictures = Math.min(film.pictures ?? durationSeconds * PICTURES_PER_SECOND, mostShown(durationSeconds));
  const looks = Math.ceil(pictures / picturesPerRequest);
  const scenes = Math.ceil(durationSeconds / WRITTEN_SECONDS);
  const checks = Math.ceil(durationSeconds / CHECKED_SECONDS);
  // The bible, the words that fit, and the last reading come in some of the requests of many scenes.
  const others = 2 + Math.ceil(scenes / 2);
  const requests = looks + scenes + checks + others;
  return {
    requests,
    pictures: Math.ceil(pictures + checks * Math.min(picturesPerRequest, 10)),
    textTokens: requests * TEXT_TOKENS,
    answerTokens: requests * ANSWER_TOKENS,
  };
}

/** What describing so many seconds of film takes of a model, before its pictures are known and its server was asked. */
export function estimateFilm(settings: VisionSettings, durationSeconds: number): CostEstimate {
  const { preset = presetAt(settings.baseUrl) } = settings;
  return new ModelBudget(settings).estimate(plannedRequests({ durationSeconds }, preset.picturesPerRequest));
}

/** How the first note of a result begins that a model wrote. */
export function writtenBy({ model, baseUrl }: Pick<VisionSettings, "model" | "baseUrl">): string {
  return `Written by the vision model ${model} at ${new URL(baseUrl).host}`;
}
