import type { ServerReply } from "./exchange.ts";
import { faultOf } from "./server-words.ts";

/** The two names of the parameter that limits an answer; servers take the one or the other. */
const LENGTHS = ["max_tokens", "max_completion_tokens"] as const;

/** Parameters that a question can do without, and words by which servers complain of them. */
const DISPENSABLE: Readonly<Record<string, RegExp>> = {
  response_format: /response_format|json_schema|json_object|\bschema\b|\bgrammar\b|structured output/i,
  format: /\bformat\b|\bschema\b|\bgrammar\b/i,
  max_completion_tokens: /max_completion_tokens/i,
  max_tokens: /max_tokens/i,
  reasoning_effort: /reasoning_effort|reasoning\.effort|thinking|\breasoning\b/i,
  think: /\bthink(?:ing)?\b/i,
  temperature: /temperature/i,
  seed: /\bseed\b/i,
  keep_alive: /keep_alive/i,
};

/** The parameters of a run that its server refused. They are left out of all later requests. */
export class RefusedParameters {
  readonly #refused = new Set<string>();

  /** A request without them; where the server refused one name of the length, it stands under the other. */
  without(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const entries = Object.entries(body).flatMap(([name, value]): [string, unknown][] => {
      if (!this.#refused.has(name)) return [[name, value]];
      const other = LENGTHS.find((length) => length !== name && LENGTHS.some((one) => one === name));
      return other === undefined || this.#refused.has(other) ? [] : [[other, value]];
    });
    return Object.fromEntries(entries);
  }

  /**
   * Whether the server refused a request because of a parameter that it can do without. It is remembered.
   *
   * @param sent The request that was refused.
   */
  learn(reply: ServerReply, sent: Readonly<Record<string, unknown>>): boolean {
    if (reply.status !== 400 && reply.status !== 422) return false;
    const { message, parameter } = faultOf(reply);
    const candidates = Object.entries(DISPENSABLE).filter(([name]) => name in sent);
    const blamed =
      candidates.find(([name]) => parameter === name || parameter.startsWith(`${name}.`)) ??
      candidates.find(([, words]) => words.test(message));
    if (blamed === undefined) return false;
    this.#refused.add(blamed[0]);
    return true;
  }
}
