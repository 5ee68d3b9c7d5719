import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { sendRequest } from "./send-request.ts";

/** Somebody whom a process without a network may ask all the same. */
export interface Outlet {
  /** Whether a request for this address is meant for it. */
  readonly takes: (url: URL) => boolean;
  /** Answers a request; `signal` aborts once nobody waits for the answer any more. What it rejects with breaks the line. */
  readonly answer: (request: IncomingMessage, url: URL, reply: ServerResponse, signal: AbortSignal) => Promise<void>;
}

/** A server that may be asked. */
export interface AskedServer {
  /** Its scheme, host and port, such as `https://api.openai.com`. */
  readonly origin: string;
  /** What the paths that may be asked for look like. */
  readonly paths: RegExp;
  /** Its key, and the word that stands for it in headers of whoever does not know it; absent where it has none. */
  readonly key?: { readonly standIn: string; readonly secret: string };
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
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Opens the one way out of a process that has no network: HTTP over a socket in its folder, with whole addresses as a
 * proxy takes them, to a few outlets and nobody else. Bodies pass through in blocks, in either direction.
 *
 * @param folder Of the process alone; its path may have about 90 bytes, because a socket's has about 100.
 * @throws the system's error where no socket can be made there.
 */
export async function openRelay(outlets: readonly Outlet[], folder: string): Promise<Relay> {
  const path = process.platform === "win32" ? `\\\\.\\pipe\\aside-${randomUUID()}` : join(folder, "relay");
  const server = createServer((request, reply) => {
    const waits = new AbortController();
    reply.once("close", () => waits.abort(new Error("nobody waits for the answer any more")));
    // A broken line is the process's to see: it is told nothing that the server did not say.
    answer(outlets, request, reply, waits.signal).catch(() => reply.destroy());
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
): Promise<void> {
  const url = URL.canParse(request.url ?? "") ? new URL(request.url ?? "") : null;
  const outlet = METHODS.has(request.method ?? "")
    ? outlets.find(({ takes }) => url !== null && takes(url))
    : undefined;
  if (url !== null && outlet !== undefined) return outlet.answer(request, url, reply, signal);
  request.resume();
  reply.writeHead(403).end("nobody who may be asked is there");
}

/** Passes requests on to a server, with its key in place of the word that stands for it. */
export function serverOutlet({ origin, paths, key }: AskedServer): Outlet {
  return {
    takes: (url) => url.origin === origin && paths.test(url.pathname),
    async answer(request, url, reply, signal) {
      const headers = beyondConnection(request.headers);
      if (key !== undefined) {
        for (const [name, value] of Object.entries(headers)) {
          if (typeof value === "string") headers[name] = value.replaceAll(key.standIn, () => key.secret);
        }
      }
      const answered = await sendRequest({
        url: url.href,
        method: request.method ?? "",
        headers,
        body: request,
        signal,
      });
      reply.writeHead(answered.statusCode ?? 502, beyondConnection(answered.headers));
      await pipeline(answered, reply);
    },
  };
}

function beyondConnection(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name)));
}
