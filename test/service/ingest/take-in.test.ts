import { createHash, randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Engine, MediaProbe } from "../../../src/engine/index.ts";
import { configurationFrom, planOfTeam } from "../../../src/service/configuration.ts";
import { OfferedFiles } from "../../../src/service/ingest/offered-files.ts";
import { contentHash, mediaKey, type TakenIn, takeInFile, uploadKey } from "../../../src/service/ingest/take-in.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { openTestRecords, type TestRecords } from "../records.ts";

let records: TestRecords;
let probed: number;
beforeAll(async () => {
  records = await openTestRecords();
});
afterAll(() => records.close());
beforeEach(() => {
  probed = 0;
});

const { signal: never } = new AbortController();
const LIMITS = { maximum_file_bytes: 20, maximum_duration_seconds: 60 };
const plan = planOfTeam(configurationFrom({ plans: { default: LIMITS } }, "/"), "any");
const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
const lasting = (durationSeconds: number | null) =>
  ({ durationSeconds, picture: { rate: { numerator: 25, denominator: 1 } } }) as unknown as MediaProbe;

async function take(text: string, probe: Engine["probe"] = async () => lasting(12)): Promise<TakenIn> {
  const { database, objects, folders, team } = records;
  const path = join(folders.incoming, randomUUID());
  await writeFile(path, text);
  const counted: Engine["probe"] = (...args) => {
    probed += 1;
    return probe(...args);
  };
  const file = { path, sizeBytes: text.length, contentHash: hashOf(text), fileName: "a.MP4", arrival: "file" } as const;
  return takeInFile({ database, objects, engine: { probe: counted } }, { id: team.id, plan }, file, never);
}
const bytesOf = ({ media }: TakenIn) => readFile(records.objects.pathOf(media.storageKey), "utf8");
/** What is stored of bytes, whichever media has them. */
async function storedTimes(text: string): Promise<number> {
  const all = await Promise.all((await records.stored()).map((key) => readFile(records.objects.pathOf(key), "utf8")));
  return all.filter((one) => one === text).length;
}

describe("a file that arrived", () => {
  test("is media of its team, stored under a name of ours with what it holds", async () => {
    const taken = await take("one film");
    expect(taken).toMatchObject({ isRepeat: false, media: { durationSeconds: 12, frameRate: 25, sizeBytes: 8 } });
    expect(taken.media.storageKey).toMatch(/\/media\/[0-9a-f-]{36}\/source\.mp4$/);
    expect(await bytesOf(taken)).toBe("one film");
  });

  test("that the team has is that media, looked at no more, whose stored bytes are mended", async () => {
    const first = await take("twice");
    await writeFile(records.objects.pathOf(first.media.storageKey), "damag");
    probed = 0;
    const again = await take("twice");
    expect([again.media.id, again.isRepeat, probed]).toEqual([first.media.id, true, 0]);
    expect(await bytesOf(first)).toBe("twice");
    expect(await storedTimes("twice")).toBe(1);
  });

  test("that the team had and has removed is new media", async () => {
    const first = await take("removed");
    await records.database.query("UPDATE aside.media SET removed_at = now() WHERE id = $1", [first.media.id]);
    const again = await take("removed");
    expect([again.media.id === first.media.id, again.isRepeat]).toEqual([false, false]);
  });

  test("that is removed just as it comes again is new media", async () => {
    const first = await take("raced");
    const { database } = records;
    // The sweep comes between the look and the note of its use.
    const query: typeof database.query = async (statement, values) => {
      const rows = await database.query(statement, values);
      if (statement.includes("content_hash = $2")) {
        await database.query("UPDATE aside.media SET removed_at = now() WHERE id = $1", [first.media.id]);
      }
      return rows as never;
    };
    const path = join(records.folders.incoming, randomUUID());
    await writeFile(path, "raced");
    const file = { path, sizeBytes: 5, contentHash: hashOf("raced"), fileName: null, arrival: "file" } as const;
    const parts = {
      database: { ...database, query },
      objects: records.objects,
      engine: { probe: async () => lasting(1) },
    };
    const again = await takeInFile(parts, { id: records.team.id, plan }, file, never);
    expect([again.media.id === first.media.id, again.isRepeat]).toEqual([false, false]);
  });

  test("that comes twice at the same time is one media, and leaves no second copy", async () => {
    const both = await Promise.all([
      take("at once", async () => lasting(12)),
      take("at once", async () => {
        await new Promise((next) => setTimeout(next, 20));
        return lasting(12);
      }),
    ]);
    expect(new Set(both.map(({ media }) => media.id)).size).toBe(1);
    expect(both.map(({ isRepeat }) => isRepeat).toSorted()).toEqual([false, true]);
    expect(await storedTimes("at once")).toBe(1);
  });

  test.each([
    ["as large as the plan allows", "x".repeat(20), 12, null],
    ["one byte larger", "y".repeat(21), 12, "file_too_large"],
    ["as long as the plan allows", "z", 60, null],
    ["a little longer", "w", 60.01, "video_too_long"],
    ["of no known length", "v", null, null],
  ])("%s is taken or refused by its plan, and what is refused is not stored", async (_, text, seconds, code) => {
    const outcome = await take(text, async () => lasting(seconds)).then(
      () => null,
      (error: { code: string }) => error.code,
    );
    expect([outcome, await storedTimes(text)]).toEqual([code, code === null ? 1 : 0]);
  });
});

describe("a look into a file", () => {
  test("that ends before half of what it states says so, with both lengths in their places", async () => {
    const cut = { ...lasting(12), statedSeconds: 60 };
    await expect(take("cut short", async () => cut)).rejects.toMatchObject({
      code: "upload_failed",
      message: "The file ends after 12 of 60 s: export or upload it again.",
    });
  });

  test("may use so much memory and so much time, and what takes longer is no video", async () => {
    const late = new AbortController();
    const limit = vi.spyOn(AbortSignal, "timeout").mockReturnValue(late.signal);
    try {
      let given: Parameters<Engine["probe"]>[1] | undefined;
      const outcome = take("slow", (_, options) => {
        given = options;
        return new Promise((_resolve, reject) =>
          options.signal?.addEventListener("abort", () => reject(late.signal.reason)),
        );
      }).catch((error: unknown) => error);
      await expect.poll(() => given?.memoryLimitBytes).toBe(800_000_000);
      expect(limit).toHaveBeenCalledWith(60_000);
      late.abort(new DOMException("too long", "TimeoutError"));
      expect(await outcome).toMatchObject({ code: "no_video_stream" });
    } finally {
      limit.mockRestore();
    }
  });
});

test("of a client's file name nothing but a plain ending gets into a key", () => {
  const key = (fileName: string | null) => mediaKey({ id: "id", teamId: "team", fileName });
  expect([key("a.b.MOV"), key(null), key("../../etc/passwd"), key("a.m4v/../x")]).toEqual([
    "teams/team/media/id/source.mov",
    "teams/team/media/id/source",
    "teams/team/media/id/source",
    "teams/team/media/id/source",
  ]);
  expect([key("a.toolong"), key("a.é"), key("a.")]).toEqual(Array(3).fill("teams/team/media/id/source"));
  expect(uploadKey({ id: "id", teamId: "team", fileName: "a.mp4" })).toBe("teams/team/uploads/id/source.mp4");
});

test("a file's hash is that of all its bytes, and a reading that is called off gives none", async () => {
  const path = join(await temporaryFolder(), "file");
  const bytes = Buffer.alloc(3_000_000, "abc");
  await writeFile(path, bytes);
  expect(await contentHash(path, never)).toBe(createHash("sha256").update(bytes).digest("hex"));
  await expect(contentHash(path, AbortSignal.abort(new Error("stop")))).rejects.toThrow();
});

describe("a file that is offered", () => {
  test("is taken once, by its word alone, with its bytes and how far they are", async () => {
    const offers = new OfferedFiles();
    const path = join(await temporaryFolder(), "film");
    await writeFile(path, "0123456789");
    const told: number[] = [];
    const word = offers.offer({ path, signal: never, onProgress: (done) => told.push(done) });
    expect(await offers.take("")).toBeNull();
    const taken = await offers.take(word);
    expect(taken?.sizeBytes).toBe(10);
    const chunks: Buffer[] = [];
    for await (const chunk of taken?.stream ?? []) chunks.push(chunk);
    expect([Buffer.concat(chunks).toString(), told]).toEqual(["0123456789", [10]]);
    expect(await offers.take(word)).toBeNull();
  });

  test("that is not there is refused when it is taken", async () => {
    const offers = new OfferedFiles();
    const word = offers.offer({ path: "/nowhere/film", signal: never });
    await expect(offers.take(word)).rejects.toMatchObject({ code: "ENOENT" });
  });
});
