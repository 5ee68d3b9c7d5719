import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";

/** A request as a model server gets it. */
export interface AskedOfModel {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Its JSON; `null` for a request without a body. */
  // A double looks at requests of several interfaces, whose types are what is tested.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any;
  /** When it came, in milliseconds. */
  readonly at: number;
}

/** What the server answers. */
export interface ModelReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly delayMs?: number;
}

/** A model server that answers by a rule. */
export interface ModelServerDouble {
  /** Its address without a path. */
  readonly origin: string;
  readonly asked: AskedOfModel[];
  /** Most requests that were under way at once. */
  readonly mostAtOnce: () => number;
  /** Requests that are under way now. */
  readonly underWay: () => number;
}

/** By the request, and how many have come to its path. No answer means 404. */
type ReplyRule = (asked: AskedOfModel, number: number) => ModelReply | undefined;

/** Starts a server on a free loopback port that answers by a rule; it ends with the test. */
export async function startModelServer(rule: ReplyRule): Promise<ModelServerDouble> {
  const { server, close } = await openModelServer(rule);
  onTestFinished(close);
  return server;
}

/** The same, to be closed by the caller. */
export async function openModelServer(
  rule: ReplyRule,
): Promise<{ readonly server: ModelServerDouble; readonly close: () => void }> {
  const asked: AskedOfModel[] = [];
  let under = 0;
  let most = 0;
  const server = createServer(async (request, response) => {
    most = Math.max(most, ++under);
    response.once("close", () => under--);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString("utf8");
    const one = {
      path: request.url ?? "",
      headers: request.headers,
      body: text === "" ? null : JSON.parse(text),
      at: performance.now(),
    };
    asked.push(one);
    const reply = rule(one, asked.filter(({ path }) => path === one.path).length) ?? { status: 404, body: {} };
    if (reply.delayMs !== undefined) await sleep(reply.delayMs);
    response.writeHead(reply.status ?? 200, { "content-type": "application/json", ...reply.headers });
    response.end(typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo; // listening on TCP, so an AddressInfo
  return {
    server: { origin: `http://127.0.0.1:${port}`, asked, mostAtOnce: () => most, underWay: () => under },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A good answer of chat completions. */
export function completionOf(words: string | null, usage: object = { prompt_tokens: 5000, completion_tokens: 7 }) {
  return { body: { choices: [{ message: { content: words }, finish_reason: "stop" }], usage } };
}

/** A good answer of Ollama's own interface. */
export function ollamaAnswer(content: string, more: object = {}) {
  const counts = { prompt_eval_count: 9000, eval_count: 7 };
  return { body: { message: { role: "assistant", content }, done: true, done_reason: "stop", ...counts, ...more } };
}
