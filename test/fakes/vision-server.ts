import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** One answer of the scripted model. */
export type ScriptedAnswer =
  /** Answers, where a delay is given after so many milliseconds. */
  | { readonly words: string; readonly delayMs?: number }
  | { readonly status: number; readonly body: unknown }
  | { readonly refusal: string }
  | { readonly finish: "content_filter" }
  /** Never answers. */
  | { readonly silent: true }
  /** Breaks the connection half-way through its answer. */
  | { readonly breaks: true };

/** A chat request as it arrived. */
interface ReceivedRequest {
  readonly authorization: string | undefined;
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: unknown }[];
    readonly response_format?: unknown;
  };
}

/** A server that speaks the OpenAI chat interface and answers from a list, one request after the other. */
export interface VisionServer {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  /** Small requests by which a caller finds out whether all pictures arrive; answered rightly, and outside the list. */
  readonly probes: readonly ReceivedRequest[];
  close(): Promise<void>;
}

/** Starts a scripted vision server on a free loopback port; the last answer repeats. */
export async function startVisionServer(answers: readonly ScriptedAnswer[]): Promise<VisionServer> {
  const requests: ReceivedRequest[] = [];
  const probes: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8") || "{}");
    if (request.method === "GET") {
      response.writeHead(404).end();
      return;
    }
    if (JSON.stringify(body.messages?.[0]?.content).includes("colours of pictures")) {
      probes.push({ authorization: request.headers.authorization, body });
      send({ words: '{"colour": "yellow"}' }, request, response);
      return;
    }
    requests.push({ authorization: request.headers.authorization, body });
    const answer = answers[Math.min(requests.length, answers.length) - 1];
    if (answer === undefined) return;
    if ("words" in answer && answer.delayMs !== undefined) await sleep(answer.delayMs);
    send(answer, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // listening on TCP, so an AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    probes,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function send(answer: ScriptedAnswer, request: IncomingMessage, response: ServerResponse): void {
  if ("silent" in answer) return;
  if ("breaks" in answer) {
    response.writeHead(200, { "content-type": "application/json", "content-length": "500" });
    response.write('{"choices": [');
    request.socket.destroy();
    return;
  }
  const [status, body] = "status" in answer ? [answer.status, answer.body] : [200, completion(answer)];
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function completion(answer: { words: string } | { refusal: string } | { finish: string }): unknown {
  const message = {
    role: "assistant",
    content: "words" in answer ? answer.words : null,
    refusal: "refusal" in answer ? answer.refusal : null,
  };
  const finish_reason = "finish" in answer ? answer.finish : "stop";
  return { choices: [{ index: 0, message, finish_reason }], usage: { prompt_tokens: 100, completion_tokens: 20 } };
}
