import type { Progress } from "../../shell/progress.ts";
import type { DescribedSource } from "../../source/described-source.ts";
import type { DescribeCall } from "./describe-call.ts";

/**
 * Says what a configured model will be asked before anything is: requests, tokens, and the cost where its price is stated.
 * A model that is found running on this computer costs nothing but time, and a service elsewhere has its own.
 */
export async function showModelEstimate(
  { server, settings }: DescribeCall,
  { durationSeconds }: Pick<DescribedSource, "durationSeconds">,
  { env, progress }: { readonly env: NodeJS.ProcessEnv; readonly progress: Progress },
): Promise<void> {
  if (server !== undefined || settings.script !== undefined) return;
  const { visionConfiguration } = await import("../../../service/models/vision-settings.ts");
  const configuration = visionConfiguration(env);
  if (configuration.kind !== "configured") return;
  const [{ estimateText, ModelBudget }, { plannedRequests }] = await Promise.all([
    import("../../../service/models/model-budget.ts"),
    import("../../../service/describe/vision/plan-requests.ts"),
  ]);
  const planned = plannedRequests({ durationSeconds }, PICTURES_PER_REQUEST);
  const detail = `${configuration.settings.model}, ${estimateText(new ModelBudget(configuration.settings).estimate(planned))}`;
  progress.update({ step: "estimate", state: "begun", detail });
  progress.update({ step: "estimate", state: "done", detail });
}

/** Pictures in one request, before its server was asked how many it takes. */
const PICTURES_PER_REQUEST = 16;
