import type { Precedence } from "./gate.ts";

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
}

/** A JSON Schema by name, as chat completions take it. */
export interface AnswerSchema {
  readonly name: string;
  readonly strict: true;
  readonly schema: Readonly<Record<string, unknown>>;
}
