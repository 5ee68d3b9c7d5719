import { createServer } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { TransferProgress } from "../../../src/core/ports.ts";
import { SLICE_BYTES, UxpTransfer } from "../../../src/host/uxp/uxp-transfer.ts";
import { UxpFiles } from "../../../src/host/uxp/work-folder.ts";
import { type FsDouble, makeFs } from "../../fakes/uxp/fs.ts";
import { MemoryDisk } from "../../fakes/uxp/memory-disk.ts";
import { nodeWire } from "../../fakes/uxp/node-wire.ts";
import { type ResumableStorage, startResumableStorage } from "../../fakes/uxp/resumable-storage.ts";
import { makeRequests, type Wire } from "../../fakes/uxp/xml-http-request.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";

const PATH = "/data/export.mp4";
let disk: MemoryDisk;
let fs: FsDouble;
let files: UxpFiles;
beforeEach(() => {
  disk = new MemoryDisk();
  disk.folders.add("/data");
  fs = makeFs({ disk, schemes: { "plugin-data:": "/data" }, hasFullAccess: true, random: Math.random });
  files = new UxpFiles(fs.module);
});
afterEach(() => expect(fs.openDescriptors()).toBe(0));

function transferOver(wire: Wire, onePieceMaxBytes?: number): UxpTransfer {
  const Requests = makeRequests({ wire, domains: "all" });
  return new UxpTransfer({ Requests, files, ...(onePieceMaxBytes === undefined ? {} : { onePieceMaxBytes }) });
}

function media(bytes: number): Uint8Array {
  const content = patterned(bytes);
  disk.files.set(PATH, content);
  return content;
}

/** Bytes of which no piece is like another. */
function patterned(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at++) bytes[at] = (at * 7) % 253;
  return bytes;
}

describe("upload in slices", () => {
  let storage: ResumableStorage;
  let stored: Uint8Array[];
  beforeEach(async () => {
    stored = [];
    storage = await startResumableStorage((piece) => stored.push(Uint8Array.from(piece)));
  });
  afterEach(() => storage.close());

  const upload = (transfer: UxpTransfer, signal = new AbortController().signal, seen: TransferProgress[] = []) =>
    transfer.upload({
      path: PATH,
      url: "http://127.0.0.1:9/never",
      resumableUrl: storage.url,
      contentType: "video/mp4",
      signal,
      onProgress: (progress) => seen.push(progress),
    });

  thoroughTest("SIGN-06 SIGN-07 PANEL-09: sends the very bytes, with their type, and tells how far it is", async () => {
    const content = media(2 * SLICE_BYTES + 1234);
    const seen: TransferProgress[] = [];
    expect(await upload(transferOver(nodeWire), undefined, seen)).toEqual({ status: 200, body: "" });
    expect(Buffer.concat(stored).equals(content)).toBe(true);
    expect([...storage.types]).toEqual(["video/mp4"]);
    expect(storage.ranges).toEqual([
      `bytes */${content.byteLength}`,
      `bytes 0-${SLICE_BYTES - 1}/${content.byteLength}`,
      `bytes ${SLICE_BYTES}-${2 * SLICE_BYTES - 1}/${content.byteLength}`,
      `bytes ${2 * SLICE_BYTES}-${content.byteLength - 1}/${content.byteLength}`,
    ]);
    expect(seen.at(-1)).toEqual({ doneBytes: content.byteLength, totalBytes: content.byteLength });
    expect(seen.every((one, i) => one.doneBytes >= (seen[i - 1]?.doneBytes ?? 0))).toBe(true);
  });

  test("PANEL-10: goes on from where storage stands after the line broke", async () => {
    const content = media(2 * SLICE_BYTES);
    storage.breakAt(SLICE_BYTES + 5000);
    const transfer = transferOver(nodeWire);
    await expect(upload(transfer)).rejects.toMatchObject({ code: "connection_failed", mayHaveArrived: true });
    expect(storage.committed()).toBe(SLICE_BYTES + 5000);
    expect(await upload(transfer)).toMatchObject({ status: 200 });
    expect(storage.ranges.at(-1)).toBe(`bytes ${SLICE_BYTES + 5000}-${content.byteLength - 1}/${content.byteLength}`);
    expect(Buffer.concat(stored).equals(content)).toBe(true);
  });

  test("asks only once when everything is there already", async () => {
    media(1000);
    const transfer = transferOver(nodeWire);
    await upload(transfer);
    expect(await upload(transfer)).toMatchObject({ status: 200 });
    expect(storage.ranges.at(-1)).toBe("bytes */1000");
  });

  test("PANEL-10: passes on what storage refused, cut short, for the caller to judge", async () => {
    media(1000);
    storage.refuseOnce(403, `<Error><Code>ExpiredToken</Code>${"x".repeat(9000)}</Error>`);
    const reply = await upload(transferOver(nodeWire));
    expect(reply).toMatchObject({ status: 403 });
    expect(reply.body).toContain("<Code>ExpiredToken</Code>");
    expect(reply.body.length).toBeLessThanOrEqual(4096);
  });

  test("PANEL-09: a cancel ends it at once with the signal's own reason", async () => {
    media(4 * SLICE_BYTES);
    const controller = new AbortController();
    const cancelled = new Error("cancelled");
    const seen: TransferProgress[] = [];
    const transfer = transferOver(async (request) => {
      if (seen.some((one) => one.doneBytes > 0)) controller.abort(cancelled);
      return nodeWire(request);
    });
    await expect(upload(transfer, controller.signal, seen)).rejects.toBe(cancelled);
    expect(storage.committed()).toBeLessThan(4 * SLICE_BYTES);
  });

  test("does not spin when storage takes a slice and does not move", async () => {
    media(1000);
    let requests = 0;
    const transfer = transferOver(async () => {
      requests += 1;
      return { status: 308, headers: {}, body: new Uint8Array(0) };
    });
    expect(await upload(transfer)).toMatchObject({ status: 503 });
    expect(requests).toBe(2);
  });

  test.each([
    ["bytes=0-499", 500],
    [" bytes=0-499 ", 500],
    ["bytes=0-0", 1],
    // Whatever else it may have, what it has from the beginning on is nothing.
    ["bytes=5-499", 0],
    ["bytes=0-499,600-700", 0],
    ["other-bytes=0-499", 0],
    ["", 0],
  ])("goes on behind what storage has from the very beginning: %j", async (range, from) => {
    media(1000);
    const sent: string[] = [];
    const transfer = transferOver(async ({ headers }) => {
      sent.push(headers["Content-Range"] ?? "");
      const isAll = sent.length === 2;
      return { status: isAll ? 200 : 308, headers: range === "" ? {} : { range }, body: new Uint8Array(0) };
    });
    expect(await upload(transfer)).toMatchObject({ status: 200 });
    expect(sent).toEqual(["bytes */1000", `bytes ${from}-999/1000`]);
  });
});

test("nothing is sent of what storage has already, though it does not say that it is done", async () => {
  media(1000);
  let requests = 0;
  const transfer = transferOver(async () => {
    requests += 1;
    return { status: 308, headers: { range: "bytes=0-999" }, body: new Uint8Array(0) };
  });
  const { signal } = new AbortController();
  const seen: TransferProgress[] = [];
  const onProgress = (progress: TransferProgress) => void seen.push(progress);
  const url = "http://storage.example/put";
  const request = { path: PATH, url, resumableUrl: url, contentType: "video/mp4", signal, onProgress };
  expect(await transfer.upload(request)).toEqual({ status: 200, body: "" });
  expect([requests, seen]).toEqual([1, [{ doneBytes: 1000, totalBytes: 1000 }]]);
});

describe("upload in one piece", () => {
  const upload = (transfer: UxpTransfer) =>
    transfer.upload({
      path: PATH,
      url: "http://storage.example/put",
      contentType: "video/mp4",
      signal: new AbortController().signal,
    });

  test("SIGN-07 OPEN-29: sends the bytes with their content type and no other header", async () => {
    const content = media(5000);
    const sent: Parameters<Wire>[0][] = [];
    const transfer = transferOver(async (request) => {
      sent.push(request);
      return { status: 200, headers: {}, body: new Uint8Array(0) };
    });
    expect(await upload(transfer)).toEqual({ status: 200, body: "" });
    expect(sent).toMatchObject([{ method: "PUT", headers: { "Content-Type": "video/mp4" } }]);
    expect(Object.keys(sent[0]?.headers ?? {})).toEqual(["Content-Type"]);
    expect(sent[0]?.body).toEqual(content);
  });

  test("refuses what is too large for memory, before it sends anything, and says what to do", async () => {
    media(2_500_000);
    let requests = 0;
    const transfer = transferOver(async () => {
      requests += 1;
      return { status: 200, headers: {}, body: new Uint8Array(0) };
    }, 1_000_000);
    await expect(upload(transfer)).rejects.toMatchObject({
      code: "host_failed",
      message: expect.stringMatching(/ 3 MB.* 1 MB.*Choose a preset of a lower bit rate or a shorter range\./s),
    });
    expect(requests).toBe(0);
    media(1_000_000);
    expect(await upload(transfer)).toMatchObject({ status: 200 });
  });

  test("says that the export is gone", async () => {
    await expect(upload(transferOver(nodeWire))).rejects.toMatchObject({
      ...{ code: "file_not_found", message: "The export is gone. Export the sequence again." },
      ...{ operation: "upload the export", state: "nothing was sent" },
    });
  });
});

describe("download", () => {
  const TARGET = "/data/narration.wav";
  // More than two pieces, so that one has others on both sides.
  const content = patterned(17 * 1024 * 1024);
  const download = (transfer: UxpTransfer, url: string, signal = new AbortController().signal) =>
    transfer.download({ path: TARGET, url, signal });

  async function serve(knowsRanges: boolean): Promise<{ url: string; asked: string[]; close: () => void }> {
    const asked: string[] = [];
    const server = createServer((request, reply) => {
      asked.push(request.headers.range ?? "");
      const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
      if (!knowsRanges || range === null) return void reply.writeHead(200).end(content);
      const from = Number(range[1]);
      const to = Math.min(Number(range[2]), content.byteLength - 1);
      reply.writeHead(206, { "Content-Range": `bytes ${from}-${to}/${content.byteLength}` });
      reply.end(content.subarray(from, to + 1));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = address === null || typeof address === "string" ? 0 : address.port;
    return { url: `http://127.0.0.1:${port}/narration.wav`, asked, close: () => server.close() };
  }

  test.each([true, false])("fetches a file whole when storage knows ranges: %s", async (knowsRanges) => {
    const server = await serve(knowsRanges);
    expect(await download(transferOver(nodeWire), server.url)).toEqual({ status: 200, body: "" });
    expect(Buffer.from(disk.files.get(TARGET) ?? []).equals(content)).toBe(true);
    expect([...disk.files.keys()]).toEqual([TARGET]);
    expect(server.asked).toHaveLength(knowsRanges ? 3 : 1);
    server.close();
  });

  test.each(["arraybuffer", "arrayBuffer"] as const)(
    "whichever way the reply's type is spelled: %s",
    async (bytesType) => {
      const server = await serve(true);
      const transfer = new UxpTransfer({
        Requests: makeRequests({ wire: nodeWire, domains: "all", bytesType }),
        files,
      });
      for (let count = 0; count < 2; count++) {
        expect(await download(transfer, server.url)).toEqual({ status: 200, body: "" });
        expect(Buffer.from(disk.files.get(TARGET) ?? []).equals(content)).toBe(true);
        disk.files.delete(TARGET);
      }
      // What worked is remembered: one request in vain at most.
      expect(server.asked).toHaveLength(bytesType === "arraybuffer" ? 6 : 7);
      server.close();
    },
  );

  test("PANEL-21: passes on a refused link, and leaves no file", async () => {
    const transfer = transferOver(async () => ({
      status: 403,
      headers: {},
      body: new TextEncoder().encode("<Error>Request has expired</Error>"),
    }));
    expect(await download(transfer, "http://x/y")).toEqual({ status: 403, body: "<Error>Request has expired</Error>" });
    expect([...disk.files.keys()]).toEqual([]);
  });

  test("a line that breaks is a connection error without the address", async () => {
    const transfer = transferOver(() => Promise.reject(new Error("ECONNRESET")));
    const failure = download(transfer, "http://storage.example/secret?signature=abc");
    await expect(failure).rejects.toMatchObject({ code: "connection_failed" });
    await expect(failure).rejects.not.toThrow(/secret|signature/);
  });

  test("a full disk is called that", async () => {
    const server = await serve(true);
    disk.room = 1000;
    await expect(download(transferOver(nodeWire), server.url)).rejects.toMatchObject({ code: "disk_full" });
    server.close();
  });
});
