import * as z from "zod/mini";
import { exchange } from "./exchange.ts";
import { askForModels, type ListedModel } from "./model-list.ts";
import { showOllamaModel } from "./ollama.ts";
import { type Preset, presetNamed, rootOf } from "./presets.ts";

/** A vision model that runs on this machine. */
export interface LocalModel {
  /** Name of the program that runs it, for people. */
  readonly server: string;
  /** Base address of its OpenAI-compatible endpoint. */
  readonly baseUrl: string;
  readonly model: string;
  /** What is known of its server; told from the address where it is left out. */
  readonly preset?: Preset;
}

/** One address at which a server may listen. */
export interface LocalServer {
  /** Name of its preset. */
  readonly preset: string;
  readonly baseUrl: string;
}

/**
 * Where they listen unless told otherwise, in the order of choice; loopback only, so that nothing leaves this computer.
 * llama.cpp moved in August 2026. At 8080 there may be others, so that every server has to say what it is.
 */
export const LOCAL_SERVERS: readonly LocalServer[] = [
  { preset: "ollama", baseUrl: "http://127.0.0.1:11434/v1" },
  { preset: "lmstudio", baseUrl: "http://127.0.0.1:1234/v1" },
  { preset: "llamacpp", baseUrl: "http://127.0.0.1:9931/v1" },
  { preset: "llamacpp", baseUrl: "http://127.0.0.1:8080/v1" },
  { preset: "localai", baseUrl: "http://127.0.0.1:8080/v1" },
  { preset: "vllm", baseUrl: "http://127.0.0.1:8000/v1" },
  { preset: "jan", baseUrl: "http://127.0.0.1:1337/v1" },
];

/** A server on this machine answers at once or not at all. */
const LOOK_MILLISECONDS = 800;

/** Models looked at in detail: more than that are installed nowhere, or something is wrong. */
const MODELS_LOOKED_AT = 40;

/** Jan and older servers ask for a key and take any. */
const ANY_KEY = "none";

/** Names of models that see, where a server says nothing of it: vLLM and Jan do not. */
const SEEING_NAME =
  /vision|vl\b|-vl-|llava|pixtral|moondream|minicpm-[vo]|internvl|smolvlm|gemma-?[3-9]|qwen-?3\.[5-9]/i;

/** Finds vision models of servers that run on this machine now. Never raises: a server that is not there has none. */
export async function findLocalModels(servers: readonly LocalServer[] = LOCAL_SERVERS): Promise<LocalModel[]> {
  const found = await Promise.all(
    servers.map(async ({ preset: name, baseUrl }) => {
      const preset = presetNamed(name);
      if (preset === undefined) return [];
      try {
        const models = await seeingModels(preset, baseUrl, AbortSignal.timeout(LOOK_MILLISECONDS));
        return models.map((model) => ({ server: preset.title, baseUrl, model, preset }));
      } catch {
        // Not running, or not what it seems: then there is no model to use.
        return [];
      }
    }),
  );
  return found.flat();
}

async function seeingModels(preset: Preset, baseUrl: string, signal: AbortSignal): Promise<string[]> {
  const { models } = await askForModels({ baseUrl, apiKey: ANY_KEY, preset }, signal);
  // Nothing was configured, so nothing may leave this computer.
  const here = models.filter(({ runsAt }) => runsAt === null).slice(0, MODELS_LOOKED_AT);
  const seeing = (await Promise.all(here.map((model) => seesHere(model, preset, baseUrl, signal)))).flatMap(
    (sees, index) => (sees ? here.slice(index, index + 1) : []),
  );
  // One that is in memory answers at once, and is the one its user works with.
  const [loaded, others] = [true, false].map((is) => seeing.filter(({ isLoaded }) => isLoaded === is));
  return [...(loaded ?? []), ...(others ?? [])].map(({ name }) => name);
}

const Props = z.object({ modalities: z.object({ vision: z.boolean() }) });

/** Whether a listed model sees and is of the server that is looked for. */
async function seesHere(
  { name, sees, ownedBy }: ListedModel,
  preset: Preset,
  baseUrl: string,
  signal: AbortSignal,
): Promise<boolean> {
  switch (preset.name) {
    case "ollama": {
      // A model that is broken or was just removed says nothing about the others.
      const shown = await showOllamaModel(rootOf(baseUrl), name, signal).catch(() => null);
      return shown?.sees === true && shown.runsAt === null;
    }
    case "llamacpp": {
      if (ownedBy !== "llamacpp") return false;
      if (sees !== null) return sees;
      const { body } = await exchange({ url: `${rootOf(baseUrl)}/props`, signal });
      return Props.safeParse(body).data?.modalities.vision === true;
    }
    case "vllm":
      return ownedBy === "vllm" && (sees ?? SEEING_NAME.test(name));
    case "jan":
      return sees ?? SEEING_NAME.test(name);
    default:
      return sees === true;
  }
}
