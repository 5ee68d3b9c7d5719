// Kills whatever the service consists of at random while it works, then checks the books.
//   npm run tool -- faults [--kills 200 --seconds 300 --seed 1]
// Two servers and two workers over a real Postgres and an S3-compatible store; servers, workers, jobs' own processes,
// database and store are killed without warning. Ends with 1 when a job was lost, ended twice or never, when an artifact
// belongs to no job or is missing, or when an allocation does not add up. Needs a Postgres server on this machine.
import type { ChildProcess } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { API_KEY_HEADER, PATH_PREFIX } from "../../src/contract/routes.ts";
import { openAdministration } from "../../src/service/admin/open-administration.ts";
import { openPostgresDatabase } from "../../src/service/storage/postgres-database.ts";
import { parseS3Location, S3ObjectStore } from "../../src/service/storage/s3-object-store.ts";
import { SeededRandom } from "../../test/fakes/seeded-random.ts";
import { uniqueClip } from "../../test/service/clips.ts";
import { startPostgres } from "../../test/service/postgres-server.ts";
import { startS3 } from "../../test/service/s3-server.ts";
import { startAside } from "../common/aside.ts";
import { processesNow } from "../common/measure.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "200" },
    seconds: { type: "string", default: "300" },
    seed: { type: "string", default: "1" },
  },
});

/** How long no job may end, once nothing is killed any more, before the rest is taken for stuck. */
const STUCK_MS = 120_000;

/** Clients that upload, ask for jobs, poll and delete. */
const CLIENTS = 3;

/** Writes down every end of a job, so that one that ended twice is noticed. */
const WATCH_ENDS = `
  CREATE TABLE public.job_end (job_id uuid NOT NULL, status text NOT NULL);
  CREATE FUNCTION public.note_end() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO public.job_end VALUES (NEW.id, NEW.status); RETURN NULL; END $$;
  CREATE TRIGGER note_end AFTER UPDATE OF status ON aside.job FOR EACH ROW
    WHEN (OLD.status IS DISTINCT FROM NEW.status AND (NEW.status IN ('done', 'failed') OR OLD.status IN ('done', 'failed')))
    EXECUTE FUNCTION public.note_end();`;

/** One process that is started again whenever it is killed. */
interface Standing {
  child: ChildProcess;
  url: string;
}

const folder = await mkdtemp(join(tmpdir(), "aside-faults-"));
const postgres = await startPostgres();
const s3 = await startS3();
const configuration = { plans: { default: { minutes_per_month: 1_000_000, queued_jobs: 12 } } };
const environment = { DATABASE_URL: postgres.url, ASIDE_STORAGE: s3.storage };
let isOver = false;
let isClosing = false;

const administration = await openAdministration({
  dataFolder: join(folder, "admin"),
  databaseUrl: postgres.url,
  storage: s3.storage,
});
const { key } = await administration.createKey();
await administration.close();
const setup = openPostgresDatabase(postgres.url, () => undefined);
await setup.script(WATCH_ENDS);
await setup.close();

const servers = await Promise.all(
  ["server-1", "server-2"].map((name) => stand(name, "serve", "--no-worker", "--port", "0")),
);
const workers = await Promise.all(["worker-1", "worker-2"].map((name) => stand(name, "worker")));
const accepted = new Set<string>();
const deleted = new Set<string>();
const seeded = new SeededRandom(Number(values.seed));
const random = () => seeded.next();
const clients = Array.from({ length: CLIENTS }, () => client());
const kills = await killForAWhile();
isOver = true;
await Promise.all(clients);
const faults = await checkBooks();
isClosing = true;
const everyone = [...servers, ...workers].map(({ child }) => child);
for (const child of everyone) if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
await s3.close();
await postgres.close();
await rm(folder, { recursive: true, force: true, maxRetries: 5 });
for (const fault of faults) process.stdout.write(`FAULT ${fault}\n`);
process.stdout.write(faults.length === 0 ? "the books are right\n" : "");
process.exit(faults.length === 0 ? 0 : 1);

/** Starts a process of the service, and again whenever it ends before the run is over. */
async function stand(name: string, ...args: string[]): Promise<Standing> {
  const data = join(folder, name);
  await mkdir(data, { recursive: true });
  await writeFile(join(data, "aside.json"), JSON.stringify(configuration));
  const standing: Standing = { child: start(args, data), url: "" };
  const follow = () => {
    const { child } = standing;
    if (child.stdout !== null) {
      createInterface(child.stdout).on("line", (line) => {
        standing.url = /listens on (\S+)/.exec(line)?.[1] ?? standing.url;
      });
    }
    child.once("exit", () => {
      // Where the database is down it cannot start, and is started again, as a supervisor would.
      setTimeout(() => {
        if (isClosing) return;
        standing.child = start(args, data);
        follow();
      }, 500).unref();
    });
  };
  follow();
  return standing;
}

function start(args: readonly string[], data: string): ChildProcess {
  const child = startAside([...args, "--data", data], { environment });
  child.stderr.resume();
  return child;
}

/** Uploads, asks for jobs of each kind, polls and deletes, whatever becomes of the requests. */
async function client(): Promise<void> {
  let mediaId = "";
  while (!isOver) {
    try {
      if (mediaId === "" || random() < 0.1) {
        const form = new FormData();
        form.set("input", JSON.stringify({ type: "file" }));
        form.set("file", new Blob([await uniqueClip()], { type: "video/mp4" }), "clip.mp4");
        const uploaded = await send("POST", "upload_media", form);
        mediaId = uploaded.status === 200 ? String(uploaded.body["media_id"]) : mediaId;
      }
      const kind = random() < 0.5 ? "audio" : "text";
      const generation_config = {
        description_content: "00:00:00.200 A door.",
        ...(kind === "audio" ? { auto_fit: false } : {}),
      };
      const asked = await send("POST", `generate_ad_${kind}`, {
        input: { type: "media_id", media_id: mediaId },
        generation_config,
      });
      if (asked.status === 200) accepted.add(String(asked.body["job_id"]));
      const some = [...accepted][Math.floor(random() * accepted.size)];
      if (some !== undefined && !deleted.has(some)) {
        const polled = await send("GET", `get_results?job_id=${some}`);
        if (polled.body["status"] === "done" && random() < 0.2 && (await send("DELETE", `jobs/${some}`)).status === 200)
          deleted.add(some);
      }
    } catch {
      // The server is down just now; the next request goes to another, or to its successor.
    }
    await sleep(300 + random() * 700);
  }
}

async function send(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const url = servers[Math.floor(random() * servers.length)]?.url ?? "";
  const isForm = body instanceof FormData;
  const reply = await fetch(`${url}${PATH_PREFIX}/${path}`, {
    method,
    signal: AbortSignal.timeout(20_000),
    headers: { [API_KEY_HEADER]: key, ...(isForm || body === undefined ? {} : { "Content-Type": "application/json" }) },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  return { status: reply.status, body: JSON.parse(await reply.text()) };
}

/** Kills something at random until there were enough kills, or the time is over. */
async function killForAWhile(): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const end = performance.now() + Number(values.seconds) * 1000;
  const pauseMs = (Number(values.seconds) * 1000) / Number(values.kills);
  for (let kill = 0; kill < Number(values.kills) && performance.now() < end; kill++) {
    const dice = random();
    const [what, strike] =
      dice < 0.3
        ? (["server", () => strikeOne(servers)] as const)
        : dice < 0.55
          ? (["worker", () => strikeOne(workers)] as const)
          : dice < 0.9
            ? (["job process", strikeJob] as const)
            : dice < 0.95
              ? (["database", () => postgres.crash()] as const)
              : (["store", () => s3.crash()] as const);
    if ((await strike()) !== false) counts.set(what, (counts.get(what) ?? 0) + 1);
    else kill--;
    await sleep(random() * pauseMs);
  }
  return counts;
}

function strikeOne(standing: readonly Standing[]): boolean {
  return standing[Math.floor(random() * standing.length)]?.child.kill("SIGKILL") ?? false;
}

/** Kills a process that a worker runs a job or a verification in; `false` when there is none just now. */
function strikeJob(): boolean {
  const parents = new Set(workers.map(({ child }) => child.pid));
  for (const [pid, { parent }] of processesNow()) {
    try {
      if (parents.has(parent)) return process.kill(pid, "SIGKILL");
    } catch {
      // Gone already.
    }
  }
  return false;
}

/** Waits until everything that was accepted has ended, then compares what is written where. */
async function checkBooks(): Promise<string[]> {
  const found: string[] = [];
  const database = openPostgresDatabase(postgres.url, () => undefined);
  const count = async (statement: string) => (await database.query<{ count: number }>(statement))[0]?.count ?? 0;
  const openJobs = "SELECT count(*)::int AS count FROM aside.job WHERE status IN ('queued', 'processing')";
  const started = performance.now();
  let movedAt = started;
  for (let open = await count(openJobs), last = open; open > 0; open = await count(openJobs)) {
    if (open !== last) movedAt = performance.now();
    if (performance.now() - movedAt > STUCK_MS) break;
    last = open;
    await sleep(1_000);
  }
  const settled = (performance.now() - started) / 1000;
  const expectNone = async (what: string, statement: string) => {
    const number = await count(statement);
    if (number > 0) found.push(`${number} × ${what}`);
  };
  await expectNone("job that never ended", openJobs);
  await expectNone(
    "job that ended not exactly once",
    `SELECT count(*)::int AS count FROM (SELECT j.id FROM aside.job j LEFT JOIN public.job_end e ON e.job_id = j.id
       WHERE j.status IN ('done', 'failed') GROUP BY j.id HAVING count(e.job_id) <> 1) AS odd`,
  );
  await expectNone(
    "done audio job without its artifact",
    `SELECT count(*)::int AS count FROM aside.job j WHERE kind = 'audio' AND status = 'done' AND deleted_at IS NULL
       AND (SELECT count(*) FROM aside.artifact a WHERE a.job_id = j.id AND a.kind = 'audio') <> 1`,
  );
  await expectNone(
    "artifact of a job that is not done",
    `SELECT count(*)::int AS count FROM aside.artifact a JOIN aside.job j ON j.id = a.job_id
       WHERE (j.status <> 'done' AND a.kind <> 'settings') OR j.deleted_at IS NOT NULL`,
  );
  await expectNone(
    "job whose allocation does not fit its end",
    `SELECT count(*)::int AS count FROM aside.job j LEFT JOIN aside.usage u ON u.job_id = j.id
       WHERE u.state IS DISTINCT FROM CASE j.status WHEN 'done' THEN 'spent' ELSE 'released' END`,
  );
  const known = new Set((await database.query<{ id: string }>("SELECT id FROM aside.job")).map(({ id }) => id));
  if (known.size === 0) found.push("no job was ever made: this machine needs more seconds for so many kills");
  const lost = [...accepted].filter((id) => !known.has(id));
  if (lost.length > 0) found.push(`${lost.length} × accepted job that is not in the records`);
  const named = new Set(
    (await database.query<{ key: string }>("SELECT storage_key AS key FROM aside.artifact")).map((row) => row.key),
  );
  const store = new S3ObjectStore(parseS3Location(s3.storage), { uploadSeconds: 60, resultSeconds: 60 }, folder);
  let orphans = 0;
  const stored = new Set<string>();
  for await (const { key: name } of store.list("teams/")) {
    const jobId = /\/jobs\/([^/]+)\//.exec(name)?.[1];
    if (jobId === undefined) continue;
    stored.add(name);
    if (!known.has(jobId)) found.push("an object of no job");
    else if (!named.has(name)) orphans++;
  }
  for (const name of named) if (!stored.has(name)) found.push("an artifact that is not in the store");
  const states = await database.query<{ status: string; error: string | null; count: number }>(
    "SELECT status, error, count(*)::int AS count FROM aside.job GROUP BY status, error ORDER BY 1, 2",
  );
  await database.close();
  const told = states
    .map((row) => `${row.count} ${row.status}${row.error === null ? "" : ` (${row.error})`}`)
    .join(", ");
  const struck = [...kills].map(([what, number]) => `${number} × ${what}`).join(", ");
  const sum = [...kills.values()].reduce((total, number) => total + number, 0);
  process.stdout.write(
    `${sum} kills (${struck}), seed ${values.seed}\n${known.size} jobs made, ${accepted.size} of them answered with 200, ${deleted.size} deleted; settled ${settled.toFixed(0)} s after the last kill: ${told}\n${stored.size} results stored, ${orphans} of them left by runs that were killed, for the sweep\n`,
  );
  return found;
}
