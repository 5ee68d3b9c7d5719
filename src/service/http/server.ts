import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import multipart from "@fastify/multipart";
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from "fastify";
import { KEY_MAX_AGE_HEADER } from "../../contract/routes.ts";
import { defined } from "../../core/objects.ts";
import { RequestError } from "../request-error.ts";
import { KEY_MAX_AGE_SECONDS } from "../storage/team-records.ts";
import { BodyTurns } from "./awaited-work.ts";
import { addDeskRoutes, type DeskParts } from "./desk-routes.ts";
import { JSON_TOO_LARGE, replyWithError } from "./error-reply.ts";
import { addFromUrlRoutes, addGenerateRoutes } from "./generate-routes.ts";
import { addJobRoutes } from "./job-routes.ts";
import { addLineRoutes, addListenRoutes, addMomentRoutes } from "./line-routes.ts";
import { addMediaRoutes } from "./media-routes.ts";
import { addModelRoutes } from "./model-routes.ts";
import { addOperationsRoutes } from "./operations-routes.ts";
import { addPageRoutes, addPairRoutes } from "./page-routes.ts";
import { rateHeaders } from "./request-rate.ts";
import { requiredRight, requireRight } from "./route-rights.ts";
import { callerOf, type ServiceParts, setCaller } from "./service-parts.ts";
import { addSettingsRoutes } from "./settings-routes.ts";
import { addStorageRoutes } from "./storage-routes.ts";
import { collect, withDeadline } from "./team-turns.ts";
import { addTextRoutes } from "./text-routes.ts";
import { addWordingRoutes } from "./wording-routes.ts";

/** Longest JSON body in bytes: captions and scripts of the longest programmes are far below. */
const JSON_BODY_MAX_BYTES = 8 * 1024 * 1024;

/** Longest JSON body of the page's own requests, in bytes. */
const SMALL_JSON_MAX_BYTES = 65_536;

/** A connection on which nothing moves for this long is closed. */
const IDLE_CONNECTION_MS = 120_000;

/** How often connections are looked at for headers that are late. */
const HEADERS_CHECK_MS = 1_000;

const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
};

/** Builds the HTTP side of the service: the interface's endpoints and the storage behind its signed links. */
export async function createServer(
  parts: ServiceParts,
  logger: FastifyServerOptions["logger"],
  desk: DeskParts,
): Promise<FastifyInstance> {
  const slowClientMs = parts.configuration.slow_client_seconds * 1000;
  const app = fastify({
    ...defined({ logger }),
    genReqId: () => randomUUID(),
    bodyLimit: JSON_BODY_MAX_BYTES,
    connectionTimeout: IDLE_CONNECTION_MS,
    // Uploads take as long as they take; a stalled one ends by the idle time-out.
    requestTimeout: 0,
    http: { headersTimeout: slowClientMs, connectionsCheckingInterval: HEADERS_CHECK_MS },
    forceCloseConnections: "idle",
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { maxParamLength: 2_000 },
    // A path that no route is looked up for: no hook runs.
    frameworkErrors: (error, request, reply) => {
      replyWithError(error, request, reply.headers({ ...SECURITY_HEADERS, "x-request-id": request.id }));
    },
  });
  app.setErrorHandler((error, request, reply) => {
    // For a body that was refused while it came, Fastify has the connection closed with the answer, which resets it: we linger.
    if (app.server.listening && !request.raw.complete) reply.removeHeader("connection");
    return replyWithError(error, request, reply);
  });
  const offered = new Map<string, Set<string>>();
  app.addHook("onRoute", (route) => {
    const { method, url } = route;
    // Nobody could send a request there: the service does not start with such a route.
    for (const name of [method].flat()) requiredRight(name, url);
    const methods = offered.get(url) ?? new Set();
    offered.set(url, methods);
    for (const name of [method].flat()) if (name !== "HEAD") methods.add(name);
  });
  app.setNotFoundHandler((request, reply) =>
    replyWithError(notFound(request.method, request.url, offered), request, reply),
  );
  app.addHook("onRequest", async (request, reply) => {
    reply.headers({ ...SECURITY_HEADERS, "x-request-id": request.id });
    const refusal = parts.hosts.refusalOf(request);
    // Not raised: the storage below has errors of its own shape.
    if (refusal !== null) return replyWithError(refusal, request, reply);
    await authorize(parts, request);
  });
  app.addHook("onResponse", async (request, reply) => {
    logRequest(request, reply);
    countRequest(parts, request, reply);
    lingerAfterReply(request);
  });
  // Outside the interface nobody reads a body.
  app.removeContentTypeParser("application/json");
  await app.register(async (api) => {
    await api.register(multipart, { throwFileSizeLimit: false });
    addJsonParser(api, parts);
    api.addHook("onRequest", async (request, reply) => {
      const team = callerOf(request);
      reply.headers({ ...rateHeaders(await parts.rate.take(team)), [KEY_MAX_AGE_HEADER]: KEY_MAX_AGE_SECONDS });
    });
    const turns = new BodyTurns();
    // Files take as long as they take; what is read as JSON waits for its turn, and must come in time then.
    api.addHook("preParsing", async (request, reply, body) => {
      if (!/^application\/json/i.test(request.headers["content-type"] ?? "")) return body;
      await turns.take(request, reply);
      return withDeadline(body, slowClientMs);
    });
    addMediaRoutes(api, parts);
    addListenRoutes(api, parts);
    addLineRoutes(api, parts);
    addTextRoutes(api, parts);
    addMomentRoutes(api, parts);
    addWordingRoutes(api, parts);
    addGenerateRoutes(api, parts);
    addFromUrlRoutes(api, parts);
    addJobRoutes(api, parts);
    addSettingsRoutes(api, parts);
    addModelRoutes(api, parts);
  });
  await app.register(async (page) => {
    addSmallJsonParser(page);
    addPageRoutes(page, parts);
    addPairRoutes(page, parts);
    await page.register(async (inner) => addDeskRoutes(inner, parts, desk));
  });
  addOperationsRoutes(app, parts);
  const { disk } = parts;
  if (disk !== null) {
    await app.register(async (storage) => {
      addStorageRoutes(storage, parts, disk);
    });
  }
  await app.ready();
  return app;
}

/** Before the body is read: a stranger cannot make the service receive anything. @throws RequestError. */
async function authorize({ authenticator }: ServiceParts, request: FastifyRequest): Promise<void> {
  const { url } = request.routeOptions;
  // No route: the answer to that tells nothing.
  if (url === undefined) return;
  const right = requiredRight(request.method, url);
  if (right.roles === "everybody") return;
  const caller = await authenticator.identify(request, { takesBearer: right.roles.includes("monitor") });
  requireRight(right, request, caller);
  setCaller(request, caller);
}

/** JSON by our own reader. An empty body is none: clients send the content type with every request, `DELETE` too. */
function addJsonParser(app: FastifyInstance, { texts }: ServiceParts): void {
  app.addContentTypeParser("application/json", async (request: FastifyRequest, payload: Readable) => {
    const isAnnouncedTooLong = Number(request.headers["content-length"]) > JSON_BODY_MAX_BYTES;
    const body = isAnnouncedTooLong ? null : await collect(payload, JSON_BODY_MAX_BYTES).catch(refuseCutShort);
    if (body === null) throw new RequestError("invalid_input", JSON_TOO_LARGE);
    return texts.json(callerOf(request).id, body);
  });
}

/** JSON of a few members, where nothing long is sent. */
function addSmallJsonParser(app: FastifyInstance): void {
  app.addContentTypeParser(
    "application/json",
    { parseAs: "string", bodyLimit: SMALL_JSON_MAX_BYTES },
    (_request, body, done) => {
      try {
        done(null, body === "" ? undefined : JSON.parse(String(body)));
      } catch {
        done(new RequestError("invalid_input", "The request body is no JSON."));
      }
    },
  );
}

function refuseCutShort(error: unknown): never {
  if (error instanceof RequestError) throw error;
  throw new RequestError("invalid_input", "The request body was cut short.");
}

function countRequest({ metrics }: ServiceParts, request: FastifyRequest, reply: FastifyReply): void {
  metrics.countRequest({
    method: request.method,
    route: request.routeOptions.url ?? "unknown",
    status: reply.statusCode,
    seconds: reply.elapsedTime / 1000,
    receivedBytes: Number(request.headers["content-length"] ?? 0) || 0,
    sentBytes: Number(reply.getHeader("content-length") ?? 0) || 0,
  });
}

/** One line per request; polls, which come in thousands, only where asked for. */
function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  const isQuiet = request.method === "GET" && reply.statusCode < 400;
  const line = { req: request, res: reply, ms: Math.round(reply.elapsedTime) };
  if (isQuiet) request.log.debug(line, "request");
  else request.log.info(line, "request");
}

function notFound(method: string, address: string, offered: ReadonlyMap<string, ReadonlySet<string>>): RequestError {
  const path = address.split("?")[0] ?? "";
  const methods = [...offered].find(([pattern]) => fits(path, pattern))?.[1];
  if (methods === undefined) return new RequestError("not_found", "There is no such path in this interface.");
  const list = [...methods].join(", ");
  return new RequestError("method_not_allowed", `This path takes ${list}, not ${method}.`, {
    headers: { allow: list },
  });
}

/** Whether a path is one of a route's: `:name` stands for one segment, `*` for the rest. */
function fits(path: string, pattern: string): boolean {
  const segments = path.split("/");
  const expected = pattern.split("/");
  if (expected.at(-1) === "*")
    return (
      segments.length >= expected.length &&
      fits(segments.slice(0, expected.length - 1).join("/"), expected.slice(0, -1).join("/"))
    );
  return (
    segments.length === expected.length &&
    expected.every((part, index) => (part.startsWith(":") ? segments[index] !== "" : part === segments[index]))
  );
}

/** How long, and for how many bytes, a body that nobody wants is still taken after its request was answered. */
const LINGER_MS = 5_000;
const LINGER_BYTES = 64 * 1024 * 1024;

/**
 * Takes and forgets what a client still sends after it was answered, for a while. Closing at once would reset the
 * connection, and a client that is busy sending would never see the answer, which often says why to stop.
 */
function lingerAfterReply(request: FastifyRequest): void {
  const { raw } = request;
  if (raw.complete || raw.readableEnded || raw.destroyed) return;
  let left = LINGER_BYTES;
  const end = () => raw.destroy();
  const timer = setTimeout(end, LINGER_MS);
  timer.unref();
  for (const event of ["end", "close"]) raw.once(event, () => clearTimeout(timer));
  raw.unpipe();
  raw.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) end();
  });
  // Who piped it has paused it, and `unpipe` leaves it so.
  raw.resume();
}
