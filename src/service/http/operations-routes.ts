import type { FastifyInstance } from "fastify";
import { isInNetworks } from "../ingest/public-address.ts";
import { RequestError } from "../request-error.ts";
import { requireRoomFor } from "../storage/disk-room.ts";
import { docsPage } from "./docs-page.ts";
import { describeInterface } from "./openapi.ts";
import type { ServiceParts } from "./service-parts.ts";

/** A page without scripts, and without anything from elsewhere. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/** This computer itself, in both dresses. */
const LOOPBACK = ["127.0.0.0/8", "::1/128"];

/** How long the records and the store may take to show that they are there. */
const READY_TIMEOUT_MS = 3_000;

/** An object that never is: asking for it shows whether the store answers. */
const NO_OBJECT = "teams/none";

/**
 * `/healthz`, `/readyz` and `/metrics`, for whoever runs the service, and the description of the interface for whoever
 * writes a client. None tells anything of a team; the metrics alone take a key.
 */
export function addOperationsRoutes(app: FastifyInstance, parts: ServiceParts): void {
  app.get("/healthz", async () => ({ status: "alive" }));

  app.get("/readyz", async (request, reply) => {
    const checks = {
      records: parts.database.query("SELECT 1"),
      storage: parts.objects.stat(NO_OBJECT),
      disk: requireRoomFor(parts.configuration.dataFolder, 0),
    };
    // All at once: one that fails while another is waited for would be nobody's, and end the process.
    const states: Record<string, string> = Object.fromEntries(
      await Promise.all(
        Object.entries(checks).map(async ([name, check]) => {
          const state = await within(check).then(
            () => "ready",
            (error: unknown) => {
              request.log.warn({ err: error, check: name }, "not ready");
              return "failing";
            },
          );
          return [name, state];
        }),
      ),
    );
    const isReady = Object.values(states).every((state) => state === "ready");
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? "ready" : "failing", ...states });
  });

  const description = JSON.stringify(describeInterface());
  app.get("/openapi.json", async (_request, reply) => reply.type("application/json").send(description));
  const page = docsPage();
  app.get("/docs", async (_request, reply) =>
    reply.header("content-security-policy", PAGE_POLICY).type("text/html; charset=utf-8").send(page),
  );

  app.get("/metrics", async (request, reply) => {
    // Beside the key: what a proxy on this computer passes on comes from its address.
    const { metrics_networks: networks } = parts.configuration;
    if (networks.length > 0 && !isInNetworks(request.ip, [...LOOPBACK, ...networks])) {
      throw new RequestError("feature_not_available", "The metrics are not read from here: see metrics_networks.");
    }
    return reply.type(parts.metrics.registry.contentType).send(await parts.metrics.read());
  });
}

async function within(check: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("no answer in time")), READY_TIMEOUT_MS);
  });
  try {
    await Promise.race([check, late]);
  } finally {
    clearTimeout(timer);
  }
}
