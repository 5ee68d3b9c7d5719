import { defined } from "../../core/objects.ts";
import { LEDGER_HEADER } from "../outgoing/ledger.ts";
import { AnswerTooLong, exchange, keyHeaders, type ServerReply, type ServerRequest } from "./exchange.ts";
import { type Preset, placeOf } from "./presets.ts";
import { Gate, type Question } from "./question.ts";
import {
  ENGINE_FAULT_HEADER,
  FAULT_TRIES,
  ownPauseMs,
  pauseAfter,
  VisionError,
  type VisionErrorCode,
} from "./refusal.ts";
import type { VisionSettings } from "./vision-settings.ts";

/** The server of one model: sends a few requests at the same time, and waits when it is told to. */
export class ModelServer {
  readonly #settings: VisionSettings;
  readonly #preset: Preset;
  readonly #gate: Gate;

  constructor(settings: VisionSettings, preset: Preset) {
    this.#settings = settings;
    this.#preset = preset;
    this.#gate = new Gate(settings.parallel ?? preset.parallel);
  }

  /**
   * Sends a request in its turn, and again where the server says "later" or stumbles. While one waits, all do.
   *
   * @returns The last answer, good or bad.
   * @throws VisionError `vision_unreachable` when no answer comes, or not in time, `vision_unusable` for one without an end; the signal's reason.
   */
  async post(
    url: string,
    body: Record<string, unknown>,
    signal: AbortSignal,
    { precedence, plan }: Pick<Question, "precedence" | "plan"> = {},
  ): Promise<ServerReply> {
    return await this.#gate.run(
      async () => {
        let waitedMs = 0;
        for (let tries = 1; ; tries++) {
          await this.#gate.opened(signal);
          const reply = await this.#once({ url, body, ...defined({ plan }) }, signal, tries);
          const pause = reply === null ? ownPauseMs(tries) : pauseAfter(reply, tries, waitedMs);
          if (reply !== null && pause === null) return reply;
          waitedMs += pause ?? 0;
          this.#gate.close(pause ?? 0);
        }
      },
      signal,
      precedence,
    );
  }

  /** @returns `null` when the line broke, and it is worth another try. A time limit that has passed is not. */
  async #once(
    request: Pick<ServerRequest, "url" | "body" | "plan">,
    signal: AbortSignal,
    tries: number,
  ): Promise<ServerReply | null> {
    const { timeoutSeconds, apiKey, baseUrl, model, send } = this.#settings;
    const who = `The vision model ${model} ${placeOf(baseUrl)}`;
    const limit = AbortSignal.timeout(timeoutSeconds * 1000);
    try {
      const headers = keyHeaders(this.#preset, apiKey);
      const reply = await exchange({
        ...request,
        ...defined({ send }),
        headers,
        signal: AbortSignal.any([signal, limit]),
      });
      const refused = REFUSED[String(reply.headers[LEDGER_HEADER])];
      if (reply.status === 402 && refused !== undefined) throw new VisionError(refused, String(reply.body));
      if (reply.headers[ENGINE_FAULT_HEADER] === "vision_engine_failed")
        throw new VisionError("vision_engine_failed", String(reply.body));
      return withInnerStatus(reply);
    } catch (error) {
      signal.throwIfAborted();
      if (limit.aborted) {
        const message = `${who} gave no answer within ${timeoutSeconds} s. A slow one needs a larger ASIDE_VISION_TIMEOUT.`;
        throw new VisionError("vision_unreachable", message, { cause: error });
      }
      if (error instanceof VisionError) throw error;
      if (error instanceof AnswerTooLong) {
        const message = `${who} sent an answer of ${error.message}, which was broken off. Use another model: ASIDE_VISION_MODEL.`;
        throw new VisionError("vision_unusable", message, { cause: error });
      }
      if (tries < FAULT_TRIES) return null;
      const message = `${who} could not be reached. Check that its server runs, and ASIDE_VISION_URL.`;
      throw new VisionError("vision_unreachable", message, { cause: error });
    }
  }
}

/** What it means where the book of the work does not let a request leave. */
const REFUSED: Readonly<Record<string, VisionErrorCode | undefined>> = {
  ceiling: "vision_ceiling",
  "given-up": "vision_unusable",
};

/** A reply under the status that its error has: some servers send it under 200, some with their words once more beside it. */
function withInnerStatus(reply: ServerReply): ServerReply {
  const { body } = reply;
  if (reply.status !== 200 || typeof body !== "object" || body === null || !("error" in body)) return reply;
  const { error } = body;
  const isAnswer = "choices" in body || ("message" in body && typeof body.message === "object");
  if (error === null || error === undefined || isAnswer) return reply;
  const code = typeof error === "object" && "code" in error ? Number(error.code) : Number.NaN;
  return { ...reply, status: code >= 400 && code <= 599 ? code : 500, isHidden: true };
}
