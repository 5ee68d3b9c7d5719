import type { ModelPullState, PullableModelsReply } from "../../contract/model-pull.ts";
import { AudioDescriptionError } from "../../core/error.ts";
import { hideSecrets } from "../../core/hide-secrets.ts";
import type { Environment } from "../outgoing/environment.ts";
import { isLocalOnly } from "../outgoing/local-only.ts";
import { hasOllamaModel, PULLABLE_MODELS, pullModel } from "./pull-model.ts";
import { ollamaRoot } from "./vision-settings.ts";

/** Why no download begins. */
export class PullRefusedError extends AudioDescriptionError<"pull_refused"> {}

/** Downloads of models by Ollama, one at a time, while nobody waits: they go on when the page or the panel is closed. */
export class ModelPulls {
  readonly #variables: () => Promise<Environment>;
  #pull: ModelPullState | null = null;
  #stop: AbortController | null = null;
  #running: Promise<void> = Promise.resolve();

  /** @param variables The environment with what is set now. */
  constructor(variables: () => Promise<Environment>) {
    this.#variables = variables;
  }

  /** What Ollama can fetch and has, and the last download. @throws SettingsError where the settings cannot be read. */
  async look(signal: AbortSignal): Promise<PullableModelsReply> {
    const variables = await this.#variables();
    // One that is set may be elsewhere.
    if (isLocalOnly(variables)) return { server: null, models: [], pull: this.#pull };
    const root = ollamaRoot(variables);
    const found = await Promise.all(
      PULLABLE_MODELS.map(async (model) => ({ ...model, is_there: await hasOllamaModel(root, model.name, signal) })),
    ).catch(() => null);
    signal.throwIfAborted();
    return {
      server: found === null ? null : new URL(root).host,
      models: found ?? [],
      pull: this.#pull,
    };
  }

  /**
   * Begins to fetch a model.
   *
   * @throws PullRefusedError while another one is fetched, and where nothing may leave the computer.
   */
  async start(model: string): Promise<void> {
    const variables = await this.#variables();
    if (isLocalOnly(variables)) {
      throw new PullRefusedError(
        "pull_refused",
        "Nothing may leave this computer (privacy.local_only): no model is fetched.",
      );
    }
    // Nothing is waited for from here on: of two requests at once the second sees the first.
    if (this.#stop !== null) {
      throw new PullRefusedError("pull_refused", `${this.#pull?.model} is being fetched. Wait for it, or cancel it.`);
    }
    this.#stop = new AbortController();
    this.#pull = { model, state: "running", completed_bytes: 0, total_bytes: 0, message: "" };
    this.#running = this.#run(ollamaRoot(variables), model, this.#stop).finally(() => {
      this.#stop = null;
    });
  }

  /** Ends the download that is under way, if any. What has arrived stays with Ollama: the next one goes on there. */
  async cancel(): Promise<void> {
    this.#stop?.abort(new Error("the download is cancelled"));
    await this.#running;
  }

  async #run(root: string, model: string, stop: AbortController): Promise<void> {
    const change = (pull: Partial<ModelPullState>) => {
      if (this.#pull !== null) this.#pull = { ...this.#pull, ...pull };
    };
    try {
      if (!(await hasOllamaModel(root, model, stop.signal))) {
        await pullModel(root, model, stop.signal, ({ state, completedBytes, totalBytes }) => {
          change({ message: hideSecrets(state), completed_bytes: completedBytes, total_bytes: totalBytes });
          this.#stopWhereNothingMayLeave(stop);
        });
      }
      change({ state: "done", message: "" });
    } catch (error) {
      if (stop.signal.aborted) return change({ state: "cancelled", message: "" });
      const said = error instanceof AudioDescriptionError ? error.message : "It failed, and nothing says why.";
      change({ state: "failed", message: hideSecrets(said) });
    }
  }

  /** Whoever forbids it, on whichever face, meanwhile. */
  #stopWhereNothingMayLeave(stop: AbortController): void {
    this.#variables().then(
      (variables) => {
        if (isLocalOnly(variables)) stop.abort(new Error("nothing may leave this computer"));
      },
      // Settings that cannot be read are told where they are needed.
      () => undefined,
    );
  }
}
