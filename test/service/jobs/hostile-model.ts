import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** Tokens that the hostile server counts for every answer, in and out: not more than is reserved for one. */
export const CHARGED_TOKENS = { prompt_tokens: 5, completion_tokens: 1_100 } as const;

const answerOf = (content: string | null, more: object = {}) =>
  JSON.stringify({ choices: [{ message: { content, ...more }, finish_reason: "stop" }], usage: CHARGED_TOKENS });
const say =
  (status: number, body: string | object, headers: Record<string, string> = {}) =>
  (response: ServerResponse) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
const refused = (code: string) => ({ error: { message: `no: ${code}`, code } });

/** A good answer to the one question that is asked. */
const GOOD = answerOf('{"changes": ["a door opens"]}');

/** What a model server can do to whoever asks it, by name: all but `good` are faults. */
export const BEHAVIOURS = {
  good: say(200, GOOD),
  hangs: () => undefined,
  drips(response) {
    response.writeHead(200, { "content-type": "application/json" });
    const timer = setInterval(() => response.write(" "), 50);
    response.once("close", () => clearInterval(timer));
  },
  "closes at once": (response) => response.destroy(),
  "closes in the middle"(response) {
    response.writeHead(200, { "content-type": "application/json", "content-length": String(GOOD.length) });
    response.write(GOOD.slice(0, GOOD.length / 2), () => response.destroy());
  },
  "stumbles (500)": say(500, refused("internal")),
  "is not ready (503)": say(503, refused("loading"), { "retry-after": "700" }),
  "wrong key (401)": say(401, refused("invalid_api_key")),
  "no credit (402)": say(402, refused("insufficient_balance")),
  "no credit (429)": say(429, refused("insufficient_quota")),
  "no such model (404)": say(404, refused("model_not_found")),
  "busy, says how long (429)": say(429, refused("rate_limit"), { "retry-after": "700" }),
  "busy, does not say how long (429)": say(429, refused("rate_limit")),
  "page in place of an answer": say(200, "<!doctype html><title>Sign in</title>"),
  prose: say(200, answerOf("The man walks to the door and opens it. ".repeat(10))),
  "wrong shape": say(200, answerOf('{"answer": {"events": [1, 2, 3]}}')),
  "empty answer": say(200, answerOf("")),
  "thoughts alone": say(200, answerOf("", { reasoning_content: "Let me think about that." })),
  "answer of 5 MB": say(200, answerOf("a ".repeat(2_500_000))),
  "answer without an end": say(200, answerOf("a ".repeat(9_000_000))),
  "answer nested a million deep": say(200, answerOf(`{"changes":${"[".repeat(1e6)}${"]".repeat(1e6)}}`)),
  "filter refuses": say(400, refused("content_filter")),
} satisfies Record<string, (response: ServerResponse) => unknown>;

/** What a hostile server does with a request. */
export type Behaviour = keyof typeof BEHAVIOURS;

/** Those whose answers are charged, and cannot be used. */
export const USELESS: readonly Behaviour[] = [
  "prose",
  "wrong shape",
  "empty answer",
  "thoughts alone",
  "answer of 5 MB",
  "answer nested a million deep",
];

/** A model server on a loopback port that counts. */
export interface HostileModel extends AsyncDisposable {
  readonly url: string;
  /** Questions that arrived. */
  requests(): number;
  /** Answers that were sent with a price, whether anybody read them or not. */
  charged(): number;
}

/** Starts a server that decides anew what it does with each question, counted from 0. */
export async function startHostileModel(behaviourOf: (question: number) => Behaviour): Promise<HostileModel> {
  let requests = 0;
  let charged = 0;
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== "POST") return void say(404, {})(response);
    const behaviour = behaviourOf(requests++);
    // Half a question is answered by nobody, and charged by nobody.
    buffer(request).then(
      () => {
        if (behaviour === "good" || USELESS.includes(behaviour)) charged++;
        BEHAVIOURS[behaviour](response);
      },
      () => undefined,
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo; // a server on TCP has a port
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests: () => requests,
    charged: () => charged,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
