import { setTimeout as sleep } from "node:timers/promises";
import type { PaidPlan } from "../outgoing/ledger.ts";

/** Part of a user's message: words, or a picture as JPEG bytes. */
export type PromptPart = { readonly text: string } | { readonly jpeg: Uint8Array };

/** One turn of the conversation about a section. */
export type Turn =
  | { readonly from: "user"; readonly parts: readonly PromptPart[] }
  | { readonly from: "model"; readonly words: string };

/** What a model is asked: its instructions, the conversation so far, and the shape of its answer. */
export interface Question {
  /** Instructions that hold for the whole conversation. */
  readonly system: string;
  readonly turns: readonly Turn[];
  /** JSON Schema of the answer with a name for it; sent to servers that hold a model to one. */
  readonly schema: AnswerSchema;
  /** Length that the answer may have, in tokens, thoughts included; default: what the preset says. */
  readonly answerTokens?: number;
  /** Whether it lets others go first where not all can go at once; default: it does not. */
  readonly precedence?: Precedence;
  /** What it may cost, for the book of the work. */
  readonly plan?: PaidPlan;
}

/** A question with its instructions at the head of the user's first message, for models whose template has no place for them. */
export function inOneVoice(question: Question): Question {
  const [first, ...rest] = question.turns;
  const parts = first?.from === "user" ? first.parts : [];
  const turns = first?.from === "user" ? rest : question.turns;
  return { ...question, system: "", turns: [{ from: "user", parts: [{ text: question.system }, ...parts] }, ...turns] };
}

/** A JSON Schema by name, as chat completions take it. */
export interface AnswerSchema {
  readonly name: string;
  readonly strict: true;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** What a server's answer to a question holds, whichever interface it has. */
export interface WireAnswer {
  readonly words: string;
  /** What it thought, where the server gives that apart; some put the answer there, and leave the words empty. */
  readonly thoughts: string;
  /** Whether the answer ended because its length was reached. */
  readonly isCut: boolean;
  /** Whether the model or a filter will not answer. */
  readonly isBlocked: boolean;
  /** Tokens of the question as the server counted them; `null` where it does not say. */
  readonly inputTokens: number | null;
  readonly outputTokens: number;
  /** The model that answered, where the server says so. */
  readonly model: string | null;
  /** Its entry in the book of the work; absent where nobody keeps one. */
  readonly entry?: string;
}

/** How soon a request is wanted: what others wait for goes before what is needed `later`. */
export type Precedence = "now" | "later";

/** Lets a number of requests to one server go at the same time, and has all of them wait when the server asks for it. */
export class Gate {
  readonly #parallel: number;
  #under = 0;
  readonly #waiting: Readonly<Record<Precedence, (() => void)[]>> = { now: [], later: [] };
  /** Until when nothing is sent, on the clock of `performance.now()`. */
  #closedUntil = 0;

  /** @param parallel Requests at the same time, at least 1. */
  constructor(parallel: number) {
    this.#parallel = parallel;
  }

  /**
   * Does the work as soon as there is room, in the order in which it came; what is wanted now before what is later.
   *
   * @throws what the work throws; the signal's reason when it aborts before its turn.
   */
  async run<T>(work: () => Promise<T>, signal: AbortSignal, precedence: Precedence = "now"): Promise<T> {
    await this.#enter(signal, precedence);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** Nothing is sent for so many milliseconds from now. */
  close(milliseconds: number): void {
    this.#closedUntil = Math.max(this.#closedUntil, performance.now() + milliseconds);
  }

  /**
   * Resolves once the server may be asked again.
   *
   * @throws the signal's reason.
   */
  async opened(signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const milliseconds = this.#closedUntil - performance.now();
      if (milliseconds <= 0) return;
      await sleep(Math.ceil(milliseconds), undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }

  async #enter(signal: AbortSignal, precedence: Precedence): Promise<void> {
    signal.throwIfAborted();
    if (this.#under < this.#parallel) {
      this.#under++;
      return;
    }
    const waiting = this.#waiting[precedence];
    await new Promise<void>((resolve, reject) => {
      const go = () => {
        signal.removeEventListener("abort", stop);
        // Who leaves hands its place on, so the number under way stays.
        resolve();
      };
      const stop = () => {
        waiting.splice(waiting.indexOf(go), 1);
        reject(signal.reason);
      };
      waiting.push(go);
      signal.addEventListener("abort", stop, { once: true });
    });
  }

  #leave(): void {
    const next = this.#waiting.now.shift() ?? this.#waiting.later.shift();
    if (next === undefined) this.#under--;
    else next();
  }
}
