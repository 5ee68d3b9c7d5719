import { describe, expect, test } from "vitest";
import { completionBody, readCompletion } from "../../../src/engine/models/chat-completions.ts";
import { faultOf, readWithin, type ServerReply, spokenReason } from "../../../src/engine/models/exchange.ts";
import { ModelServer } from "../../../src/engine/models/model-server.ts";
import { OLLAMA_PICTURE_TOKENS, ollamaBody, ollamaContext } from "../../../src/engine/models/ollama.ts";
import { isDoubtful, picturesIn, plainJpeg, thinned } from "../../../src/engine/models/picture-count.ts";
import { presetAt } from "../../../src/engine/models/presets.ts";
import type { Question } from "../../../src/engine/models/question.ts";
import { ownPauseMs, pauseAfter, RefusedParameters, refusal, toldPauseMs } from "../../../src/engine/models/refusal.ts";
import { streamedAnswer } from "../../../src/engine/models/streamed-answer.ts";
import { toldLimits } from "../../../src/engine/models/told-limits.ts";
import { LEDGER_HEADER } from "../../../src/engine/outgoing/ledger.ts";
import { startModelServer } from "../../fakes/model-server.ts";

const SETTINGS = { baseUrl: "http://127.0.0.1:9/v1", model: "m", apiKey: "k", timeoutSeconds: 1 };
const reply = (status: number, more: Partial<ServerReply> = {}): ServerReply => ({
  ...{ status, headers: {}, body: {} },
  ...more,
});

describe("a server that says when to ask again", () => {
  test.each([
    ["in milliseconds", { "retry-after-ms": "1500", "retry-after": "9" }, {}, 1500],
    ["in seconds", { "retry-after": "7" }, {}, 7000],
    ["in Gemini's way, behind other details", {}, { error: { details: [{ other: 1 }, { retryDelay: "2.5s" }] } }, 2500],
    ["in no way", {}, { error: { details: [{ other: 1 }] } }, undefined],
  ])("%s", (_how, headers, body, wanted) => {
    expect(toldPauseMs(reply(429, { headers, body }))).toBe(wanted);
  });

  test("by a date is asked again then, and at once where that has passed", () => {
    const pauseUntil = (time: number) =>
      toldPauseMs(reply(503, { headers: { "retry-after": new Date(time).toUTCString() } }));
    const pause = pauseUntil(Date.now() + 9_000) ?? 0;
    // A date has no milliseconds.
    expect(pause).toBeGreaterThan(5_000);
    expect(pause).toBeLessThanOrEqual(9_000);
    expect(pauseUntil(Date.now() - 9_000)).toBe(0);
  });

  test("is asked again after it, up to ten minutes in all", () => {
    const later = (seconds: number) => reply(429, { headers: { "retry-after": String(seconds) } });
    expect([pauseAfter(later(30), 1, 0), pauseAfter(later(30), 1, 570_000)]).toEqual([30_000, 30_000]);
    expect([pauseAfter(later(30), 1, 570_001), pauseAfter(later(601), 1, 0)]).toEqual([null, null]);
    // One that keeps saying "at once" is asked less and less often.
    expect([5, 6].map((tries) => pauseAfter(later(0.1), tries, 0))).toEqual([100, ownPauseMs(6)]);
    expect([1, 2, 3, 7, 20].map(ownPauseMs)).toEqual([500, 1000, 2000, 30_000, 30_000]);
  });

  test.each([
    [408, 500],
    [500, 500],
    [599, 500],
    [499, null],
    [409, null],
    [400, null],
  ])("with status %i is a fault that may be over: %s ms", (status, pause) => {
    expect(pauseAfter(reply(status), 1, 0)).toBe(pause);
    expect(pauseAfter(reply(status), 3, 0)).toBeNull();
  });
});

test.each([
  [408, "vision_unreachable", "Check ASIDE_VISION_MODEL, or use another model."],
  [413, "vision_refused", "The pictures are too large"],
  [414, "vision_refused", "Check ASIDE_VISION_MODEL, or use another model."],
  [403, "vision_refused", "Check ASIDE_VISION_KEY."],
  [404, "vision_refused", "Check ASIDE_VISION_MODEL and the path"],
  [429, "vision_rate_limited", "Go on later"],
  [500, "vision_unreachable", "Look at the server's own log"],
  [503, "vision_unreachable", "busy or still loading"],
  [529, "vision_unreachable", "busy or still loading"],
] as const)("status %i is told with what to do", (status, code, words) => {
  const error = refusal(reply(status), SETTINGS, presetAt("https://models.example/v1"));
  expect([error.code, error.message]).toEqual([code, expect.stringContaining(words)]);
});

test("an answer is read up to its limit, and told by it beyond", async () => {
  const blocks = async function* (count: number) {
    for (let index = 0; index < count; index++) yield Buffer.alloc(2 ** 20, index);
  };
  expect(await readWithin(blocks(3), 3 * 2 ** 20)).toHaveLength(3 * 2 ** 20);
  await expect(readWithin(blocks(4), 3 * 2 ** 20)).rejects.toThrow("more than 3 MB");
  // Without one, sixteen megabytes are words enough.
  expect(await readWithin(blocks(16))).toHaveLength(2 ** 24);
  const more = async function* () {
    yield* blocks(16);
    yield Buffer.alloc(1);
  };
  await expect(readWithin(more())).rejects.toThrow("more than 16 MB");
});

test.each([401, 403, 400])("what a server says of a key is not repeated: status %i", (status) => {
  const said = reply(status, { body: { error: { message: "The key of Jane is wrong." } } });
  const { message } = refusal(said, SETTINGS, presetAt("https://models.example/v1"));
  expect(message.includes("Jane")).toBe(status === 400);
});

test.each([
  [402, {}],
  [429, { error: { code: "insufficient_quota" } }],
  [429, { error: { code: null, type: "insufficient_funds" } }],
  [429, { error: { code: "limit", type: "billing_not_active" } }],
])("that the account has no money is told, and waited for by nobody: status %i, %j", (status, body) => {
  const said = reply(status, { body, headers: { "retry-after": "1" } });
  const error = refusal(said, SETTINGS, presetAt("https://models.example/v1"));
  expect([error.code, error.message]).toEqual([
    "vision_out_of_credit",
    expect.stringContaining("The account has no credit left"),
  ]);
  expect(pauseAfter(said, 1, 0)).toBeNull();
});

test("a status beside that of money is another matter", () => {
  expect(refusal(reply(403), SETTINGS, presetAt("https://models.example/v1")).code).toBe("vision_refused");
  const busy = reply(503, { body: { error: { code: "insufficient_quota" } } });
  expect(refusal(busy, SETTINGS, presetAt("https://models.example/v1")).code).toBe("vision_unreachable");
});

test("what answers in place of a model server is looked through for two thousand characters", () => {
  const body = `${" ".repeat(1999)}xy`;
  const { message } = refusal(reply(200, { body }), SETTINGS, presetAt("https://models.example/v1"));
  expect(message).toContain("(it says “x”)");
});

test("all that a server complains of is told", () => {
  const detail = [
    { msg: "should be an integer", loc: ["body", "max_tokens"] },
    { msg: "is missing" },
    { msg: "is unknown", loc: ["body", "seed"] },
  ];
  expect(faultOf({ body: { detail } }).message).toBe("max_tokens: should be an integer; is missing; seed: is unknown");
});

test("a model that Ollama has not is to be fetched, by Ollama's name", () => {
  const [ollama, other] = ["http://127.0.0.1:11434/v1", "http://127.0.0.1:9/v1"].map((url) =>
    refusal(reply(404), SETTINGS, presetAt(url)),
  );
  expect(ollama?.message).toContain("Fetch the model with: aside models install ollama:m");
  expect(other?.message).not.toContain("Fetch the model");
});

test("a server's words are kept to two hundred characters", () => {
  expect(spokenReason(` ${"x".repeat(200)} `, "")).toBe("x".repeat(200));
  expect(spokenReason("x".repeat(201), "k")).toBe("x".repeat(200));
});

test.each([400, 422, 401, 423])("a parameter is left out where a server complains of it with status %i", (status) => {
  const refused = new RefusedParameters();
  const body = { model: "m", max_tokens: 5, seed: 7, temperature: 0 };
  const complains = (message: string) => reply(status, { body: { error: { message } } });
  const isComplaint = status === 400 || status === 422;
  expect(refused.learn(complains("seed is not supported"), body)).toBe(isComplaint);
  expect(refused.learn(complains("max_tokens is not supported"), body)).toBe(isComplaint);
  expect(refused.without(body)).toEqual(isComplaint ? { model: "m", max_completion_tokens: 5, temperature: 0 } : body);
});

test.each([
  ["max_completion_tokens", "max_tokens"],
  ["max_tokens", "max_completion_tokens"],
])("where %s is refused, the length of an answer goes by its other name", (name, other) => {
  const refused = new RefusedParameters();
  refused.learn(reply(400, { body: { error: { message: "no", param: name } } }), { [name]: 5 });
  expect(refused.without({ [name]: 5, seed: 7 })).toEqual({ [other]: 5, seed: 7 });
  refused.learn(reply(400, { body: { error: { message: "no", param: other } } }), { [other]: 5 });
  expect(refused.without({ [name]: 5, seed: 7 })).toEqual({ seed: 7 });
});

test.each([
  ["maximum context length is 4096 tokens. However, you requested 8192", 0.5],
  ["request (8000 tokens) exceeds the available context size (2000 tokens)", 0.25],
  ["9000 tokens is larger than the limit of 3000", 1 / 3],
  // What several say of themselves is read until one tells how much too long it was.
  ["the context window of 8192 has 4096 for each; request (9000 tokens) exceeds the context size (4500 tokens)", 0.5],
  ["no such model", undefined],
])("what of a request would have fitted is read from %j", (message, share) => {
  expect(toldLimits({ body: { error: { message } } }, 0).share).toBe(share);
});

/** A conversation with three pictures in two turns of the user's. */
const jpeg = plainJpeg([180, 128, 128]);
const QUESTION: Question = {
  system: "x".repeat(3000),
  turns: [
    { from: "user", parts: [{ text: "y".repeat(3000) }, { jpeg }, { jpeg }, { text: "z".repeat(3000) }] },
    { from: "model", words: "w".repeat(3000) },
    { from: "user", parts: [{ jpeg }, { text: "v".repeat(3000) }] },
  ],
  schema: { name: "s", strict: true, schema: {} },
};

describe("a question of several turns, pictures and texts", () => {
  test("is sent whole, in its order", () => {
    const { messages } = completionBody("m", QUESTION, presetAt("https://models.example/v1"), 10) as {
      readonly messages: readonly { readonly role: string; readonly content: unknown }[];
    };
    expect(messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    const types = messages.map(({ content }) =>
      Array.isArray(content) ? content.map(({ type }: { type: string }) => type) : "words",
    );
    expect(types).toEqual(["words", ["text", "image_url", "image_url", "text"], "words", ["image_url", "text"]]);
  });

  test("is sent to Ollama whole, in its order, each picture with the words before it", () => {
    const facts = { facts: null, context: 8192 };
    const { messages } = ollamaBody("m", QUESTION, presetAt("http://127.0.0.1:11434/v1"), 10, facts) as {
      readonly messages: readonly { readonly role: string; readonly content: string; readonly images?: object }[];
    };
    expect(messages.map(({ role, content, images }) => [role, content.slice(0, 1), images !== undefined])).toEqual([
      ["system", "x", false],
      ["user", "y", true],
      ["user", "", true],
      ["user", "z", false],
      ["assistant", "w", false],
      ["user", "", true],
      ["user", "v", false],
    ]);
  });

  test("is given the context that all of it takes, in steps", () => {
    // Five texts of a thousand tokens, three pictures, and the answer.
    const tokens = 5 * 1000 + 3 * OLLAMA_PICTURE_TOKENS;
    expect(OLLAMA_PICTURE_TOKENS).toBe(1024);
    const context = (answer: number, holds: number | null = null, atLeast = 0) =>
      ollamaContext(QUESTION, answer, holds, atLeast);
    expect(context(3 * 4096 - tokens)).toBe(3 * 4096);
    expect(context(3 * 4096 - tokens + 1)).toBe(4 * 4096);
    expect([context(10, 5000), context(10, null, 40_960)]).toEqual([5000, 40_960]);
    expect(ollamaContext({ system: "", turns: [] } as never, 1, null, 0)).toBe(8192);
  });

  test("is counted with all of its pictures and words, and thinned evenly", () => {
    expect(picturesIn(QUESTION)).toBe(3);
    const least = 3 * 100 + (5 * 3000) / 6;
    expect([isDoubtful(QUESTION, least, 100), isDoubtful(QUESTION, least - 1, 100)]).toEqual([false, true]);
    const shown = (pictures: number) => {
      const turns = thinned(QUESTION, pictures).turns;
      return turns.flatMap((turn) => (turn.from === "model" ? [] : turn.parts.map((part) => "jpeg" in part)));
    };
    expect(shown(2)).toEqual([false, true, false, false, true, false]);
    expect(shown(1)).toEqual([false, false, true, false, false, false]);
    expect(shown(3)).toEqual([false, true, true, false, true, false]);
  });
});

describe("an answer that was streamed", () => {
  const events = (...pieces: readonly object[]) =>
    `${pieces.map((piece) => `data: ${JSON.stringify(piece)}`).join("\n\n")}\n\ndata: [DONE]\n\n`;
  const content = (text: string) => ({ model: "m", choices: [{ delta: { content: text } }] });

  test("has the words of all of its pieces, and the end and use of the last that tell", () => {
    const last = { choices: [{ delta: {}, finish_reason: "stop" }] };
    const use = { choices: [], usage: { total_tokens: 3 } };
    expect(streamedAnswer(events(content("a"), content("b"), content("c"), last, use))).toMatchObject({
      choices: [{ message: { content: "abc" }, finish_reason: "stop" }],
      usage: { total_tokens: 3 },
      model: "m",
    });
    const lines = ["a", "b", "c"].map((text) => JSON.stringify({ model: "m", message: { content: text } }));
    expect(streamedAnswer(lines.join("\n"))).toMatchObject({ model: "m", message: { content: "abc" } });
    const call = (...args: readonly string[]) => ({ choices: [{ delta: { tool_calls: args.map((one) => ({ function: { arguments: one } })) } }] }); // biome-ignore format: one piece
    expect(streamedAnswer(events(call('{"a"', ":1"), call("}")))).toMatchObject({
      choices: [{ message: { tool_calls: [{ function: { arguments: '{"a":1}' } }] } }],
    });
  });
});

test("an event of a stream may have lines beside its data, and data of several lines", () => {
  const words = (text: string) => JSON.stringify({ choices: [{ delta: { content: text } }] });
  const parted = JSON.stringify({ choices: [{ delta: { content: "c" } }] }).replace("[{", "[\ndata: {");
  const stream = [
    `event: message\nid: 1\ndata: ${words("a")}`,
    `data: ${words("b")}\nretry: 5`,
    `data: ${parted}`,
    "event: end\ndata: [DONE]",
  ];
  for (const end of ["\n", "\r\n", "\r"]) {
    expect(streamedAnswer(stream.join("\n\n").replaceAll("\n", end))).toMatchObject({
      choices: [{ message: { content: "abc" } }],
    });
  }
});

test("a model that answers by calls of a function has said what all of them were given", () => {
  const call = (text?: string) => ({ function: { arguments: text } });
  const message = { content: " ", tool_calls: [call('{"a": 1}'), {}, call('{"b": 2}')] };
  expect(readCompletion({ choices: [{ message }] })?.words).toBe('{"a": 1}\n\n{"b": 2}');
});

describe("a request to a server", () => {
  const serverAt = (origin: string) => {
    const baseUrl = `${origin}/v1`;
    const settings = { baseUrl, model: "m", apiKey: "k", timeoutSeconds: 20, parallel: 2 };
    const server = new ModelServer(settings, presetAt(baseUrl));
    return () => server.post(`${baseUrl}/chat/completions`, {}, new AbortController().signal);
  };

  test("that is answered within its seconds is sent once", async () => {
    const model = await startModelServer(() => ({ body: { choices: [] }, delayMs: 60 }));
    expect((await serverAt(model.origin)()).status).toBe(200);
    expect(model.asked).toHaveLength(1);
  });

  test("that is told to wait is not sent before", async () => {
    const later = { status: 503, headers: { "retry-after-ms": "60" }, body: {} };
    const model = await startModelServer((_asked, number) => (number === 1 ? later : { body: { choices: [] } }));
    const post = serverAt(model.origin);
    const first = post();
    await expect.poll(() => model.asked.length).toBe(1);
    expect((await first).status).toBe(200);
    const [one, two] = model.asked.map(({ at }) => at);
    expect((two ?? 0) - (one ?? 0)).toBeGreaterThanOrEqual(55);
  });

  test.each([
    ["ceiling", "vision_ceiling"],
    ["given-up", "vision_unusable"],
  ])(
    "that the book of the work holds back (%s) is told by the sentence in it, and not tried again",
    async (why, code) => {
      const model = await startModelServer(() => ({ status: 402, headers: { [LEDGER_HEADER]: why }, body: "Enough." }));
      await expect(serverAt(model.origin)()).rejects.toMatchObject({ code, message: "Enough." });
      expect(model.asked).toHaveLength(1);
    },
  );

  test.each([
    [{ error: { code: 404 } }, 404, true],
    [{ error: { code: 400 } }, 400, true],
    [{ error: { code: 599, message: "no" } }, 599, true],
    [{ error: { code: 600 } }, 500, true],
    [{ error: { code: 399 } }, 500, true],
    [{ error: "no" }, 500, true],
    [{ error: null, choices: [] }, 200, undefined],
    [{ error: { code: 404 }, choices: [] }, 200, undefined],
  ])("that is answered with status 200 and %j has failed with %i", async (body, status, isHidden) => {
    const model = await startModelServer(() => ({ headers: { "retry-after-ms": "0" }, body }));
    expect(await serverAt(model.origin)()).toMatchObject({ status, ...(isHidden === undefined ? {} : { isHidden }) });
  });
});
