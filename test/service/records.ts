import { randomUUID } from "node:crypto";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../src/core/ports.ts";
import { DEFAULT_SETTINGS } from "../../src/core/settings.ts";
import type { JobKind } from "../../src/engine/index.ts";
import { layFreshRecords } from "../../src/service/fresh-records.ts";
import { type DataFolders, dataFolders } from "../../src/service/storage/data-folders.ts";
import type { Database } from "../../src/service/storage/database.ts";
import { DiskObjectStore, LinkSigner } from "../../src/service/storage/disk-object-store.ts";
import { getJob, insertJob, type JobRecord } from "../../src/service/storage/job-records.ts";
import { insertPendingMedia, insertReadyMedia } from "../../src/service/storage/media-records.ts";
import { openEmbeddedDatabase } from "../../src/service/storage/pglite-database.ts";
import { ensureTeam, reserveMinutes, type Team } from "../../src/service/storage/team-records.ts";
import { SYSTEM_CLOCK } from "../../src/service/system-clock.ts";
import { turns } from "../fakes/set-clock.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** Empty embedded records in a folder, with all their tables. */
export async function freshDatabase(folder: string): Promise<Database> {
  await layFreshRecords(folder);
  // Syncing is what these tests are not about.
  return openEmbeddedDatabase(folder, false);
}

/** Ports each of whose answers takes its time, which tells who does not wait for them. */
export class SlowPorts {
  /** How many answers are still to come. */
  underWay = 0;
  /** How much was asked. */
  asked = 0;
  /** Which of all that is asked fails, counted from 0; none where negative. */
  failing = -1;

  /**
   * A port all of whose asynchronous members are slow; what a transaction hands on is one, too. A transaction fails that does
   * not wait for a statement before the next, or whose work ends before its statements: they would come after its commit, and
   * their fault undo nothing.
   */
  wrap<Port extends object>(port: Port): Port {
    return this.#wrapped(port, null);
  }

  /** `own`: how many answers of the same transaction are to come. */
  #wrapped<Port extends object>(port: Port, own: { left: number } | null): Port {
    return new Proxy(port, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return (...args: readonly unknown[]) => {
          const inside = args.map((one) =>
            name === "transaction" && typeof one === "function" ? this.#whole((queries) => one(queries)) : one,
          );
          if (own !== null && own.left > 0) return Promise.reject(new Error("a statement was not waited for"));
          const isFailing = name !== "transaction" && this.asked++ === this.failing;
          const answer: unknown = isFailing ? Promise.resolve() : Reflect.apply(member, target, inside);
          return answer instanceof Promise ? this.#slow(answer, isFailing, own) : answer;
        };
      },
    });
  }

  /** The work of a transaction, which waits for all that it asks. */
  #whole(work: (queries: object) => unknown): (queries: object) => Promise<unknown> {
    return async (queries) => {
      const own = { left: 0 };
      const value = await work(this.#wrapped(queries, own));
      if (own.left > 0) throw new Error("the transaction's work ended before its statements");
      return value;
    };
  }

  async #slow(answer: Promise<unknown>, isFailing: boolean, own: { left: number } | null): Promise<unknown> {
    this.underWay++;
    if (own !== null) own.left++;
    try {
      const value = await answer;
      await turns(3);
      if (isFailing) throw new Error("it fails");
      return value;
    } finally {
      this.underWay--;
      if (own !== null) own.left--;
    }
  }
}

/** Records, a store and folders without a service around them: what decides about jobs and uploads is asked directly. */
export interface TestRecords {
  readonly database: Database;
  readonly objects: DiskObjectStore;
  readonly folders: DataFolders;
  readonly team: Team;
  /** Adds media whose bytes are stored; resolves with their id. */
  media(): Promise<string>;
  /** Adds a signed upload whose bytes are awaited. */
  upload(): Promise<{ readonly id: string; readonly key: string }>;
  /** Adds a job that waits, with its reservation. */
  job(more?: { readonly kind?: JobKind; readonly mediaId?: string }): Promise<string>;
  /** What the records say of a job. */
  seen(jobId: string): Promise<JobRecord>;
  /** Keys of what is stored, but for what says whose store it is. */
  stored(): Promise<string[]>;
  close(): Promise<void>;
}

/** Opens records of their own, in folders that go with the test file. */
export async function openTestRecords(clock: Clock = SYSTEM_CLOCK): Promise<TestRecords> {
  const folders = dataFolders(await temporaryFolder());
  const database = await freshDatabase(folders.records);
  const lives = { uploadSeconds: 60, resultSeconds: 60 };
  const objects = new DiskObjectStore(folders.objects, new LinkSigner("any"), lives, clock);
  const team = await ensureTeam(database, "north");
  await mkdir(folders.incoming, { recursive: true });
  await mkdir(folders.work, { recursive: true });

  async function media(): Promise<string> {
    const id = randomUUID();
    const storageKey = `teams/${team.id}/media/${id}/source.mp4`;
    const path = join(folders.incoming, id);
    await writeFile(path, id);
    await objects.put(storageKey, path, "video/mp4");
    const facts = { contentHash: id, sizeBytes: id.length, durationSeconds: 60, frameRate: 25 };
    await insertReadyMedia(database, { id, teamId: team.id, arrival: "file", fileName: "clip.mp4", storageKey }, facts);
    return id;
  }

  return {
    database,
    objects,
    folders,
    team,
    media,
    async upload() {
      const id = randomUUID();
      const key = `teams/${team.id}/uploads/${id}/source.mp4`;
      const named = { id, teamId: team.id, fileName: "clip.mp4", contentType: "video/mp4", uploadKey: key };
      await insertPendingMedia(database, named);
      return { id, key };
    },
    async job({ kind = "text", mediaId } = {}) {
      const id = randomUUID();
      await insertJob(database, {
        id,
        teamId: team.id,
        mediaId: mediaId ?? (await media()),
        kind,
        origin: "api",
        settings: DEFAULT_SETTINGS,
        track: "mixed",
        resolution: "source",
      });
      await reserveMinutes(database, { jobId: id, teamId: team.id, period: "2026-01", minutes: 1 });
      return id;
    },
    async seen(jobId) {
      const job = await getJob(database, jobId);
      if (job === null) throw new Error(`no job ${jobId}`);
      return job;
    },
    async stored() {
      const found = await readdir(folders.objects, { recursive: true, withFileTypes: true }).catch(() => []);
      return found
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name).slice(folders.objects.length + 1))
        .filter((key) => key !== "aside-records")
        .sort();
    },
    close: () => database.close(),
  };
}
