import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { SERVED_ROUTES } from "../../contract/routes.ts";
import {
  ChangeSettingsRequest,
  type ModelEstimateReply,
  ModelEstimateRequest,
  type PartInForce,
  type SettingChoicesReply,
  type SettingsInForce,
  type SettingsReply,
  type SettingsTestReply,
  TestSettingsRequest,
} from "../../contract/service-settings.ts";
import { VisionError } from "../../engine/models/refusal.ts";
import { StoreError } from "../../engine/store/fetch-file.ts";
import { withInstalledModels } from "../../engine/store/installed.ts";
import { heardVoices } from "../../engine/voice/heard-voices.ts";
import { RequestError } from "../request-error.ts";
import { modelEstimate, settingChoices } from "../settings/setting-choices.ts";
import { SettingsError } from "../settings/settings-file.ts";
import { trySettings } from "../settings/try-settings.ts";
import { AwaitedWork } from "./awaited-work.ts";
import { parseRequest } from "./parse-request.ts";
import { callerOf, type ServiceParts } from "./service-parts.ts";

/** Trials of a team that may be asked for at once, and the seconds that a local model may take to be loaded. */
const LIMITS = { name: "trials of settings", ofTeam: 2, seconds: 180 } as const;

/**
 * `settings`, an addition of this service: what its administrator set, what there is to choose, and a trial of each part.
 * Only administrators' keys see values and change them; keys of models and servers come in and never go out.
 */
export function addSettingsRoutes(app: FastifyInstance, parts: ServiceParts): void {
  const { settings, configuration } = parts;
  const trials = new AwaitedWork(LIMITS, parts.clock);
  const whole = async (): Promise<SettingsReply> => {
    const voices = await heardVoices(await settings.variables([]).catch(refuseSetting));
    return { may_change: true, ...(await settings.inForce(configuration)), voices };
  };

  app.get(SERVED_ROUTES.getSettings.path, async (request): Promise<SettingsReply> => {
    const isAdministrator = callerOf(request).role === "administrator";
    const inForce = await settings.inForce(configuration).catch(refuseSetting);
    const voices = await heardVoices(await settings.variables([]).catch(refuseSetting));
    return isAdministrator
      ? { may_change: true, ...inForce, voices }
      : { may_change: false, ...withoutValues(inForce), voices };
  });

  app.post(SERVED_ROUTES.changeSettings.path, async (request): Promise<SettingsReply> => {
    const { value } = parseRequest(ChangeSettingsRequest, request.body);
    await settings.change(value, { isOnItsComputer: false }).catch(refuseSetting);
    return whole();
  });

  app.delete(SERVED_ROUTES.beginSettingsAnew.path, async (): Promise<SettingsReply> => {
    await settings.beginAnew().catch(refuseSetting);
    return whole();
  });

  app.get(SERVED_ROUTES.getSettingChoices.path, async (): Promise<SettingChoicesReply> => {
    const environment = await withInstalledModels(process.env, settings.modelsFolder);
    return settingChoices(environment, await settings.isLocalOnly().catch(refuseSetting));
  });

  app.get(SERVED_ROUTES.getEstimate.path, async (request): Promise<ModelEstimateReply> => {
    const { value } = parseRequest(ModelEstimateRequest, request.query);
    const variables = await settings.variables([]).catch(refuseSetting);
    return modelEstimate(Number(value.duration_seconds), { variables, queries: parts.database });
  });

  app.post(SERVED_ROUTES.testSettings.path, async (request, reply): Promise<SettingsTestReply> => {
    const team = callerOf(request);
    const { value } = parseRequest(TestSettingsRequest, request.body);
    const { part, values } = value;
    const change = values === undefined ? {} : { [part]: values };
    const variables = await settings.trial(change, { isOnItsComputer: false }).catch(refuseSetting);
    const narrationFolder = join(parts.folders.narration, team.id);
    return trials.take(team.id, reply, (signal) =>
      trySettings(value, variables, {
        engine: parts.engine,
        narrationFolder,
        signal,
      }),
    );
  });
}

/** What any key may know: who does the work, and where that is. */
function withoutValues(settings: SettingsInForce): SettingsInForce {
  const hidden = (part: PartInForce) => ({ ...part, values: {}, has_key: false, numbers: [] });
  const { describer, dialogue, voice, privacy, models, limits, retention, network } = settings;
  return {
    describer: hidden(describer),
    dialogue: hidden(dialogue),
    voice: hidden(voice),
    privacy: hidden(privacy),
    models: hidden(models),
    limits: hidden(limits),
    retention: hidden(retention),
    network: hidden(network),
  };
}

/** Answers what the settings, the store of models or a model's server refuse. */
export function refuseSetting(error: unknown): never {
  if (error instanceof StoreError || error instanceof VisionError) {
    throw new RequestError("invalid_input", error.message, { body: { code: error.code } });
  }
  if (!(error instanceof SettingsError)) throw error;
  const isOurs = error.code === "settings_unusable" || error.code === "key_store_unusable";
  const code = isOurs ? "internal_error" : "invalid_input";
  const status = error.code === "settings_damaged" ? { status: 409 } : {};
  throw new RequestError(code, error.message, { ...status, body: { code: error.code } });
}
