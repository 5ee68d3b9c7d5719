import * as z from "zod/mini";
import { exchange } from "./exchange.ts";

/** What Ollama knows of one of its models. */
export interface OllamaModel {
  readonly sees: boolean;
  /** Whether it thinks before it answers, unless told not to. */
  readonly thinks: boolean;
  /** Tokens it can hold at the most; `null` where Ollama does not say. */
  readonly contextTokens: number | null;
  /** Where it runs when that is not on the server itself. */
  readonly runsAt: string | null;
}

const Shown = z.object({
  capabilities: z.optional(z.array(z.string())),
  model_info: z.optional(z.record(z.string(), z.unknown())),
  remote_model: z.optional(z.string()),
  remote_host: z.optional(z.string()),
});

/**
 * Asks Ollama about a model.
 *
 * @param root Address of the server, without the path of its OpenAI-compatible endpoint.
 * @returns What it knows; `null` when it has no such model, `undefined` when its answer cannot be read.
 * @throws the network's error or the signal's reason.
 */
export async function showOllamaModel(
  root: string,
  model: string,
  signal: AbortSignal,
): Promise<OllamaModel | null | undefined> {
  const { status, body } = await exchange({ url: `${root}/api/show`, body: { model }, signal });
  if (status === 404) return null;
  const shown = Shown.safeParse(body);
  if (status !== 200 || !shown.success) return undefined;
  const { capabilities = [], model_info = {}, remote_model = "", remote_host } = shown.data;
  const length = Object.entries(model_info).find(([key]) => key.endsWith(".context_length"))?.[1];
  return {
    sees: capabilities.includes("vision"),
    thinks: capabilities.includes("thinking"),
    contextTokens: typeof length === "number" && length > 0 ? length : null,
    runsAt: remote_model === "" ? null : (remote_host ?? "another computer"),
  };
}
