import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ConnectionError } from "../../src/core/error.ts";
import type { FileTransfer } from "../../src/core/ports.ts";
import { nodeFileTransfer } from "../../src/host/headless/file-transfer.ts";
import { nodeFiles } from "../../src/host/headless/files.ts";
import { HostError } from "../../src/host/host-error.ts";
import { UxpTransfer } from "../../src/host/uxp/uxp-transfer.ts";
import { UxpFiles } from "../../src/host/uxp/work-folder.ts";
import { makeFs } from "../fakes/uxp/fs.ts";
import { NodeDisk } from "../fakes/uxp/node-disk.ts";
import { nodeWire } from "../fakes/uxp/node-wire.ts";
import { makeRequests } from "../fakes/uxp/xml-http-request.ts";
import { temporaryFolder } from "../temporary-folder.ts";

function ofUxp(root: string): FileTransfer {
  const fs = makeFs({
    disk: new NodeDisk(),
    schemes: { "plugin-data:": root },
    hasFullAccess: true,
    random: Math.random,
  });
  const Requests = makeRequests({ wire: nodeWire, domains: "all" });
  return new UxpTransfer({ Requests, files: new UxpFiles(fs.module) });
}

describe.each([
  ["Node", () => nodeFileTransfer],
  ["UXP", ofUxp],
] as const)("the port for transfers, by %s", (_, make) => {
  let transfer: FileTransfer;
  let folder: string;
  let origin: string;
  let url: string;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  const server = createServer((request, response) => answer(request, response));
  const { signal } = new AbortController();

  beforeEach(async () => {
    folder = await temporaryFolder();
    transfer = make(folder);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    // A server that listens on a port has an address of this form.
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    url = `${origin}/object?X-Goog-Signature=secret`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  async function film(bytes: Uint8Array): Promise<string> {
    const path = join(folder, "film.mp4");
    await writeFile(path, bytes);
    return path;
  }

  test("puts the bytes as they are, with their type and no key", async () => {
    const bytes = randomBytes(300_001);
    const seen: { body?: Buffer; headers?: IncomingMessage["headers"]; method?: string | undefined } = {};
    answer = async (request, response) => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece);
      Object.assign(seen, { body: Buffer.concat(pieces), headers: request.headers, method: request.method });
      response.end();
    };
    const reply = await transfer.upload({ path: await film(bytes), url, contentType: "video/mp4", signal });
    expect(reply.status).toBe(200);
    expect(seen.method).toBe("PUT");
    expect(seen.body?.equals(bytes)).toBe(true);
    expect(seen.headers).toMatchObject({ "content-type": "video/mp4" });
    expect(seen.headers).not.toHaveProperty("x-api-key");
  });

  test("any status is a reply, with what storage says", async () => {
    answer = (request, response) => {
      request.resume();
      request.on("end", () => response.writeHead(403).end("<Error><Code>SignatureDoesNotMatch</Code></Error>"));
    };
    const reply = await transfer.upload({ path: await film(randomBytes(10)), url, contentType: "video/mp4", signal });
    expect(reply).toMatchObject({ status: 403, body: expect.stringContaining("SignatureDoesNotMatch") });
    const into = join(folder, "sound.wav");
    expect((await transfer.download({ path: into, url, signal })).status).toBe(403);
    expect(await nodeFiles.size(into)).toBeNull();
  });

  test("fetches a file whole, in place of an older one, and leaves nothing beside it", async () => {
    const bytes = randomBytes(500_003);
    answer = (_request, response) => response.writeHead(200, { "content-length": bytes.length }).end(bytes);
    const into = join(folder, "sound.wav");
    await writeFile(into, "old");
    expect((await transfer.download({ path: into, url, signal })).status).toBe(200);
    expect(Buffer.from(await nodeFiles.readBytes(into, 0, 600_000)).equals(bytes)).toBe(true);
    expect(await nodeFiles.list(folder)).toEqual(["sound.wav"]);
  });

  test("without an answer there is a connection that broke, which does not name the address", async () => {
    answer = (request) => request.socket.destroy();
    const failing = transfer.upload({ path: await film(randomBytes(10)), url, contentType: "video/mp4", signal });
    const error = await failing.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(String(error)).not.toContain("secret");
    await expect(transfer.download({ path: join(folder, "a"), url, signal })).rejects.toBeInstanceOf(ConnectionError);
    expect(await nodeFiles.size(join(folder, "a"))).toBeNull();
  });

  test("a file that is not there is the host's error, and nothing is sent", async () => {
    let asked = 0;
    answer = (_request, response) => {
      asked += 1;
      response.end();
    };
    const missing = transfer.upload({ path: join(folder, "none.mp4"), url, contentType: "video/mp4", signal });
    await expect(missing).rejects.toBeInstanceOf(HostError);
    expect(asked).toBe(0);
  });

  test("called off, it ends with the reason and leaves no file", async () => {
    const controller = new AbortController();
    answer = (_request, response) => {
      response.writeHead(200, { "content-length": 1_000_000 });
      response.write(Buffer.alloc(1_000));
      controller.abort(new Error("enough"));
    };
    const into = join(folder, "sound.wav");
    await expect(transfer.download({ path: into, url, signal: controller.signal })).rejects.toThrow("enough");
    expect(await nodeFiles.size(into)).toBeNull();
  });
});
