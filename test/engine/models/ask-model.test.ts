import { describe, expect, test } from "vitest";
import { VisionModel } from "../../../src/engine/models/ask-model.ts";
import { LEDGER_HEADER } from "../../../src/engine/outgoing/ledger.ts";
import { completionOf, ollamaAnswer, startModelServer } from "../../fakes/model-server.ts";
import { at, chats, JPEG, question, settings } from "./asked-model.ts";

const { signal } = new AbortController();
/** A server that is to be asked again at once: how long others are waited for is said elsewhere. */
const AT_ONCE = { "retry-after-ms": "1" };

const isProbe = (body: { messages: { content: unknown }[] }) =>
  JSON.stringify(body.messages[0]?.content).includes("colours of pictures");
const sentPictures = (body: unknown) => JSON.stringify(body).split("data:image/jpeg").length - 1;

describe("what a request holds", () => {
  test.each(["openai", "azure", "anthropic", "gemini", "mistral", "openrouter", "groq", "together", "xai"])(
    "%s is sent neither temperature nor seed, one length, and the key where it looks for it",
    async (name) => {
      const server = await startModelServer(() => completionOf("yes"));
      expect(await new VisionModel(settings(server, name)).ask(question(2), signal)).toEqual({
        words: "yes",
        thoughts: "",
        inputTokens: 5000,
        outputTokens: 7,
      });
      const [sent] = chats(server);
      expect(server.asked).toHaveLength(1);
      expect(sent?.body).not.toHaveProperty("temperature");
      expect(sent?.body).not.toHaveProperty("seed");
      expect(["max_tokens", "max_completion_tokens"].filter((length) => length in (sent?.body ?? {}))).toHaveLength(1);
      expect(sent?.body.messages[1].content[1].image_url.url).toMatch(/^data:image\/jpeg;base64,/);
      const { authorization, "api-key": own } = sent?.headers ?? {};
      expect([authorization, own]).toEqual(
        name === "azure" ? [undefined, "secret-key"] : ["Bearer secret-key", undefined],
      );
    },
  );

  test("an address with a question mark keeps what follows it", async () => {
    const server = await startModelServer(() => completionOf("yes"));
    const baseUrl = `${server.origin}/openai/deployments/eyes?api-version=2024-10-21`;
    await new VisionModel(settings(server, "azure", { baseUrl })).ask(question(), signal);
    expect(server.asked[0]?.path).toBe("/openai/deployments/eyes/chat/completions?api-version=2024-10-21");
  });

  test("of more pictures than a request may hold, as many are sent as it may, the first and the last among them", async () => {
    const server = await startModelServer(() => completionOf("yes", { prompt_tokens: 90_000 }));
    const model = new VisionModel(settings(server, "groq"));
    expect(model.limits).toMatchObject({ picturesPerRequest: 5, parallel: 4 });
    await model.ask(question(9), signal);
    const [sent] = chats(server);
    expect(sentPictures(sent?.body)).toBe(5);
    const shown = sent?.body.messages[1].content.map(({ type }: { type: string }) => type);
    expect([shown[1], shown[17]]).toEqual(["image_url", "image_url"]);
  });
});

describe("a parameter that is refused", () => {
  const refusedWith = (message: string, more: object = {}) => ({ status: 400, body: { error: { message, ...more } } });

  test("each is left out, and stays out for the rest of the run; the length goes by its other name", async () => {
    const server = await startModelServer(({ body }) => {
      if ("max_completion_tokens" in body)
        return refusedWith("Unknown field.", { param: "max_completion_tokens", type: "invalid_request_error" });
      if ("reasoning_effort" in body) return refusedWith("Unrecognized request argument supplied: reasoning_effort");
      if ("response_format" in body) return refusedWith("Failed to parse grammar");
      return completionOf("yes");
    });
    const model = new VisionModel(settings(server, "openai"));
    await model.ask(question(), signal);
    await model.ask(question(), signal);
    expect(chats(server)).toHaveLength(5);
    const last = chats(server).at(-1)?.body;
    expect(Object.keys(last).sort()).toEqual(["max_tokens", "messages", "model"]);
  });

  test("who refuses both names of the length is asked without one", async () => {
    const server = await startModelServer(({ body }) =>
      "max_tokens" in body
        ? refusedWith("max_tokens is too large")
        : "max_completion_tokens" in body
          ? { status: 422, body: { detail: "extra fields: max_completion_tokens" } }
          : completionOf("yes"),
    );
    await new VisionModel(settings(server, "mistral")).ask(question(), signal);
    expect(chats(server)).toHaveLength(3);
  });

  test("a refusal that names none is told, in the server's words and without the key", async () => {
    const server = await startModelServer(() => refusedWith("No eyes for secret-key"));
    const failure = new VisionModel(settings(server, "mistral")).ask(question(), signal);
    await expect(failure).rejects.toMatchObject({ code: "vision_refused" });
    await expect(failure).rejects.toThrow("status 400 (No eyes for …). Check ASIDE_VISION_MODEL");
    expect(chats(server)).toHaveLength(1);
  });

  test.each([
    [6, "yes"],
    [7, "status 400"],
  ])("a server that takes the form of try %i is asked in six forms at the most: %s", async (wanted, outcome) => {
    const refusals = [
      "only supports stream mode",
      "System role not supported",
      "response_format: no",
      "max_completion_tokens: no",
      "max_tokens: no",
      "reasoning_effort: no",
    ];
    const events = `data: ${JSON.stringify({ choices: [{ delta: { content: "yes" } }] })}\n\n`;
    const server = await startModelServer((_, number) =>
      number < wanted ? refusedWith(refusals[number - 1] ?? "") : { body: events },
    );
    const asked = new VisionModel(settings(server, "openai")).ask(question(), signal);
    const told = await asked.then(
      ({ words }) => words,
      (error: Error) => error.message,
    );
    expect(told).toContain(outcome);
    expect(chats(server)).toHaveLength(6);
  });

  test("one that is refused without an end costs a handful of tries", async () => {
    const server = await startModelServer(() => refusedWith("temperature, seed, max_tokens, response_format: no"));
    await expect(new VisionModel(settings(server, "lmstudio")).ask(question(), signal)).rejects.toThrow("400");
    expect(chats(server).length).toBeLessThanOrEqual(6);
  });
});

describe("thoughts", () => {
  const cut = (content: string | null) => ({
    body: {
      choices: [{ message: { content }, finish_reason: "length" }],
      usage: { prompt_tokens: 10, completion_tokens: 90 },
    },
  });

  test.each([null, "", "<think>I wonder", "<think>Hm.</think> "])(
    "an answer that is %o because thoughts took its length is asked for with a longer one, and so are the next",
    async (content) => {
      const server = await startModelServer(({ body }) =>
        body.max_tokens <= 1000 ? cut(content) : completionOf("yes"),
      );
      const model = new VisionModel(settings(server, "mistral"));
      const answer = await model.ask(question(0, { answerTokens: 1000 }), signal);
      expect(answer).toEqual({ words: "yes", thoughts: "", inputTokens: 5010, outputTokens: 97 });
      await model.ask(question(0, { answerTokens: 1000 }), signal);
      expect(chats(server).map(({ body }) => body.max_tokens)).toEqual([1000, 4000, 4000]);
    },
  );

  test.each([
    ["lmstudio", { content: "", reasoning_content: "Hm." }, { words: "", thoughts: "Hm." }],
    ["vllm", { reasoning: "Hm." }, { words: "", thoughts: "Hm." }],
    ["openai", { content: "yes", reasoning_content: "Hm." }, { words: "yes", thoughts: "Hm." }],
    ["openai", { content: null, tool_calls: [{ function: { name: "answer", arguments: "yes" } }] }, { words: "yes" }],
    [
      "mistral",
      {
        content: [
          { type: "thinking", thinking: [] },
          { type: "text", text: "yes" },
        ],
      },
      { words: "yes" },
    ],
  ])("%s: an answer is read apart from what was thought: %o", async (name, message, answer) => {
    const server = await startModelServer(() => ({ body: { choices: [{ message, finish_reason: "stop" }] } }));
    expect(await new VisionModel(settings(server, name)).ask(question(), signal)).toMatchObject(answer);
  });

  test("every request of an answer stands in the book of the work by its name", async () => {
    const server = await startModelServer((_, number) => ({
      ...(number === 1 ? cut("") : completionOf("yes")),
      headers: { [LEDGER_HEADER]: `entry ${number}` },
    }));
    const answer = await new VisionModel(settings(server, "mistral")).ask(question(), signal);
    expect(answer).toMatchObject({ words: "yes", entries: ["entry 1", "entry 2"] });
  });

  test("thoughts without an end are told in a sentence", async () => {
    const server = await startModelServer(() => cut(null));
    const model = new VisionModel(settings(server, "mistral"));
    const asked = model.ask(question(0, { answerTokens: 1000 }), signal);
    await expect(asked).rejects.toMatchObject({ code: "vision_unusable" });
    await expect(asked).rejects.toThrow(/4000 tokens on thinking.*"instruct"/);
    expect(chats(server)).toHaveLength(2);
    await expect(model.ask(question(), signal)).rejects.toMatchObject({ code: "vision_unusable" });
    expect(chats(server)).toHaveLength(3);
  });
});

describe("pictures that do not arrive", () => {
  /** Tells yellow only where the first picture is among those it looks at: the last so many. */
  const shortSighted = (sees: number, usage: object) =>
    startModelServer(({ path, body }) => {
      if (!path.endsWith("/chat/completions")) return undefined;
      if (!isProbe(body)) return completionOf("a picture", usage);
      return completionOf(sentPictures(body) <= sees ? '{"colour":"yellow"}' : "I see yellow? No: blue.", usage);
    });

  test("a count that is too low is looked into once, and the question asked again with as many as arrive", async () => {
    const server = await shortSighted(3, { prompt_tokens: 50, completion_tokens: 1 });
    const model = new VisionModel(settings(server, "lmstudio"));
    await Promise.all([model.ask(question(6), signal), model.ask(question(6), signal)]);
    expect(model.limits.picturesPerRequest).toBe(3);
    expect(model.notes).toEqual([expect.stringContaining("is given 3 of 6 pictures")]);
    const counts = chats(server).map(({ body }) => `${isProbe(body) ? "probe" : "question"} ${sentPictures(body)}`);
    expect(counts.filter((one) => one.startsWith("probe"))).toEqual(["probe 6", "probe 3"]);
    expect(counts.slice(-1)).toEqual(["question 3"]);
    await model.ask(question(6), signal);
    expect(chats(server)).toHaveLength(counts.length + 1);
  });

  test("a count that fits is believed, and so is a provider that does not count", async () => {
    const fits = await shortSighted(0, { prompt_tokens: 1000 });
    await new VisionModel(settings(fits, "lmstudio")).ask(question(6), signal);
    const silent = await shortSighted(0, {});
    await new VisionModel(settings(silent, "together")).ask(question(6), signal);
    expect([chats(fits).length, chats(silent).length]).toEqual([1, 1]);
  });

  test("an unknown server on this computer that does not count is looked into", async () => {
    const server = await shortSighted(6, {});
    const model = new VisionModel(settings(server, "none such"));
    await model.ask(question(6), signal);
    await model.ask(question(6), signal);
    expect(chats(server)).toHaveLength(3);
    expect(model.limits.picturesPerRequest).toBe(6);
  });

  test("a model that does not see one picture is not asked about any more; words it is still asked", async () => {
    const server = await shortSighted(0, { prompt_tokens: 9 });
    const model = new VisionModel(settings(server, "vllm"));
    await expect(model.ask(question(4), signal)).rejects.toMatchObject({ code: "vision_blind" });
    const before = chats(server).length;
    await expect(model.ask(question(1), signal)).rejects.toThrow(/eyes at 127.* does not see pictures\. Use one/);
    expect(chats(server)).toHaveLength(before);
    expect((await model.ask(question(), signal)).words).toBe("a picture");
  });

  test("the context that LM Studio has loaded limits the pictures, and a larger one allows more", async () => {
    const withContext = async (context_length: number) => {
      const server = await startModelServer(({ path }) =>
        path === "/api/v1/models"
          ? {
              body: {
                models: [
                  {
                    type: "llm",
                    key: "eyes",
                    loaded_instances: [{ config: { context_length } }],
                    capabilities: { vision: true },
                  },
                ],
              },
            }
          : { body: { ...completionOf("yes").body, model: "other" } },
      );
      const model = new VisionModel(settings(server, "lmstudio"));
      await model.prepare(signal);
      await model.ask(question(), signal);
      return model;
    };
    const small = await withContext(4096);
    expect(small.limits.picturesPerRequest).toBe(1);
    expect(small.notes).toEqual([
      expect.stringContaining("can hold 4096 tokens"),
      "LM Studio answered with the model other, not with eyes.",
    ]);
    expect((await withContext(65_536)).limits.picturesPerRequest).toBe(12);
    // Words and an answer take 2500 tokens, a picture 1024.
    expect((await withContext(2500 + 3 * 1024)).limits.picturesPerRequest).toBe(3);
    expect((await withContext(2500 + 3 * 1024 - 1)).limits.picturesPerRequest).toBe(2);
  });
});

describe("Ollama", () => {
  const ollama = (shown: object | undefined, more: object = {}) =>
    startModelServer(({ path }) => {
      if (path === "/api/show") return shown === undefined ? undefined : { body: shown };
      return path === "/api/chat" ? ollamaAnswer("yes", more) : undefined;
    });
  const EYES = { capabilities: ["completion", "vision"], model_info: { "qwen3vl.context_length": 262_144 } };

  test("is asked through its own interface, with room for all pictures, each beside its words", async () => {
    const server = await ollama(EYES);
    const model = new VisionModel(settings(server, "ollama"));
    expect((await model.ask(question(6), signal)).words).toBe("yes");
    const [sent] = at(server, "/api/chat");
    const { messages, options, ...rest } = sent?.body ?? {};
    expect(rest).toEqual({
      model: "eyes",
      stream: false,
      keep_alive: expect.any(String),
      truncate: false,
      shift: false,
      format: { type: "object" },
    });
    expect(options.num_ctx).toBeGreaterThanOrEqual(6 * 1024 + options.num_predict);
    expect(options.num_ctx % 4096).toBe(0);
    expect(messages.slice(1, 7)).toEqual(
      Array.from({ length: 6 }, (_, index) => ({
        role: "user",
        content: `Picture ${index}:`,
        images: [Buffer.from(JPEG).toString("base64")],
      })),
    );
    expect(messages[7]).toEqual({ role: "user", content: "What is there?" });
  });

  test("is not made to load its model anew by a shorter question, nor asked for more than the model holds", async () => {
    const server = await ollama(EYES);
    const model = new VisionModel(settings(server, "ollama"));
    for (const pictures of [6, 1]) await model.ask(question(pictures, { answerTokens: 8000 }), signal);
    const contexts = at(server, "/api/chat").map(({ body }) => body.options.num_ctx);
    expect(contexts[1]).toBe(contexts[0]);
    const small = await ollama({ capabilities: ["vision"], model_info: { "llava.context_length": 5000 } });
    const short = new VisionModel(settings(small, "ollama"));
    await short.ask(question(6), signal);
    expect(at(small, "/api/chat")[0]?.body.options.num_ctx).toBe(5000);
    expect(short.limits.picturesPerRequest).toBe(2);
  });

  test("a model that can think is told not to, and then without the form that Ollama would ignore", async () => {
    const server = await ollama({ capabilities: ["vision", "thinking"] });
    await new VisionModel(settings(server, "ollama")).ask(question(1), signal);
    expect(at(server, "/api/chat")[0]?.body).toMatchObject({ think: false });
    expect(at(server, "/api/chat")[0]?.body).not.toHaveProperty("format");
  });

  test("a model that runs in the cloud is told of", async () => {
    const server = await ollama({ ...EYES, remote_model: "big", remote_host: "https://ollama.com:443" });
    const model = new VisionModel(settings(server, "ollama"));
    await model.prepare(signal);
    expect(model.notes).toEqual([expect.stringMatching(/^eyes does not run at 127.*passes all pictures on to https/)]);
  });

  test("a model that is not there, or does not see, is not asked", async () => {
    const none = await ollama(undefined);
    await expect(new VisionModel(settings(none, "ollama")).ask(question(1), signal)).rejects.toThrow(
      "Ollama has no model eyes. Fetch it with: aside models install ollama:eyes",
    );
    const blind = await ollama({ capabilities: ["completion"] });
    await expect(new VisionModel(settings(blind, "ollama")).ask(question(1), signal)).rejects.toMatchObject({
      code: "vision_blind",
    });
    expect([...at(none, "/api/chat"), ...at(blind, "/api/chat")]).toEqual([]);
    expect((await new VisionModel(settings(blind, "ollama")).ask(question(), signal)).words).toBe("yes");
  });

  test("its errors are told in its words, under whatever status", async () => {
    const server = await startModelServer(({ path }) =>
      path === "/api/show"
        ? { body: EYES }
        : { headers: AT_ONCE, body: { error: "request exceeds the available context size" } },
    );
    const asked = new VisionModel(settings(server, "ollama")).ask(question(1), signal);
    await expect(asked).rejects.toThrow(
      "(request exceeds the available context size). Give the model a larger context in its server.",
    );
  });

  test("what a model thought is read beside its answer", async () => {
    const server = await ollama(EYES, { message: { role: "assistant", content: "", thinking: "Hm." } });
    expect(await new VisionModel(settings(server, "ollama")).ask(question(), signal)).toMatchObject({
      words: "",
      thoughts: "Hm.",
    });
  });

  test("a model that is being loaded is waited for", async () => {
    const server = await startModelServer(({ path }, number) =>
      path === "/api/show"
        ? { body: EYES }
        : number <= 2
          ? {
              status: 503,
              headers: AT_ONCE,
              body: { error: "server busy, please try again.  maximum pending requests exceeded" },
            }
          : ollamaAnswer("yes"),
    );
    expect((await new VisionModel(settings(server, "ollama")).ask(question(1), signal)).words).toBe("yes");
  });
});

test.each([
  ["a page", "<!doctype html><title>Router</title>"],
  ["another interface", { status: "ok" }],
])("%s in place of an answer is told as what it is", async (_name, body) => {
  const server = await startModelServer(() => ({ body }));
  await expect(new VisionModel(settings(server, "openai")).ask(question(), signal)).rejects.toThrow(
    /is no model server \(it says “.*(?:Router|ok).*”\)\. Check the path in ASIDE_VISION_URL/,
  );
});

test("an answer under 300 is none", async () => {
  const server = await startModelServer(() => ({ ...completionOf("yes"), status: 300 }));
  await expect(new VisionModel(settings(server, "openai")).ask(question(), signal)).rejects.toThrow("status 300");
});

test("an error under a good status counts as its code says", async () => {
  const server = await startModelServer((_, number) =>
    number === 1 ? { headers: AT_ONCE, body: { error: { code: 502, message: "upstream" } } } : completionOf("yes"),
  );
  expect((await new VisionModel(settings(server, "openrouter")).ask(question(), signal)).words).toBe("yes");
});
