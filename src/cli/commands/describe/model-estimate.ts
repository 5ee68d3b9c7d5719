import { userSettings } from "../../service-run/records-options.ts";
import { userFolder } from "../../service-run/user-folder.ts";
import type { Progress } from "../../shell/progress.ts";
import type { DescribedSource } from "../../source/described-source.ts";
import type { DescribeCall } from "./describe-call.ts";

/**
 * Says what a configured model will be asked before anything is: requests, tokens, and the cost where its price is stated.
 * A model that is found running on this computer costs nothing but time, and a service elsewhere has its own.
 *
 * @throws SettingsError `settings_unusable`, `settings_damaged`, `key_store_unusable`.
 */
export async function showModelEstimate(
  { server, settings, dataFolder }: DescribeCall,
  { durationSeconds }: Pick<DescribedSource, "durationSeconds">,
  { env, progress }: { readonly env: NodeJS.ProcessEnv; readonly progress: Progress },
): Promise<void> {
  if (server !== undefined || settings.script !== undefined) return;
  const [{ visionConfiguration }, { settingsOf }] = await Promise.all([
    import("../../../engine/models/vision-settings.ts"),
    import("../../../service/admin/open-administration.ts"),
  ]);
  const own = { dataFolder: userFolder(env), settingsFile: userSettings(env) };
  const set = settingsOf(dataFolder === undefined ? own : { dataFolder });
  const configuration = visionConfiguration(await set.variables());
  if (configuration.kind !== "configured") return;
  const [{ estimateText }, { estimateFilm }] = await Promise.all([
    import("../../../engine/models/model-budget.ts"),
    import("../../../engine/describe/vision/estimate-film.ts"),
  ]);
  const estimate = estimateText(estimateFilm(configuration.settings, durationSeconds));
  const detail = `${configuration.settings.model}, ${estimate}`;
  progress.update({ step: "estimate", state: "begun", detail });
  progress.update({ step: "estimate", state: "done", detail });
}
