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
    messages: [...(system === "" ? [] : [{ role: "system", content: system }]), ...turns.map(messageOf)],
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

/** Some servers have a model that is held to a form call a function of its name. */
const ToolCall = z.object({ function: z.optional(z.object({ arguments: z.optional(z.unknown()) })) });

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
            reasoning_content: z.optional(z.unknown()),
            reasoning: z.optional(z.unknown()),
            tool_calls: z.optional(z.nullable(z.array(ToolCall))),
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
  const { content, tool_calls: calls, reasoning_content, reasoning } = choice?.message ?? {};
  const parts = typeof content === "string" ? [content] : (content ?? []).map(({ text }) => textIn(text));
  const said = parts.join("");
  return {
    words: said.trim() === "" ? (calls ?? []).map((call) => textIn(call.function?.arguments)).join("\n") : said,
    thoughts: textIn(reasoning_content) || textIn(reasoning),
    isCut: choice?.finish_reason === "length",
    isBlocked: choice?.finish_reason === "content_filter" || (choice?.message?.refusal ?? "") !== "",
    inputTokens: usage?.prompt_tokens ?? null,
    outputTokens: usage?.completion_tokens ?? 0,
    model: model ?? null,
  };
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}
