import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ServiceSettings } from "../../../src/service/settings/service-settings.ts";
import { startVisionServer, type VisionServer } from "../../fakes/vision-server.ts";
import { uniqueClip } from "../../service/clips.ts";
import { generate, startRealService, startServiceHere, upload } from "../../service/real-service.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

/** Addresses that this process connected to, but for sockets of files. */
let reached: string[];
let model: VisionServer;

function watch(message: unknown): void {
  const { socket } = message as { readonly socket: Socket };
  socket.once("connect", () => {
    if (socket.remoteAddress !== undefined) reached.push(`${socket.remoteAddress}:${socket.remotePort}`);
  });
}

beforeEach(async () => {
  reached = [];
  model = await startVisionServer([{ words: '{"facts": []}' }]);
  subscribe("net.client.socket", watch);
});
afterEach(async () => {
  unsubscribe("net.client.socket", watch);
  await model.close();
});

/** A server that is no server of this computer by its address, and is reached all the same. */
const elsewhere = () => model.url.replace("127.0.0.1", "0.0.0.0");

async function serviceSetTo(environment: Record<string, string>, start = startServiceHere) {
  const file = join(await temporaryFolder(), "settings.json");
  const { PATH, HOME } = process.env;
  return start({}, { settings: new ServiceSettings({ file, environment: { PATH, HOME, ...environment } }) });
}

test("a whole job on a computer that nothing leaves connects to nobody", async () => {
  const service = await serviceSetTo(
    {
      ASIDE_LOCAL_ONLY: "on",
      ASIDE_VISION_URL: "off",
      ASIDE_TRANSCRIPTION_URL: "off",
    },
    startRealService,
  );
  try {
    const job = await generate(service, "audio", await upload(service, await uniqueClip()));
    expect(job.status).toBe("done");
    expect(reached).toEqual([]);
  } finally {
    await service.close();
  }
});

test("a server elsewhere is not asked there, whatever names it; where it may be, it is", async () => {
  const named = { ASIDE_VISION_URL: elsewhere(), ASIDE_VISION_MODEL: "m", ASIDE_TRANSCRIPTION_URL: "off" };
  const closed = await serviceSetTo({ ...named, ASIDE_LOCAL_ONLY: "on" });
  try {
    const job = await generate(closed, "text", await upload(closed, await uniqueClip()));
    expect(job).toMatchObject({
      status: "failed",
      message: expect.stringContaining("lets nothing leave this computer"),
    });
    expect([reached, model.requests.length]).toEqual([[], 0]);
  } finally {
    await closed.close();
  }
  const open = await serviceSetTo(named);
  try {
    await generate(open, "text", await upload(open, await uniqueClip()));
    expect(reached.length).toBeGreaterThan(0);
    expect(model.requests.length).toBeGreaterThan(0);
  } finally {
    await open.close();
  }
});
