import * as z from "zod/mini";
import { type AnswerShape, answerShape, readAnswer } from "../../../src/engine/describe/vision/answer.ts";
import { VisionModel } from "../../../src/engine/models/ask-model.ts";
import { presetNamed } from "../../../src/engine/models/presets.ts";
import { completionOf, type ModelReply, type ModelServerDouble, ollamaAnswer } from "../../fakes/model-server.ts";

/** A way in which a server answers one question, and what is to come of it. */
export interface ReplyDialect {
  readonly name: string;
  readonly preset: "openai" | "ollama";
  readonly reply: ModelReply;
  /** What is to be understood; a word of the server's own where it is to be refused. */
  readonly truth: "answer" | { readonly told: string };
}

/** What came of one: `refused` is told with its reason. */
export type ReplyOutcome = "right" | "refused" | "wrong";

const SHAPE: AnswerShape<{ lines: { at: number; text: string }[] }> = answerShape(
  "lines",
  z.object({ lines: z.array(z.object({ at: z.number(), text: z.string() })) }),
  "lines",
);

const TRUTH = { lines: [{ at: 12.5, text: "A gull lands." }] };
const DRAFT = { lines: [{ at: 3, text: "Something white, maybe." }] };
const JSON_TRUTH = JSON.stringify(TRUTH);
const JSON_DRAFT = JSON.stringify(DRAFT);

/** The words of a model that answers, each in its own way. */
const SAID: Readonly<Record<string, string>> = {
  "JSON alone": JSON_TRUTH,
  "JSON over lines": JSON.stringify(TRUTH, null, 2),
  "a fenced block": `\`\`\`json\n${JSON_TRUTH}\n\`\`\``,
  "prose around it": `Here is what I see {roughly}:\n${JSON_TRUTH}\nI hope this helps [really].`,
  "the list alone": JSON.stringify(TRUTH.lines),
  "a time with its unit": '{"lines": [{"at": "12.5 s", "text": "A gull lands."}]}',
  "a draft before it": `Draft: ${JSON_DRAFT}\nFinal answer: ${JSON_TRUTH}`,
  "thoughts in <think>": `<think>Perhaps ${JSON_DRAFT}</think>${JSON_TRUTH}`,
  "thoughts without a beginning": `Perhaps ${JSON_DRAFT}</think>\n\n${JSON_TRUTH}`,
  "thoughts in [THINK]": `[THINK]Perhaps ${JSON_DRAFT}[/THINK]${JSON_TRUTH}`,
  "thoughts in ◁think▷": `◁think▷Perhaps ${JSON_DRAFT}◁/think▷${JSON_TRUTH}`,
  "thoughts in <seed:think>": `<seed:think>Perhaps ${JSON_DRAFT}</seed:think>${JSON_TRUTH}`,
  "channels of Harmony": `<|channel|>analysis<|message|>Perhaps ${JSON_DRAFT}<|end|><|start|>assistant<|channel|>final<|message|>${JSON_TRUTH}`,
};

/** The words of a model that does not answer. */
const NOT_SAID: Readonly<Record<string, string>> = {
  "prose alone": "A gull lands at about twelve seconds.",
  "thoughts without an end": `<think>Perhaps ${JSON_DRAFT} or so`,
  "JSON of another shape": '{"shots": [{"start": 12.5}]}',
  "JSON that is cut": JSON_TRUTH.slice(0, -4),
  "a refusal": "I'm sorry, I can't help with identifying people in images.",
};

/** Ways in which servers of chat completions carry the words. */
const CARRIERS: Readonly<Record<string, (words: string) => ModelReply>> = {
  content: (words) => completionOf(words),
  "content in parts": (words) => completion({ content: [{ type: "text", text: words }] }),
  "a tool call": (words) => completion({ content: null, tool_calls: [toolCall(words)] }),
  "thoughts apart": (words) => completion({ content: words, reasoning_content: `Perhaps ${JSON_DRAFT}` }),
  "thoughts under their other name": (words) => completion({ content: words, reasoning: `Perhaps ${JSON_DRAFT}` }),
  "a stream nobody asked for": (words) => stream(pieces(words).map((content) => ({ content }))),
  "a stream with its thoughts": (words) =>
    stream([{ reasoning_content: `Perhaps ${JSON_DRAFT}` }, ...pieces(words).map((content) => ({ content }))]),
  "a stream without a last line": (words) => stream([{ content: words }], ""),
  "a stream that keeps alive": (words) => stream([{ content: words }], "data: [DONE]\n\n", ": keep-alive\n\n"),
};

/** Refusals, each with a word of the server's own. */
const REFUSALS: Readonly<Record<string, ModelReply>> = {
  "an error under 200": { body: { error: { message: "the model is gone, zebra", code: 400 } } },
  "an error as text under 200": { body: { error: "zebra: model not loaded" } },
  "an error in a stream": { ...asStream(`data: ${JSON.stringify({ error: { message: "zebra" } })}\n\n`) },
  "an error of FastAPI": { status: 400, body: { detail: [{ loc: ["body", "seed"], msg: "zebra is not allowed" }] } },
  "an error of a gateway in HTML": { status: 400, body: "<html><body><h1>zebra gateway</h1></body></html>" },
  "an error in plain words": { status: 400, body: "zebra: bad request" },
};

/** Every way: words times carriers, refusals, and those of Ollama's own interface. `isWhole`: all of them. */
export function* replyDialects(isWhole: boolean): Generator<ReplyDialect> {
  const carriers = Object.entries(CARRIERS);
  for (const [at, [said, words]] of Object.entries(SAID).entries()) {
    const turn = at % carriers.length;
    for (const [carrier, carry] of isWhole ? carriers : carriers.slice(turn, turn + 1)) {
      yield one(`${said}, ${carrier}`, "openai", carry(words), "answer");
    }
    yield one(`${said}, Ollama`, "ollama", ollamaAnswer(words), "answer");
  }
  for (const [said, words] of Object.entries(NOT_SAID)) {
    for (const [carrier, carry] of isWhole
      ? carriers.filter(([name]) => !name.includes("thoughts"))
      : carriers.slice(0, 1)) {
      yield one(`${said}, ${carrier}`, "openai", carry(words), { told: "" });
    }
    yield one(`${said}, Ollama`, "ollama", ollamaAnswer(words), { told: "" });
  }
  yield one(
    "the answer among the thoughts, content empty",
    "openai",
    completion({ content: "", reasoning: JSON_TRUTH }),
    "answer",
  );
  for (const [name, reply] of Object.entries(REFUSALS)) yield one(name, "openai", reply, { told: "zebra" });
}

function one(
  name: string,
  preset: ReplyDialect["preset"],
  reply: ModelReply,
  truth: ReplyDialect["truth"],
): ReplyDialect {
  return { name, preset, reply, truth };
}

/** What a model that is asked at this server makes of its reply. */
export async function replyOutcome(server: ModelServerDouble, { preset, truth }: ReplyDialect): Promise<ReplyOutcome> {
  const known = presetNamed(preset);
  const model = new VisionModel({
    baseUrl: preset === "ollama" ? server.origin : `${server.origin}/v1`,
    model: "eyes",
    apiKey: "",
    timeoutSeconds: 5,
    ...(known === undefined ? {} : { preset: known }),
  });
  const question = {
    system: "You describe.",
    turns: [{ from: "user" as const, parts: [{ text: "What is there?" }] }],
    schema: SHAPE.schema,
  };
  try {
    const { words, thoughts } = await model.ask(question, new AbortController().signal);
    const read = readAnswer(words, SHAPE, thoughts);
    if (!read.ok) return truth === "answer" || truth.told === "" ? "refused" : "wrong";
    return truth === "answer" && JSON.stringify(read.answer) === JSON_TRUTH ? "right" : "wrong";
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return truth === "answer" || said.includes(truth.told) ? "refused" : "wrong";
  }
}

function completion(message: object): ModelReply {
  return {
    body: { choices: [{ message, finish_reason: "stop" }], usage: { prompt_tokens: 50, completion_tokens: 7 } },
  };
}

function toolCall(words: string) {
  return { id: "1", type: "function", function: { name: "lines", arguments: words } };
}

function pieces(words: string): string[] {
  return words.match(/[\s\S]{1,9}/g) ?? [];
}

function stream(deltas: readonly object[], end = "data: [DONE]\n\n", before = ""): ModelReply {
  const events = deltas.map((delta) => `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`);
  return asStream(`${before}${events.join("")}${end}`);
}

function asStream(body: string): ModelReply {
  return { headers: { "content-type": "text/event-stream" }, body };
}
