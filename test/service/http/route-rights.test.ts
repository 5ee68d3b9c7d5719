import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SERVED_ROUTES } from "../../../src/contract/routes.ts";
import { ROUTE_RIGHTS, requiredRight } from "../../../src/service/http/route-rights.ts";
import { uniqueClip } from "../clips.ts";
import { finished, form, send, startTestService, type TestService } from "../service-fixture.ts";

const DESK = "/home/desk";

/** What a reviewer may ask for, of the one film; written here by hand, beside the table that the service goes by. */
const OF_A_REVIEWER = [
  "DELETE /home/desk/texts/*",
  "GET /enterprise/api/get_results",
  "GET /enterprise/api/voice_line",
  "GET /home/desk/jobs/:id/order",
  "GET /home/desk/media/:id",
  "GET /home/desk/texts",
  "GET /home/desk/texts/*",
  "POST /enterprise/api/jobs/:job_id/pictures",
  "POST /enterprise/api/voice_line",
  "PUT /home/desk/texts/*",
];

/** What takes no key, written by hand likewise. */
const OF_EVERYBODY = [
  "GET /docs",
  "GET /healthz",
  "GET /home",
  "GET /home/files/:name",
  "GET /openapi.json",
  "GET /readyz",
  "GET /storage/*",
  "POST /home/log-in",
  "POST /home/pair",
  "PUT /storage/*",
];

/** What a program of a team may not ask for. */
const OF_ADMINISTRATORS =
  /^\S+ (?:\/home\/desk\/|\/metrics$|\/enterprise\/api\/settings(?:\/(?:choices|test|models(?:\/:model(?:\/check)?)?))?$)/;

let service: TestService;
let mediaId: string;
/** Jobs of two films: the one that is reviewed, and another of the same team. */
let film: string;
let other: string;
let otherMedia: string;
const keys = { program: "", administrator: "", reviewer: "", monitor: "" };

async function describeFilm(filename = "harbour.mp4"): Promise<[string, string]> {
  const { media_id } = (await service.send("POST", "upload_media", form(await uniqueClip(), {}, filename))).body;
  const { job_id } = (await service.send("POST", "generate_ad_text", { input: { type: "media_id", media_id } })).body;
  await finished(service, job_id);
  return [media_id, job_id];
}

beforeAll(async () => {
  service = await startTestService();
  [otherMedia, other] = await describeFilm();
  [mediaId, film] = await describeFilm();
  const { administration } = service.app;
  keys.program = (await administration.createKey()).key;
  keys.administrator = (await administration.createKey({ isAdministrator: true })).key;
  keys.monitor = (await administration.createKey({ isForMetrics: true })).key;
  keys.reviewer = (await administration.createReviewLink({ team: "local", film: "Harbour", days: 14 }))?.token ?? "";
});
afterAll(() => service.close());

/** An address of a route; what stands in its places belongs to no film. */
const addressOf = (path: string) =>
  path.replace(/:\w+/g, "5fa6a3d1-6ef1-4f0b-8a63-3fb2a6d4c5b1").replace("*", "kept/results/none.result.json");

/** How a route answers a key: its status, and the code of an error. */
async function ask(key: string | null, route: string): Promise<{ status: number; error: string | undefined }> {
  const [method = "", pattern = ""] = route.split(" ");
  const isText = pattern.includes("/texts/") && method === "PUT";
  const body = isText ? "{}" : method === "POST" ? "{}" : null;
  const headers: Record<string, string> = { "Content-Type": isText ? "text/plain" : "application/json" };
  if (key !== null) headers["X-API-Key"] = key;
  const request = new Request(`http://service.test${addressOf(pattern)}`, { method, headers, body });
  const reply = await service.app.handle(request);
  const text = await reply.text();
  return { status: reply.status, error: /"error":"(\w+)"/.exec(text)?.[1] };
}

describe("who may send which request", () => {
  test("is said of every route, or the service does not start", () => {
    expect(() => requiredRight("GET", "/home/desk/new")).toThrow(/nobody says who may use GET/);
    for (const { method, path } of Object.values(SERVED_ROUTES)) {
      expect(() => requiredRight(method, path.replace(/\{(\w+)\}/g, ":$1"))).not.toThrow();
    }
  });

  test("is what it was meant to be", () => {
    const routesOf = (role: string) =>
      Object.entries(ROUTE_RIGHTS)
        .filter(([, { roles }]) => roles === role || (roles !== "everybody" && roles.some((one) => one === role)))
        .map(([route]) => route)
        .sort();
    expect(routesOf("everybody")).toEqual(OF_EVERYBODY);
    expect(routesOf("reviewer")).toEqual(OF_A_REVIEWER);
    expect(routesOf("monitor")).toEqual(["GET /metrics"]);
    const keyed = Object.keys(ROUTE_RIGHTS).filter((route) => !OF_EVERYBODY.includes(route));
    expect(routesOf("administrator")).toEqual(keyed.sort());
    const isOfPrograms = (route: string) => route === "GET /enterprise/api/settings" || !OF_ADMINISTRATORS.test(route);
    expect(routesOf("program")).toEqual(keyed.filter(isOfPrograms));
    for (const [route, { roles, about }] of Object.entries(ROUTE_RIGHTS)) {
      expect([route, about !== undefined]).toEqual([route, roles !== "everybody" && roles.includes("reviewer")]);
    }
  });

  test.each(Object.keys(ROUTE_RIGHTS).filter((route) => !OF_EVERYBODY.includes(route)))(
    "%s answers each kind of key as the table says",
    async (route) => {
      const roles = ROUTE_RIGHTS[route]?.roles ?? [];
      for (const key of [null, "wrong", "review_wrong"]) expect((await ask(key, route)).status).toBe(401);
      for (const [role, key] of Object.entries(keys)) {
        if (role === "administrator" && /log-in|backup|examine|DELETE .*settings|models/.test(route)) continue;
        const isAllowed = roles !== "everybody" && roles.some((one) => one === role);
        const { status, error } = await ask(key, route);
        expect([role, status === 401]).toEqual([role, false]);
        expect([role, status === 403 && error === "feature_not_available"]).toEqual([role, !isAllowed]);
      }
    },
  );
});

describe("a link for reviewing one film", () => {
  const asReviewer = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    send(service.app, keys.reviewer, method, path, body, headers);

  test("logs in as often as it is opened, and says which film it opens and until when", async () => {
    for (let times = 0; times < 2; times++) {
      const { status, body } = await send(service.app, null, "POST", "/home/log-in", { token: keys.reviewer });
      expect(status).toBe(200);
      expect(body).toMatchObject({ key: keys.reviewer, team: "local", review: { job_id: film, media_id: mediaId } });
      const days = (Date.parse(body.review.expires_at) - Date.now()) / 86_400_000;
      expect(days).toBeGreaterThan(13.9);
      expect(days).toBeLessThan(14.1);
    }
  });

  test("gives what a review takes of its own film, and of no other", async () => {
    const { body } = await send(service.app, null, "POST", "/home/log-in", { token: keys.reviewer });
    const run = body.review.run_id;
    expect((await asReviewer("GET", `get_results?job_id=${film}`)).body.status).toBe("done");
    expect((await asReviewer("GET", `${DESK}/media/${mediaId}`)).status).toBe(200);
    expect((await asReviewer("GET", `${DESK}/jobs/${film}/order`)).status).toBe(200);
    expect((await asReviewer("GET", "voice_line")).status).toBe(200);
    const text = { "Content-Type": "text/plain" };
    const mine = `kept/results/${run}.result.json`;
    expect((await asReviewer("PUT", `${DESK}/texts/${mine}`, '"a word"', text)).status).toBe(204);
    expect((await asReviewer("GET", `${DESK}/texts/${mine}`)).body).toBe("a word");
    expect((await service.send("PUT", `${DESK}/texts/kept/results/secret.result.json`, '"x"', text)).status).toBe(204);
    expect((await asReviewer("GET", `${DESK}/texts`)).body.paths).toEqual([mine]);
    const refused = [
      ["GET", `get_results?job_id=${other}`],
      ["GET", "get_results"],
      ["GET", `get_results?job_id=${film}&job_id=${other}`],
      ["POST", `jobs/${other}/pictures`, { at: [0] }],
      ["GET", `${DESK}/media/${otherMedia}`],
      ["GET", `${DESK}/jobs/${other}/order`],
      ["GET", `${DESK}/texts/kept/results/secret.result.json`],
      ["PUT", `${DESK}/texts/kept/results/secret.result.json`, "x"],
      ["PUT", `${DESK}/texts/kept/settings.json`, "x"],
      ["PUT", `${DESK}/texts/kept/results/${run}x.result.json`, "x"],
      ["PUT", `${DESK}/texts/kept/results/${run}.a/${run}.b`, "x"],
      ["PUT", `${DESK}/texts/${run}.result.json`, "x"],
      ["DELETE", `${DESK}/texts/${mine}`],
    ] as const;
    for (const [method, path, sent] of refused) {
      const headers: Record<string, string> = method === "PUT" ? text : {};
      const { status } = await asReviewer(method, path, sent, headers);
      expect([path, status]).toEqual([path, 404]);
    }
    expect((await asReviewer("GET", `${DESK}/texts/${mine}`)).body).toBe("a word");
  });

  test("shares the page's own result of the film where there is one", async () => {
    const entry = JSON.stringify({ version: 1, value: { runId: "run7", jobId: other } });
    await service.send("PUT", `${DESK}/texts/kept/results/run7.job.json`, entry, { "Content-Type": "text/plain" });
    const { administration } = service.app;
    const link = await administration.createReviewLink({ team: "local", film: other, days: 1 });
    const { body } = await send(service.app, null, "POST", "/home/log-in", { token: link?.token });
    expect(body.review).toMatchObject({ job_id: other, run_id: "run7" });
  });

  test("is made of what a team has and can be reviewed, and of nothing else", async () => {
    const { administration } = service.app;
    for (const name of ["harbour.mp4", "HARBOUR", film]) {
      expect((await administration.createReviewLink({ team: "local", film: name, days: 1 }))?.jobId).toBe(film);
    }
    for (const [team, name] of [
      ["local", "other"],
      ["nobody", "harbour.mp4"],
      ["local", ""],
      ["local", "%"],
    ] as const) {
      expect(await administration.createReviewLink({ team, film: name, days: 1 })).toBeNull();
    }
    const rows = await service.database.query("SELECT * FROM aside.review_link");
    expect(JSON.stringify(rows)).not.toContain(keys.reviewer.slice(7));
  });

  test("opens nothing once it is taken back, has ended, or its result is deleted", async () => {
    const { administration } = service.app;
    const [, job] = await describeFilm("lighthouse.mp4");
    const make = async () => {
      const link = await administration.createReviewLink({ team: "local", film: job, days: 2 });
      if (link === null) throw new Error("no link");
      return link;
    };
    const poll = async (token: string) => (await send(service.app, token, "GET", `get_results?job_id=${job}`)).status;
    const opens = async (token: string) =>
      (await send(service.app, null, "POST", "/home/log-in", { token })).status === 200;

    const taken = await make();
    expect(await poll(taken.token)).toBe(200);
    expect((await administration.listReviewLinks()).map(({ id }) => id)).toContain(taken.id);
    expect(await administration.revokeReviewLink(taken.id)).toBe(true);
    expect(await administration.revokeReviewLink(taken.id)).toBe(false);
    expect([await poll(taken.token), await opens(taken.token)]).toEqual([401, false]);

    const old = await make();
    await service.database.query("UPDATE aside.review_link SET expires_at = now() - interval '1 s' WHERE id = $1", [
      old.id,
    ]);
    expect([await poll(old.token), await opens(old.token)]).toEqual([401, false]);

    const last = await make();
    expect((await service.send("DELETE", `jobs/${job}`)).status).toBe(200);
    expect([await poll(last.token), await opens(last.token)]).toEqual([401, false]);
  });
});
