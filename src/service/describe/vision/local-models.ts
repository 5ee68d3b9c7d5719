import { z } from "zod/mini";

/** A vision model that runs on this machine. */
export interface LocalModel {
  /** `Ollama` or `LM Studio`. */
  readonly server: string;
  /** Base address of its OpenAI-compatible endpoint. */
  readonly baseUrl: string;
  readonly model: string;
}

/** One server that people run models with, and how it tells which models see. */
interface LocalServer {
  readonly name: string;
  readonly origin: string;
  readonly findModels: (origin: string, signal: AbortSignal) => Promise<string[]>;
}

/** Where they listen unless told otherwise; loopback only, so that nothing leaves this computer. */
const SERVERS: readonly LocalServer[] = [
  { name: "Ollama", origin: "http://127.0.0.1:11434", findModels: findOllamaModels },
  { name: "LM Studio", origin: "http://127.0.0.1:1234", findModels: findLmStudioModels },
];

/** A server on this machine answers at once or not at all. */
const LOOK_MILLISECONDS = 800;

/** Models looked at in detail: more than that are installed nowhere, or something is wrong. */
const MODELS_LOOKED_AT = 40;

/** Finds vision models of servers that run on this machine now. Never raises: a server that is not there has none. */
export async function findLocalModels(servers: readonly LocalServer[] = SERVERS): Promise<LocalModel[]> {
  const found = await Promise.all(
    servers.map(async ({ name, origin, findModels }) => {
      try {
        const models = await findModels(origin, AbortSignal.timeout(LOOK_MILLISECONDS));
        return models.map((model) => ({ server: name, baseUrl: `${origin}/v1`, model }));
      } catch {
        // Not running, or not what it seems: then there is no model to use.
        return [];
      }
    }),
  );
  return found.flat();
}

/** The same servers at other origins, for a machine (or a test) where they listen elsewhere. */
export function localServersAt(ollama: string, lmStudio: string): readonly LocalServer[] {
  return [
    { name: "Ollama", origin: ollama, findModels: findOllamaModels },
    { name: "LM Studio", origin: lmStudio, findModels: findLmStudioModels },
  ];
}

const OllamaTags = z.object({ models: z.array(z.object({ name: z.string() })) });
const OllamaShow = z.object({ capabilities: z.optional(z.array(z.string())) });

async function findOllamaModels(origin: string, signal: AbortSignal): Promise<string[]> {
  const tags = OllamaTags.parse(await getJson(`${origin}/api/tags`, { signal }));
  const seeing = await Promise.allSettled(
    tags.models.slice(0, MODELS_LOOKED_AT).map(async ({ name }) => {
      const body = JSON.stringify({ model: name });
      const shown = OllamaShow.parse(await getJson(`${origin}/api/show`, { method: "POST", body, signal }));
      return (shown.capabilities ?? []).includes("vision") ? [name] : [];
    }),
  );
  // A model that is broken or was just removed says nothing about the others.
  return seeing.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
}

const LmStudioModels = z.object({
  data: z.array(z.object({ id: z.string(), type: z.optional(z.string()), state: z.optional(z.string()) })),
});

async function findLmStudioModels(origin: string, signal: AbortSignal): Promise<string[]> {
  const models = LmStudioModels.parse(await getJson(`${origin}/api/v0/models`, { signal }));
  const seeing = models.data.filter(({ type }) => type === "vlm");
  // One that is in memory answers at once, and is the one its user works with.
  const [loaded, others] = [true, false].map((is) => seeing.filter(({ state }) => (state === "loaded") === is));
  return [...(loaded ?? []), ...(others ?? [])].map(({ id }) => id);
}

async function getJson(url: string, init: RequestInit): Promise<unknown> {
  const reply = await fetch(url, { ...init, redirect: "error" });
  if (!reply.ok) throw new Error(`status ${reply.status}`);
  return await reply.json();
}
