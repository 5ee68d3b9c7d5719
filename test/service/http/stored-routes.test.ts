import { mkdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { configurationFrom } from "../../../src/service/configuration.ts";
import { OFFER_HEADER, OfferedFiles } from "../../../src/service/ingest/offered-files.ts";
import { Endings } from "../../../src/service/jobs/endings.ts";
import { dataFolders } from "../../../src/service/storage/data-folders.ts";
import { DiskObjectStore, type LinkGrant, LinkSigner } from "../../../src/service/storage/disk-object-store.ts";
import { smallDisk } from "../../fakes/disk-room.ts";
import { SetClock, turns } from "../../fakes/set-clock.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { recordsOf } from "../written-records.ts";
import { IDS, openRoutes } from "./route-server.ts";

// What is stored and acknowledged, route by route: uploads, results, their removal, and the storage behind signed links.

const dataFolder = await temporaryFolder();
const folders = dataFolders(dataFolder);
const clock = new SetClock();
const nowSeconds = clock.now() / 1000;
const signer = new LinkSigner("any");
const disk = new DiskObjectStore(folders.objects, signer, { uploadSeconds: 60, resultSeconds: 60 }, clock);
await mkdir(folders.incoming, { recursive: true });

const key = `teams/t/uploads/${IDS.media}/source.mp4`;
const upload = {
  id: IDS.media,
  teamId: IDS.team,
  arrival: "signed_url",
  fileName: "a.mp4",
  contentType: "video/mp4",
  storageKey: key,
  uploadKey: key,
  uploadStatus: "pending_upload",
  canonicalId: null,
  contentHash: null,
  sizeBytes: null,
  durationSeconds: null,
  frameRate: null,
  failureCode: null,
  failureMessage: null,
};
let uploadNow: typeof upload | (Omit<typeof upload, "canonicalId"> & { canonicalId: string | null });
let artifactBytes: number | null = null;
let deletable: object[] = [];
let forgotten: object[] = [];
const job = {
  id: IDS.job,
  teamId: IDS.team,
  mediaId: IDS.media,
  kind: "text",
  status: "done",
  format: "vtt",
  content: "WEBVTT",
  track: "mixed",
  report: null,
  stage: null,
  fraction: null,
  startedAt: null,
  createdAt: new Date("2025-12-31T23:59:00Z"),
  updatedAt: new Date("2025-12-31T23:59:30Z"),
  error: null,
  message: null,
  cost: null,
};
let jobNow: Record<string, unknown>;
let results: object[] = [];
const records = recordsOf([
  [
    /^SELECT id, team_id .* FROM aside.media WHERE id = \$1 AND team_id = \$2/,
    ([id, team]) => (id === IDS.media && team === IDS.team ? [uploadNow] : []),
  ],
  [/^SELECT id, team_id .* FROM aside.media WHERE id = \$1/, () => [uploadNow]],
  [/FROM aside.media WHERE upload_key = \$1/, ([asked]) => (asked === key ? [uploadNow] : [])],
  [/^SELECT .* FROM aside.media/, () => [{ ok: true }]],
  [
    /^SELECT size_bytes AS "sizeBytes" FROM aside.artifact/,
    () => (artifactBytes === null ? [] : [{ sizeBytes: artifactBytes }]),
  ],
  [/^UPDATE aside.media m SET removed_at/, () => forgotten],
  [/^UPDATE aside.media SET upload_status = 'processing'/, () => [{ id: IDS.media }]],
  [/^(?:UPDATE|INSERT INTO) aside.media/, [{ id: IDS.media }]],
  [/^UPDATE aside.job SET deleted_at/, () => deletable],
  [/^DELETE FROM aside.artifact/, [{ storageKey: "r/one" }, { storageKey: "r/two" }]],
  [/^SELECT kind, storage_key/, () => results],
  [/^SELECT .*FROM aside.artifact/, () => results],
  [/aside.team/, [{ id: IDS.team, name: "north" }]],
  [/^SELECT 1 FROM aside.job/, []],
]);

const queued: [string, string, boolean][] = [];
const woken: string[] = [];
let adding = 0;
const removed: string[] = [];
let removing = 0;
const parts = {
  database: records,
  folders,
  signer,
  offers: new OfferedFiles(),
  jobs: { find: async (teamId: string, id: string) => (teamId === IDS.team && id === IDS.job ? jobNow : null) },
  queue: {
    add: async (_queries: object, name: string, id: string) => {
      adding++;
      await new Promise((next) => setImmediate(next));
      adding--;
      queued.push([name, id, records.isInTransaction()]);
    },
    wake: (name: string) => woken.push(name),
  },
  settings: { modelsFolder: null, limits: async (configuration: object) => configuration },
};
const objects = {
  stat: (asked: string) => disk.stat(asked),
  uploadLink: async (path: string, contentType: string, base: string) => ({ url: `${base}/${path}?${contentType}` }),
  downloadLink: async (path: string, as: { fileName: string }) => `${path}#${as.fileName}`,
  remove: async (one: string) => {
    removing++;
    await new Promise((next) => setImmediate(next));
    removing--;
    removed.push(one);
  },
};
const routes = await openRoutes({ ...parts, objects }, { configuration: { dataFolder }, clock });
const storage = await openRoutes(
  { ...parts, objects: disk, disk },
  { configuration: { dataFolder }, clock, plan: { maximum_file_bytes: 100 } },
);

beforeEach(() => {
  records.statements.length = 0;
  queued.length = 0;
  woken.length = 0;
  removed.length = 0;
  artifactBytes = null;
  deletable = [];
  results = [];
  uploadNow = upload;
  jobNow = job;
});

/** Lays an object into the store. */
async function lay(storageKey: string, bytes: string): Promise<void> {
  const path = join(folders.incoming, "laid");
  await writeFile(path, bytes);
  await disk.put(storageKey, path, "video/mp4");
}

describe("an upload by a signed address", () => {
  const ask = (input: object) =>
    routes.ask("POST", "upload_media", { body: { input: { type: "signed_url", ...input } } });

  test("is noted before its address is given, and the address is its own", async () => {
    uploadNow = { ...upload, storageKey: "other", contentType: "video/quicktime" };
    const { body } = await ask({ filename: "a.mov", content_type: "video/quicktime" });
    expect(body).toMatchObject({
      media_id: IDS.media,
      status: "pending_upload",
      gcs_path: key,
      content_type: "video/quicktime",
      upload_url: `http://localhost:80/${key}?video/quicktime`,
    });
    const [noted, read] = records.statements;
    expect([noted?.text.startsWith("INSERT INTO aside.media"), read?.text.startsWith("SELECT")]).toEqual([true, true]);
    expect(noted?.values.slice(1, 4)).toEqual([IDS.team, "a.mov", "video/quicktime"]);
    expect(records.underWay()).toBe(0);
  });

  test.each(["video", "video/mp4; a", "video/mp4\u00e9", "a/b/c"])("has no content type %j", async (content_type) => {
    expect((await ask({ content_type })).status).toBe(400);
    expect(records.statements).toEqual([]);
  });
});

describe("the word that an upload is there", () => {
  const notify = (gcs_path = key) =>
    routes.ask("POST", "notify_upload_complete", { body: { media_id: IDS.media, gcs_path } });

  test("sends it into verification, in one transaction, before it is answered", async () => {
    await lay(key, "bytes");
    expect((await notify()).body).toEqual({ status: "accepted", media_id: IDS.media });
    expect([queued, woken, adding]).toEqual([[["verify-upload", IDS.media, true]], ["verify-upload"], 0]);
    await disk.remove(key);
  });

  test("is refused without bytes, under another path, and for what was refused for good", async () => {
    expect((await notify()).status).toBe(400);
    expect((await notify("other")).status).toBe(400);
    uploadNow = { ...upload, uploadStatus: "failed" };
    expect((await notify()).body).toMatchObject({ code: "upload_failed", upload_status: "failed" });
    expect(queued).toEqual([]);
  });

  test("changes nothing once it is there, or past it", async () => {
    for (const uploadStatus of ["processing", "completed"]) {
      uploadNow = { ...upload, uploadStatus };
      expect((await notify()).body.status).toBe("accepted");
    }
    expect([queued, woken]).toEqual([[], []]);
  });
});

describe("what became of an upload", () => {
  const status = async () => {
    const query = new URLSearchParams({ media_id: IDS.media, gcs_path: key });
    return (await routes.ask("GET", `get_upload_status?${query}`)).body;
  };

  test("is told by what stands in its record", async () => {
    expect(await status()).toMatchObject({ upload_status: "pending_upload", canonical_media_id: null });
    uploadNow = { ...upload, uploadStatus: "processing" };
    expect(await status()).toMatchObject({ upload_status: "processing", canonical_media_id: null, retry_after: 1 });
    uploadNow = { ...upload, uploadStatus: "completed" };
    const whole = await status();
    expect([whole.canonical_media_id, "retry_after" in whole, "error" in whole]).toEqual([IDS.media, false, false]);
    uploadNow = { ...upload, uploadStatus: "completed", canonicalId: "first" };
    expect((await status()).canonical_media_id).toBe("first");
  });

  test("is not told to another team, nor by another id", async () => {
    const other = await openRoutes({ ...parts, objects }, { team: IDS.job });
    const query = new URLSearchParams({ media_id: IDS.media, gcs_path: key });
    expect((await other.ask("GET", `get_upload_status?${query}`)).status).toBe(404);
    await other.close();
  });
});

describe("a job", () => {
  const poll = () => routes.ask("GET", `get_results?job_id=${IDS.job}`);

  test("that is done is told with its text and a link for each of its files, by their names", async () => {
    results = ["audio", "video", "worksheet"].map((kind) => ({ kind, storageKey: `r/${kind}`, contentType: "x/y" }));
    expect((await poll()).body).toEqual({
      job_id: IDS.job,
      media_id: IDS.media,
      status: "done",
      created_at: "2025-12-31T23:59:00.000Z",
      updated_at: "2025-12-31T23:59:30.000Z",
      audio_signed_url: "r/audio#mixed.wav",
      video_signed_url: "r/video#described.mp4",
      worksheet_signed_url: "r/worksheet#worksheet.html",
      output: { format: "vtt", content: "WEBVTT" },
    });
    jobNow = { ...job, track: "ad_only" };
    expect((await poll()).body.audio_signed_url).toBe("r/audio#narration.wav");
  });

  test("that goes on says how far it is, and when to ask again by the time it took", async () => {
    jobNow = { ...job, status: "queued" };
    // A minute old: 3 % of it.
    expect((await poll()).body).toMatchObject({ status: "queued", retry_after: 2 });
    jobNow = {
      ...job,
      status: "processing",
      stage: "voice",
      fraction: 0.5,
      startedAt: new Date(clock.now() - 200_000),
    };
    expect((await poll()).body).toMatchObject({
      status: "processing",
      progress: { stage: "voice", fraction: 0.5 },
      retry_after: 6,
    });
  });

  describe("that goes on, asked by who prefers to wait,", () => {
    const endings = new Endings();
    const holding = openRoutes({ ...parts, objects, endings }, { configuration: { dataFolder }, clock });
    afterAll(async () => (await holding).close());
    afterEach(() => {
      vi.useRealTimers();
    });

    /** Asks, and tells at each moment what has been answered. */
    async function ask(prefer: string, ageSeconds: number) {
      const server = await holding;
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      jobNow = { ...job, status: "queued", createdAt: new Date(clock.now() - 1000 * ageSeconds) };
      let answer: Awaited<ReturnType<typeof server.ask>> | null = null;
      const headers = { prefer };
      const answered = server.ask("GET", `get_results?job_id=${IDS.job}`, { headers }).then((reply) => {
        answer = reply;
        return reply;
      });
      await turns(20);
      return { answered, isHeld: () => answer === null };
    }
    const pass = async (milliseconds: number) => {
      await vi.advanceTimersByTimeAsync(milliseconds);
      await turns(20);
    };

    test.each([
      ["wait=10", 3_600, 10_000],
      ["respond-async, wait=100", 3_600, 15_000],
      ["wait=10", 200, 6_000],
      ["wait=10", 0, 1_000],
    ])("%s, %i s old, is answered after %i ms, not before", async (prefer, ageSeconds, heldMs) => {
      const { answered, isHeld } = await ask(prefer, ageSeconds);
      await pass(heldMs - 1);
      expect(isHeld()).toBe(true);
      await pass(1);
      const { body, headers } = await answered;
      expect([body.status, headers["preference-applied"]]).toEqual(["queued", /wait=\d+/.exec(prefer)?.[0]]);
    });

    test("is answered at its end, as it is then", async () => {
      const { answered, isHeld } = await ask("wait=10", 3_600);
      endings.tell(IDS.media);
      await turns(20);
      expect(isHeld()).toBe(true);
      jobNow = { ...jobNow, status: "done" };
      endings.tell(IDS.job);
      expect((await answered).body.status).toBe("done");
    });
  });

  test("that failed says why; one that was cancelled says where it stood", async () => {
    jobNow = { ...job, status: "failed", error: "content_blocked", message: "No.", stage: "voice", fraction: 0.5 };
    const failed = (await poll()).body;
    expect([failed.error, failed.message, "progress" in failed]).toEqual(["content_blocked", "No.", false]);
    jobNow = { ...jobNow, error: "cancelled" };
    expect((await poll()).body.progress).toEqual({ stage: "voice", fraction: 0.5 });
  });

  test("is deleted with each of its files before that is answered, in a transaction of its team alone", async () => {
    deletable = [{ id: IDS.job }];
    const reply = await routes.ask("DELETE", `jobs/${IDS.job}`);
    expect(reply.body.status).toBe("success");
    expect([removed, removing]).toEqual([["r/one", "r/two"], 0]);
    const [hidden, forgotten] = records.statements;
    expect([hidden?.values, hidden?.isInside, forgotten?.isInside]).toEqual([[IDS.job, IDS.team], true, true]);
  });

  test.each([
    ["failed", /has failed/],
    ["done", /not created through the API/],
    ["queued", /still in progress/],
  ])("that is %s and cannot be deleted says why, and nothing is removed", async (status, sentence) => {
    jobNow = { ...job, status };
    const reply = await routes.ask("DELETE", `jobs/${IDS.job}`);
    expect(reply.body).toMatchObject({ error: "job_not_deletable", message: expect.stringMatching(sentence) });
    expect(removed).toEqual([]);
  });

  test("of nobody, or under no id, is not there", async () => {
    for (const id of [IDS.media, "none"]) {
      expect((await routes.ask("GET", `get_results?job_id=${id}`)).status).toBeGreaterThanOrEqual(400);
      expect((await routes.ask("DELETE", `jobs/${id}`)).status).toBe(404);
    }
    expect((await routes.ask("DELETE", "media/none")).status).toBe(404);
    expect(records.statements).toEqual([]);
  });
});

test("a film is deleted with all that is stored of it before that is answered, in one transaction", async () => {
  forgotten = [
    { id: IDS.media, storageKey: "m/one", uploadKey: "u/one" },
    { id: IDS.job, storageKey: "m/two", uploadKey: "m/two" },
  ];
  const reply = await routes.ask("DELETE", `media/${IDS.media}`);
  expect(reply.body).toEqual({ status: "success", message: `Media ${IDS.media} was deleted.` });
  expect([removed, removing]).toEqual([["m/one", "u/one", "m/two"], 0]);
  expect(records.statements.map(({ isInside }) => isInside)).not.toContain(false);
  expect(records.statements.at(-1)?.values).toEqual([IDS.media]);
});

describe("the storage behind signed links", () => {
  const expires = nowSeconds + 60;
  const link = (grant: Partial<LinkGrant>) => {
    const whole = { key, contentType: "video/mp4", fileName: "", expires, purpose: "put", ...grant } as const;
    const { pathname, search } = new URL(signer.sign(whole, "http://x"));
    return `${pathname}${search}`;
  };
  const put = (url: string, bytes: string | undefined, headers: Record<string, string> = {}) =>
    storage.ask("PUT", url, { as: null, body: bytes, headers: { "content-type": "video/mp4", ...headers } });
  const codeOf = (text: string) => /<Code>(\w+)<\/Code>/.exec(text)?.[1];

  test("takes a whole upload, and gives it back in whole and in part", async () => {
    const taken = await put(link({}), "0123456789");
    expect([taken.status, taken.text, taken.headers["etag"]]).toEqual([
      200,
      "",
      expect.stringMatching(/^"[0-9a-f]{64}"$/),
    ]);
    const get = (range?: string) =>
      storage.ask("GET", link({ purpose: "get", fileName: 'a "b".mp4' }), {
        as: null,
        headers: range === undefined ? {} : { range },
      });
    const whole = await get();
    expect([whole.status, whole.text, whole.headers["content-length"]]).toEqual([200, "0123456789", "10"]);
    expect(whole.headers["content-disposition"]).toBe('attachment; filename="a _b_.mp4"');
    expect(whole.headers["content-type"]).toBe("video/mp4");
    for (const [range, status, text, told] of [
      ["bytes=2-4", 206, "234", "bytes 2-4/10"],
      ["bytes=7-", 206, "789", "bytes 7-9/10"],
      ["bytes=-3", 206, "789", "bytes 7-9/10"],
      ["bytes=-30", 206, "0123456789", "bytes 0-9/10"],
      ["bytes=8-30", 206, "89", "bytes 8-9/10"],
      ["bytes=0-0", 206, "0", "bytes 0-0/10"],
      ["bytes=10-", 416, "", "bytes */10"],
      ["bytes=-0", 416, "", "bytes */10"],
      ["bytes=4-2", 200, "0123456789", undefined],
      ["bytes=-", 200, "0123456789", undefined],
      ["bytes=0-1,3-4", 200, "0123456789", undefined],
      ["lines=0-1", 200, "0123456789", undefined],
    ] as const) {
      const part = await get(range);
      expect([range, part.status, part.text, part.headers["content-range"]]).toEqual([range, status, text, told]);
    }
    artifactBytes = 11;
    const damaged = await get();
    expect([damaged.status, codeOf(damaged.text)]).toEqual([500, "InternalError"]);
    artifactBytes = 10;
    expect((await get()).status).toBe(200);
    expect(storage.logged.some((line) => line.includes("storage request failed"))).toBe(true);
    await disk.remove(key);
    expect(codeOf((await get()).text)).toBe("NoSuchKey");
  });

  test.each(["text/plain", "application/json", "multipart/form-data; boundary=x"])(
    "takes the bytes of an upload as they are, though they are called %s",
    async (contentType) => {
      const reply = await put(link({ contentType }), '{"a": 1}', { "content-type": contentType });
      expect([reply.status, (await disk.stat(key))?.sizeBytes]).toEqual([200, 8]);
      await disk.remove(key);
    },
  );

  test("takes an upload in slices, told each time how much is there", async () => {
    const url = link({ purpose: "resume" });
    const slice = (range: string, bytes?: string) => put(url, bytes ?? "", { "content-range": range });
    const first = await slice("bytes 0-3/10", "0123");
    expect([first.status, first.headers["range"]]).toEqual([308, "bytes=0-3"]);
    const asked = await slice("bytes */10");
    expect([asked.status, asked.headers["range"]]).toEqual([308, "bytes=0-3"]);
    expect((await slice("bytes 4-9/10", "456789")).status).toBe(200);
    expect(await (await disk.borrow(key, new AbortController().signal)).path).toBe(disk.pathOf(key));
    await disk.remove(key);
  });

  test.each([
    ["another secret", link({}).replace(/signature=../, "signature=xx"), {}, 403, "SignatureDoesNotMatch"],
    ["another content type", link({}), { "content-type": "video/quicktime" }, 403, "SignatureDoesNotMatch"],
    ["a link to get", link({ purpose: "get" }), {}, 403, "SignatureDoesNotMatch"],
    ["a link that has ended", link({ expires: nowSeconds }), {}, 403, "ExpiredToken"],
    ["a link that ends in a second", link({ expires: nowSeconds + 1 }), {}, 200, undefined],
    ["an upload that is not there", link({ key: "teams/t/none" }), {}, 404, "NoSuchKey"],
    ["a slice that states other bytes", link({}), { "content-range": "bytes 0-5/10" }, 400, "InvalidArgument"],
    ["a range without sense", link({ purpose: "resume" }), { "content-range": "bytes 5-2/10" }, 400, "InvalidArgument"],
    [
      "a range past its total",
      link({ purpose: "resume" }),
      { "content-range": "bytes 8-11/10" },
      400,
      "InvalidArgument",
    ],
  ] as const)("answers %s", async (_name, url, headers, status, code) => {
    const reply = await put(url, "0123", headers);
    expect([reply.status, codeOf(reply.text)]).toEqual([status, code]);
    if (code !== undefined) expect(reply.headers["content-type"]).toBe("application/xml");
    await disk.remove(key);
  });

  test("takes no more than the plan allows, and nothing once verification has begun", async () => {
    const small = configurationFrom({ plans: { default: { maximum_file_bytes: 4 } } }, dataFolder);
    const limited = await openRoutes(
      { ...parts, objects: disk, disk, settings: { modelsFolder: null, limits: async () => small } },
      { configuration: { dataFolder }, clock },
    );
    const send = (bytes: string) =>
      limited.ask("PUT", link({}), { as: null, body: bytes, headers: { "content-type": "video/mp4" } });
    expect(codeOf((await send("01234")).text)).toBe("EntityTooLarge");
    expect((await send("0123")).status).toBe(200);
    await disk.remove(key);
    uploadNow = { ...upload, uploadStatus: "processing" };
    expect([(await send("0")).status, await disk.stat(key)]).toEqual([412, null]);
    await limited.close();
  });

  test("takes a file that its own process offers, once, and lets go of it", async () => {
    const path = join(dataFolder, "offered.mp4");
    await writeFile(path, "offered bytes");
    let read = 0;
    const offer = parts.offers.offer({
      path,
      signal: new AbortController().signal,
      onProgress: (done) => (read = done),
    });
    expect((await put(link({}), undefined, { [OFFER_HEADER]: offer })).status).toBe(200);
    expect([read, (await disk.stat(key))?.sizeBytes]).toEqual([13, 13]);
    await disk.remove(key);
    // The word is used up: what comes with it now is the body, which is empty.
    await put(link({}), "", { [OFFER_HEADER]: offer });
    expect((await disk.stat(key))?.sizeBytes ?? 0).toBe(0);
    await disk.remove(key);
  });

  test.each([
    ["grew past what is allowed", { most: 4, grown: 10 }, "EntityTooLarge"],
    ["found no room for all of it", { most: 64 * 1024 * 1024, grown: 20 * 1024 * 1024 }, "InsufficientStorage"],
  ])("lets go of an offered file that %s while it was read", async (_name, { most, grown }, code) => {
    const path = join(dataFolder, "offered.mp4");
    await writeFile(path, "x");
    const room = smallDisk(Number.MAX_SAFE_INTEGER);
    const streams: Readable[] = [];
    const offers = new OfferedFiles();
    const take = async (word: string) => {
      const taken = await offers.take(word);
      if (taken !== null) streams.push(taken.stream);
      // Somebody is writing to it, and to the disk.
      await truncate(path, grown);
      return taken;
    };
    const onProgress = () => {
      room.free = 0;
    };
    const offer = offers.offer({ path, signal: new AbortController().signal, onProgress });
    const limits = configurationFrom({ plans: { default: { maximum_file_bytes: most } } }, dataFolder);
    const taking = await openRoutes(
      { ...parts, offers: { take }, objects: disk, disk, settings: { modelsFolder: null, limits: async () => limits } },
      { configuration: { dataFolder }, clock },
    );
    const headers = { "content-type": "video/mp4", [OFFER_HEADER]: offer };
    const reply = await taking.ask("PUT", link({}), { as: null, headers });
    expect([codeOf(reply.text), streams.map(({ destroyed }) => destroyed)]).toEqual([code, [true]]);
    await taking.close();
  });

  test("takes nothing where nobody knows whether there is room", async () => {
    const lost = await openRoutes(
      { ...parts, objects: disk, disk },
      { configuration: { dataFolder: `${dataFolder}/none` }, clock },
    );
    const reply = await lost.ask("PUT", link({}), { as: null, body: "0123", headers: { "content-type": "video/mp4" } });
    expect([reply.status, codeOf(reply.text), await disk.stat(key)]).toEqual([500, "InternalError", null]);
    await lost.close();
  });
});
