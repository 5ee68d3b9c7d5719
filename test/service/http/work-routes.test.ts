import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/core/settings.ts";
import { JobFailure } from "../../../src/engine/index.ts";
import type { CollectedBytes } from "../../../src/service/http/team-turns.ts";
import { dataFolders } from "../../../src/service/storage/data-folders.ts";
import type { JobLedger } from "../../../src/service/storage/paid-requests.ts";
import { recordsOf } from "../written-records.ts";
import { IDS, openRoutes, type RouteServer } from "./route-server.ts";

// What a person waits for beside the jobs: a line, pictures, wordings, a text, a listening. Each is asked of an engine that the test
// writes, so that what it is asked with and what is answered stand side by side.

const folders = dataFolders("/data");
const job = {
  id: IDS.job,
  teamId: IDS.team,
  mediaId: IDS.media,
  kind: "text",
  settings: DEFAULT_SETTINGS,
  status: "done",
};
const upload = {
  id: IDS.media,
  teamId: IDS.team,
  arrival: "signed_url",
  uploadStatus: "pending_upload",
  storageKey: `teams/t/uploads/${IDS.media}/source.wav`,
  uploadKey: `teams/t/uploads/${IDS.media}/source.wav`,
};
let jobNow: object = job;
let uploadNow: object = upload;
const records = recordsOf([
  [/^SELECT .* FROM aside.job (?:j )?WHERE/, () => [jobNow]],
  [/^SELECT .* FROM aside.media/, () => [uploadNow]],
  [/^(?:DELETE FROM|UPDATE) aside.media/, [{ id: IDS.media }]],
  [/^SELECT pg_advisory|^SELECT 1 FROM aside.team|FOR UPDATE/, [{ id: IDS.team }]],
]);

/** What the engine was asked, by task. */
const orders: [string, Record<string, unknown>][] = [];
let answer: (name: string, order: Record<string, unknown>, options: Record<string, unknown>) => unknown;
const engine = Object.fromEntries(
  ["voiceLine", "moments", "wordings", "detectSpeech"].map((name) => [
    name,
    async (order: Record<string, unknown>, options: Record<string, unknown>) => {
      orders.push([name, order]);
      return answer(name, order, options);
    },
  ]),
);
let removed: string[] = [];
const parts = {
  database: records,
  engine,
  folders,
  jobs: {
    find: async (teamId: string, id: string) =>
      teamId === IDS.team && id === IDS.job ? { ...job, createdAt: new Date(0) } : null,
  },
  objects: {
    stat: async () => ({ sizeBytes: 10 }),
    borrow: async () => ({ path: "/data/a.wav", release: async () => undefined }),
    remove: async (key: string) => {
      await new Promise((next) => setImmediate(next));
      removed.push(key);
    },
  },
  settings: {
    modelsFolder: null,
    variables: async () => ({ ASIDE_VISION_URL: "off" }),
    limits: async () => ({ concurrent_jobs: 1, job_time_limit_seconds: 3_600 }),
  },
};

const routes: RouteServer = await openRoutes(parts);
afterAll(() => routes.close());
beforeEach(() => {
  orders.length = 0;
  records.statements.length = 0;
  removed = [];
  jobNow = job;
  uploadNow = upload;
});

describe("a line", () => {
  const wave = Buffer.from("RIFF");
  const line = { text: "A door opens.", language: "en-GB" };

  test("is voiced as it was asked for, into the folder of its team, and comes with its digest", async () => {
    answer = () => ({ wave, seconds: 2, rate: 1.1, fits: true });
    const reply = await routes.ask("POST", "voice_line", {
      body: { ...line, seconds: 3, track_gain_db: -2, other: 1 },
    });
    expect(reply.body).toEqual({
      seconds: 2,
      rate: 1.1,
      fits: true,
      audio: wave.toString("base64"),
      sha256: createHash("sha256").update(wave).digest("hex"),
      ignored: ["other"],
    });
    expect(orders).toEqual([
      [
        "voiceLine",
        expect.objectContaining({
          ...line,
          seconds: 3,
          kept: { trackGainDb: -2 },
          narrationFolder: `${folders.narration}/${IDS.team}`,
        }),
      ],
    ]);
  });

  test("that a server elsewhere is paid for is written for the month in which it is asked", async () => {
    const paid = recordsOf([[/./, [{ cost: 0 }]]]);
    const asking = await openRoutes({ ...parts, database: paid });
    answer = async (_name, _order, { ledger }) => {
      const book = ledger as JobLedger; // what the route hands over
      await book.reserve("voice", { cost: 1, ceiling: null, most: 1, price: "stated" });
      return { wave, seconds: 1, rate: 1, fits: true };
    };
    await asking.ask("POST", "voice_line", { body: line });
    const written = paid.statements.find(({ text }) => text.startsWith("INSERT INTO aside.paid_request"));
    expect(written?.values.slice(1, 5)).toEqual([null, IDS.team, "2026-01", "voice"]);
    await asking.close();
  });

  test.each<readonly [() => unknown, number, string | undefined]>([
    [() => null, 400, "nothing_to_say"],
    [() => Promise.reject(new JobFailure("voice_unavailable", "No such voice.")), 400, "voice_unavailable"],
    [() => Promise.reject(new JobFailure("internal_error", "The server is busy.")), 500, undefined],
  ])("that cannot be voiced is refused: %s", async (fails, status, code) => {
    answer = fails;
    const reply = await routes.ask("POST", "voice_line", { body: line });
    expect([reply.status, reply.body.code]).toEqual([status, code]);
  });

  test("of more than a thousand characters, or for a voice that is none, is not asked for", async () => {
    answer = () => ({ wave, seconds: 1, rate: 1, fits: true });
    const of = (more: object) => routes.ask("POST", "voice_line", { body: { ...line, ...more } });
    expect((await of({ text: "x".repeat(1_000) })).status).toBe(200);
    expect((await of({ text: "x".repeat(1_001) })).body).toMatchObject({
      error: "invalid_input",
      code: "line_too_long",
    });
    expect((await of({ voice: "nobody" })).body).toMatchObject({ code: "voice_unavailable" });
    expect(orders.length).toBe(1);
  });

  test("is offered with its limit, and to no plan without sound or without a choice of volume", async () => {
    expect((await routes.ask("GET", "voice_line")).body).toEqual({ status: "available", maximum_characters: 1_000 });
    const without = await openRoutes(parts, { plan: { without: ["generate_audio"] } });
    for (const method of ["GET", "POST"]) {
      const reply = await without.ask(method, "voice_line", method === "POST" ? { body: line } : {});
      expect(reply).toMatchObject({ status: 403, body: { feature: "generate_audio", plan_name: "default" } });
    }
    await without.close();
  });
});

describe("pictures of a job", () => {
  const picture = (at: number) => ({ at, time: at + 0.5, width: 160, height: 90, jpeg: Buffer.from(`p${at}`) });
  const ask = (id: string, body: object = { at: [1, 2] }) => routes.ask("POST", `jobs/${id}/pictures`, { body });

  test("are those of its film, 160 pixels wide, each as it was kept", async () => {
    answer = () => [picture(1), picture(2)];
    expect((await ask(IDS.job)).body.pictures).toEqual(
      [1, 2].map((at) => ({ ...picture(at), jpeg: picture(at).jpeg.toString("base64") })),
    );
    expect(orders).toEqual([
      ["moments", { mediaFolder: `${folders.programmes}/${IDS.media}`, at: [1, 2], width: 160 }],
    ]);
  });

  test("are gone where none are kept, and of no other team's job", async () => {
    answer = () => null;
    expect(await ask(IDS.job)).toMatchObject({ status: 404, body: { error: "not_found", code: "pictures_gone" } });
    for (const id of [IDS.media, "none"]) expect((await ask(id)).status).toBe(404);
    expect(orders.length).toBe(1);
  });
});

describe("wordings of a moment", () => {
  const asked = { kind: "suggest", start: 1, end: 3, seconds: 2 };
  const ask = (more: object = {}, id: string = IDS.job) =>
    routes.ask("POST", `jobs/${id}/wordings`, { body: { ...asked, ...more } });

  test("are made with the job's own settings and its film, and say which of them fit, to a twentieth of a second", async () => {
    answer = () => ({
      kind: "made",
      model: "m",
      wordings: [
        { text: "a", seconds: 2.05 },
        { text: "b", seconds: 2.06 },
      ],
    });
    const { body } = await ask({ before: ["x"], after: ["y"], notes: "n" });
    expect(body).toEqual({
      model: "m",
      wordings: [
        { text: "a", seconds: 2.05, fits: true },
        { text: "b", seconds: 2.06, fits: false },
      ],
    });
    const { language, instructions, category } = DEFAULT_SETTINGS;
    expect(orders[0]?.[1]).toEqual({
      ...asked,
      text: "",
      before: ["x"],
      after: ["y"],
      notes: "n",
      language,
      instructions,
      category,
      mediaFolder: `${folders.programmes}/${IDS.media}`,
    });
  });

  test("are written into the book of their job, for the month in which they are asked, within the team's month", async () => {
    const paid = recordsOf([
      [/^SELECT .* FROM aside.job (?:j )?WHERE/, () => [job]],
      [/uselessInARow/, [{ requests: 0, inputTokens: 0, outputTokens: 0, cost: 0, uselessInARow: 0 }]],
      [/./, [{ cost: 4 }]],
    ]);
    const asking = await openRoutes({ ...parts, database: paid }, { plan: { cost_per_month: 5 } });
    const reserved: unknown[] = [];
    answer = async (_name, _order, { ledger }) => {
      const book = ledger as JobLedger; // what the route hands over
      for (const cost of [1, 2])
        reserved.push(await book.reserve("model", { cost, ceiling: null, most: 9, price: null }));
      return { kind: "made", model: "m", wordings: [] };
    };
    await asking.ask("POST", `jobs/${IDS.job}/wordings`, { body: asked });
    const written = paid.statements.filter(({ text }) => text.startsWith("INSERT INTO aside.paid_request"));
    expect(written.map(({ values }) => values.slice(1, 5))).toEqual([[IDS.job, IDS.team, "2026-01", "model"]]);
    expect(reserved).toEqual([expect.any(String), expect.objectContaining({})]);
    await asking.close();
  });

  test.each([
    [() => ({ kind: "no-model" }), 400, "no_model"],
    [() => ({ kind: "pictures-gone" }), 404, "pictures_gone"],
    [() => Promise.reject(new JobFailure("content_blocked", "No.")), 400, "content_blocked"],
    [() => Promise.reject(new JobFailure("internal_error", "Busy.")), 500, undefined],
  ] as const)("that cannot be made are refused: %s", async (fails, status, code) => {
    answer = fails;
    const reply = await ask();
    expect([reply.status, reply.body.code]).toEqual([status, code]);
  });

  test("are asked of nobody for a stretch that has no length, a job that is not done, or one that is not there", async () => {
    expect((await ask({ end: 1 })).status).toBe(400);
    jobNow = { ...job, status: "processing" };
    expect((await ask()).body).toMatchObject({ code: "not_finished" });
    expect((await ask({}, IDS.media)).status).toBe(404);
    expect(orders).toEqual([]);
  });

  test("are offered of a job that is there alone, and where a model is set", async () => {
    expect((await routes.ask("GET", `jobs/${IDS.media}/wordings`)).body.error).toBe("not_found");
    expect((await routes.ask("GET", `jobs/${IDS.job}/wordings`)).body).toMatchObject({ code: "no_model" });
  });
});

describe("listening to an upload", () => {
  const named = { media_id: IDS.media, gcs_path: upload.uploadKey };

  test("is offered for programmes as long as the plan takes", async () => {
    const offered = await openRoutes(parts, { plan: { maximum_duration_seconds: 77 } });
    expect((await offered.ask("GET", "listen")).body).toEqual({ status: "available", maximum_duration_seconds: 77 });
    await offered.close();
  });

  test("takes turns: as many as jobs at a time, and the next one when those are over", async () => {
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    answer = async () => {
      begun.resolve();
      await gate.promise;
      throw new Error("not heard");
    };
    const first = routes.ask("POST", "listen", { body: named });
    await begun.promise;
    const second = await routes.ask("POST", "listen", { body: named });
    expect(second).toMatchObject({ status: 429, body: { error: "concurrency_limit_exceeded" } });
    expect(second.headers["retry-after"]).toBe("2");
    gate.resolve();
    expect((await first).status).toBe(500);
    // What failed has given its place back, and its upload is gone.
    expect(removed).toContain(upload.uploadKey);
    expect((await routes.ask("POST", "listen", { body: named })).status).toBe(500);
    expect(orders.length).toBe(2);
  });

  test("ends when it has taken as long as a job may, and no sooner; its upload is gone then, and nobody looks at the clock", async () => {
    const begun = Promise.withResolvers<AbortSignal>();
    answer = (_name, _order, options) =>
      new Promise((_resolve, reject) => {
        const signal = options["signal"] as AbortSignal; // what the route hands over
        signal.addEventListener("abort", () => reject(signal.reason));
        begun.resolve(signal);
      });
    const heard = routes.ask("POST", "listen", { body: named });
    const signal = await begun.promise;
    await routes.clock.pass(3_599_999);
    expect(signal.aborted).toBe(false);
    await routes.clock.pass(1);
    expect([signal.aborted, (await heard).status, removed]).toEqual([true, 500, [upload.uploadKey]]);
    answer = () => Promise.reject(new Error("not heard"));
    await routes.ask("POST", "listen", { body: named });
    expect(routes.clock.sleeping).toBe(0);
  });

  test("is given up: the upload is gone when that is answered", async () => {
    const query = new URLSearchParams(named);
    expect((await routes.ask("DELETE", `listen?${query}`)).body).toEqual({
      status: "success",
      message: "The upload is removed.",
    });
    expect(removed).toContain(upload.uploadKey);
    expect(records.underWay()).toBe(0);
  });

  test("is not for a film of the team, nor under another path than the upload's own", async () => {
    uploadNow = { ...upload, uploadStatus: "completed" };
    expect((await routes.ask("POST", "listen", { body: named })).status).toBe(400);
    uploadNow = { ...upload, arrival: "file" };
    expect((await routes.ask("POST", "listen", { body: named })).status).toBe(400);
    uploadNow = upload;
    expect((await routes.ask("POST", "listen", { body: { ...named, gcs_path: "other" } })).status).toBe(400);
    expect([orders, removed]).toEqual([[], []]);
  });
});

describe("a text that is read", () => {
  const sent = (content: string | Uint8Array, film: object = {}) => ({
    content: Buffer.from(content).toString("base64"),
    filename: "a.srt",
    holds: "dialogue",
    film,
  });
  let files: Record<string, unknown>[] = [];
  let reading: RouteServer;
  beforeAll(async () => {
    const file = async (_team: string, one: Record<string, unknown>) => {
      files.push(one);
      return { format: "srt" };
    };
    const json = async (_team: string, { chunks }: CollectedBytes) => JSON.parse(Buffer.concat(chunks).toString());
    reading = await openRoutes({ ...parts, texts: { file, json } });
  });
  afterAll(() => reading.close());
  beforeEach(() => {
    files = [];
  });

  test("is read with all that is known of its film", async () => {
    const film = {
      duration_seconds: 60,
      frame_rate: "30000/1001",
      start_timecode: "01:00:00;00",
      speech: [
        [1, 2],
        [3, 4],
      ],
    };
    expect((await reading.ask("POST", "read_text", { body: sent("text", film) })).status).toBe(200);
    expect(files[0]).toMatchObject({
      bytes: new Uint8Array(Buffer.from("text")),
      filename: "a.srt",
      reading: {
        holds: "dialogue",
        durationSeconds: 60,
        speech: [
          { start: 1, end: 2 },
          { start: 3, end: 4 },
        ],
        // Drop-frame labels of an hour: 60 × (1800 − 2) + 6 × 2 frames.
        grid: { rate: { numerator: 30_000, denominator: 1_001 }, isDropFrame: true, startFrame: 107_892 },
      },
    });
    await reading.ask("POST", "read_text", { body: sent("text", { frame_rate: "25/1" }) });
    expect(files[1]).toMatchObject({ reading: { grid: { rate: { numerator: 25, denominator: 1 }, startFrame: 0 } } });
  });

  test.each([
    ["no Base64", { ...sent("text"), content: "*" }],
    ["a rate of nothing", sent("text", { frame_rate: "25/0" })],
    ["no rate", sent("text", { frame_rate: "0/1" })],
    ["a label that the rate has not", sent("text", { frame_rate: "25/1", start_timecode: "00:00:00:30" })],
  ])("is not read with %s", async (_name, body) => {
    const reply = await reading.ask("POST", "read_text", { body });
    expect([reply.status, reply.body.error, files]).toEqual([400, "invalid_input", []]);
  });

  test("may have five MiB, and not a byte more", async () => {
    const most = 5 * 1024 * 1024;
    const ask = (bytes: number) => reading.ask("POST", "read_text", { body: sent(new Uint8Array(bytes)) });
    const offered = await reading.ask("GET", "read_text");
    expect(offered.body).toMatchObject({ status: "available", maximum_bytes: most });
    expect([(await ask(1)).status, (await ask(most + 1)).status]).toEqual([200, 400]);
  });
});
