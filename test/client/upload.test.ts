import { describe, expect, test } from "vitest";
import { Client } from "../../src/client/client.ts";
import { fetchResult } from "../../src/client/download.ts";
import { DownloadError, UploadError } from "../../src/client/errors.ts";
import { sendFile, uploadFile, verifyUpload } from "../../src/client/upload.ts";
import { ConnectionError } from "../../src/core/error.ts";
import type { DownloadRequest, FileTransfer, TransferReply, UploadRequest } from "../../src/core/ports.ts";
import { ManualClock } from "../fakes/manual-clock.ts";
import { type Scripted, scriptedFetch, sentJson } from "../fakes/scripted-fetch.ts";

const FILE = { path: "/films/a.mov", filename: "a.mov", contentType: "video/quicktime" };
const OK = { status: 200, body: "" };
const EXPIRED = {
  status: 403,
  body: "<?xml version='1.0'?><Error><Code>ExpiredToken</Code><Message>secret</Message></Error>",
};

const signed = (number: number, more: object = {}): Scripted => ({
  body: {
    media_id: `m${number}`,
    status: "pending_upload",
    upload_url: `https://storage.example/${number}?X-Goog-Signature=abc`,
    gcs_path: `users/${number}/a.mov`,
    content_type: "video/quicktime",
    ...more,
  },
});

function scriptedTransfer(
  ...script: (TransferReply | Error | ((request: UploadRequest | DownloadRequest) => TransferReply | Error))[]
) {
  const requests: (UploadRequest | DownloadRequest)[] = [];
  const rest = [...script];
  const answer = async (request: UploadRequest | DownloadRequest) => {
    requests.push(request);
    const next = rest.shift();
    if (next === undefined) throw new Error(`unexpected transfer ${requests.length}`);
    const outcome = typeof next === "function" ? next(request) : next;
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  const transfer: FileTransfer = { upload: answer, download: answer };
  return { transfer, requests };
}

const broken = () => new ConnectionError("the line broke", { mayHaveArrived: true });

function parts(replies: Scripted[], ...transfers: Parameters<typeof scriptedTransfer>) {
  const { fetch, sent } = scriptedFetch(...replies);
  const clock = new ManualClock();
  const client = new Client({ baseUrl: "https://a.b", apiKey: "key-1", fetch, clock, random: () => 0.5 });
  const { transfer, requests } = scriptedTransfer(...transfers);
  const { signal } = new AbortController();
  return { uploadParts: { client, transfer, clock, random: () => 0.5 }, sent, requests, clock, signal };
}

describe("sending a file", () => {
  test("SIGN-05 SIGN-07 OPEN-29: asks for an address, then puts the file there with the type of the reply", async () => {
    const { uploadParts, sent, requests, signal } = parts([signed(1)], OK);
    expect(await sendFile(uploadParts, FILE, { signal })).toEqual({ mediaId: "m1", storagePath: "users/1/a.mov" });
    expect(sentJson(sent[0])).toMatchObject({ input: { type: "signed_url", filename: "a.mov" } });
    expect(requests).toMatchObject([
      { path: "/films/a.mov", url: "https://storage.example/1?X-Goog-Signature=abc", contentType: "video/quicktime" },
    ]);
  });

  test("OPEN-29: asks for a fresh address when storage says in XML that the old one is spent", async () => {
    const { uploadParts, requests, signal } = parts([signed(1), signed(2)], EXPIRED, OK);
    expect(await sendFile(uploadParts, FILE, { signal })).toMatchObject({ mediaId: "m2" });
    expect(requests[1]?.url).toContain("/2?");
  });

  test("gives up when fresh addresses are refused too, and names storage's word but no address", async () => {
    const { uploadParts, signal } = parts([signed(1), signed(2), signed(3)], EXPIRED, EXPIRED, EXPIRED);
    const error = await sendFile(uploadParts, FILE, { signal }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UploadError);
    expect(error).toMatchObject({ code: "upload_refused", status: 403, storageCode: "ExpiredToken" });
    expect(String(error)).not.toMatch(/storage\.example|abc|secret/);
  });

  test.each([
    { status: 413, body: "" },
    { status: 400, body: "<Error><Code>EntityTooLarge</Code></Error>" },
  ])("does not send a file again that storage finds too large (%j)", async (reply) => {
    const { uploadParts, requests, signal } = parts([signed(1)], reply);
    await expect(sendFile(uploadParts, FILE, { signal })).rejects.toMatchObject({ code: "upload_refused" });
    expect(requests).toHaveLength(1);
  });

  test("ERR-17: passes on what our own service's storage says in the interface's words", async () => {
    const body = JSON.stringify({ error: "file_too_large", message: "above 2 GB" });
    const { uploadParts, signal } = parts([signed(1)], { status: 403, body });
    await expect(sendFile(uploadParts, FILE, { signal })).rejects.toMatchObject({
      code: "file_too_large",
      message: "above 2 GB",
    });
  });

  test("tries a broken line and a failing storage again on the same address, with growing pauses", async () => {
    const { uploadParts, clock, requests, signal } = parts(
      [signed(1)],
      broken(),
      { status: 503, body: "" },
      broken(),
      OK,
    );
    await sendFile(uploadParts, FILE, { signal });
    expect(clock.passed).toEqual([500, 1000, 2000]);
    expect(new Set(requests.map((request) => request.url)).size).toBe(1);
  });

  test("gives a line up that stays broken", async () => {
    const { uploadParts, requests, signal } = parts([signed(1)], ...Array.from({ length: 9 }, broken));
    await expect(sendFile(uploadParts, FILE, { signal })).rejects.toMatchObject({
      code: "storage_unavailable",
      status: null,
    });
    expect(requests).toHaveLength(8);
  });

  test("counts anew whenever bytes got through, where the file goes in slices", async () => {
    let done = 0;
    const slice = (request: UploadRequest | DownloadRequest) => {
      done += 1_000_000;
      request.onProgress?.({ doneBytes: done, totalBytes: 20_000_000 });
      return done < 20_000_000 ? broken() : OK;
    };
    const { uploadParts, clock, signal } = parts(
      [signed(1, { resumable_url: "https://storage.example/r" })],
      ...Array.from({ length: 20 }, () => slice),
    );
    await sendFile(uploadParts, FILE, { signal });
    expect(new Set(clock.passed)).toEqual(new Set([500]));
  });

  test.each([
    ["gains every time and has no slices, for each try starts at nothing", {}, 1_000_000],
    ["comes no farther than before", { resumable_url: "https://storage.example/r" }, 0],
  ])("gives a line up in the end that %s", async (_, address, gain) => {
    let done = 5_000_000;
    const half = (request: UploadRequest | DownloadRequest) => {
      request.onProgress?.({ doneBytes: done, totalBytes: 1_000_000_000 });
      done += gain;
      return broken();
    };
    const { uploadParts, requests, signal } = parts([signed(1, address)], ...Array.from({ length: 12 }, () => half));
    await expect(sendFile(uploadParts, FILE, { signal })).rejects.toMatchObject({ code: "storage_unavailable" });
    // Where it goes in slices, the first try gained something.
    expect(requests).toHaveLength(8);
  });

  test("lets the host's own errors through", async () => {
    const { uploadParts, signal } = parts([signed(1)], new RangeError("no such file"));
    await expect(sendFile(uploadParts, FILE, { signal })).rejects.toThrow(RangeError);
  });

  test("stops at once when its signal aborts between two tries", async () => {
    const controller = new AbortController();
    const { uploadParts } = parts([signed(1)], () => {
      controller.abort("stop");
      return broken();
    });
    await expect(sendFile(uploadParts, FILE, { signal: controller.signal })).rejects.toBe("stop");
  });
});

describe("verifying an upload", () => {
  const sentFile = { mediaId: "m1", storagePath: "users/1/a.mov" };

  test("SIGN-05 SIGN-10 OPEN-10: announces it, waits, and hands on the canonical id", async () => {
    const { uploadParts, sent, signal } = parts([
      { body: { status: "accepted", media_id: "m1" } },
      { body: { upload_status: "processing" } },
      { body: { upload_status: "completed", canonical_media_id: "m0", duration_seconds: 2 } },
    ]);
    expect(await verifyUpload(uploadParts, sentFile, { signal })).toEqual({
      outcome: "ready",
      mediaId: "m0",
      durationSeconds: 2,
      frameRate: null,
      isVerified: true,
    });
    expect(sent.map((request) => request.method)).toEqual(["POST", "GET", "GET"]);
  });

  test("OPEN-09: is unverified where the server has no way to ask", async () => {
    const { uploadParts, signal } = parts([{}, { status: 404, body: "" }]);
    expect(await verifyUpload(uploadParts, sentFile, { signal })).toMatchObject({
      outcome: "ready",
      mediaId: "m1",
      isVerified: false,
    });
  });

  test("ERR-19: reports a refused upload with the server's reason", async () => {
    const { uploadParts, signal } = parts([{}, { body: { upload_status: "failed", message: "no picture" } }]);
    expect(await verifyUpload(uploadParts, sentFile, { signal })).toEqual({ outcome: "failed", message: "no picture" });
  });

  test("SIGN-12: raises what the announcement is refused with", async () => {
    const { uploadParts, signal } = parts([
      { status: 400, body: { error: "invalid_input", message: "gcs_path: not yours" } },
    ]);
    await expect(verifyUpload(uploadParts, sentFile, { signal })).rejects.toMatchObject({ code: "invalid_input" });
  });
});

describe("uploading by size", () => {
  const reader = (sizeBytes: number) => ({ ...FILE, sizeBytes, readAll: async () => new Uint8Array([1, 2, 3]) });

  test("LIM-01 MEDIA-12 OPEN-22: sends up to 32 000 000 bytes directly", async () => {
    const { uploadParts, sent, signal } = parts([{ body: { media_id: "m9", status: "created", duration_seconds: 3 } }]);
    expect(await uploadFile(uploadParts, reader(32_000_000), { signal })).toMatchObject({
      mediaId: "m9",
      durationSeconds: 3,
    });
    expect(sent[0]?.headers["Content-Type"]).toContain("multipart/form-data");
  });

  test("LIM-02 OPEN-22: takes the signed flow above, unasked", async () => {
    const { uploadParts, requests, signal } = parts([signed(1), {}, { body: { upload_status: "completed" } }], OK);
    expect(await uploadFile(uploadParts, reader(32_000_001), { signal })).toMatchObject({ mediaId: "m1" });
    expect(requests).toHaveLength(1);
  });
});

describe("fetching a result", () => {
  const result = (faults: (string | null)[] = [null]) => {
    const asked: boolean[] = [];
    const rest = [...faults];
    return {
      asked,
      path: "/out/narration.wav",
      link: async (isFresh: boolean) => {
        asked.push(isFresh);
        return `https://storage.example/${asked.length}?sig`;
      },
      fault: async () => rest.shift() ?? null,
    };
  };

  test("OPEN-28: asks for a fresh link when the first has expired", async () => {
    const { uploadParts, requests, signal } = parts([], { status: 403, body: "" }, OK);
    const file = result();
    await fetchResult(uploadParts, file, { signal });
    expect(file.asked).toEqual([false, true]);
    expect(requests[1]?.url).toBe("https://storage.example/2?sig");
  });

  test.each([
    [408, "again"],
    [429, "again"],
    [500, "again"],
    [599, "again"],
    [407, "by a fresh link"],
    [409, "by a fresh link"],
    [428, "by a fresh link"],
    [430, "by a fresh link"],
    [499, "by a fresh link"],
  ])("after %i it is tried %s", async (status, how) => {
    const { uploadParts, signal } = parts([], { status, body: "" }, OK);
    const file = result();
    await fetchResult(uploadParts, file, { signal });
    expect(file.asked).toEqual(how === "again" ? [false] : [false, true]);
  });

  test("says so when a fresh link does not answer either", async () => {
    const { uploadParts, signal } = parts([], { status: 403, body: "" }, { status: 404, body: "" });
    await expect(fetchResult(uploadParts, result(), { signal })).rejects.toMatchObject({
      code: "result_unavailable",
      status: 404,
    });
  });

  test("fetches a damaged file once more, and rejects it the second time", async () => {
    const good = parts([], OK, OK);
    await fetchResult(good.uploadParts, result(["is cut off", null]), { signal: good.signal });
    const bad = parts([], OK, OK);
    const error = await fetchResult(bad.uploadParts, result(["is cut off", "is a page"]), { signal: bad.signal }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(DownloadError);
    expect(error).toMatchObject({ code: "result_damaged", message: "the fetched file is a page" });
  });

  test("tries a broken line again, and gives it up in the end", async () => {
    const short = parts([], broken(), { status: 500, body: "" }, OK);
    await fetchResult(short.uploadParts, result(), { signal: short.signal });
    expect(short.clock.passed).toEqual([500, 1000]);
    const long = parts([], ...Array.from({ length: 9 }, broken));
    await expect(fetchResult(long.uploadParts, result(), { signal: long.signal })).rejects.toMatchObject({
      code: "result_unavailable",
    });
  });
});
