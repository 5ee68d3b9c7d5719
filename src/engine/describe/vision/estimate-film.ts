import { type CostEstimate, ModelBudget } from "../../models/model-budget.ts";
import { presetAt } from "../../models/presets.ts";
import type { VisionSettings } from "../../models/vision-settings.ts";
import { plannedRequests } from "./plan-requests.ts";

/** What describing so many seconds of film takes of a model, before its pictures are known and its server was asked. */
export function estimateFilm(settings: VisionSettings, durationSeconds: number): CostEstimate {
  const { preset = presetAt(settings.baseUrl) } = settings;
  return new ModelBudget(settings).estimate(plannedRequests({ durationSeconds }, preset.picturesPerRequest));
}
