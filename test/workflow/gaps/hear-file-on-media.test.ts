import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Client } from "../../../src/client/client.ts";
import { nodeFileTransfer } from "../../../src/host/headless/file-transfer.ts";
import { SYSTEM_CLOCK } from "../../../src/service/system-clock.ts";
import { type HearingProgress, hearFile } from "../../../src/workflow/gaps/look-for-gaps.ts";
import { HostedServer } from "../../fakes/hosted-server.ts";
import { startTestService, type TestService } from "../../service/service-fixture.ts";
import { sharedMedia } from "../../shared-media.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";

let service: TestService;
let address: string;
beforeAll(async () => {
  service = await startTestService({}, { worksOnJobs: false });
  address = await service.app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => service.close());

const FILE = { path: sharedMedia("audio/meeting/dev00.wav"), filename: "sound.wav", contentType: "audio/wav" };

function partsFor(baseUrl: string, apiKey: string) {
  const client = new Client({ baseUrl, apiKey, fetch, clock: SYSTEM_CLOCK });
  return { client, transfer: nodeFileTransfer, clock: SYSTEM_CLOCK };
}

async function leftBehind(): Promise<{ files: string[]; records: number }> {
  const list = async (folder: string) => readdir(join(service.dataFolder, folder), { recursive: true }).catch(() => []);
  const names = [...(await list("objects")), ...(await list("incoming"))];
  const rows = await service.database.query("SELECT 1 FROM aside.media");
  return { files: names.filter((name) => /source|slices/.test(name)), records: rows.length };
}

thoroughTest("our own service hears a file, tells how far it is, and keeps nothing", async () => {
  const seen: HearingProgress[] = [];
  const heard = await hearFile(partsFor(address, service.key), FILE, {
    signal: AbortSignal.timeout(60_000),
    onProgress: (progress) => seen.push(progress),
  });
  const seconds = heard?.speech.reduce((sum, { start, end }) => sum + end - start, 0) ?? 0;
  expect(seconds).toBeGreaterThan(20);
  expect(seen.at(-1)).toEqual({ stage: "listen" });
  expect(seen.filter(({ stage }) => stage === "send").at(-1)?.fraction).toBe(1);
  expect(await leftBehind()).toEqual({ files: [], records: 0 });
});

test("cancelled while it is sent or heard, nothing stays either", async () => {
  for (const stage of ["send", "listen"] as const) {
    const controller = new AbortController();
    const hearing = hearFile(partsFor(address, service.key), FILE, {
      signal: controller.signal,
      onProgress: (progress) => {
        if (progress.stage === stage && progress.fraction !== 0) controller.abort(new Error("enough"));
      },
    });
    await expect(hearing).rejects.toThrow("enough");
    await expect.poll(leftBehind).toEqual({ files: [], records: 0 });
  }
});

test("a service that does not listen is sent nothing", async () => {
  const server = new HostedServer();
  const listening = await server.listen();
  try {
    const parts = partsFor(listening.address, server.key);
    expect(await hearFile(parts, FILE, { signal: AbortSignal.timeout(60_000) })).toBeNull();
    expect(server.seen.map(({ method }) => method)).toEqual(["GET"]);
    expect(server.stored.size).toBe(0);
  } finally {
    await listening.close();
  }
});
