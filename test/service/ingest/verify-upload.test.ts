import { createHash } from "node:crypto";
import { readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type Engine, IsolateError, type MediaProbe } from "../../../src/engine/index.ts";
import { configurationFrom, planOfTeam } from "../../../src/service/configuration.ts";
import {
  detectSpeechInUpload,
  uploadFailure,
  type VerifyParts,
  verifyUpload,
} from "../../../src/service/ingest/verify-upload.ts";
import type { RequestError } from "../../../src/service/request-error.ts";
import {
  beginVerification,
  getMedia,
  type MediaRecord,
  noteStoredBytes,
} from "../../../src/service/storage/media-records.ts";
import { openFiles } from "../open-files.ts";
import { openTestRecords, type TestRecords } from "../records.ts";

let records: TestRecords;
let outcomes: unknown[];
beforeAll(async () => {
  records = await openTestRecords();
});
afterAll(() => records.close());
beforeEach(() => {
  outcomes = [];
});

const { signal: never } = new AbortController();
const AWAY = new Error("connect ECONNREFUSED");
const PICTURE = { durationSeconds: 12, picture: { rate: { numerator: 25, denominator: 1 } } } as unknown as MediaProbe;
const LIMIT = 1_000;

type Probe = Engine["probe"];
const seen =
  (probe: MediaProbe): Probe =>
  async () =>
    probe;
const failing =
  (error: unknown): Probe =>
  () =>
    Promise.reject(error);

function verify(id: string, probe: Probe, returns = 0, signal = never, more: Partial<VerifyParts> = {}): Promise<void> {
  const { database, objects } = records;
  const onVerified = (_id: string, outcome: string | RequestError) =>
    void outcomes.push(typeof outcome === "string" ? outcome : outcome.code);
  const maximumFileBytes = async () => LIMIT;
  return verifyUpload(
    { database, objects, engine: { probe }, maximumFileBytes, onVerified, ...more },
    { id, returns },
    signal,
  );
}

/** An upload of these bytes that waits for its verification; none arrived where there are none. */
async function sent(bytes: string | null, hash: string | null = null) {
  const upload = await records.upload();
  if (bytes !== null) {
    const path = join(records.folders.incoming, upload.id);
    await writeFile(path, bytes);
    await records.objects.put(upload.key, path, "video/mp4");
    await noteStoredBytes(records.database, upload.id, { sizeBytes: bytes.length, contentHash: hash });
  }
  await beginVerification(records.database, upload.id);
  return upload;
}

async function media(id: string): Promise<MediaRecord> {
  const found = await getMedia(records.database, id);
  if (found === null) throw new Error("no media");
  return found;
}
const stands = async (id: string) => {
  const { uploadStatus, failureCode } = await media(id);
  return [uploadStatus, failureCode];
};
const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

describe("an upload that holds a video", () => {
  test("is media of the team, its bytes out of the sender's reach, with what they are", async () => {
    const { id, key } = await sent("a film");
    await verify(id, seen(PICTURE));
    const found = await media(id);
    expect(found).toMatchObject({
      uploadStatus: "completed",
      canonicalId: null,
      contentHash: hashOf("a film"),
      sizeBytes: 6,
      durationSeconds: 12,
      frameRate: 25,
    });
    expect(found.storageKey).toContain("/media/");
    expect(await readFile(records.objects.pathOf(found.storageKey), "utf8")).toBe("a film");
    expect(await records.objects.stat(key)).toBeNull();
    expect(outcomes).toEqual(["completed"]);
  });

  test("stands for the media that the team has of the same bytes, whose own are mended, and leaves nothing else", async () => {
    const first = await sent("the same");
    await verify(first.id, seen(PICTURE));
    const { storageKey } = await media(first.id);
    await writeFile(records.objects.pathOf(storageKey), "damaged!");
    const again = await sent("the same");
    await verify(again.id, seen(PICTURE));
    expect(await media(again.id)).toMatchObject({ uploadStatus: "completed", canonicalId: first.id });
    expect(await readFile(records.objects.pathOf(storageKey), "utf8")).toBe("the same");
    expect((await records.stored()).filter((stored) => stored.includes(again.id))).toEqual([]);
    expect(outcomes).toEqual(["completed", "repeat"]);
  });

  test("is what arrived, whatever was counted of other bytes on the way", async () => {
    const { id } = await sent("counted", hashOf("counted"));
    await verify(id, seen(PICTURE));
    expect((await media(id)).contentHash).toBe(hashOf("counted"));
    const other = await sent("longer than that", "a hash of less");
    await noteOther(other.id);
    await verify(other.id, seen(PICTURE));
    expect((await media(other.id)).contentHash).toBe(hashOf("longer than that"));
  });

  /** Says that fewer bytes were counted than are stored. */
  const noteOther = (id: string) => records.database.query("UPDATE aside.media SET size_bytes = 3 WHERE id = $1", [id]);

  test("may be as large as the plan says, and no larger", async () => {
    const [most, over] = [await sent("x".repeat(LIMIT)), await sent("y".repeat(LIMIT + 1))];
    await verify(most.id, seen(PICTURE));
    await verify(over.id, () => expect.unreachable());
    expect([await stands(most.id), await stands(over.id)]).toEqual([
      ["completed", null],
      ["failed", "file_too_large"],
    ]);
    expect(await records.objects.stat(over.key)).toBeNull();
  });
});

describe("an upload that holds none", () => {
  test.each([
    ["nothing arrived", null, seen(PICTURE), "upload_failed"],
    ["it is empty", "", seen(PICTURE), "upload_failed"],
    ["there is no picture", "sound", seen({ ...PICTURE, picture: null }), "no_video_stream"],
    [
      "reading it crashes",
      "bomb",
      failing(new IsolateError("task_crashed", "x", { task: "probe" })),
      "no_video_stream",
    ],
    ["reading it takes too long", "slow", failing(new DOMException("x", "TimeoutError")), "no_video_stream"],
  ] as const)("fails at the first try, with its reason, and its bytes go: %s", async (_, bytes, probe, code) => {
    const { id, key } = await sent(bytes);
    await verify(id, probe);
    expect(await stands(id)).toEqual(["failed", code]);
    expect(await records.objects.stat(key)).toBeNull();
    expect(outcomes).toEqual([code]);
  });
});

describe("an upload that breaks its verification", () => {
  test("is tried ten times more, and given up then, with its bytes", async () => {
    const { id, key } = await sent("breaks it");
    for (let returns = 0; returns < 10; returns++) {
      await expect(verify(id, failing(AWAY), returns)).rejects.toBe(AWAY);
      expect(await stands(id)).toEqual(["processing", null]);
    }
    expect(await records.objects.stat(key)).not.toBeNull();
    await verify(id, failing(AWAY), 10);
    expect(await stands(id)).toEqual(["failed", "internal_error"]);
    expect(await records.objects.stat(key)).toBeNull();
    expect(outcomes).toEqual(["internal_error"]);
  });

  test("is not given up because the service stops at the last try", async () => {
    const { id } = await sent("stopped");
    const stop = new AbortController();
    const probe: Probe = async () => {
      stop.abort(AWAY);
      throw AWAY;
    };
    await expect(verify(id, probe, 10, stop.signal)).rejects.toBe(AWAY);
    expect([await stands(id), outcomes]).toEqual([["processing", null], []]);
  });

  test("holds no file and reads on in nothing after its end", async () => {
    const { id } = await sent("held");
    const released = vi.fn(async () => undefined);
    const { objects } = records;
    const borrow = vi
      .spyOn(objects, "borrow")
      .mockImplementation(async (key) => ({ path: objects.pathOf(key), release: released }));
    try {
      await expect(verify(id, failing(AWAY))).rejects.toBe(AWAY);
      expect(released).toHaveBeenCalledOnce();
    } finally {
      borrow.mockRestore();
    }
  });
});

test.runIf(process.platform === "linux")("a large upload is read no more when its file is given back", async () => {
  const { id, key } = await sent("held");
  const path = records.objects.pathOf(key);
  // So large that reading it would take the day.
  await truncate(path, 1e12);
  const isRead = () => openFiles().includes(path);
  let isReadAtEnd: boolean | null = null;
  const release = async () => {
    isReadAtEnd = isRead();
  };
  const objects = new Proxy(records.objects, {
    get: (target, name) => {
      if (name === "borrow") return async () => ({ path, release });
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  const probe: Probe = async () => {
    await vi.waitFor(() => expect(isRead()).toBe(true), { interval: 1 });
    throw AWAY;
  };
  const more = { objects, maximumFileBytes: async () => 1e12 };
  await expect(verify(id, probe, 0, never, more)).rejects.toBe(AWAY);
  expect(isReadAtEnd).toBe(false);
});

test("what was wrong with an upload is answered as a limit of the plan where it is one, else as a failed upload", async () => {
  const { id } = await sent("bytes");
  const failed = async (failureCode: MediaRecord["failureCode"]) =>
    uploadFailure({ ...(await media(id)), uploadStatus: "failed", failureCode, failureMessage: "It is so." });
  expect(await failed("file_too_large")).toMatchObject({ code: "file_too_large", message: "It is so." });
  expect(await failed("video_too_long")).toMatchObject({ code: "video_too_long", message: "It is so." });
  expect(await failed("no_video_stream")).toMatchObject({
    code: "upload_failed",
    message: expect.stringMatching(/^It is so\. Upload the media again/),
  });
});

test("sound that is listened to is given back afterwards, whatever comes of it", async () => {
  const { id } = await sent("sound");
  const plan = planOfTeam(configurationFrom({}, "/"), "any");
  const released = vi.fn(async () => undefined);
  const objects = {
    stat: async () => ({ sizeBytes: 5 }),
    borrow: async () => ({ path: "/sound", release: released }),
  } as unknown as VerifyParts["objects"];
  const heard = { speech: [] };
  const listen = async (detectSpeech: () => Promise<unknown>) =>
    detectSpeechInUpload({ objects, engine: { detectSpeech } } as never, plan, await media(id), never);
  expect(await listen(async () => ({ durationSeconds: 3, heard }))).toEqual({ durationSeconds: 3, heard });
  await expect(listen(() => Promise.reject(AWAY))).rejects.toBe(AWAY);
  expect(released).toHaveBeenCalledTimes(2);
});

test("an upload that is over, or never was sent into verification, is left as it is", async () => {
  const done = await sent("done");
  await verify(done.id, seen(PICTURE));
  const pending = await records.upload();
  outcomes = [];
  for (const { id } of [done, pending]) await verify(id, () => expect.unreachable());
  await verify("5fa6a3d1-6ef1-4f0b-8a63-3fb2a6d4c5b1", () => expect.unreachable());
  expect(outcomes).toEqual([]);
  expect([await stands(done.id), await stands(pending.id)]).toEqual([
    ["completed", null],
    ["pending_upload", null],
  ]);
});
