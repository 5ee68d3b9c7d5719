import type { ModelEstimateReply, SettingChoice, SettingChoicesReply } from "../../contract/service-settings.ts";
import type { WordingOfferReply } from "../../contract/wordings.ts";
import type { Clock } from "../../core/ports.ts";
import { median } from "../../core/time-range.ts";
import { estimateFilm, estimateWordings, writtenBy } from "../../engine/describe/vision/plan-requests.ts";
import { addedCost, costOfSound } from "../../engine/dialogue/cost-of-sound.ts";
import { findLocalTranscription } from "../../engine/dialogue/transcription-settings.ts";
import { keptPace, secondsFor, tooWeak, tryEyes } from "../../engine/local/eyes-pace.ts";
import { findLocalModels } from "../../engine/models/local-models.ts";
import { HERE_URL, PRESETS, presetAt } from "../../engine/models/presets.ts";
import {
  eyesIn,
  localVisionSettings,
  type VisionSettings,
  visionConfiguration,
} from "../../engine/models/vision-settings.ts";
import type { Environment } from "../../engine/outgoing/local-only.ts";
import { inOrderOfChoice } from "../../engine/store/catalog.ts";
import { installedModels, voicesBestFirst } from "../../engine/store/installed.ts";
import { findLocalSpeech } from "../../engine/voice/speech-server.ts";
import { findSystemSpeechAnew } from "../../engine/voice/system/system-voices.ts";
import type { Queries } from "../storage/database.ts";
import { deadline, SYSTEM_CLOCK } from "../system-clock.ts";

/** What looks around on this computer; replaced in tests. */
export interface LocalSearch {
  readonly findModels: typeof findLocalModels;
  readonly findTranscription: (timeoutSeconds: number) => ReturnType<typeof findLocalTranscription>;
  readonly findSpeech: typeof findSystemSpeechAnew;
  readonly findServers: () => ReturnType<typeof findLocalSpeech>;
}

const SEARCH: LocalSearch = {
  findModels: () => findLocalModels(),
  findTranscription: (timeoutSeconds) => findLocalTranscription(timeoutSeconds),
  findSpeech: findSystemSpeechAnew,
  findServers: () => findLocalSpeech(),
};

/** Seconds that a search for a transcription server stands for; what is found is asked with limits of its own. */
const SEARCH_SECONDS = 60;

/**
 * What can be chosen: what runs on this computer now, and the providers that are known. Never raises.
 *
 * @param isLocalOnly Whether nothing may leave this computer: providers are left out then.
 */
export async function settingChoices(
  environment: Environment,
  isLocalOnly: boolean,
  { findModels, findTranscription, findSpeech, findServers }: LocalSearch = SEARCH,
): Promise<SettingChoicesReply> {
  const [models, transcription, speech, servers] = await Promise.all([
    findModels(),
    findTranscription(SEARCH_SECONDS),
    findSpeech(environment),
    findServers(),
  ]);
  const installed = inOrderOfChoice(installedModels(environment));
  const natural = voicesBestFirst(installed);
  const ears = installed.filter(({ kind }) => kind === "ears");
  // Whoever chooses the built-in one wants it, whatever else would speak by itself.
  const builtIn = natural.length > 0 || ["darwin", "win32"].includes(process.platform);
  const providers = isLocalOnly ? [] : PRESETS.filter(({ isLocal }) => !isLocal);
  return {
    describer: [
      choice("Text on screen only", "Every other pause is left for a person to write.", { server: "off" }),
      ...installed.flatMap(({ id, title }) => {
        if (eyesIn(environment, id) === null) return [];
        return [choice(title, "Installed on this computer. Costs nothing.", { server: "here", model: id })];
      }),
      ...models.map(({ server, baseUrl, model, preset }) =>
        choice(`${model} in ${server}`, "Runs on this computer. Costs nothing.", {
          server: baseUrl,
          model,
          ...(preset === undefined ? {} : { preset: preset.name }),
        }),
      ),
      ...providers.map(({ name, title, baseUrl }) => {
        const values = baseUrl === null ? { preset: name } : { server: name };
        const needs = [...(baseUrl === null ? ["server"] : []), "model", "key"];
        return {
          ...choice(title, "Is sent pictures and captions, and charges for them.", values, needs),
          is_local: false,
        };
      }),
    ],
    dialogue: [
      choice("Captions and subtitles only", "Without them, nothing is known of what is said.", { server: "off" }),
      ...ears.map(({ id, title, languages }) =>
        choice(title, `Writes down what is said, on this computer${spokenIn(languages)}. Costs nothing.`, {
          server: "here",
          model: id,
        }),
      ),
      ...(transcription === null
        ? []
        : [
            choice(
              transcription.model === "" ? "whisper.cpp" : transcription.model,
              "Runs on this computer. Costs nothing.",
              { server: transcription.baseUrl, model: transcription.model },
            ),
          ]),
      ...(isLocalOnly
        ? []
        : [
            {
              ...choice("A transcription server", "One that gives times of words.", {}, ["server", "model", "key"]),
              is_local: false,
            },
          ]),
    ],
    voice: [
      ...natural.map(({ id, title, languages }) =>
        choice(title, `A natural voice on this computer${spokenIn(languages)}. Costs nothing.`, { natural: id }),
      ),
      ...(speech === null
        ? []
        : [
            choice(`Voices of ${speech.title}`, `${speech.voices.length} on this computer. Costs nothing.`, {
              system: "on",
            }),
          ]),
      ...servers.map(({ title, baseUrl, model, voices }) =>
        choice(
          `${model} in ${title}`,
          `${voices === null ? "Runs" : `${voices} voices`} on this computer. Costs nothing.`,
          { server: baseUrl, model },
        ),
      ),
      choice(
        "Built in",
        "Speaks everywhere, and sounds like a machine.",
        builtIn ? { natural: "off", system: "off" } : {},
      ),
      ...(isLocalOnly
        ? []
        : [
            {
              ...choice("A speech server", "One that takes OpenAI's requests.", {}, ["server", "model", "key"]),
              is_local: false,
            },
          ]),
    ],
    system_voices: (speech?.voices ?? []).map(({ id, name, language, gender }) => ({ id, name, language, gender })),
  };
}

/** Few languages by name, many by their number. */
function spokenIn(languages: readonly string[]): string {
  if (languages.length === 0) return "";
  if (languages.length > LISTED_LANGUAGES) return `, in ${languages.length} languages`;
  const names = new Intl.DisplayNames("en", { type: "language" });
  return `, in ${languages.map((language) => names.of(language) ?? language).join(" and ")}`;
}

/** Languages that are named one by one. */
const LISTED_LANGUAGES = 2;

function choice(
  title: string,
  detail: string,
  values: Readonly<Record<string, string>>,
  needs: readonly string[] = [],
): SettingChoice {
  return { title, detail, values: { ...values }, needs: [...needs], is_local: true };
}

/** Films that the time of the next one is told from, the latest. */
const FILMS_LOOKED_AT = 9;

/** What an estimate goes by. */
interface EstimateParts {
  readonly variables: Environment;
  readonly queries: Queries;
  /** What looks around on this computer, tries a model there, and how long; replaced in tests. */
  readonly findModels?: typeof findLocalModels;
  readonly tryModel?: (...asked: Parameters<typeof tryEyes>) => Promise<unknown>;
  readonly clock?: Clock;
}

/**
 * What describing so many seconds of film takes, as a service tells it: of the model that is set, else of one that runs on
 * this computer, with the time that it took for earlier films of the service.
 */
export async function modelEstimate(
  durationSeconds: number,
  { variables, queries, findModels = findLocalModels, tryModel = tryEyes, clock = SYSTEM_CLOCK }: EstimateParts,
): Promise<ModelEstimateReply> {
  const settings = await settingsOf(variables, findModels);
  const sound = costOfSound(variables, durationSeconds);
  if (settings === null) return { model: null, requests: 0, tokens: 0, cost: sound, ceiling: null, seconds: null };
  const estimate = estimateFilm(settings, durationSeconds);
  const { requests, inputTokens, outputTokens } = estimate;
  const cost = addedCost(estimate.cost, sound);
  const pace = await paceOf(settings, queries);
  const eyes = settings.baseUrl === HERE_URL ? eyesIn(variables, settings.model) : null;
  const tried = pace === null && eyes !== null ? await keptPace(eyes) : null;
  if (pace === null && eyes !== null && tried === null) void tryOnce(settings, variables, { tryModel, clock });
  const seconds = pace === null ? tried && secondsFor(tried, estimate) : pace * durationSeconds;
  const remark = eyes === null ? null : await tooWeak(eyes, { durationSeconds, seconds });
  return {
    model: settings.model,
    requests,
    tokens: inputTokens + outputTokens,
    cost,
    ceiling: cost === null ? null : (settings.costCeiling ?? null),
    seconds,
    ...(remark === null ? {} : { remark }),
  };
}

/** Models that were tried since this program started: one that does not run says so to the job, and is not tried again and again. */
const tried = new Set<string>();

/** Tries an installed model on one shot while nobody waits: who asks next is told how long a film takes. */
async function tryOnce(
  settings: VisionSettings,
  variables: Environment,
  { tryModel, clock }: Required<Pick<EstimateParts, "tryModel" | "clock">>,
): Promise<void> {
  if (tried.has(settings.model)) return;
  tried.add(settings.model);
  const over = new AbortController();
  await tryModel(settings, variables, deadline(clock, LONGEST_TRIAL_MS, over.signal)).catch(() => undefined);
  over.abort();
}

/** A trial that takes longer than this, in milliseconds, is given up: it stands in the way of jobs. */
const LONGEST_TRIAL_MS = 10 * 60_000;

/** Who would be asked for wordings of one moment, and what that costs about; `null` where no model is set up. */
export async function wordingOffer(
  variables: Environment,
  findModels = findLocalModels,
): Promise<Omit<WordingOfferReply, "status"> | null> {
  const settings = await settingsOf(variables, findModels);
  if (settings === null) return null;
  const { isLocal } = settings.preset ?? presetAt(settings.baseUrl);
  const { cost } = estimateWordings(settings);
  return { model: settings.model, is_local: isLocal, cost: isLocal ? null : cost };
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
