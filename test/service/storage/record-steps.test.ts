import { randomUUID } from "node:crypto";
import { utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PaidPlan } from "../../../src/engine/index.ts";
import { deleteMedia, removeMedia } from "../../../src/service/jobs/remove-media.ts";
import { sweepOrphans } from "../../../src/service/jobs/sweep-orphans.ts";
import type { Database, Queries } from "../../../src/service/storage/database.ts";
import * as jobs from "../../../src/service/storage/job-records.ts";
import * as keys from "../../../src/service/storage/key-records.ts";
import * as media from "../../../src/service/storage/media-records.ts";
import { claimStore } from "../../../src/service/storage/object-store.ts";
import * as texts from "../../../src/service/storage/page-text-records.ts";
import { JobLedger, readCost, readPaid, sweepPaid } from "../../../src/service/storage/paid-requests.ts";
import * as links from "../../../src/service/storage/review-links.ts";
import * as teams from "../../../src/service/storage/team-records.ts";
import { openTestRecords, SlowPorts, type TestRecords } from "../records.ts";

// What each step on the records owes whoever asks for it, whichever table it is about: two teams have the same of everything, and
// what is asked for one of them is done, told of, and done to nobody else.

const PERIOD = "2026-01";
const PLAN: PaidPlan = { cost: 1, ceiling: 9, most: 100, price: { input: 1, output: 1 } };
const LEASE = "5fa6a3d1-6ef1-4f0b-8a63-3fb2a6d4c5b1";
const REQUEST = { endpoint: "/e", key: "one", fingerprint: "asked" };
const PATH = "kept/notes.json";

/** One team's rows. */
interface Rows {
  readonly team: teams.Team;
  readonly ids: readonly string[];
  readonly film: string;
  readonly upload: string;
  readonly verified: string;
  readonly waiting: string;
  readonly running: string;
  readonly done: string;
  readonly paid: string;
  readonly key: keys.CreatedKey;
  readonly logIn: string;
  readonly code: string;
  readonly link: links.CreatedReviewLink;
}

let records: TestRecords;
let own: Rows;
let others: Rows;
/** Asks for every row of every table. */
let everyRow: string;
let rowsBefore: readonly string[];
beforeAll(async () => {
  records = await openTestRecords();
  own = await rowsOf("east");
  others = await rowsOf("west");
  const tables = await records.database.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'aside' ORDER BY 1",
  );
  everyRow = tables.map(({ name }) => `SELECT '${name}' || x::text AS row FROM aside."${name}" x`).join(" UNION ALL ");
  rowsBefore = await rowsOfOthers(records.database);
});
afterAll(() => records.close());

async function rowsOf(name: string): Promise<Rows> {
  const { database } = records;
  const team = await teams.ensureTeam(database, name);
  const mine = async (table: string, id: string) => {
    await database.query(`UPDATE aside.${table} SET team_id = $2 WHERE id = $1`, [id, team.id]);
    return id;
  };
  const film = await mine("media", await records.media());
  const [first, second] = [await records.upload(), await records.upload()];
  const upload = await mine("media", first.id);
  const verified = await mine("media", second.id);
  await media.beginVerification(database, verified);
  const job = async () => {
    const id = await mine("job", await records.job({ mediaId: film }));
    await database.query("UPDATE aside.usage SET team_id = $2 WHERE job_id = $1", [id, team.id]);
    return id;
  };
  const [waiting, running, done] = [await job(), await job(), await job()];
  await jobs.beginRun(database, running, LEASE);
  await jobs.beginRun(database, done, LEASE);
  const report = {} as never;
  await jobs.finishJob(database, done, LEASE, {
    text: { content: name, report },
    artifacts: [artifact(done, "audio")],
  });
  const ledger = ledgerOf(database, { team, running });
  const paid = String(await ledger.reserve("model", PLAN));
  await teams.noteAnswered(
    database,
    { ...REQUEST, teamId: team.id },
    { jobId: done, mediaId: film, mediaStatus: null },
  );
  await texts.keepPageText(database, team.id, PATH, name);
  const key = await keys.createKey(database, { team: name, name: "of a panel" });
  const logIn = await keys.createLogInLink(database, name);
  const code = await keys.createPairingCode(database, name);
  const link = await links.createReviewLink(database, { team: name, film: done, days: 1 });
  if (link === null) throw new Error("no link");
  const ids = [team.id, film, upload, verified, waiting, running, done];
  return { team, ids, film, upload, verified, waiting, running, done, paid, key, logIn, code, link };
}

function artifact(jobId: string, kind: "audio" | "worksheet"): jobs.ArtifactRecord {
  return { kind, storageKey: `${jobId}/${kind}`, contentType: "a/b", sizeBytes: 7, contentHash: "" };
}

function ledgerOf(database: Database, { team, running }: Pick<Rows, "team" | "running">): JobLedger {
  return new JobLedger(database, {
    jobId: running,
    teamId: team.id,
    period: () => PERIOD,
    costPerMonth: async () => 1.5,
  });
}

const facts = (contentHash: string) => ({ contentHash, sizeBytes: 1, durationSeconds: 1, frameRate: 25 });
const newJob = ({ team, film }: Rows): jobs.NewJob => {
  const settings = {} as jobs.NewJob["settings"];
  const asked = { kind: "text", origin: "api", settings, track: "mixed", resolution: "source" } as const;
  return { id: randomUUID(), teamId: team.id, mediaId: film, ...asked };
};

/** What is asked, and what is answered where that can tell whose rows were looked at. */
type Step = readonly [name: string, (database: Database, rows: Rows) => Promise<unknown>, answer?: unknown];

const STEPS: readonly Step[] = [
  ["ensureTeam", (all, { team }) => teams.ensureTeam(all, team.name)],
  ["lockTeam", (all, { team }) => teams.lockTeam(all, team.id)],
  ["findTeam", (all, { team }) => teams.findTeam(all, team.id), { name: "east" }],
  ["readUsage", (all, { team }) => teams.readUsage(all, team.id, PERIOD), { spentMinutes: 1, reservedMinutes: 2 }],
  ["findAnswered", (all, { team }) => teams.findAnswered(all, { ...REQUEST, teamId: team.id }), {}],
  [
    "findAnswered, another key",
    (all, { team }) => teams.findAnswered(all, { ...REQUEST, teamId: team.id, key: "2" }),
    null,
  ],
  [
    "noteAnswered",
    (all, { team, done, film }) =>
      teams.noteAnswered(all, { ...REQUEST, teamId: team.id }, { jobId: done, mediaId: film, mediaStatus: null }),
  ],
  ["insertJob", (all, rows) => jobs.insertJob(all, newJob(rows))],
  ["findJobs", (all, { done, running }) => jobs.findJobs(all, [done, running]), { length: 2 }],
  ["getJob", (all, { done }) => jobs.getJob(all, done), { status: "done" }],
  ["countOpenJobs", (all, { team }) => jobs.countOpenJobs(all, team.id), 2],
  ["beginRun", (all, { waiting }) => jobs.beginRun(all, waiting, randomUUID()), { status: "processing" }],
  ["holdsJob", (all, { running }) => jobs.holdsJob(all, running, LEASE), true],
  ["holdsJob that waits", (all, { waiting }) => jobs.holdsJob(all, waiting, LEASE), false],
  ["holdsJob by another run", (all, { running }) => jobs.holdsJob(all, running, randomUUID()), false],
  [
    "noteProgress",
    (all, { running }) => jobs.noteProgress(all, running, LEASE, { stage: "any", fraction: 0.5 } as never),
  ],
  ["giveBackJob", (all, { running }) => jobs.giveBackJob(all, running, LEASE, "attempt"), { status: "queued" }],
  [
    "finishJob",
    (all, { running }) =>
      jobs.finishJob(all, running, LEASE, {
        text: null,
        artifacts: [artifact(running, "audio"), artifact(running, "worksheet")],
      }),
    true,
  ],
  [
    "failJob",
    (all, { running }) => jobs.failJob(all, running, LEASE, { code: "job_failed" as never, message: "" }),
    true,
  ],
  ["cancelJob", (all, { running }) => jobs.cancelJob(all, running), true],
  ["releaseJob", (all, { done }) => jobs.releaseJob(all, done)],
  ["isJobHeld", (all, { running }) => jobs.isJobHeld(all, running), true],
  ["isJobHeld that waits", (all, { waiting }) => jobs.isJobHeld(all, waiting), false],
  ["insertArtifact", (all, { running }) => jobs.insertArtifact(all, running, artifact(running, "audio"))],
  ["listResults", (all, { done }) => jobs.listResults(all, done), { length: 1 }],
  ["listResults of none", (all, { waiting }) => jobs.listResults(all, waiting), { length: 0 }],
  ["artifactSize", (all, { done }) => jobs.artifactSize(all, `${done}/audio`), 7],
  ["artifactSize of none", (all, { done }) => jobs.artifactSize(all, `${done}/none`), null],
  ["deleteJob", (all, { team, done }) => jobs.deleteJob(all, team.id, done), { length: 1 }],
  ["deleteJob of others", (all, { team }) => jobs.deleteJob(all, team.id, others.done), null],
  ["purgeArtifacts", (all) => jobs.purgeArtifacts(all, 1), { jobs: 0, keys: [] }],
  ["findMedia", (all, { team, film }) => media.findMedia(all, team.id, film), {}],
  ["findMedia of others", (all, { team }) => media.findMedia(all, team.id, others.film), null],
  ["getMedia", (all, { film }) => media.getMedia(all, film), { uploadStatus: "completed" }],
  ["findMediaByUploadKey", (all) => media.findMediaByUploadKey(all, "none"), null],
  ["findMediaByContent", (all, { team, film }) => media.findMediaByContent(all, team.id, film), {}],
  ["findMediaByContent of others", (all, { team }) => media.findMediaByContent(all, team.id, others.film), null],
  ["touchMedia", (all, { film }) => media.touchMedia(all, film), true],
  [
    "insertPendingMedia",
    (all, { team }) =>
      media.insertPendingMedia(all, {
        id: randomUUID(),
        teamId: team.id,
        fileName: null,
        contentType: null,
        uploadKey: "k",
      }),
  ],
  [
    "insertReadyMedia, known already",
    (all, { team, film }) => {
      const again = { id: randomUUID(), teamId: team.id, arrival: "file", fileName: null, storageKey: "k" } as const;
      return media.insertReadyMedia(all, again, facts(film));
    },
    {},
  ],
  ["beginVerification", (all, { upload }) => media.beginVerification(all, upload), true],
  ["holdPendingUpload", (all, { upload }) => media.holdPendingUpload(all, upload), true],
  ["noteStoredBytes", (all, { upload }) => media.noteStoredBytes(all, upload, { sizeBytes: 1, contentHash: "x" })],
  [
    "completeVerification",
    async (all, { verified, film }) => {
      const record = await media.getMedia(all, verified);
      return record && media.completeVerification(all, record, facts(film), "k");
    },
    {},
  ],
  ["failVerification", (all, { upload }) => media.failVerification(all, upload, { code: "not_found", message: "" })],
  ["forgetUpload", (all, { upload }) => media.forgetUpload(all, upload), true],
  ["forgetUpload under way", (all, { verified }) => media.forgetUpload(all, verified), false],
  ["createKey", (all, { team }) => keys.createKey(all, { team: team.name, name: "any" }), { team: "east" }],
  ["revokeKey", (all, { key }) => keys.revokeKey(all, key.id), true],
  ["findHolderByKey", (all, { key }) => keys.findHolderByKey(all, key.key), { name: "east", role: "program" }],
  ["createPairingCode", (all, { team }) => keys.createPairingCode(all, team.name)],
  ["takePairingCode", (all, { code }) => keys.takePairingCode(all, code), { team: "east" }],
  ["createLogInLink", (all, { team }) => keys.createLogInLink(all, team.name)],
  ["takeLogInLink", (all, { logIn }) => keys.takeLogInLink(all, logIn), { team: "east", isAdministrator: true }],
  [
    "createReviewLink",
    (all, { team, done }) => links.createReviewLink(all, { team: team.name, film: done, days: 1 }),
    {},
  ],
  [
    "createReviewLink of others",
    (all, { team }) => links.createReviewLink(all, { team: team.name, film: others.done, days: 1 }),
    null,
  ],
  ["revokeReviewLink", (all, { link }) => links.revokeReviewLink(all, link.id), true],
  ["findReviewer", (all, { link }) => links.findReviewer(all, link.token), { name: "east", role: "reviewer" }],
  ["findPageText", (all, { team }) => texts.findPageText(all, team.id, PATH), "east"],
  ["listPageTexts", (all, { team }) => texts.listPageTexts(all, team.id), [PATH]],
  ["keepPageText", (all, { team }) => texts.keepPageText(all, team.id, PATH, "new")],
  ["removePageText", (all, { team }) => texts.removePageText(all, team.id, PATH)],
  ["reserve", (all, rows) => ledgerOf(all, rows).reserve("voice", null)],
  ["reserve, a month's limit", (all, rows) => ledgerOf(all, rows).reserve("model", PLAN), { why: "ceiling" }],
  ["reserve, priced", (all, rows) => ledgerOf(all, rows).reserve("voice", { ...PLAN, cost: 0.5 })],
  ["settle", (all, rows) => ledgerOf(all, rows).settle(rows.paid, { status: 200, tokens: null, cost: 1 })],
  ["judge", (all, rows) => ledgerOf(all, rows).judge(rows.paid, true)],
  ["readPaid", (all, { running }) => readPaid(all, running), { requests: 1, cost: 1 }],
  ["readCost", (all, { team }) => readCost(all, team.id, PERIOD), 1],
  ["readCost of another month", (all, { team }) => readCost(all, team.id, "2026-02"), 0],
  ["sweepPaid", (all) => sweepPaid(all), 0],
];

class Undone extends Error {}

/**
 * Does work on the records and takes it back. Each statement takes its time to be answered, and one may fail.
 *
 * @param failing - Which statement fails, counted from 0.
 */
async function tried<T>(
  work: (database: Database) => Promise<T>,
  {
    failing = -1,
    look = async () => undefined,
  }: { failing?: number; look?: (queries: Queries) => Promise<unknown> } = {},
): Promise<{ answer: T | null; error: unknown; asked: number; stillOpen: number; seen: unknown }> {
  const found = {
    answer: null as T | null,
    error: null as unknown,
    asked: 0,
    stillOpen: 0,
    seen: undefined as unknown,
  };
  const ports = new SlowPorts();
  ports.failing = failing;
  const undone = records.database.transaction(async (queries) => {
    const slow = ports.wrap(queries);
    const database: Database = { ...records.database, query: slow.query, transaction: (inner) => inner(slow) };
    try {
      found.answer = await work(database);
    } catch (error) {
      found.error = error;
    }
    found.asked = ports.asked;
    found.stillOpen = ports.underWay;
    found.seen = await look(queries);
    throw new Undone();
  });
  await undone.catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error;
  });
  return found;
}

/** Every row of others, of whichever table. */
async function rowsOfOthers(queries: Queries): Promise<string[]> {
  const rows = await queries.query<{ row: string }>(everyRow);
  return rows
    .map(({ row }) => row)
    .filter((row) => others.ids.some((id) => row.includes(id)))
    .sort();
}

test.each(STEPS.map(([name, step, answer]) => ({ name, step, answer })))(
  "$name is over when it says so, says what it found, leaves what is others' as it was, and says so where any of it fails",
  async ({ step, answer }) => {
    const done = await tried((database) => step(database, own), { look: rowsOfOthers });
    expect([done.error, done.stillOpen]).toEqual([null, 0]);
    if (typeof answer === "object" && answer !== null) expect(done.answer).toMatchObject(answer);
    else if (answer !== undefined) expect(done.answer).toBe(answer);
    expect(done.seen).toEqual(rowsBefore);
    for (const id of others.ids) expect(JSON.stringify(done.answer) ?? "").not.toContain(id);
    expect(done.asked).toBeGreaterThan(0);
    for (let failing = 0; failing < done.asked; failing++) {
      const failed = await tried((database) => step(database, own), { failing });
      expect(failed.error, `statement ${failing + 1} of ${done.asked}`).toMatchObject({ message: "it fails" });
    }
  },
);

/** Media of the first team whose only job is over. */
async function idleFilm(): Promise<string> {
  const id = await records.media();
  await records.database.query("UPDATE aside.media SET team_id = $2 WHERE id = $1", [id, own.team.id]);
  return id;
}

test("a film goes with its bytes, whatever others' jobs work on meanwhile, and stays while a job of its own does", async () => {
  const { database } = records;
  const [one, other] = [await idleFilm(), await idleFilm()];
  await expect(deleteMedia(records, own.team.id, own.film)).rejects.toMatchObject({ code: "job_not_deletable" });
  expect((await records.stored()).join()).toContain(own.film);
  await deleteMedia(records, own.team.id, one);
  expect(await removeMedia(records, "m.id = $1", [other])).toBe(1);
  for (const id of [one, other]) expect(await media.findMedia(database, own.team.id, id)).toBeNull();
  const stored = (await records.stored()).join();
  expect([stored.includes(one), stored.includes(other), stored.includes(own.film)]).toEqual([false, false, true]);
});

test("an upload goes from both places that its bytes may be in, and nothing that belongs to another media does", async () => {
  const { id, key } = await records.upload();
  const { database, objects, folders } = records;
  const bytes = join(folders.incoming, "bytes");
  await writeFile(bytes, "x");
  const verifiedKey = `teams/${records.team.id}/media/${id}/source.mp4`;
  for (const one of [key, verifiedKey]) await objects.put(one, bytes, "video/mp4");
  await database.query("UPDATE aside.media SET storage_key = $2 WHERE id = $1", [id, verifiedKey]);
  const before = (await records.stored()).filter((one) => !one.includes(id));
  expect(await removeMedia(records, "m.id = $1", [id])).toBe(1);
  expect(await records.stored()).toEqual(before);
});

test("every link and every key is listed, whosever it is", async () => {
  const { database } = records;
  expect((await links.listReviewLinks(database)).map(({ id }) => id)).toEqual([own.link.id, others.link.id]);
  expect((await keys.listKeys(database)).map(({ id }) => id)).toEqual([own.key.id, others.key.id]);
});

test("a link goes on with what its own team's page has of the result, never with another team's", async () => {
  const made = await tried(async (all) => {
    const job = newJob(own);
    await jobs.insertJob(all, job);
    await jobs.beginRun(all, job.id, LEASE);
    await jobs.finishJob(all, job.id, LEASE, { text: null, artifacts: [] });
    const entry = JSON.stringify({ value: { jobId: job.id } });
    const open = async () => {
      const link = await links.createReviewLink(all, { team: own.team.name, film: job.id, days: 1 });
      const holder = link === null ? null : await links.findReviewer(all, link.token);
      await all.query("DELETE FROM aside.review_link WHERE job_id = $1", [job.id]);
      return holder?.review?.runId;
    };
    await texts.keepPageText(all, others.team.id, "kept/results/theirs.job.json", entry);
    const first = await open();
    // One that only names the job comes before the one that is the job's.
    await texts.keepPageText(all, own.team.id, "kept/results/ours.job.json", entry);
    const naming = JSON.stringify({ value: { jobId: "other", voices: job.id } });
    await texts.keepPageText(all, own.team.id, "kept/results/naming.job.json", naming);
    return [first === "theirs", await open()];
  });
  expect([made.error, made.answer]).toEqual([null, [false, "ours"]]);
});

test("objects that nobody needs go from a store of these records alone, and no note of them is left", async () => {
  const { database, objects, folders } = records;
  await claimStore(objects, database, { workFolder: folders.work });
  const bytes = join(folders.incoming, "stray");
  await writeFile(bytes, "x");
  const stray = `teams/${records.team.id}/media/${randomUUID()}/source.mp4`;
  const put = async () => {
    await objects.put(stray, bytes, "video/mp4");
    const old = new Date(Date.now() - 25 * 3_600_000);
    await utimes(objects.pathOf(stray), old, old);
  };
  await put();
  const sweepWith = async (holdDays: number | null, failing = -1) => {
    const [ports, store] = [new SlowPorts(), new SlowPorts()];
    ports.failing = failing;
    const slow = { database: ports.wrap(database), objects: store.wrap(objects), holdDays };
    const outcome = await sweepOrphans(slow).catch((error: Error) => error.message);
    expect([ports.underWay, store.underWay]).toEqual([0, 0]);
    return { outcome, asked: ports.asked };
  };
  const notes = async () => (await database.query("SELECT key FROM aside.unknown_object")).length;
  expect([(await sweepWith(null)).outcome, await notes()]).toEqual([0, 1]);
  await database.query("UPDATE aside.secret SET value = 'another' WHERE name = 'identity'");
  expect((await sweepWith(0)).outcome).toMatch(/other records/);
  expect(await objects.stat(stray)).not.toBeNull();
  await claimStore(objects, database, { workFolder: folders.work, adopts: true });
  const { outcome, asked } = await sweepWith(0);
  expect([outcome, await objects.stat(stray), await notes()]).toEqual([1, null, 0]);
  expect(asked).toBeGreaterThan(5);
  // Whatever fails on the way fails the sweep.
  for (let failing = 0; failing < asked; failing++) {
    await put();
    expect([failing, (await sweepWith(0, failing)).outcome]).toEqual([failing, "it fails"]);
  }
});

test("secrets are of 256 bits, names of four bytes, and ends stand as far off as they are said to", async () => {
  const { database } = records;
  expect(own.link.token).toMatch(/^review_[\w-]{43}$/);
  expect(own.link.id).toMatch(/^review_[0-9a-f]{8}$/);
  expect(own.key.key).toMatch(/^aside_[\w-]{43}$/);
  expect(own.key.id).toMatch(/^key_[0-9a-f]{8}$/);
  expect(own.logIn).toMatch(/^[\w-]{43}$/);
  // Within a transaction the clock of the records stands.
  const lives = await tried(async (all) => {
    const [logIn, session] = [await keys.createLogInLink(all, "east"), await keys.takeLogInLink(all, own.logIn)];
    const seconds = "extract(epoch FROM expires_at - now())::float8 AS seconds";
    const [first] = await all.query(`SELECT ${seconds} FROM aside.log_in_link WHERE hash = $1`, [keys.keyHash(logIn)]);
    const [second] = await all.query(`SELECT ${seconds} FROM aside.api_key WHERE id = $1`, [session?.id]);
    return [first?.["seconds"], second?.["seconds"]];
  });
  expect(lives.answer).toEqual([300, 43_200]);
  const request = { ...REQUEST, teamId: own.team.id };
  for (const [age, isKnown] of [
    [86_399.5, true],
    [86_400.5, false],
  ] as const) {
    await database.query(
      "UPDATE aside.answered_request SET created_at = now() - make_interval(secs => $2) WHERE team_id = $1",
      [own.team.id, age],
    );
    expect((await teams.findAnswered(database, request)) !== null).toBe(isKnown);
  }
});
