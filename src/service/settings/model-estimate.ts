import type { ModelEstimateReply } from "../../contract/model-estimate.ts";
import { median } from "../../core/median.ts";
import { estimateFilm } from "../../engine/describe/vision/estimate-film.ts";
import { writtenBy } from "../../engine/describe/vision/written-by.ts";
import { findLocalModels } from "../../engine/models/local-models.ts";
import { localVisionSettings, type VisionSettings, visionConfiguration } from "../../engine/models/vision-settings.ts";
import type { Environment } from "../../engine/outgoing/environment.ts";
import type { Queries } from "../storage/database.ts";

/** Films that the time of the next one is told from, the latest. */
const FILMS_LOOKED_AT = 9;

/**
 * What describing so many seconds of film takes, as a service tells it: of the model that is set, else of one that runs on
 * this computer, with the time that it took for earlier films of the service.
 *
 * @param findModels Replaced in tests.
 */
export async function modelEstimate(
  durationSeconds: number,
  {
    variables,
    queries,
    findModels = findLocalModels,
  }: {
    readonly variables: Environment;
    readonly queries: Queries;
    readonly findModels?: typeof findLocalModels;
  },
): Promise<ModelEstimateReply> {
  const settings = await settingsOf(variables, findModels);
  if (settings === null) return { model: null, requests: 0, tokens: 0, cost: null, ceiling: null, seconds: null };
  const { requests, inputTokens, outputTokens, cost } = estimateFilm(settings, durationSeconds);
  const pace = await paceOf(settings, queries);
  return {
    model: settings.model,
    requests,
    tokens: inputTokens + outputTokens,
    cost,
    ceiling: cost === null ? null : (settings.costCeiling ?? null),
    seconds: pace === null ? null : pace * durationSeconds,
  };
}

async function settingsOf(variables: Environment, findModels: typeof findLocalModels): Promise<VisionSettings | null> {
  const configuration = visionConfiguration(variables);
  if (configuration.kind === "configured") return configuration.settings;
  if (configuration.kind !== "absent") return null;
  const [found] = await findModels();
  return found === undefined ? null : localVisionSettings(found, configuration.asked);
}

/**
 * Seconds that a model took for a second of film, by the stage of describing alone: the median of the first job of each of the
 * latest films, because later ones of the same film use its answers again. `null` where it described none here.
 */
async function paceOf(settings: VisionSettings, queries: Queries): Promise<number | null> {
  const rows = await queries.query<{ pace: number }>(
    `SELECT pace FROM (
       SELECT DISTINCT ON (j.media_id) j.finished_at,
         (j.report->'stage_seconds'->>'describe')::float8 / m.duration_seconds AS pace
       FROM aside.job j JOIN aside.media m ON m.id = j.media_id
       WHERE j.status = 'done' AND j.finished_at IS NOT NULL AND m.duration_seconds > 0
         AND EXISTS (SELECT 1 FROM jsonb_array_elements_text(j.report->'notes') AS note WHERE starts_with(note, $1))
       ORDER BY j.media_id, j.finished_at) AS film
     WHERE pace IS NOT NULL ORDER BY finished_at DESC LIMIT $2`,
    [writtenBy(settings), FILMS_LOOKED_AT],
  );
  return rows.length === 0 ? null : median(rows.map(({ pace }) => pace));
}
