import { askForModels, listedAs } from "./model-list.ts";
import { showOllamaModel } from "./ollama.ts";
import { presetAt, rootOf } from "./presets.ts";
import type { VisionSettings } from "./vision-settings.ts";

/** Time an endpoint has to say that it is there. */
const REACH_MILLISECONDS = 3_000;

/**
 * What keeps a model from being used, as far as the list of its server's models tells, which costs nothing; `null` when
 * nothing does. Servers without such a list are taken to be well.
 */
export async function modelFault(settings: VisionSettings): Promise<string | null> {
  const { baseUrl, apiKey, model, preset = presetAt(baseUrl) } = settings;
  const signal = AbortSignal.timeout(REACH_MILLISECONDS);
  try {
    const { status, models } = await askForModels({ baseUrl, apiKey, preset }, signal);
    if (status === 401 || status === 403) return "which refuses the key in ASIDE_VISION_KEY";
    if (preset.api !== "ollama") return listedAs(model, models)?.sees === false ? "which does not see pictures" : null;
    const shown = await showOllamaModel(rootOf(baseUrl), model, signal);
    if (shown === null) return `which is not there: fetch it with aside describers --pull ${model}`;
    return shown?.sees === false ? "which does not see pictures" : null;
  } catch {
    // Refused, not resolved, or silent: why makes no difference to what there is to do.
    return "which does not answer";
  }
}
