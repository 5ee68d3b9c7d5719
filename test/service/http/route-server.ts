import type { AddressInfo } from "node:net";
import { configurationFrom, planOfTeam, type ServiceConfiguration } from "../../../src/service/configuration.ts";
import type { Caller } from "../../../src/service/http/authenticate.ts";
import type { DeskParts } from "../../../src/service/http/desk-routes.ts";
import { createServer } from "../../../src/service/http/server.ts";
import type { ServiceParts } from "../../../src/service/http/service-parts.ts";
import { loggerSettings } from "../../../src/service/log.ts";
import { RequestError } from "../../../src/service/request-error.ts";
import type { ReviewGrant, Role } from "../../../src/service/storage/key-records.ts";
import { SetClock } from "../../fakes/set-clock.ts";
import { recordsOf } from "../written-records.ts";

// The service's routes without a service: no records of a Postgres, no socket, no process beside. What a law is not about is missing,
// and asking for it fails the request.

/** Id of a team, a media and a job, for those who need one. */
export const IDS = {
  team: "0f6d8a52-8a5e-4a0e-9d63-0f3a4a7c1b01",
  media: "0f6d8a52-8a5e-4a0e-9d63-0f3a4a7c1b02",
  job: "0f6d8a52-8a5e-4a0e-9d63-0f3a4a7c1b03",
} as const;

/** The film that a reviewer's key opens in these tests. */
const REVIEW: ReviewGrant = {
  linkId: "link",
  jobIds: [IDS.job],
  jobId: IDS.job,
  mediaId: IDS.media,
  runId: "run1",
  fileName: null,
  expiresAt: "2026-02-01T00:00:00Z",
};

/** What a route answered. */
interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  // Tests look into replies of every shape and compare what they find.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any;
}

/** What is sent. */
interface Sent {
  /** Whose key; `null` sends none. Default: a program of the team. */
  readonly as?: Role | null;
  /** Sent as JSON, but for a string or bytes. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Routes that can be asked. */
export interface RouteServer {
  /** A request to an address of the service. */
  ask(method: string, url: string, sent?: Sent): Promise<Answer>;
  /** Lines of the log. */
  readonly logged: readonly string[];
  readonly clock: SetClock;
  /** Has the routes listen to a socket of this computer, for what only a connection shows; resolves with its port. */
  listen(): Promise<number>;
  close(): Promise<void>;
}

/** Opens the routes over the parts that a test is about; `plan` changes the caller's. */
export async function openRoutes(
  parts: Partial<{ readonly [Name in keyof ServiceParts]: unknown }>,
  {
    plan = {},
    desk = {},
    configuration = {},
    team = IDS.team,
    clock = new SetClock(),
  }: {
    readonly plan?: Partial<Caller["plan"]>;
    readonly desk?: Partial<{ readonly [Name in keyof DeskParts]: unknown }>;
    readonly configuration?: Partial<ServiceConfiguration>;
    readonly team?: string;
    readonly clock?: SetClock;
  } = {},
): Promise<RouteServer> {
  const whole = { ...configurationFrom({}, "/data"), ...configuration };
  const logged: string[] = [];
  const identify = async (request: { headers: Record<string, unknown> }): Promise<Caller> => {
    const role = request.headers["x-api-key"];
    if (typeof role !== "string") throw new RequestError("unauthorized", "No key.");
    // The key of these tests is the name of what its holder is.
    const caller = { id: team, name: "north", role: role as Role, plan: { ...planOfTeam(whole, "north"), ...plan } };
    return role === "reviewer" ? { ...caller, review: REVIEW } : caller;
  };
  const app = await createServer(
    {
      configuration: whole,
      clock,
      endings: null,
      disk: null,
      authenticator: { identify },
      rate: { take: async () => ({ limit: 100, remaining: 99, reset: 60 }) },
      hosts: { refusalOf: () => null },
      slots: { with: (_team: Caller, work: () => Promise<unknown>) => work() },
      texts: {
        json: async (_team: string, { chunks }: { readonly chunks: readonly Uint8Array[] }) => {
          const text = Buffer.concat(chunks).toString();
          return text === "" ? undefined : JSON.parse(text);
        },
      },
      metrics: { countRequest: () => undefined },
      settings: { modelsFolder: null },
      models: {},
      database: recordsOf([]),
      ...parts,
    } as unknown as ServiceParts, // a part that a test does not name is not there, which fails what asks for it
    loggerSettings("/data", { level: "debug", stream: { write: (line) => void logged.push(line) } }),
    { administration: {}, examine: null, newVersion: () => null, log: { lines: [] }, ...desk } as unknown as DeskParts,
  );
  return {
    logged,
    clock,
    async ask(method, url, { as = "program", body, headers = {} } = {}) {
      const isRaw = body === undefined || typeof body === "string" || body instanceof Uint8Array;
      const reply = await app.inject({
        method: method as "GET",
        url: url.startsWith("/") ? url : `/enterprise/api/${url}`,
        headers: {
          ...(as === null ? {} : { "x-api-key": as }),
          ...(isRaw ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { payload: isRaw ? (body as string) : JSON.stringify(body) }),
      });
      const isJson = /^application\/json/.test(String(reply.headers["content-type"]));
      return {
        status: reply.statusCode,
        headers: reply.headers,
        text: reply.body,
        body: isJson && reply.body !== "" ? JSON.parse(reply.body) : null,
      };
    },
    async listen() {
      await app.listen({ host: "127.0.0.1", port: 0 });
      return (app.server.address() as AddressInfo).port; // it listens to a port
    },
    close: () => app.close(),
  };
}
