import { join, resolve } from "node:path";
import { userSettings } from "../../service-run/records-options.ts";
import type { Progress } from "../../shell/progress.ts";
import type { DescribedSource } from "../../source/described-source.ts";
import type { DescribeCall } from "./describe-call.ts";

/**
 * Says what a configured model will be asked before anything is: requests, tokens, and the cost where its price is stated.
 * A model that is found running on this computer costs nothing but time, and a service elsewhere has its own.
 *
 * @throws SettingsError `settings_unusable`.
 */
export async function showModelEstimate(
  { server, settings, dataFolder }: DescribeCall,
  { durationSeconds }: Pick<DescribedSource, "durationSeconds">,
  { env, progress }: { readonly env: NodeJS.ProcessEnv; readonly progress: Progress },
): Promise<void> {
  if (server !== undefined || settings.script !== undefined) return;
  const [{ visionConfiguration }, { SETTINGS_FILE, ServiceSettings }] = await Promise.all([
    import("../../../service/models/vision-settings.ts"),
    import("../../../service/settings/service-settings.ts"),
  ]);
  const file = dataFolder === undefined ? userSettings(env) : join(resolve(dataFolder), SETTINGS_FILE);
  const configuration = visionConfiguration(await new ServiceSettings({ file, environment: env }).variables());
  if (configuration.kind !== "configured") return;
  const [{ estimateText }, { estimateFilm }] = await Promise.all([
    import("../../../service/models/model-budget.ts"),
    import("../../../service/describe/estimate-film.ts"),
  ]);
  const estimate = estimateText(estimateFilm(configuration.settings, durationSeconds));
  const detail = `${configuration.settings.model}, ${estimate}`;
  progress.update({ step: "estimate", state: "begun", detail });
  progress.update({ step: "estimate", state: "done", detail });
}
