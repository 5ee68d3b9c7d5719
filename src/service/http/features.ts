import { defined } from "../../core/defined.ts";
import type { TeamPlan } from "../configuration.ts";
import type { Feature } from "../plan.ts";
import { RequestError } from "../request-error.ts";

/** Features by the words that refusals use. */
const FEATURE_WORDS: Readonly<Record<Feature, string>> = {
  generate_text: "description text",
  generate_audio: "description audio",
  generate_video: "described video",
  standard_ad: "Standard AD",
  url_input: "media from an address",
  custom_instructions: "custom instructions",
  custom_description: "descriptions of your own",
  video_categories: "a choice of video category",
  volume: "volume settings",
};

/** @throws RequestError `feature_not_available` naming the feature and the plan, when the plan leaves it out. */
export function requireFeature(plan: TeamPlan, feature: Feature): void {
  if (!plan.without.includes(feature)) return;
  throw new RequestError(
    "feature_not_available",
    `The plan "${plan.name}" does not include ${FEATURE_WORDS[feature]}.`,
    {
      body: {
        feature,
        plan_name: plan.name,
        ...defined({ upgrade_url: plan.upgrade_url }),
      },
    },
  );
}
