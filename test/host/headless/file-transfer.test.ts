import { createHash, randomBytes } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ConnectionError } from "../../../src/core/error.ts";
import type { TransferProgress } from "../../../src/core/ports.ts";
import { nodeFileTransfer } from "../../../src/host/headless/file-transfer.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

let folder: string;
let address: string;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
const server = createServer((request, response) => answer(request, response));

beforeEach(async () => {
  folder = await temporaryFolder();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an address of this form.
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/object?X-Goog-Signature=secret`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function fileOf(bytes: Buffer): Promise<string> {
  const path = join(folder, "film.mp4");
  await writeFile(path, bytes);
  return path;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces);
}

const hash = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
const { signal } = new AbortController();

describe("uploading", () => {
  test("SIGN-06 OPEN-29: puts the bytes as they are, with their length and type and no more of ours", async () => {
    const bytes = randomBytes(3_000_001);
    const seen: { hash?: string; headers?: IncomingMessage["headers"]; method?: string | undefined } = {};
    answer = async (request, response) => {
      seen.headers = request.headers;
      seen.method = request.method;
      seen.hash = hash(await bodyOf(request));
      response.end();
    };
    const progress: TransferProgress[] = [];
    const reply = await nodeFileTransfer.upload({
      path: await fileOf(bytes),
      url: address,
      contentType: "video/mp4",
      signal,
      onProgress: (step) => progress.push(step),
    });
    expect(reply).toEqual({ status: 200, body: "" });
    expect(seen.method).toBe("PUT");
    expect(seen.hash).toBe(hash(bytes));
    expect(seen.headers).toMatchObject({ "content-type": "video/mp4", "content-length": "3000001" });
    expect(Object.keys(seen.headers ?? {}).sort()).toEqual(["connection", "content-length", "content-type", "host"]);
    expect(progress.at(-1)).toEqual({ doneBytes: 3_000_001, totalBytes: 3_000_001 });
  });

  test("sends an empty file as an empty body", async () => {
    let length: string | undefined;
    answer = (request, response) => {
      length = request.headers["content-length"];
      response.end();
    };
    await nodeFileTransfer.upload({ path: await fileOf(Buffer.alloc(0)), url: address, contentType: "a/b", signal });
    expect(length).toBe("0");
  });

  test("hands back a refusal that comes before the bytes are through", async () => {
    answer = (_request, response) => {
      response.writeHead(403, { connection: "close" }).end("<Error><Code>ExpiredToken</Code></Error>");
    };
    const path = await fileOf(randomBytes(30_000_000));
    const outcome = await nodeFileTransfer
      .upload({ path, url: address, contentType: "a/b", signal })
      .catch((error) => error);
    // The line may break before the refusal is read; then it is a broken line, and is tried again.
    if (outcome instanceof ConnectionError) expect(outcome.code).toBe("connection_failed");
    else expect(outcome).toEqual({ status: 403, body: "<Error><Code>ExpiredToken</Code></Error>" });
  });

  test("keeps no more than a few kilobytes of a reply", async () => {
    answer = (_request, response) => {
      response.writeHead(500).end("x".repeat(5_000_000));
    };
    const reply = await nodeFileTransfer.upload({
      path: await fileOf(Buffer.from("a")),
      url: address,
      contentType: "a/b",
      signal,
    });
    expect(reply.body).toHaveLength(8192);
  });

  test("a broken line is a ConnectionError without the address", async () => {
    answer = (request) => request.socket.destroy();
    const path = await fileOf(Buffer.from("abc"));
    const error = await nodeFileTransfer
      .upload({ path, url: address, contentType: "a/b", signal })
      .catch((reason) => reason);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(String(error)).not.toMatch(/127\.0\.0\.1|secret/);
  });

  test("an address that is none is refused as such", async () => {
    const path = await fileOf(Buffer.from("abc"));
    await expect(nodeFileTransfer.upload({ path, url: "http://", contentType: "a/b", signal })).rejects.toBeInstanceOf(
      ConnectionError,
    );
  });

  test("a file that is not there is the host's error", async () => {
    const path = join(folder, "no.mp4");
    await expect(nodeFileTransfer.upload({ path, url: address, contentType: "a/b", signal })).rejects.toMatchObject({
      code: "file_not_found",
    });
  });

  test("an abort ends it with the signal's reason, in the middle of the bytes", async () => {
    const controller = new AbortController();
    answer = (request) => {
      request.once("data", () => controller.abort("stop"));
    };
    const path = await fileOf(randomBytes(50_000_000));
    const upload = nodeFileTransfer.upload({ path, url: address, contentType: "a/b", signal: controller.signal });
    await expect(upload).rejects.toBe("stop");
  });
});

describe("uploading in slices", () => {
  const bytes = randomBytes(40_000_000);

  /** A store that keeps what it gets and cuts the line after `breaks` bytes of a slice, each once. */
  function sliceStore(breaks: number[]) {
    const store = { bytes: Buffer.alloc(0), ranges: [] as string[] };
    answer = async (request, response) => {
      const range = request.headers["content-range"] ?? "";
      store.ranges.push(range);
      const limit = range.startsWith("bytes */") ? undefined : breaks.shift();
      if (limit !== undefined) {
        let got = 0;
        request.on("data", (piece: Buffer) => {
          if (got < limit) store.bytes = Buffer.concat([store.bytes, piece]);
          got += piece.length;
          if (got >= limit) request.socket.destroy();
        });
        request.on("error", () => undefined);
        return;
      }
      store.bytes = Buffer.concat([store.bytes, await bodyOf(request)]);
      const isWhole = store.bytes.length === bytes.length;
      const head = store.bytes.length === 0 ? {} : { range: `bytes=0-${store.bytes.length - 1}` };
      response.writeHead(isWhole ? 200 : 308, isWhole ? {} : head).end();
    };
    return store;
  }

  const request = async () => ({
    path: await fileOf(bytes),
    url: `${address}&plain`,
    resumableUrl: address,
    contentType: "video/mp4",
    signal,
  });

  test("asks where storage stands, and sends the rest slice by slice", async () => {
    const store = sliceStore([]);
    expect(await nodeFileTransfer.upload(await request())).toMatchObject({ status: 200 });
    expect(store.ranges).toEqual([
      "bytes */40000000",
      "bytes 0-16777215/40000000",
      "bytes 16777216-33554431/40000000",
      "bytes 33554432-39999999/40000000",
    ]);
    expect(hash(store.bytes)).toBe(hash(bytes));
  });

  test("goes on after a broken line with the first byte that storage lacks", async () => {
    const store = sliceStore([1_000_000]);
    const order = await request();
    await expect(nodeFileTransfer.upload(order)).rejects.toBeInstanceOf(ConnectionError);
    const kept = store.bytes.length;
    expect(kept).toBeGreaterThanOrEqual(1_000_000);
    expect(await nodeFileTransfer.upload(order)).toMatchObject({ status: 200 });
    expect(store.ranges[3]).toMatch(new RegExp(`^bytes ${kept}-`));
    expect(hash(store.bytes)).toBe(hash(bytes));
  });

  test("takes the plain way where storage knows no slices", async () => {
    const seen: (string | undefined)[] = [];
    answer = async (incoming, response) => {
      const range = incoming.headers["content-range"];
      seen.push(range);
      await bodyOf(incoming);
      response.writeHead(range === undefined ? 200 : 404).end();
    };
    expect(await nodeFileTransfer.upload(await request())).toMatchObject({ status: 200 });
    expect(seen).toEqual(["bytes */40000000", undefined]);
  });

  test("does not go round in circles where storage makes no headway", async () => {
    let requests = 0;
    answer = async (incoming, response) => {
      requests += 1;
      await bodyOf(incoming);
      response.writeHead(incoming.headers["content-range"] === undefined ? 200 : 308).end();
    };
    expect(await nodeFileTransfer.upload(await request())).toMatchObject({ status: 200 });
    expect(requests).toBe(3);
  });
});

describe("downloading", () => {
  const path = () => join(folder, "narration.wav");

  test("writes the file whole under its name, with progress", async () => {
    const bytes = randomBytes(3_000_000);
    answer = (_request, response) => {
      response.writeHead(200, { "content-length": bytes.length }).end(bytes);
    };
    const progress: TransferProgress[] = [];
    const reply = await nodeFileTransfer.download({
      url: address,
      path: path(),
      signal,
      onProgress: (step) => progress.push(step),
    });
    expect(reply).toEqual({ status: 200, body: "" });
    expect(hash(await readFile(path()))).toBe(hash(bytes));
    expect(progress.at(-1)).toEqual({ doneBytes: 3_000_000, totalBytes: 3_000_000 });
    expect(await readdir(folder)).toEqual(["narration.wav"]);
  });

  test("a reply cut off leaves no file and is a broken line", async () => {
    answer = (_request, response) => {
      response.writeHead(200, { "content-length": 1000 }).write("half");
      setImmediate(() => response.destroy());
    };
    await expect(nodeFileTransfer.download({ url: address, path: path(), signal })).rejects.toBeInstanceOf(
      ConnectionError,
    );
    expect(await readdir(folder)).toEqual([]);
  });

  test.each([403, 404, 416, 500])("status %i is a reply and writes nothing", async (status) => {
    answer = (_request, response) => {
      response.writeHead(status).end("<Error/>");
    };
    expect(await nodeFileTransfer.download({ url: address, path: path(), signal })).toEqual({
      status,
      body: "<Error/>",
    });
    expect(await readdir(folder)).toEqual([]);
  });

  test("follows redirects, relative ones too, but not for ever", async () => {
    answer = (request, response) => {
      if (request.url?.startsWith("/object")) response.writeHead(302, { location: "/there" }).end();
      else response.end("found");
    };
    await nodeFileTransfer.download({ url: address, path: path(), signal });
    expect(await readFile(path(), "utf8")).toBe("found");
    answer = (_request, response) => {
      response.writeHead(302, { location: "/again" }).end();
    };
    expect(await nodeFileTransfer.download({ url: address, path: path(), signal })).toMatchObject({ status: 302 });
  });

  test("a folder that is not there is the host's error", async () => {
    answer = (_request, response) => {
      response.end("x");
    };
    const missing = join(folder, "no", "a.wav");
    await expect(nodeFileTransfer.download({ url: address, path: missing, signal })).rejects.toMatchObject({
      code: "file_not_found",
    });
  });

  test("an abort ends it with the signal's reason and leaves no file", async () => {
    const controller = new AbortController();
    answer = (_request, response) => {
      response.writeHead(200, { "content-length": 1_000_000 }).write(Buffer.alloc(1000));
    };
    const download = nodeFileTransfer.download({
      url: address,
      path: path(),
      signal: controller.signal,
      onProgress: () => controller.abort("stop"),
    });
    await expect(download).rejects.toBe("stop");
    expect(await readdir(folder)).toEqual([]);
  });
});
