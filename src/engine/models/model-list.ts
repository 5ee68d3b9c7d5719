import * as z from "zod/mini";
import { below, exchange, keyHeaders } from "./exchange.ts";
import { showOllamaModel } from "./ollama.ts";
import { HERE_URL, type Preset, presetAt, rootOf } from "./presets.ts";
import type { VisionSettings } from "./vision-settings.ts";

/** One model of a server's list, as far as the list tells. */
export interface ListedModel {
  readonly name: string;
  /** Whether it sees pictures; `null` where the list does not say. */
  readonly sees: boolean | null;
  /** Tokens it can hold at once as it is loaded; `null` where the list does not say. */
  readonly contextTokens: number | null;
  /** Whether it is in memory, and so answers at once. */
  readonly isLoaded: boolean;
  /** Where it runs when that is not on the server itself; `null` for the server. */
  readonly runsAt: string | null;
  /** Which program lists it, such as `vllm` or `llamacpp`; empty where it does not say. */
  readonly ownedBy: string;
}

const Names = z.array(z.unknown());
const Modalities = z.object({ input_modalities: z.optional(Names) });
const Entry = z.object({
  id: z.optional(z.string()),
  key: z.optional(z.string()),
  name: z.optional(z.string()),
  type: z.optional(z.unknown()),
  state: z.optional(z.unknown()),
  owned_by: z.optional(z.unknown()),
  remote_model: z.optional(z.unknown()),
  remote_host: z.optional(z.unknown()),
  capabilities: z.optional(z.unknown()),
  architecture: z.optional(z.unknown()),
  input_modalities: z.optional(Names),
  max_model_len: z.optional(z.number()),
  loaded_context_length: z.optional(z.number()),
  loaded_instances: z.optional(
    z.array(
      z.object({
        id: z.optional(z.string()),
        config: z.optional(z.object({ context_length: z.optional(z.number()) })),
      }),
    ),
  ),
});
const Lists = z.object({ data: z.optional(Names), models: z.optional(Names) });
const Sight = z.object({ vision: z.boolean() });

/** Reads a list of models in the forms that servers have for it. What is no model is left out. */
function readModelList(body: unknown): ListedModel[] {
  const lists = Lists.safeParse(body);
  const entries = lists.success ? (lists.data.data ?? lists.data.models ?? []) : Names.safeParse(body).data;
  return (entries ?? []).flatMap((given) => {
    const entry = Entry.safeParse(given);
    if (!entry.success) return [];
    const { id, key, name, state, owned_by, remote_model, remote_host, loaded_instances = [] } = entry.data;
    const known = id ?? key ?? name;
    if (known === undefined) return [];
    const [instance] = loaded_instances;
    return [
      {
        name: known,
        sees: sightOf(entry.data),
        contextTokens:
          instance?.config?.context_length ?? entry.data.loaded_context_length ?? entry.data.max_model_len ?? null,
        isLoaded: instance !== undefined || state === "loaded",
        runsAt: textOr(remote_model, "") === "" ? null : textOr(remote_host, "another computer"),
        ownedBy: textOr(owned_by, ""),
      },
    ];
  });
}

function sightOf({ type, capabilities, architecture, input_modalities }: z.infer<typeof Entry>): boolean | null {
  const stated = Sight.safeParse(capabilities);
  if (stated.success) return stated.data.vision;
  const modalities = input_modalities ?? Modalities.safeParse(architecture).data?.input_modalities;
  if (modalities !== undefined && modalities.length > 0) return modalities.includes("image");
  const names = Names.safeParse(capabilities);
  if (names.success && names.data.length > 0) return names.data.includes("vision") || names.data.includes("multimodal");
  if (type === "vlm") return true;
  return type === "llm" || type === "embeddings" || type === "embedding" ? false : null;
}

function textOr(value: unknown, other: string): string {
  return typeof value === "string" && value !== "" ? value : other;
}

/** How a server's list is asked for. */
export interface ListQuestion {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly preset: Preset;
}

/**
 * Asks a server for the list of its models, which costs nothing.
 *
 * @returns The status of its answer; the models are empty where it has no list that can be read.
 * @throws the network's error or the signal's reason.
 */
export async function askForModels(
  { baseUrl, apiKey, preset }: ListQuestion,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly models: readonly ListedModel[] }> {
  const get = (path: string) => {
    const [base, rest] = path.startsWith("root:") ? [rootOf(baseUrl), path.slice("root:".length)] : [baseUrl, path];
    return exchange({ url: below(base, rest), headers: keyHeaders(preset, apiKey), signal });
  };
  const reply = await get(preset.modelList);
  // LM Studio has had the newer list since its version 0.4.
  const isOlder = preset.name === "lmstudio" && readModelList(reply.body).length === 0;
  const { status, body } = isOlder ? await get("root:/api/v0/models") : reply;
  return { status, models: status === 200 ? readModelList(body) : [] };
}

/** The listed model of that name; Gemini puts `models/` before its names, Ollama `:latest` behind those without a tag. */
export function listedAs(name: string, models: readonly ListedModel[]): ListedModel | undefined {
  const names = [name, `models/${name}`, `${name}:latest`];
  return models.find((model) => names.includes(model.name));
}

/** Time an endpoint has to say that it is there. */
const REACH_MILLISECONDS = 3_000;

/**
 * What keeps a model from being used, as far as the list of its server's models tells, which costs nothing; `null` when
 * nothing does. Servers without such a list are taken to be well.
 */
export async function modelFault(settings: VisionSettings): Promise<string | null> {
  const { baseUrl, apiKey, model, preset = presetAt(baseUrl) } = settings;
  // An installed one is whole and checked; whether its program runs is seen with the first question.
  if (baseUrl === HERE_URL) return null;
  const signal = AbortSignal.timeout(REACH_MILLISECONDS);
  try {
    const { status, models } = await askForModels({ baseUrl, apiKey, preset }, signal);
    if (status === 401 || status === 403) return "which refuses the key in ASIDE_VISION_KEY";
    if (preset.api !== "ollama") return listedAs(model, models)?.sees === false ? "which does not see pictures" : null;
    const shown = await showOllamaModel(rootOf(baseUrl), model, signal);
    if (shown === null) return `which is not there: fetch it with aside models install ollama:${model}`;
    return shown?.sees === false ? "which does not see pictures" : null;
  } catch {
    // Refused, not resolved, or silent: why makes no difference to what there is to do.
    return "which does not answer";
  }
}
