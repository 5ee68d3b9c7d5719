import { createHash, randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { connect as connectSocket, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nodeFetch } from "../../src/cli/service-run/service-run.ts";
import { Client } from "../../src/client/client.ts";
import { fetchResult } from "../../src/client/download.ts";
import { sendFile, verifyUpload } from "../../src/client/upload.ts";
import { nodeFileTransfer } from "../../src/host/headless/file-transfer.ts";
import { nodeFiles } from "../../src/host/headless/files.ts";
import { HURRIED_CLOCK } from "../fakes/hurried-clock.ts";
import { makeMedia } from "../made-media.ts";
import { startTestService, type TestService } from "../service/service-fixture.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { thoroughTest } from "../thorough/thorough-test.ts";
import { ended } from "./service-client.ts";

let folder: string;
let service: TestService;
let address: string;
/** Large enough to go in slices: a clip with bytes behind it that nobody reads. */
let film: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startTestService();
  address = await service.app.listen({ host: "127.0.0.1", port: 0 });
  film = join(folder, "film.mp4");
  makeMedia(film, [{ graph: "testsrc2=size=160x90:rate=25:duration=1", codec: "libx264" }]);
  const box = randomBytes(40_000_000);
  box.writeUInt32BE(box.length, 0);
  box.write("free", 4, "latin1");
  await writeFile(film, Buffer.concat([await readFile(film), box]));
});
afterAll(async () => {
  await service.close();
});

const { signal } = new AbortController();
const file = () => ({ path: film, filename: "film.mp4", contentType: "video/mp4" });
const clientAt = (baseUrl: string) =>
  new Client({ baseUrl, apiKey: service.key, fetch: nodeFetch, clock: HURRIED_CLOCK });
const partsAt = (baseUrl: string) => ({ client: clientAt(baseUrl), transfer: nodeFileTransfer, clock: HURRIED_CLOCK });
const hashOf = async (path: string) =>
  createHash("sha256")
    .update(await readFile(path))
    .digest("hex");

describe("over a real network", () => {
  test("SIGN-05 SIGN-06 LIM-02: a large file goes through in slices and becomes media", async () => {
    const progress: number[] = [];
    const onProgress = ({ doneBytes }: { doneBytes: number }) => progress.push(doneBytes);
    const sent = await sendFile(partsAt(address), file(), { signal, onProgress });
    expect(await verifyUpload(partsAt(address), sent, { signal })).toMatchObject({
      outcome: "ready",
      durationSeconds: 1,
    });
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(progress.at(-1)).toBe(await nodeFiles.size(film));
  });

  test("OPEN-29: a refusal arrives although the whole body was not wanted", async () => {
    const signed = await clientAt(address).requestSignedUpload(file());
    const reply = await nodeFileTransfer.upload({
      ...file(),
      contentType: "text/plain",
      url: signed.uploadUrl,
      signal,
    });
    expect(reply).toMatchObject({ status: 403, body: expect.stringContaining("<Code>SignatureDoesNotMatch</Code>") });
  });

  thoroughTest("a line that is cut again and again costs only the slice under way", async () => {
    const relay = await startRelay(address, 9_000_000);
    const sent = await sendFile(partsAt(relay.address), file(), { signal });
    relay.heal();
    expect(await verifyUpload(partsAt(address), sent, { signal })).toMatchObject({ outcome: "ready" });
    expect(relay.cuts()).toBeGreaterThanOrEqual(3);
    await relay.close();
  });

  test("AUDIO-06 RES-05 OPEN-28: a result is fetched by its link, a fresh one where the first is spent", async () => {
    const client = clientAt(address);
    const sent = await sendFile(partsAt(address), file(), { signal });
    const verified = await verifyUpload(partsAt(address), sent, { signal });
    if (verified.outcome !== "ready") throw new Error("the upload is not ready");
    const { jobId } = await client.generateAudio({ type: "media_id", media_id: verified.mediaId });
    const job = await ended(client, jobId);
    if (job.status !== "done" || job.audioUrl === undefined) throw new Error("the job brought no sound");
    const path = join(folder, "result.wav");
    const asked: boolean[] = [];
    const link = async (isFresh: boolean) => {
      asked.push(isFresh);
      const fresh = await client.getResults(jobId);
      return isFresh && fresh.status === "done" ? (fresh.audioUrl ?? "") : `${job.audioUrl}0`;
    };
    await fetchResult(partsAt(address), { link, path, fault: async () => null }, { signal });
    expect(asked).toEqual([false, true]);
    expect(await readFile(path, "utf8")).toBe(`bytes of ${jobId}`);
    expect(await hashOf(path)).toHaveLength(64);
  });
});

/** A network in between that cuts each connection after some bytes, until it is healed. */
async function startRelay(target: string, bytes: number) {
  const { port } = new URL(target);
  let cuts = 0;
  let isHealed = false;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connectSocket(Number(port), "127.0.0.1");
    let passed = 0;
    near.on("data", (piece) => {
      passed += piece.length;
      if (isHealed || passed < bytes) return;
      cuts += 1;
      near.destroy();
      far.destroy();
    });
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const listening = server.address();
  const relayPort = typeof listening === "object" && listening !== null ? listening.port : 0;
  return {
    address: `http://127.0.0.1:${relayPort}`,
    cuts: () => cuts,
    heal() {
      isHealed = true;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
