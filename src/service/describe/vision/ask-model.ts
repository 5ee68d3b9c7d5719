import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIError } from "openai";
import type { ChatCompletionContentPart, ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { JobFailure } from "../../job-failure.ts";
import { VISION_REPLY_SCHEMA } from "./reply.ts";
import { VisionError } from "./vision-error.ts";
import type { VisionSettings } from "./vision-settings.ts";

/** Part of a user's message: words, or a picture as JPEG bytes. */
export type PromptPart = { readonly text: string } | { readonly jpeg: Uint8Array };

/** One turn of the conversation about a section. */
export type Turn =
  | { readonly from: "user"; readonly parts: readonly PromptPart[] }
  | { readonly from: "model"; readonly words: string };

/** What a model answered, and what it took. */
export interface ModelAnswer {
  readonly words: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Asks one model. Retries what a second try may mend; every request has a time limit. */
export class VisionModel {
  readonly #client: OpenAI;
  readonly #settings: VisionSettings;
  /** Whether the server takes a JSON schema; learnt from its first refusal. */
  #takesSchema = true;

  constructor(settings: VisionSettings) {
    this.#settings = settings;
    this.#client = new OpenAI({
      baseURL: settings.baseUrl,
      apiKey: settings.apiKey,
      timeout: settings.timeoutSeconds * 1000,
      maxRetries: 2,
      // The library would read the user's unrelated OpenAI settings from the environment.
      organization: null,
      project: null,
      logLevel: "off",
    });
  }

  /**
   * @throws JobFailure `content_blocked` when the model or its filter refuses, `VisionError` when it cannot be asked, the
   * signal's reason when aborted.
   */
  async ask(system: string, turns: readonly Turn[], signal: AbortSignal): Promise<ModelAnswer> {
    try {
      return await this.#send(system, turns, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!this.#takesSchema || !isSchemaRefusal(error)) throw this.#raised(error);
      this.#takesSchema = false;
      return await this.#send(system, turns, signal).catch((second: unknown) => {
        signal.throwIfAborted();
        throw this.#raised(second);
      });
    }
  }

  async #send(system: string, turns: readonly Turn[], signal: AbortSignal): Promise<ModelAnswer> {
    const completion = await this.#client.chat.completions.create(
      {
        model: this.#settings.model,
        temperature: 0.2,
        seed: 1,
        messages: [{ role: "system", content: system }, ...turns.map(messageOf)],
        ...(this.#takesSchema
          ? { response_format: { type: "json_schema" as const, json_schema: VISION_REPLY_SCHEMA } }
          : {}),
      },
      { signal },
    );
    const choice = completion.choices?.[0];
    if (choice?.finish_reason === "content_filter" || (choice?.message?.refusal ?? null) !== null) throw blocked();
    return {
      words: choice?.message?.content ?? "",
      inputTokens: completion.usage?.prompt_tokens ?? 0,
      outputTokens: completion.usage?.completion_tokens ?? 0,
    };
  }

  #raised(error: unknown): unknown {
    const host = new URL(this.#settings.baseUrl).host;
    if (error instanceof APIConnectionTimeoutError) {
      const limit = this.#settings.timeoutSeconds;
      return new VisionError("vision_unreachable", `The vision model at ${host} gave no answer within ${limit} s.`);
    }
    if (error instanceof APIConnectionError) {
      return new VisionError("vision_unreachable", `The vision model at ${host} could not be reached.`);
    }
    if (!(error instanceof APIError)) return error;
    if (isContentRefusal(error)) return blocked();
    const { model } = this.#settings;
    const status = error.status ?? "unknown";
    // What it says is the only clue: a model that is not there, a picture too many, memory that does not suffice.
    const reason = this.#reasonOf(error);
    const next =
      Number(status) >= 500
        ? "Look at the server's own log, or use another model."
        : "Check ASIDE_VISION_MODEL and ASIDE_VISION_KEY.";
    return new VisionError(
      "vision_refused",
      `The vision model ${model} at ${host} refused the request with status ${status}${reason}. ${next}`,
    );
  }

  /** The server's own words about an error in brackets, without the key; none about a wrong key, which they may repeat. */
  #reasonOf(error: APIError): string {
    if (error.status === 401 || error.status === 403) return "";
    const body: unknown = error.error;
    const said =
      typeof body === "string"
        ? body
        : typeof body === "object" && body !== null && "message" in body
          ? body.message
          : "";
    if (typeof said !== "string") return "";
    const { apiKey } = this.#settings;
    const plain = said
      .replaceAll(apiKey === "" ? "\0" : apiKey, "…")
      .replace(/[\p{Cc}\s]+/gu, " ")
      .trim();
    return plain === "" || /^</.test(plain) ? "" : ` (${plain.slice(0, KEPT_REASON)})`;
  }
}

/** Characters kept of what a server says about an error. */
const KEPT_REASON = 200;

function messageOf(turn: Turn): ChatCompletionMessageParam {
  if (turn.from === "model") return { role: "assistant", content: turn.words };
  return { role: "user", content: turn.parts.map(contentOf) };
}

function contentOf(part: PromptPart): ChatCompletionContentPart {
  if ("text" in part) return { type: "text", text: part.text };
  const url = `data:image/jpeg;base64,${Buffer.from(part.jpeg).toString("base64")}`;
  return { type: "image_url", image_url: { url } };
}

/** The model or its filter will not describe the programme. */
export function blocked(): JobFailure {
  return new JobFailure(
    "content_blocked",
    "The vision model's safety filter refused to describe this programme. Give a script, or use another model.",
  );
}

function isSchemaRefusal(error: unknown): boolean {
  return error instanceof APIError && error.status === 400 && /response_format|json_schema|schema/i.test(error.message);
}

function isContentRefusal(error: APIError): boolean {
  return /content_(?:filter|policy)|safety|moderation/i.test(`${error.code ?? ""} ${error.type ?? ""}`);
}
