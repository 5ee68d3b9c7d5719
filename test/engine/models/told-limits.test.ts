import { describe, expect, test } from "vitest";
import { VisionModel } from "../../../src/engine/models/ask-model.ts";
import type { PromptPart, Question } from "../../../src/engine/models/question.ts";
import { streamedAnswer } from "../../../src/engine/models/streamed-answer.ts";
import { toldLimits } from "../../../src/engine/models/told-limits.ts";
import { completionOf, type ModelReply, startModelServer } from "../../fakes/model-server.ts";

const SCHEMA = { name: "answer", strict: true, schema: { type: "object" } } as const;
const { signal } = new AbortController();

function question(pictures: number): Question {
  const shown = Array.from({ length: pictures }, (_, index): PromptPart[] => [
    { text: `Picture ${index}:` },
    { jpeg: Uint8Array.from([0xff, 0xd8, 0xff, 0xd9]) },
  ]);
  return {
    system: "You describe.",
    turns: [{ from: "user", parts: [...shown.flat(), { text: "What is there?" }] }],
    schema: SCHEMA,
  };
}

const picturesIn = (body: unknown) => JSON.stringify(body).split("data:image/jpeg").length - 1;
const refusing = (status: number, message: string): ModelReply => ({ status, body: { error: { message } } });

/** A model behind a server that answers by a rule. */
async function modelAt(rule: (body: { messages: { role: string }[]; stream?: boolean }) => ModelReply) {
  const server = await startModelServer(({ path, body }) =>
    path.endsWith("/chat/completions") ? rule(body) : { body: { data: [{ id: "eyes" }] } },
  );
  const model = new VisionModel({
    baseUrl: `${server.origin}/v1`,
    model: "eyes",
    apiKey: "secret-key",
    timeoutSeconds: 20,
  });
  const sent = () => server.asked.flatMap(({ path, body }) => (path.endsWith("/chat/completions") ? [body] : []));
  return { model, sent };
}

describe("what a server says that it takes is kept to", () => {
  test.each([
    ["At most 4 image(s) may be provided in one prompt.", 4],
    ["Too many images in request: 6, maximum is 3", 3],
    ["You can upload up to 2 images per request.", 2],
  ])("%s", async (message, most) => {
    const { model, sent } = await modelAt((body) =>
      picturesIn(body) > most ? refusing(400, message) : completionOf("yes", { prompt_tokens: 90_000 }),
    );
    expect(await model.ask(question(6), signal)).toMatchObject({ words: "yes" });
    expect(sent().map(picturesIn)).toEqual([6, most]);
    expect(model.limits.picturesPerRequest).toBe(most);
    expect(model.notes.join()).toContain(`takes ${most} pictures at once`);
    // Later questions begin there.
    await model.ask(question(6), signal);
    expect(sent().map(picturesIn)).toEqual([6, most, most]);
  });

  test.each([
    "This model's maximum context length is 4096 tokens. However, you requested 9120 tokens (8096 in the messages, 1024 in the completion).",
    "request (9120 tokens) exceeds the available context size (4096 tokens), try increasing it",
  ])("a context that is too small takes fewer pictures: %s", async (message) => {
    const { model, sent } = await modelAt((body) =>
      picturesIn(body) > 2 ? refusing(400, message) : completionOf("yes", { prompt_tokens: 90_000 }),
    );
    await model.ask(question(6), signal);
    expect(sent().map(picturesIn)).toEqual([6, 2]);
  });

  test("one picture that is too much for the context is told in the server's words, with what to do", async () => {
    const words = "request (9120 tokens) exceeds the available context size (4096 tokens), try increasing it";
    const { model, sent } = await modelAt(() => refusing(400, words));
    await expect(model.ask(question(1), signal)).rejects.toThrow(`(${words}). Give the model a larger context`);
    expect(sent()).toHaveLength(1);
  });

  test("a server that only streams is asked for a stream, from then on at once", async () => {
    const events = [
      '{"choices":[{"delta":{"content":"ye"}}]}',
      '{"choices":[{"delta":{"content":"s"},"finish_reason":"stop"}]}',
    ];
    const body = [...events, "[DONE]"].map((data) => `data: ${data}\n\n`).join("");
    const { model, sent } = await modelAt(({ stream }) =>
      stream === true
        ? { body }
        : refusing(400, "This model only support stream mode, please enable the stream parameter."),
    );
    expect(await model.ask(question(0), signal)).toMatchObject({ words: "yes" });
    expect(await model.ask(question(0), signal)).toMatchObject({ words: "yes" });
    expect(sent().map(({ stream }) => stream)).toEqual([undefined, true, true]);
  });

  test("a model without a place for instructions is given them in the user's words", async () => {
    const { model, sent } = await modelAt(({ messages }) =>
      messages.some(({ role }) => role === "system")
        ? refusing(400, "Only user and assistant roles are supported! (System role not supported)")
        : completionOf("yes"),
    );
    await model.ask(question(0), signal);
    const [, last] = sent();
    expect(last.messages).toHaveLength(1);
    expect(JSON.stringify(last.messages)).toContain("You describe.");
    expect(JSON.stringify(last.messages)).toContain("What is there?");
  });

  test("numbers that are no limit are none", () => {
    const told = (message: string) => toldLimits({ body: { error: { message } } }, 6);
    expect(told("Image 3 of 6 could not be decoded").pictures).toBeUndefined();
    expect(told("At most 8 images may be provided").pictures).toBeUndefined();
    expect(told("max_tokens must be at most 4096").pictures).toBeUndefined();
    expect(told("requested 100 tokens of a maximum context length of 4096").share).toBeUndefined();
    expect(told("the request was bad")).toEqual({ onlyStreams: false, hasNoSystem: false, isBlind: false });
  });
});

describe("an error is told in the server's words, whatever it comes under", () => {
  const blind =
    "Error in iterating prediction stream: ValueError: Vision add-on is not loaded, but images were provided";

  test("under 200, with its words once more beside it: that the model does not see is what it comes to", async () => {
    const { model } = await modelAt(() => ({ body: { error: { message: blind }, message: "same" } }));
    await expect(model.ask(question(2), signal)).rejects.toMatchObject({
      code: "vision_blind",
      message: expect.stringMatching(/answered with an error \(Error in iterating.*It does not see pictures/),
    });
  }, 20_000);

  test("the status is told where it was one", async () => {
    const { model } = await modelAt(() =>
      refusing(400, "image input is not supported - hint: you may need the mmproj"),
    );
    await expect(model.ask(question(2), signal)).rejects.toMatchObject({
      code: "vision_blind",
      message: expect.stringContaining("refused the request with status 400 (image input is not supported"),
    });
  });

  test.each([
    [401, "bad key", "Check ASIDE_VISION_KEY."],
    [400, "Invalid API key provided", "Check ASIDE_VISION_KEY."],
    [400, "the model is on fire", "Check ASIDE_VISION_MODEL, or use another model."],
    [404, "no such model", "Check ASIDE_VISION_MODEL and the path in ASIDE_VISION_URL."],
  ])("the key is named only where it is the key: %d %s", async (status, words, next) => {
    const { model } = await modelAt(() => refusing(status, words));
    await expect(model.ask(question(0), signal)).rejects.toThrow(new RegExp(`${next.replaceAll(".", "\\.")}$`));
  });
});

describe("an answer that is streamed though nobody asked for it", () => {
  const events = (...data: object[]) => data.map((one) => `data: ${JSON.stringify(one)}\n\n`).join("");

  test("is one answer: its words, its thoughts, its call, its end and its tokens", async () => {
    const body = events(
      { model: "eyes", choices: [{ delta: { role: "assistant", reasoning_content: "Hm" } }] },
      { choices: [{ delta: { reasoning_content: "m." } }] },
      { choices: [{ delta: { content: '{"a":' } }] },
      { choices: [{ delta: { content: "1}" }, finish_reason: "length" }] },
      { choices: [], usage: { prompt_tokens: 12, completion_tokens: 3 } },
    );
    expect(streamedAnswer(body)).toMatchObject({
      model: "eyes",
      choices: [{ message: { content: '{"a":1}', reasoning_content: "Hmm." }, finish_reason: "length" }],
      usage: { prompt_tokens: 12, completion_tokens: 3 },
    });
    const { model } = await modelAt(() => ({ body }));
    const { words, thoughts, inputTokens } = await model.ask(question(0), signal);
    expect([words, thoughts, inputTokens]).toEqual(['{"a":1}', "Hmm.", expect.any(Number)]);
  });

  test("of a function's call too, and of Ollama's lines with their counts", () => {
    const call = (text: string) => ({ choices: [{ delta: { tool_calls: [{ function: { arguments: text } }] } }] });
    expect(streamedAnswer(events(call('{"b"'), call(":2}")))).toMatchObject({
      choices: [{ message: { tool_calls: [{ function: { arguments: '{"b":2}' } }] } }],
    });
    const lines = [
      '{"model":"m","message":{"content":"y"}}',
      '{"message":{"content":"es"},"done_reason":"stop","eval_count":4}',
    ];
    expect(streamedAnswer(lines.join("\n"))).toMatchObject({
      message: { content: "yes" },
      done_reason: "stop",
      eval_count: 4,
    });
  });

  test("of the model that any of its pieces names, and of words where a piece has no choices", () => {
    const words = (content: string) => ({ choices: [{ delta: { content } }] });
    expect(streamedAnswer(events({ object: "begin" }, words("y"), { ...words("es"), model: "eyes" }))).toMatchObject({
      model: "eyes",
      choices: [{ message: { content: "yes" } }],
    });
  });

  test("an error in it is the answer", () => {
    expect(
      streamedAnswer(events({ choices: [{ delta: { content: "y" } }] }, { error: { message: "no" } })),
    ).toMatchObject({
      error: { message: "no" },
    });
  });

  test.each(['{"choices":[]}', "<html>hello", "", "data is what I see", '{"a":1}\nand more'])(
    "is not seen in %j",
    (text) => {
      expect(streamedAnswer(text)).toBeNull();
    },
  );
});
