import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { Transform } from "node:stream";
import { json } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { LEDGER_HEADER, LEDGER_URL, type Ledger, type PaidKind, type PaidPlan, UsageFinder } from "./ledger.ts";
import { sendRequest } from "./send-request.ts";

/** Somebody whom a process without a network may ask all the same. */
export interface Outlet {
  /** Whether a request for this address is meant for it. */
  readonly takes: (url: URL) => boolean;
  /**
   * Answers a request; `signal` aborts once nobody waits for the answer any more. What it rejects with breaks the line.
   * `ledger` is the book in which is written what may be charged; `null` where nobody keeps one.
   */
  readonly answer: (
    request: IncomingMessage,
    url: URL,
    reply: ServerResponse,
    signal: AbortSignal,
    ledger: Ledger | null,
  ) => Promise<void>;
}

/** A server that may be asked. */
export interface AskedServer {
  /** Its scheme, host and port, such as `https://api.openai.com`. */
  readonly origin: string;
  /** What the paths that may be asked for look like. */
  readonly paths: RegExp;
  /** Its key, and the word that stands for it in headers of whoever does not know it; absent where it has none. */
  readonly key?: { readonly standIn: string; readonly secret: string };
  /** What a request to it is paid for. */
  readonly kind: PaidKind;
}

/** Where the requests of one process arrive. It ends with `Symbol.dispose`, together with all that is under way. */
export interface Relay extends Disposable {
  /** A socket in a folder that nobody else can enter, or a named pipe on Windows. */
  readonly path: string;
}

/** Connections of one process at the same time: more than any job has requests under way. */
const MOST_CONNECTIONS = 80;

/** Methods by which anybody is asked. */
const METHODS = new Set(["GET", "POST"]);

/** Headers that are about one connection alone. */
const OF_CONNECTION = new Set([
  "connection",
  "expect",
  "host",
  "keep-alive",
  LEDGER_HEADER,
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Opens the one way out of a process that has no network: HTTP over a socket in its folder, with whole addresses as a
 * proxy takes them, to a few outlets and nobody else. Bodies pass through in blocks, in either direction.
 *
 * @param ledgerNow The book of what runs in the process just now.
 * @param folder Of the process alone; its path may have about 90 bytes, because a socket's has about 100.
 * @throws the system's error where no socket can be made there.
 */
export async function openRelay(
  outlets: readonly Outlet[],
  folder: string,
  ledgerNow: () => Ledger | null = () => null,
): Promise<Relay> {
  const path = process.platform === "win32" ? `\\\\.\\pipe\\aside-${randomUUID()}` : join(folder, "relay");
  const server = createServer((request, reply) => {
    const waits = new AbortController();
    reply.once("close", () => waits.abort(new Error("nobody waits for the answer any more")));
    // A broken line is the process's to see: it is told nothing that the server did not say.
    answer([...outlets, LEDGER_OUTLET], request, reply, waits.signal, ledgerNow()).catch(() => reply.destroy());
  });
  // A model may think for an hour, and whoever asks sets the limits.
  Object.assign(server, {
    requestTimeout: 0,
    headersTimeout: 0,
    keepAliveTimeout: 0,
    maxConnections: MOST_CONNECTIONS,
  });
  await once(server.listen(path), "listening");
  return {
    path,
    [Symbol.dispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(
  outlets: readonly Outlet[],
  request: IncomingMessage,
  reply: ServerResponse,
  signal: AbortSignal,
  ledger: Ledger | null,
): Promise<void> {
  const url = URL.canParse(request.url ?? "") ? new URL(request.url ?? "") : null;
  const outlet = METHODS.has(request.method ?? "")
    ? outlets.find(({ takes }) => url !== null && takes(url))
    : undefined;
  if (url !== null && outlet !== undefined) return outlet.answer(request, url, reply, signal, ledger);
  request.resume();
  reply.writeHead(403).end("nobody who may be asked is there");
}

/** Passes requests on to a server, with its key in place of the word that stands for it; what may be charged is written down. */
export function serverOutlet({ origin, paths, key, kind }: AskedServer): Outlet {
  return {
    takes: (url) => url.origin === origin && paths.test(url.pathname),
    async answer(request, url, reply, signal, ledger) {
      const headers = beyondConnection(request.headers);
      if (key !== undefined) {
        for (const [name, value] of Object.entries(headers)) {
          if (typeof value === "string") headers[name] = value.replaceAll(key.standIn, () => key.secret);
        }
      }
      // What a server tells of itself is free.
      const isFree = request.method !== "POST" || url.pathname.endsWith("/api/show");
      const plan = planIn(request.headers);
      const entry = isFree || ledger === null ? null : await ledger.reserve(kind, plan);
      if (entry !== null && typeof entry !== "string") {
        request.resume();
        reply.writeHead(402, { [LEDGER_HEADER]: entry.why, "content-type": "text/plain" }).end(entry.message);
        return;
      }
      const usage = new UsageFinder();
      let status: number | null = null;
      let isSent = true;
      try {
        const answered = await sendRequest({
          url: url.href,
          method: request.method ?? "",
          headers,
          body: request,
          signal,
        });
        status = answered.statusCode ?? 502;
        reply.writeHead(status, {
          ...beyondConnection(answered.headers),
          ...(entry === null ? {} : { [LEDGER_HEADER]: entry }),
        });
        const watched = new Transform({
          transform(block: Buffer, _encoding, done) {
            usage.add(block);
            done(null, block);
          },
        });
        await pipeline(answered, watched, reply);
      } catch (error) {
        isSent = !NEVER_SENT.has(String(Object(error).code));
        // Of an answer that broke off, what was reserved counts, unless it was a refusal.
        if (status !== null && status < 400) status = null;
        throw error;
      } finally {
        if (ledger !== null && entry !== null) {
          const { tokens } = usage;
          const price = plan?.price ?? null;
          const known =
            tokens === null || price === null || price === "stated"
              ? null
              : tokens.input * price.input + tokens.output * price.output;
          await ledger.settle(entry, { status, tokens, cost: isSent ? known && known / 1e6 : 0 });
        }
      }
    },
  };
}

/** Errors of requests that never reached anybody. */
const NEVER_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"]);

/** Lets a process read its book, and say there what of it could be used. */
const LEDGER_OUTLET: Outlet = {
  takes: ({ href }) => href === LEDGER_URL,
  async answer(request, _url, reply, _signal, ledger) {
    if (ledger === null) {
      request.resume();
      reply.writeHead(404).end();
      return;
    }
    if (request.method === "GET") {
      reply.end(JSON.stringify(await ledger.totals()));
      return;
    }
    // What a process of this program writes (`ask-ledger.ts`).
    const { entry, isUseful } = (await json(request)) as { readonly entry: string; readonly isUseful: boolean };
    await ledger.judge(entry, isUseful);
    reply.writeHead(204).end();
  },
};

function planIn(headers: IncomingHttpHeaders): PaidPlan | null {
  const stated = headers[LEDGER_HEADER];
  // What a process of this program states (`send-request.ts`).
  return typeof stated === "string" ? (JSON.parse(stated) as PaidPlan) : null;
}

/** Headers without those that are about one connection alone. */
export function beyondConnection(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name)));
}
