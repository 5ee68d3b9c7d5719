import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Database, type Queries, RecordsAwayError } from "../../../src/service/storage/database.ts";
import * as jobs from "../../../src/service/storage/job-records.ts";
import * as keys from "../../../src/service/storage/key-records.ts";
import * as media from "../../../src/service/storage/media-records.ts";
import { migrate } from "../../../src/service/storage/migrations.ts";
import { claimStore, type ObjectStore } from "../../../src/service/storage/object-store.ts";
import * as texts from "../../../src/service/storage/page-text-records.ts";
import { JobLedger, sweepPaid } from "../../../src/service/storage/paid-requests.ts";
import { ensureSecret } from "../../../src/service/storage/private-file.ts";
import * as links from "../../../src/service/storage/review-links.ts";
import * as teams from "../../../src/service/storage/team-records.ts";
import { turns } from "../../fakes/set-clock.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { recordsOf } from "../written-records.ts";

// What stands in the records is said by `record-steps.test.ts`, over a Postgres. Here is what needs none: each step waits for what it
// writes, one statement after the other, and says how many, how long and in which order.

afterEach(() => {
  vi.useRealTimers();
});

const ROW = {
  expiresAt: new Date(0),
  id: "x",
  count: 1,
  is: true,
  version: 0,
  value: "own",
  cost: 0,
  createdAt: new Date(0),
  team: "north",
  hash: "00",
};
const artifact = (kind: "audio" | "video"): jobs.ArtifactRecord => ({
  kind,
  storageKey: kind,
  contentType: "a/b",
  sizeBytes: 1,
  contentHash: "h",
});
const KEYED = { teamId: "t", endpoint: "/e", key: "k", fingerprint: "f" };
const facts = { contentHash: "h", sizeBytes: 1, durationSeconds: 1, frameRate: 25 };
const upload = { id: "m", teamId: "t", fileName: null, contentType: null, uploadKey: "u" };
const ledger = (queries: Queries, jobId: string | null = "j", most: number | null = 10) =>
  new JobLedger(queries as Database, { jobId, teamId: "t", period: () => "2026-01", costPerMonth: async () => most });
const PLAN = { cost: 1, ceiling: 100, most: 9, price: { input: 1, output: 1 } } as const;

/** Steps that write, each over records whose every answer takes its time. */
const STEPS: readonly (readonly [string, (records: ReturnType<typeof recordsOf>) => Promise<unknown>])[] = [
  ["progress of a job", (q) => jobs.noteProgress(q, "j", "l", { stage: "voice", fraction: 0.5 })],
  [
    "a job that is done",
    (q) => jobs.finishJob(q, "j", "l", { text: null, artifacts: [artifact("audio"), artifact("video")] }),
  ],
  ["a job that failed", (q) => jobs.failJob(q, "j", "l", { code: "internal_error", message: "m" })],
  ["a job that is cancelled", (q) => jobs.cancelJob(q, "j")],
  ["a job that is let go of", (q) => jobs.releaseJob(q, "j")],
  ["a file of a job", (q) => jobs.insertArtifact(q, "j", artifact("audio"))],
  ["a job that is deleted", (q) => jobs.deleteJob(q, "t", "j")],
  ["a key", (q) => keys.createKey(q, { team: "north", name: "n" })],
  ["a pairing code", (q) => keys.createPairingCode(q as unknown as Database, "north")],
  ["a wrong pairing code", (q) => keys.takePairingCode(q as unknown as Database, "123456")],
  ["a log-in link", (q) => keys.createLogInLink(q, "north")],
  ["a log-in link that is taken", (q) => keys.takeLogInLink(q, "token")],
  ["an upload that is awaited", (q) => media.insertPendingMedia(q, upload)],
  ["bytes of an upload", (q) => media.noteStoredBytes(q, "m", { sizeBytes: 1, contentHash: null })],
  ["an upload that was verified", (q) => media.completeVerification(q, upload as never, facts, "s")],
  ["an upload that was refused", (q) => media.failVerification(q, "m", { code: "invalid_input", message: "m" })],
  ["a text of the page", (q) => texts.keepPageText(q, "t", "p", "c")],
  ["a text that goes", (q) => texts.removePageText(q, "t", "p")],
  ["what is reserved", (q) => ledger(q).reserve("model", PLAN)],
  ["what was spent", (q) => ledger(q).settle("e", { status: 200, tokens: { input: 1, output: 1 }, cost: 1 })],
  ["what was of use", (q) => ledger(q).judge("e", true)],
  ["rows that are swept", (q) => sweepPaid(q)],
  [
    "a link for a review",
    (q) => links.createReviewLink(q as unknown as Database, { team: "north", film: "f", days: 1 }),
  ],
  ["a team", (q) => teams.ensureTeam(q, "north")],
  ["a lock of a team", (q) => teams.lockTeam(q, "t")],
  ["minutes of a job", (q) => teams.reserveMinutes(q, { jobId: "j", teamId: "t", period: "2026-01", minutes: 1 })],
  [
    "a request that was answered",
    (q) => teams.noteAnswered(q, KEYED, { jobId: null, mediaId: "m", mediaStatus: "created" }),
  ],
  ["a secret", (q) => ensureSecret(q, "links")],
];

describe("a step in the records", () => {
  test.each(STEPS)("waits for what it writes, and begins nothing meanwhile: %s", async (_name, step) => {
    const records = recordsOf([[/./, [ROW]]]);
    await step(records);
    expect(records.underWay()).toBe(0);
    expect(records.statements.length).toBeGreaterThan(0);
    expect(records.statements.filter(({ isHasty }) => isHasty)).toEqual([]);
  });

  test("of a job whose lease is lost, or that is over, changes nothing else", async () => {
    const records = recordsOf([[/./, []]]);
    expect(await jobs.finishJob(records, "j", "l", { text: null, artifacts: [artifact("audio")] })).toBe(false);
    expect(await jobs.failJob(records, "j", "l", { code: "internal_error", message: "m" })).toBe(false);
    expect(await jobs.cancelJob(records, "j")).toBe(false);
    expect(records.statements.length).toBe(3);
  });
});

describe("what is said of all, of each", () => {
  test("files of a job that is done are noted, every one", async () => {
    const records = recordsOf([[/./, [ROW]]]);
    await jobs.finishJob(records, "j", "l", { text: null, artifacts: [artifact("audio"), artifact("video")] });
    expect(records.statements.map(({ values }) => values[2])).toEqual([null, "audio", "video", undefined]);
  });

  test("files of a job that is deleted are given for removal, every one", async () => {
    const records = recordsOf([
      [/^DELETE FROM aside.artifact/, [{ storageKey: "a" }, { storageKey: "b" }]],
      [/./, [ROW]],
    ]);
    expect(await jobs.deleteJob(records, "t", "j")).toEqual(["a", "b"]);
    expect(records.statements.map(({ values }) => values)).toEqual([["j", "t"], ["j"]]);
  });

  test("a wrong code counts against each that is open; the right one is found wherever it stands", async () => {
    const right = keys.keyHash("123456");
    const records = (hashes: readonly string[]) =>
      recordsOf([
        [/^SELECT c.hash/, hashes.map((hash) => ({ hash, team: "north" }))],
        [/./, [ROW]],
      ]);
    const wrong = records(["a", "b"]);
    expect(await keys.takePairingCode(wrong as unknown as Database, "123456")).toBeNull();
    expect(wrong.statements[1]?.values).toEqual([["a", "b"]]);
    const found = records(["a", right]);
    expect(await keys.takePairingCode(found as unknown as Database, "123456")).toMatchObject({ team: "north" });
    expect(found.statements[1]).toMatchObject({
      text: "DELETE FROM aside.pairing_code WHERE hash = $1",
      values: [right],
    });
  });

  test("texts and keys are listed, every one", async () => {
    const rows = ["a", "b"].map((path) => ({ ...ROW, id: path, path, revokedAt: null }));
    const records = recordsOf([[/./, rows]]);
    expect(await texts.listPageTexts(records, "t")).toEqual(["a", "b"]);
    expect((await keys.listKeys(records)).map(({ id }) => id)).toEqual(["a", "b"]);
  });
});

describe("how long and how many", () => {
  test("a log-in link lasts five minutes, what comes of it twelve hours, a pairing code's tries are five", async () => {
    const records = recordsOf([[/./, [ROW]]]);
    await keys.createLogInLink(records, "north");
    expect(records.statements.at(-1)?.values[2]).toBe(300);
    await keys.takeLogInLink(records, "token");
    expect(records.statements.at(-1)?.values[6]).toBe(12 * 3_600);
    await keys.createPairingCode(records as unknown as Database, "north");
    expect(records.statements.at(-1)?.values.slice(2)).toEqual([5, 300]);
  });

  test("a code is looked for twenty times where each is taken", async () => {
    const records = recordsOf([
      [/^INSERT INTO aside.pairing_code/, []],
      [/./, [ROW]],
    ]);
    await expect(keys.createPairingCode(records as unknown as Database, "north")).rejects.toThrow("no code is free");
    expect(records.statements.filter(({ text }) => text.startsWith("INSERT INTO aside.pairing_code")).length).toBe(20);
  });

  test("keys, links and secrets are 256 random bits, their names four bytes", async () => {
    const records = recordsOf([[/./, [ROW]]]);
    const { id, key } = await keys.createKey(records, { team: "north", name: "n" });
    expect([id, Buffer.from(key.replace(/^aside_/, ""), "base64url").length]).toEqual([
      expect.stringMatching(/^key_[0-9a-f]{8}$/),
      32,
    ]);
    expect(Buffer.from(await keys.createLogInLink(records, "north"), "base64url").length).toBe(32);
    await ensureSecret(records, "links");
    const [name, value] = records.statements.at(-2)?.values ?? [];
    expect([name, value]).toEqual(["links", expect.stringMatching(/^[0-9a-f]{64}$/)]);
  });

  test("a key of a request is known for a day, and rows of the book for 62 at least", async () => {
    const records = recordsOf([[/./, [ROW]]]);
    await teams.findAnswered(records, KEYED);
    expect(records.statements.at(-1)?.values).toEqual(["t", "/e", "k", 86_400]);
    await sweepPaid(records);
    expect(records.statements.at(-1)?.values).toEqual([62]);
  });
});

describe("the book of what is paid for", () => {
  test.each([
    [null, false],
    [199, true],
    [200, false],
    [299, false],
    [300, true],
    [500, true],
  ])("charges a request that ended with %s, unless it was refused (%s)", async (status, isRefused) => {
    const records = recordsOf([[/./, [ROW]]]);
    await ledger(records).settle("e", { status, tokens: null, cost: 3 } as never);
    expect(records.statements[0]?.values.slice(4)).toEqual([isRefused ? 0 : 3, !isRefused]);
  });

  test("refuses what would go beyond the month, to the cent, and says both sums", async () => {
    const month = (spent: number) =>
      recordsOf([
        [/period = \$2/, [{ cost: spent }]],
        [/./, [{ ...ROW, requests: 0, uselessInARow: 0 }]],
      ]);
    expect(await ledger(month(9)).reserve("model", PLAN)).toEqual(expect.any(String));
    expect(await ledger(month(9.01)).reserve("model", PLAN)).toMatchObject({
      why: "ceiling",
      message: expect.stringContaining("10 a month, and 9.0100 are spent"),
    });
    const asked = month(0);
    await ledger(asked, null).reserve("voice", PLAN);
    const [lock, spent, written] = asked.statements;
    expect([lock?.text, spent?.values, written?.values.slice(1, 5)]).toEqual([
      expect.stringContaining("FOR UPDATE"),
      ["t", "2026-01"],
      [null, "t", "2026-01", "voice"],
    ]);
  });

  test("waits half a second while the records are away, and asks again", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let asked = 0;
    const query = async () => {
      asked++;
      if (asked === 1) throw new RecordsAwayError("away");
      return [];
    };
    const settling = ledger({ query } as Queries).judge("e", true);
    await vi.advanceTimersByTimeAsync(499);
    expect(asked).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    await settling;
    expect(asked).toBe(2);
  });
});

describe("the shape of the records", () => {
  test("is brought up step by step, every statement of each, under a lock that all who start share", async () => {
    const records = recordsOf([
      [/^SELECT max\(version\)/, [{ version: 1 }]],
      [/./, []],
    ]);
    const locks: number[] = [];
    const database = {
      ...records,
      exclusively: async (lock: number, work: () => Promise<unknown>) => {
        locks.push(lock);
        await work();
      },
    } as unknown as Database;
    const migrations = [1, 2, 3].map((version) => ({ version, statements: [`A ${version}`, `B ${version}`] }));
    await migrate(database, migrations);
    expect(locks).toEqual([7_268_301]);
    expect(records.underWay()).toBe(0);
    expect(records.statements.every(({ isInside, isHasty }) => isInside && !isHasty)).toBe(true);
    expect(records.statements.slice(3).map(({ text, values }) => (values.length === 0 ? text : values[0]))).toEqual([
      "A 2",
      "B 2",
      2,
      "A 3",
      "B 3",
      3,
    ]);
    await expect(migrate(database, [])).rejects.toMatchObject({ code: "records_too_new" });
  });
});

describe("a store", () => {
  /** A store that takes its time. */
  function storeOf(identity: string | null, objectKeys: readonly string[] = []) {
    let own = identity;
    const state = { released: 0, underWay: 0 };
    const objects = {
      stat: async () => (own === null ? null : { sizeBytes: 3 }),
      async borrow() {
        const path = join(await temporaryFolder(), "own");
        await writeFile(path, own ?? "");
        return {
          path,
          release: async () => {
            state.underWay++;
            await turns(2);
            state.underWay--;
            state.released++;
          },
        };
      },
      async put(_key: string, path: string) {
        await turns(2);
        own = await readFile(path, "utf8");
      },
      async *list() {
        for (const key of objectKeys) yield { key };
      },
    };
    return { objects: objects as unknown as ObjectStore, own: () => own, state };
  }
  const records = (known: object[]) => {
    const written = recordsOf([
      [/FROM aside.secret/, [{ value: "own" }]],
      [/^SELECT 1 FROM aside.media/, known],
      [/./, []],
    ]);
    const database = { ...written, exclusively: (_lock: number, work: () => unknown) => work() } as unknown as Database;
    return { database, statements: written.statements };
  };

  test("that is free is claimed, and what was made for that is gone", async () => {
    const workFolder = join(await temporaryFolder(), "work");
    const { objects, own, state } = storeOf(null);
    await claimStore(objects, records([]).database, { workFolder });
    expect([own(), await readdir(workFolder), state]).toEqual(["own", [], { released: 1, underWay: 0 }]);
    await claimStore(objects, records([]).database, { workFolder });
    expect(state).toEqual({ released: 2, underWay: 0 });
  });

  test("of other records is refused, by its name or by what it holds, unless it is to be taken over", async () => {
    const workFolder = join(await temporaryFolder(), "work");
    for (const store of [storeOf("other"), storeOf(null, ["teams/a"])]) {
      await expect(claimStore(store.objects, records([]).database, { workFolder })).rejects.toMatchObject({
        code: "store_of_other_records",
      });
      await claimStore(store.objects, records([]).database, { workFolder, adopts: true });
      expect(store.own()).toBe("own");
    }
  });

  test("is free where the records know any of its first hundred objects", async () => {
    const workFolder = join(await temporaryFolder(), "work");
    const all = Array.from({ length: 150 }, (_, index) => `teams/${index}`);
    const { database, statements } = records([{ known: 1 }]);
    await claimStore(storeOf(null, all).objects, database, { workFolder });
    const asked = statements.find(({ text }) => text.startsWith("SELECT 1 FROM aside.media"));
    expect(asked?.values).toEqual([all.slice(0, 100)]);
  });
});
