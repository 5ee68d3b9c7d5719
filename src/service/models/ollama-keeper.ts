import type { ModelHere } from "../../contract/models.ts";
import { isLocalAddress } from "../../core/ports.ts";
import { hasOllamaModel, PULLABLE_MODELS, pullModel, removeOllamaModel } from "../../engine/models/pull-model.ts";
import { ollamaRoot } from "../../engine/models/vision-settings.ts";
import { type Environment, isLocalOnly } from "../../engine/outgoing/local-only.ts";
import { suitability } from "../../engine/store/catalog.ts";
import type { StoreProgress } from "../../engine/store/install.ts";
import type { Computer } from "../../engine/store/this-computer.ts";

/** What ids of models begin with that Ollama keeps. */
export const OLLAMA_PREFIX = "ollama:";

/** Memory that a model takes for each byte of its download, while it works. */
const MEMORY_PER_BYTE = 1.5;

/** Models that the Ollama keeps which is set, else the one on this computer. */
export class OllamaKeeper {
  /** Those that suit and those that are there; none where Ollama does not answer, or may not be asked. */
  async models(variables: Environment, computer: Computer, signal: AbortSignal): Promise<ModelHere[]> {
    const root = ollamaRoot(variables);
    // One that is set may be elsewhere.
    if (isLocalOnly(variables) && !isLocalAddress(root)) return [];
    const found = await Promise.all(
      PULLABLE_MODELS.map(async (model) => ({ ...model, isThere: await hasOllamaModel(root, model.name, signal) })),
    ).catch(() => []);
    signal.throwIfAborted();
    const { host } = new URL(root);
    return found.map(({ name, gigabytes, remark, isThere }) => {
      const bytes = gigabytes * 1e9;
      const own = suitability({ kind: "eyes", memoryBytes: bytes * MEMORY_PER_BYTE }, computer);
      // What a computer elsewhere can do is not known here.
      const { suits, why } = isLocalAddress(root) ? own : { suits: "yes" as const, why: "" };
      return {
        id: `${OLLAMA_PREFIX}${name}`,
        kind: "eyes",
        title: name,
        keeper: "ollama",
        licence: null,
        languages: [],
        voices: 0,
        bytes,
        state: isThere ? "installed" : "absent",
        suits,
        remark: `Kept by Ollama at ${host}: ${remark}.${why === "" ? "" : ` ${why}`}`,
        is_recommended: false,
        seconds_per_minute: null,
        samples: null,
        addresses: [],
      };
    });
  }

  /** Has Ollama fetch a model. @throws VisionError as `pullModel` does. */
  async fetch(
    name: string,
    variables: Environment,
    signal: AbortSignal,
    onProgress: (progress: StoreProgress) => void,
  ): Promise<void> {
    const root = ollamaRoot(variables);
    if (await hasOllamaModel(root, name, signal)) return;
    await pullModel(root, name, signal, ({ completedBytes, totalBytes }) =>
      onProgress({ state: "running", completedBytes, totalBytes }),
    );
  }

  /** Has Ollama remove a model. @returns Bytes that were given back, about. @throws VisionError. */
  async remove(name: string, variables: Environment, signal: AbortSignal): Promise<number> {
    await removeOllamaModel(ollamaRoot(variables), name, signal);
    return (PULLABLE_MODELS.find((model) => model.name === name)?.gigabytes ?? 0) * 1e9;
  }
}
