import { createHash, randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Engine, MediaProbe } from "../../../src/engine/index.ts";
import { configurationFrom, planOfTeam } from "../../../src/service/configuration.ts";
import { dropUpload, receiveSlice, receiveWhole } from "../../../src/service/ingest/receive-upload.ts";
import { takeInFile } from "../../../src/service/ingest/take-in.ts";
import { verifyUpload } from "../../../src/service/ingest/verify-upload.ts";
import { beginVerification, getMedia, noteStoredBytes } from "../../../src/service/storage/media-records.ts";
import { turns } from "../../fakes/set-clock.ts";
import { openTestRecords, SlowPorts, type TestRecords } from "../records.ts";

// Every step by which media come in, whichever answer of the records or the store fails: who asked for it hears of that, and
// nothing is still to come by then.

let records: TestRecords;
beforeAll(async () => {
  records = await openTestRecords();
});
afterAll(() => records.close());

const PICTURE = { durationSeconds: 12, picture: { rate: { numerator: 25, denominator: 1 } } } as unknown as MediaProbe;
const { signal } = new AbortController();

/** What a step is asked by: records and a store whose answers take their time. */
type Parts = Pick<TestRecords, "database" | "objects"> & {
  readonly incoming: string;
  readonly engine: Pick<Engine, "probe">;
};
/** Lays what a step needs, and resolves with the step. */
type Prepare = () => Promise<(parts: Parts) => Promise<unknown>>;

async function upload(bytes: string | null, status: "pending" | "verifying") {
  const { id, key } = await records.upload();
  if (bytes !== null) {
    await records.objects.put(key, await fileOf(bytes), "video/mp4");
    await noteStoredBytes(records.database, id, { sizeBytes: bytes.length, contentHash: null });
  }
  if (status === "verifying") await beginVerification(records.database, id);
  const media = await getMedia(records.database, id);
  if (media === null) throw new Error("no media");
  return media;
}

async function fileOf(text: string): Promise<string> {
  const path = join(records.folders.incoming, randomUUID());
  await writeFile(path, text);
  return path;
}

const verifying =
  (bytes: () => string | null, maximumBytes = 1_000): Prepare =>
  async () => {
    const { id } = await upload(bytes(), "verifying");
    return (parts) => {
      const maximumFileBytes = async () => maximumBytes;
      return verifyUpload({ ...parts, maximumFileBytes, onVerified: () => undefined }, { id, returns: 0 }, signal);
    };
  };

const takingIn =
  (textOf: () => string): Prepare =>
  async () => {
    const text = textOf();
    const contentHash = createHash("sha256").update(text).digest("hex");
    const path = await fileOf(text);
    const file = { path, sizeBytes: text.length, contentHash, fileName: "a.mp4", arrival: "file" } as const;
    const plan = planOfTeam(configurationFrom({}, "/"), "any");
    return (parts) => takeInFile(parts, { id: records.team.id, plan }, file, signal);
  };

const bytes = (text: string) => Readable.from([Buffer.from(text)]);
const slice = (text: string, maximumBytes = 100) => ({
  start: 0,
  end: text.length - 1,
  totalBytes: text.length,
  maximumBytes,
});

const STEPS: Readonly<Record<string, Prepare>> = {
  "an upload that is verified": verifying(randomUUID),
  "an upload that is empty": verifying(() => ""),
  "an upload that is too large": verifying(() => "too large", 5),
  "a file that is taken in": takingIn(randomUUID),
  "a file that came at the same time": async () => {
    const text = randomUUID();
    const [one, other] = [await takingIn(() => text)(), await takingIn(() => text)()];
    const { database, objects } = records;
    const probe = async () => {
      await other({ database, objects, incoming: "", engine: { probe: async () => PICTURE } });
      return PICTURE;
    };
    return (parts) => one({ ...parts, engine: { probe } });
  },
  "an upload in one piece": async () => {
    const media = await upload(null, "pending");
    return (parts) => receiveWhole(parts, media, bytes("film"), 100);
  },
  "an upload in one piece that is too large": async () => {
    const media = await upload(null, "pending");
    return (parts) => receiveWhole(parts, media, bytes("film"), 3);
  },
  "an upload's last slice": async () => {
    const media = await upload(null, "pending");
    return (parts) => receiveSlice(parts, media, bytes("film"), slice("film"));
  },
  "a slice that is too large": async () => {
    const media = await upload(null, "pending");
    return (parts) => receiveSlice(parts, media, bytes("film"), slice("film", 3));
  },
  "an upload that is taken back": async () => {
    const media = await upload("film", "pending");
    return (parts) => dropUpload(parts, media);
  },
};

/** Steps of bytes that the team has: where they cannot be stored once more, those that are there stay. */
const REPEATS: Readonly<Record<string, Prepare>> = {
  "an upload of what the team has": verifying(() => "the same film"),
  "a file of what the team has": takingIn(() => "the same film"),
};

/** Does a step while one of its answers fails. */
async function tried(prepare: Prepare, failing: number) {
  const step = await prepare();
  const ports = new SlowPorts();
  ports.failing = failing;
  let lent = 0;
  const { objects } = records;
  const borrow: typeof objects.borrow = async (...args) => {
    const { path, release } = await objects.borrow(...args);
    lent++;
    const slowly = async () => {
      await turns(3);
      await release();
      lent--;
    };
    return { path, release: slowly };
  };
  const store = new Proxy(objects, {
    get: (target, name) => {
      const member: unknown = name === "borrow" ? borrow : Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  const outcome = await step({
    database: ports.wrap(records.database),
    objects: ports.wrap(store),
    incoming: records.folders.incoming,
    engine: { probe: async () => PICTURE },
  }).then(
    () => "done",
    (error: Error) => error.message,
  );
  return { outcome, left: ports.underWay, lent, asked: ports.asked };
}

test.each(Object.entries(STEPS))("%s is whole, or not said to be", async (_name, prepare) => {
  const { asked, ...whole } = await tried(prepare, -1);
  expect([whole, asked > 0]).toEqual([{ outcome: "done", left: 0, lent: 0 }, true]);
  for (let failing = 0; failing < asked; failing++) {
    const { outcome, left, lent } = await tried(prepare, failing);
    expect([failing, outcome, left, lent]).toEqual([failing, "it fails", 0, 0]);
  }
});

test.each(Object.entries(REPEATS))("%s is whole as well, or keeps what is there", async (_name, prepare) => {
  await tried(prepare, -1);
  const { asked, ...whole } = await tried(prepare, -1);
  expect(whole).toEqual({ outcome: "done", left: 0, lent: 0 });
  const outcomes: string[] = [];
  for (let failing = 0; failing < asked; failing++) {
    const { outcome, left, lent } = await tried(prepare, failing);
    expect([failing, left, lent]).toEqual([failing, 0, 0]);
    outcomes.push(outcome);
  }
  // One alone may fail unheard: that the same bytes are stored once more.
  expect(outcomes.filter((one) => one === "done")).toHaveLength(1);
});
