import * as z from "zod/mini";
import type { Preset } from "./presets.ts";
import type { PromptPart, Question, Turn, WireAnswer } from "./question.ts";

/**
 * A question in the form of OpenAI's chat completions.
 *
 * @param answerTokens Length that the answer may have.
 */
export function completionBody(
  model: string,
  { system, turns, schema }: Question,
  preset: Preset,
  answerTokens: number,
): Record<string, unknown> {
  return {
    model,
    messages: [{ role: "system", content: system }, ...turns.map(messageOf)],
    [preset.lengthParameter]: answerTokens,
    ...preset.parameters,
    ...(preset.json === "json_schema" ? { response_format: { type: "json_schema", json_schema: schema } } : {}),
    ...(preset.json === "json_object" ? { response_format: { type: "json_object" } } : {}),
  };
}

function messageOf(turn: Turn): object {
  if (turn.from === "model") return { role: "assistant", content: turn.words };
  return { role: "user", content: turn.parts.map(contentOf) };
}

function contentOf(part: PromptPart): object {
  if ("text" in part) return { type: "text", text: part.text };
  const url = `data:image/jpeg;base64,${Buffer.from(part.jpeg).toString("base64")}`;
  return { type: "image_url", image_url: { url } };
}

const Completion = z.object({
  model: z.optional(z.nullable(z.string())),
  choices: z.array(
    z.object({
      finish_reason: z.optional(z.unknown()),
      message: z.optional(
        z.nullable(
          z.object({
            // Mistral's thinking models answer with a list of parts.
            content: z.optional(
              z.nullable(z.union([z.string(), z.array(z.object({ text: z.optional(z.unknown()) }))])),
            ),
            refusal: z.optional(z.nullable(z.string())),
          }),
        ),
      ),
    }),
  ),
  usage: z.optional(
    z.nullable(z.object({ prompt_tokens: z.optional(z.number()), completion_tokens: z.optional(z.number()) })),
  ),
});

/** Reads an answer of chat completions; `null` for what is none. */
export function readCompletion(body: unknown): WireAnswer | null {
  const read = Completion.safeParse(body);
  if (!read.success) return null;
  const { choices, usage, model } = read.data;
  const [choice] = choices;
  const content = choice?.message?.content ?? "";
  const words =
    typeof content === "string" ? content : content.map(({ text }) => (typeof text === "string" ? text : "")).join("");
  return {
    words,
    isCut: choice?.finish_reason === "length",
    isBlocked: choice?.finish_reason === "content_filter" || (choice?.message?.refusal ?? "") !== "",
    inputTokens: usage?.prompt_tokens ?? null,
    outputTokens: usage?.completion_tokens ?? 0,
    model: model ?? null,
  };
}
