// Cuts the power of the embedded service's disk while it works, and starts the service on each disk as it was left.
//   npm run tool -- power-cuts [--cuts 100 --seed 1]
// The disk is a file with ext4 in it, mounted through a loop device: what the service has not synced is in the memory of the
// kernel alone, and a copy of the file is a disk after the cut. Needs root on Linux. Ends with 1 when something is missing
// that had been answered.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { SeededRandom } from "../../test/fakes/seeded-random.ts";
import { uniqueClip } from "../../test/service/clips.ts";
import { descends, processesNow } from "../common/measure.ts";
import { multipartOf, type Served, serve } from "../common/served.ts";

const { values } = parseArgs({
  options: { cuts: { type: "string", default: "100" }, seed: { type: "string", default: "1" } },
});

/** What a client was told, and what must be true after a power cut therefore. */
interface Acknowledged {
  /** SHA-256 of the bytes by media, in hex. */
  readonly media: Map<string, string>;
  /** Media that are verified in the background. */
  readonly notified: Set<string>;
  readonly jobs: Set<string>;
}

/** What clients go by. */
interface Course {
  isOver: boolean;
  isPaused: boolean;
}

/** A disk as a power cut would leave it, and what had been answered by then. */
interface Cut {
  readonly image: string;
  /** `null` where the cut came before the first start was over. */
  readonly key: string | null;
  readonly told: Acknowledged;
}

const DISK_MEGABYTES = 512;

/** Cuts of one disk in work, before another one begins empty. */
const CUTS_OF_A_DISK = 10;

/** Clients that upload and ask for jobs. */
const CLIENTS = 3;

/** How long the jobs of an image may take to end. */
const JOBS_TIME_LIMIT_MS = 90_000;

/** What is described by: a script that stands in its job's row, and one that is an object beside it. */
const SCRIPTS = {
  short: "00:00:00.200 A door.",
  long: `WEBVTT\n\nNOTE ${"x".repeat(100_000)}\n\n00:00.200 --> 00:01.000\nA door.\n`,
};

const CONFIGURATION = { plans: { default: { queued_jobs: 1_000 } } };

const folder = await mkdtemp("/dev/shm/aside-power-");
const seeded = new SeededRandom(Number(values.seed));
const random = () => seeded.next();
const faults: string[] = [];
const sums = { media: 0, jobs: 0 };
let done = 0;
try {
  while (done < Number(values.cuts)) {
    const planned = Math.min(CUTS_OF_A_DISK, Number(values.cuts) - done);
    for await (const cut of cutsOfOneDisk(folder, planned)) {
      done++;
      sums.media += cut.told.media.size;
      sums.jobs += cut.told.jobs.size;
      const found = await examine(folder, cut);
      faults.push(...found.map((fault) => `cut ${done}: ${fault}`));
      const state = found.length === 0 ? "whole" : found.join("; ");
      process.stdout.write(`cut ${done}: ${cut.told.media.size} uploads, ${cut.told.jobs.size} jobs: ${state}\n`);
      rmSync(cut.image);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const fault of faults) process.stdout.write(`FAULT ${fault}\n`);
process.stdout.write(
  `${done} power cuts, after which ${sums.media} acknowledged uploads and ${sums.jobs} accepted jobs were looked for: ${faults.length} faults\n`,
);
process.exit(faults.length === 0 ? 0 : 1);

/** Works on an empty disk; the first cut falls into the first start, the others where they may. */
async function* cutsOfOneDisk(folder: string, cuts: number): AsyncGenerator<Cut> {
  const disk = join(folder, "disk.img");
  execFileSync("/usr/bin/truncate", ["--size", `${DISK_MEGABYTES}M`, disk]);
  execFileSync("/sbin/mkfs.ext4", ["-q", "-F", disk]);
  const mounted = mount(disk, join(folder, "disk"));
  const told: Acknowledged = { media: new Map(), notified: new Set(), jobs: new Set() };
  const course: Course = { isOver: false, isPaused: false };
  let served: Served | null = null;
  try {
    const data = join(mounted, "data");
    mkdirSync(data);
    execFileSync("/bin/sync", ["-f", data]);
    const starting = serve(CONFIGURATION, { folder: data });
    starting.catch(() => undefined);
    await sleep(300 + random() * 3_000);
    yield await copyOf(disk, folder, null, told, [process.pid]);
    served = await starting;
    const { key, process: child } = served;
    const clients = Array.from({ length: CLIENTS }, () => work(served as Served, told, random, course));
    for (let cut = 1; cut < cuts; cut++) {
      await sleep(200 + random() * 2_500);
      const copy = await copyOf(disk, folder, key, told, familyOf(child.pid ?? 0));
      // What is asked for while the copy is looked at would only make the next one longer to look at.
      course.isPaused = true;
      yield copy;
      course.isPaused = false;
    }
    course.isOver = true;
    await Promise.all(clients);
  } finally {
    course.isOver = true;
    await served?.close();
    unmount(mounted);
    rmSync(disk, { force: true });
  }
}

/** The disk as it is without what only memory holds, while nobody writes. */
async function copyOf(
  disk: string,
  folder: string,
  key: string | null,
  { media, notified, jobs }: Acknowledged,
  writers: readonly number[],
): Promise<Cut> {
  const told = { media: new Map(media), notified: new Set(notified), jobs: new Set(jobs) };
  const image = join(folder, "image.img");
  const others = writers.filter((pid) => pid !== process.pid);
  for (const pid of others) signal(pid, "SIGSTOP");
  try {
    // The kernel may write on by itself: a copy counts when a second one is the same.
    const copy = () => {
      execFileSync("/bin/cp", ["--sparse=always", disk, image]);
      return isSame(disk, image);
    };
    for (let tries = 0; !copy(); tries++) if (tries > 20) throw new Error("the disk never rests");
  } finally {
    for (const pid of others) signal(pid, "SIGCONT");
  }
  return { image, key, told };
}

function isSame(a: string, b: string): boolean {
  try {
    execFileSync("/usr/bin/cmp", ["-s", a, b]);
    return true;
  } catch {
    return false;
  }
}

/** Uploads in both ways and asks for jobs; notes what was answered with 200, and only that. */
async function work(served: Served, told: Acknowledged, random: () => number, course: Course): Promise<void> {
  while (!course.isOver) {
    await sleep(random() * 400);
    if (course.isPaused) continue;
    const clip = await uniqueClip();
    const hash = createHash("sha256").update(clip).digest("hex");
    const mediaId = random() < 0.5 ? await uploadDirectly(served, clip) : await uploadSigned(served, clip, told, hash);
    if (mediaId !== null) {
      told.media.set(mediaId, hash);
      const asked = await served.send("POST", "generate_ad_text", {
        input: { type: "media_id", media_id: mediaId },
        generation_config: { description_content: SCRIPTS[random() < 0.5 ? "short" : "long"] },
      });
      if (asked.status === 200) told.jobs.add(JSON.parse(asked.text).job_id);
    }
  }
}

async function uploadDirectly(served: Served, clip: Uint8Array): Promise<string | null> {
  const { body, type } = multipartOf(clip);
  const reply = await served.send("POST", "upload_media", body, { "Content-Type": type });
  return reply.status === 200 ? JSON.parse(reply.text).media_id : null;
}

async function uploadSigned(
  served: Served,
  clip: Uint8Array,
  told: Acknowledged,
  hash: string,
): Promise<string | null> {
  const asked = await served.send("POST", "upload_media", {
    input: { type: "signed_url", filename: "clip.mp4", content_type: "video/mp4" },
  });
  if (asked.status !== 200) return null;
  const { media_id: mediaId, upload_url: url, gcs_path: path } = JSON.parse(asked.text);
  const { pathname, search } = new URL(url);
  const sent = await served.raw("PUT", pathname + search, clip, { "Content-Type": "video/mp4" });
  if (sent.status !== 200) return null;
  told.media.set(mediaId, hash);
  const notified = await served.send("POST", "notify_upload_complete", { media_id: mediaId, gcs_path: path });
  if (notified.status === 200) told.notified.add(mediaId);
  return null;
}

/** Starts the service on a disk as a cut left it, and looks for all that had been answered. */
async function examine(folder: string, { image, key, told }: Cut): Promise<string[]> {
  const faults: string[] = [];
  let mounted: string;
  try {
    mounted = mount(image, join(folder, "image"));
  } catch (error) {
    return [`the disk cannot be mounted: ${error}`];
  }
  let served: Served | null = null;
  try {
    const data = join(mounted, "data");
    startComputerAnew(data);
    // A cut can come after the first key was written and before anybody was told it.
    served = await serve(CONFIGURATION, { folder: data, key: key ?? "" }).catch((error: unknown) => {
      faults.push(`unusable folder: ${error}`);
      return null;
    });
    if (served === null) return faults;
    for (const [id, hash] of told.media) {
      const stored = globSync(`objects/teams/*/{media,uploads}/${id}/*`, { cwd: data })[0];
      if (stored === undefined) faults.push(`lost upload ${id}`);
      else if (hashOf(join(data, stored)) !== hash) faults.push(`other bytes in upload ${id}`);
    }
    for (const id of told.jobs) {
      const end = await endOf(served, id);
      if (end !== "done") faults.push(`job ${id}: ${end}`);
    }
    for (const id of told.notified) {
      const reply = await served.send("POST", "generate_ad_text", {
        input: { type: "media_id", media_id: id },
        generation_config: { description_content: SCRIPTS[random() < 0.5 ? "short" : "long"] },
      });
      const isKnown = reply.status === 200 || JSON.parse(reply.text).code === "upload_not_ready";
      if (!isKnown) faults.push(`notified upload ${id}: ${reply.status} ${reply.text.slice(0, 200)}`);
    }
  } finally {
    await served?.close();
    unmount(mounted);
  }
  return faults;
}

/** The service tells a power cut by the start of the computer, and this one goes on. */
function startComputerAnew(data: string): void {
  const path = join(data, "service.json");
  if (existsSync(path)) writeFileSync(path, readFileSync(path, "utf8").replace(/"boot":"[^"]*"/, '"boot":"another"'));
}

/** How a job ended, once it has. */
async function endOf(served: Served, id: string): Promise<string> {
  const end = performance.now() + JOBS_TIME_LIMIT_MS;
  while (performance.now() < end) {
    const reply = await served.send("GET", `get_results?job_id=${id}`);
    if (reply.status !== 200) return `${reply.status} ${reply.text.slice(0, 200)}`;
    const { status } = JSON.parse(reply.text);
    if (status === "done" || status === "failed") return status;
    await sleep(100);
  }
  return "not ended";
}

function hashOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

function mount(image: string, at: string): string {
  mkdirSync(at, { recursive: true });
  execFileSync("/bin/mount", ["-o", "loop", image, at]);
  return at;
}

function unmount(at: string): void {
  execFileSync("/bin/umount", [at]);
}

/** A process with all that it has started. */
function familyOf(pid: number): number[] {
  const processes = processesNow();
  return [pid, ...[...processes.keys()].filter((id) => id !== pid && descends(id, pid, processes))];
}

function signal(pid: number, name: "SIGSTOP" | "SIGCONT"): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone already.
  }
}
