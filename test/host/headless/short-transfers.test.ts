import { open, readdir, readFile, readlink, truncate, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ConnectionError } from "../../../src/core/error.ts";
import { nodeFileTransfer } from "../../../src/host/headless/file-transfer.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

// Statuses of storage, without long files; what becomes of those stands in file-transfer.test.ts.

const { signal } = new AbortController();
let folder: string;
let url: string;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
const server = createServer((request, response) => answer(request, response));

beforeEach(async () => {
  folder = await temporaryFolder();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an address of this form.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/object`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const download = () => nodeFileTransfer.download({ url, path: join(folder, "a.wav"), signal });

test.each([300, 301, 302, 303, 304, 305, 307, 308, 309])(
  "a download is led on by status %i, or told of it",
  async (status) => {
    const methods = new Set<string | undefined>();
    answer = (request, response) => {
      methods.add(request.method);
      if (request.url === "/object") response.writeHead(status, { location: "/there" }).end();
      else response.end("found");
    };
    const isLedOn = status >= 301 && status <= 308 && status !== 304;
    expect((await download()).status).toBe(isLedOn ? 200 : status);
    expect([...methods]).toEqual(["GET"]);
    expect(await readdir(folder)).toEqual(isLedOn ? ["a.wav"] : []);
    if (isLedOn) expect(await readFile(join(folder, "a.wav"), "utf8")).toBe("found");
  },
);

test("a download is led on five times, and no sixth time", async () => {
  const hops = (count: number) => (request: IncomingMessage, response: ServerResponse) => {
    const done = Number(/\d+$/.exec(request.url ?? "")?.[0] ?? 0);
    if (done < count) response.writeHead(302, { location: `/hop${done + 1}` }).end();
    else response.end("found");
  };
  answer = hops(5);
  expect((await download()).status).toBe(200);
  answer = hops(6);
  expect((await download()).status).toBe(302);
});

test("of a refusal eight kilobytes are kept", async () => {
  answer = (_request, response) => response.writeHead(403).end("x".repeat(20_000));
  expect((await download()).body).toHaveLength(8_192);
});

test.each([
  [["<Error>", "<Code>", "ExpiredToken"], "<Error><Code>ExpiredToken"],
  [["a".repeat(8_190), "b", "c", "d"], `${"a".repeat(8_190)}bc`],
])("a refusal that comes in pieces is kept whole, up to eight kilobytes: case %#", async (pieces, kept) => {
  answer = async (_request, response) => {
    response.writeHead(403);
    for (const piece of pieces) {
      response.write(piece);
      // Turns of the loop in which the other end reads it.
      for (let turn = 0; turn < 10; turn++) await setImmediate();
    }
    response.end();
  };
  expect(await download()).toEqual({ status: 403, body: kept });
});

test.each([200, 308, 309, 400, 401, 404, 405, 501])(
  "a resumable upload whose opening question is answered with %i goes on as that says",
  async (status) => {
    const path = join(folder, "film.mp4");
    await writeFile(path, "");
    const file = await open(path, "r+");
    await file.truncate(16 * 2 ** 20 + 1);
    await file.close();
    const asked: string[] = [];
    answer = async (request, response) => {
      const range = request.headers["content-range"];
      asked.push(range ?? "plain");
      let length = 0;
      for await (const piece of request) length += piece.length;
      if (range?.startsWith("bytes */") === true) response.writeHead(status).end();
      else if (range?.startsWith("bytes 0-") === true)
        response.writeHead(308, { range: `bytes=0-${length - 1}` }).end();
      else response.writeHead(200).end();
    };
    const reply = await nodeFileTransfer.upload({
      path,
      url: `${url}?plain`,
      resumableUrl: url,
      contentType: "a/b",
      signal,
    });
    const question = `bytes */${16 * 2 ** 20 + 1}`;
    if (status === 308) {
      expect(asked).toEqual([question, "bytes 0-16777215/16777217", "bytes 16777216-16777216/16777217"]);
    } else expect(asked).toEqual([400, 404, 405, 501].includes(status) ? [question, "plain"] : [question]);
    expect(reply.status).toBe([309, 401].includes(status) ? status : 200);
  },
);

test.each([
  ["bytes=0-16777215", ["bytes 16777216-16777216/16777217"]],
  // Whatever else storage says of a range, it has nothing that could be gone on from.
  [undefined, ["bytes 0-16777215/16777217"]],
  ["bytes=1-16777215", ["bytes 0-16777215/16777217"]],
  ["x bytes=0-16777215", ["bytes 0-16777215/16777217"]],
  ["bytes=0-16777215, 3", ["bytes 0-16777215/16777217"]],
])("a resumable upload goes on from where storage says that it stands: %s", async (range, slices) => {
  const path = join(folder, "film.mp4");
  await writeFile(path, "");
  await truncate(path, 16 * 2 ** 20 + 1);
  const asked: string[] = [];
  answer = async (request, response) => {
    const sent = request.headers["content-range"] ?? "";
    for await (const _piece of request);
    if (!sent.startsWith("bytes */")) asked.push(sent);
    if (asked.length > 0) response.writeHead(200).end();
    else response.writeHead(308, range === undefined ? {} : { range }).end();
  };
  const reply = await nodeFileTransfer.upload({ path, url, resumableUrl: url, contentType: "a/b", signal });
  expect([reply.status, asked]).toEqual([200, slices]);
});

/** Handles of this process on a file, where the system tells of them. */
async function handlesOf(path: string): Promise<number> {
  const names = await readdir("/proc/self/fd");
  const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => "")));
  return targets.filter((target) => target === path).length;
}

test.runIf(process.platform === "linux")(
  "a refusal that comes before the bytes are through closes the file",
  async () => {
    const path = join(folder, "film.mp4");
    await writeFile(path, "");
    await truncate(path, 64 * 2 ** 20);
    answer = (_request, response) => response.writeHead(403).end("no");
    const upload = nodeFileTransfer.upload({ path, url, contentType: "a/b", signal });
    // The line may break before the refusal is read: the file is to be closed then too.
    await upload.catch(() => undefined);
    await expect.poll(() => handlesOf(path)).toBe(0);
  },
);

test("an upload whose file cannot be read is broken off, and told", async () => {
  const upload = nodeFileTransfer.upload({ path: folder, url, contentType: "a/b", signal });
  await expect(upload).rejects.toMatchObject({ code: "file_in_the_way", operation: "read a file" });
  for (let turn = 0; turn < 20; turn++) await setImmediate();
  const connections = () => new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
  await expect.poll(connections).toBe(0);
});

test("a file that becomes shorter while it is sent is told of at once, and the line to storage is broken off", async () => {
  const path = join(folder, "film.mp4");
  await writeFile(path, "");
  await truncate(path, 64 * 2 ** 20);
  const broken = Promise.withResolvers<void>();
  answer = (request) => {
    request.on("error", () => broken.resolve());
    request.once("data", async () => {
      request.pause();
      await truncate(path, 1_000_000);
      request.resume();
    });
  };
  await expect(nodeFileTransfer.upload({ path, url, contentType: "a/b", signal })).rejects.toMatchObject({
    code: "file_unreadable",
    message: '"film.mp4" became shorter while it was sent. Send it again.',
    state: "part of it was sent",
  });
  await broken.promise;
});

describe("a line that breaks", () => {
  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: unknown) => error,
    );
  const film = async () => {
    const path = join(folder, "film.mp4");
    await writeFile(path, "film");
    return path;
  };
  const upload = async (to: string) =>
    await failureOf(nodeFileTransfer.upload({ path: await film(), url: to, contentType: "a/b", signal }));

  test("is told by the system's word for it, and what was sent may have arrived", async () => {
    answer = (request) => request.socket.resetAndDestroy();
    for (const failure of [await upload(url), await failureOf(download())]) {
      expect(failure).toBeInstanceOf(ConnectionError);
      expect(failure).toMatchObject({ message: "the connection to storage broke (ECONNRESET)", mayHaveArrived: true });
    }
    const nobody = await upload("http://127.0.0.1:1/object?secret");
    expect(nobody).toMatchObject({ message: "the connection to storage broke (ECONNREFUSED)" });
    expect((nobody as Error).cause).toMatchObject({ code: "ECONNREFUSED" });
  });

  test("never was one where the address is none: nothing can have arrived", async () => {
    for (const address of ["http://", "ftp://127.0.0.1/film", "nothing"]) {
      const failure = await upload(address);
      expect(failure).toMatchObject({ message: "the address of storage cannot be used", mayHaveArrived: false });
      expect((failure as Error).cause).toBeInstanceOf(Error);
    }
  });

  test("is asked for by TLS where the address says so", async () => {
    answer = (_request, response) => response.end();
    const plain = await upload(url.replace("http:", "https:"));
    // What answers speaks no TLS.
    expect(plain).toBeInstanceOf(ConnectionError);
    expect(String((plain as Error).message)).toMatch(/broke \((?:EPROTO|ERR_SSL_\w+|ECONNRESET)\)/);
  });
});
