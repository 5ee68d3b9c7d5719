import type { ServerReply } from "./exchange.ts";
import type { Preset } from "./presets.ts";
import { faultOf, spokenReason } from "./server-words.ts";
import { VisionError } from "./vision-error.ts";
import type { VisionSettings } from "./vision-settings.ts";
import { isAboutMoney } from "./waiting.ts";

/**
 * A server's refusal as an error: its own words in brackets, without the key, and what to do. Those about a wrong key may
 * repeat it, and are left out.
 */
export function refusal(reply: ServerReply, settings: VisionSettings, preset: Preset): VisionError {
  const { baseUrl, model, apiKey } = settings;
  const { status } = reply;
  const { host } = new URL(baseUrl);
  if (status >= 200 && status < 300) {
    const message = `What answers at ${host} is no model server. Check the path in ASIDE_VISION_URL; most end with /v1.`;
    return new VisionError("vision_refused", message);
  }
  // What it says is the only clue: a model that is not there, a picture too many, memory that does not suffice.
  const said = status === 401 || status === 403 ? "" : spokenReason(faultOf(reply).message, apiKey);
  const reason = said === "" ? "" : ` (${said})`;
  return new VisionError(
    "vision_refused",
    `The vision model ${model} at ${host} refused the request with status ${status}${reason}. ${nextStep(reply, said, model, preset)}`,
  );
}

function nextStep(reply: ServerReply, said: string, model: string, preset: Preset): string {
  const { status } = reply;
  if (isAboutMoney(reply)) return "The account has no credit left: see to it with the provider.";
  if (status === 429) return "Go on later, or lower ASIDE_VISION_PARALLEL.";
  if (status === 503 || status === 529) return "The server is busy or still loading: go on later.";
  if (status === 413) return "The pictures are too large for this provider: use another one.";
  if (/context (?:size|length|window)/i.test(said)) return "Give the model a larger context in its server.";
  if (status >= 500) return "Look at the server's own log, or use another model.";
  if (status === 404 && preset.api === "ollama") return `Fetch the model with: aside describers --pull ${model}`;
  return "Check ASIDE_VISION_MODEL and ASIDE_VISION_KEY.";
}
