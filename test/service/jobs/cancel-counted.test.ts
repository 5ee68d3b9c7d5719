import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { startDescribingModel } from "../../fakes/describing-model.ts";
import { spokenWave } from "../../fakes/spoken-wave.ts";
import { TranscriptionServer } from "../../fakes/transcription-server.ts";
import { sharedMedia } from "../../shared-media.ts";
import { IS_THOROUGH, thoroughTest } from "../../thorough/thorough-test.ts";
import { eventually } from "../eventually.ts";
import { generate, startRealService, upload } from "../real-service.ts";
import { finished, send, type TestService } from "../service-fixture.ts";

/** Processes are counted where the system lists them as files. */
const onLinux = test.skipIf(process.platform !== "linux");

/** How long it is watched that nothing begins after a job was cancelled, in milliseconds. */
const WATCHED_MS = 1_200;

const SCRIPT = "WEBVTT\n\n00:02.500 --> 00:05.000\nSnow falls.\n\n00:06.000 --> 00:09.000\nA girl walks on.\n";

let service: TestService;
let mediaId = "";
beforeAll(async () => {
  service = await startRealService();
  mediaId = await upload(service, new Uint8Array(await readFile(sharedMedia("speech/sintel-excerpt.mp4"))));
}, 60_000);
afterEach(() => void vi.unstubAllEnvs());
afterAll(() => service.close());

function setEnvironment(environment: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
}

/** Processes that this one had before a job: of other tests, and such as are kept ready. */
let before = new Set<string>();

/** The processes that this one has started since. */
function children(): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && !before.has(name))
    .filter((pid) => {
      try {
        const [, after = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
        return Number(after.split(" ")[1]) === process.pid;
      } catch {
        return false;
      }
    });
}

async function submit(kind: "text" | "audio" | "video", config: object): Promise<string> {
  const input = { type: "media_id", media_id: mediaId };
  before = new Set();
  before = new Set(children());
  return (await service.send("POST", `generate_ad_${kind}`, { input, generation_config: config })).body.job_id;
}

/** Cancels a job once `begun`, and watches. `count` counts what was asked of others. */
async function cancelled(jobId: string, count: () => number, isBegun: () => boolean) {
  await eventually(async () => isBegun() || undefined, 100);
  const begunAt = performance.now();
  const { status, body } = await service.send("POST", `jobs/${jobId}/cancel`);
  const seconds = (performance.now() - begunAt) / 1000;
  const [asked, left] = [count(), children()];
  await sleep(WATCHED_MS);
  return { status, error: body.error, isInTime: seconds < 20, askedAfter: count() - asked, left };
}

const NOTHING_LEFT = { status: 200, error: "cancelled", isInTime: true, askedAfter: 0, left: [] };

test.runIf(IS_THOROUGH && process.platform === "linux")(
  "text: a model is asked nothing after the answer, what it was asked is broken off, and no answer is paid for twice",
  async () => {
    let isSlow = true;
    const event = { what: "snow falls", who: [], kind: "action", importance: 0.8, confidence: 0.9 };
    const vision = await startDescribingModel([], {
      log: ({ pictures: [{ at = 0 } = {}] }) => ({ place: "", people: [], events: [{ at, until: at, ...event }] }),
      bible: () => (isSlow ? { reply: { delayMs: 3_000 } } : undefined),
    });
    setEnvironment({ ASIDE_VISION_URL: vision.url, ASIDE_VISION_MODEL: "eyes-7b", ASIDE_VISION_KEY: "seeing" });
    const jobId = await submit("text", { ad_type: "standard_ad" });
    const outcome = await cancelled(
      jobId,
      () => vision.asked.length,
      () => vision.of("bible").length > 0,
    );
    expect(outcome).toEqual(NOTHING_LEFT);
    const logged = vision.of("log").length;
    isSlow = false;
    expect(await generate(service, "text", mediaId, { ad_type: "standard_ad" })).toMatchObject({ status: "done" });
    expect([logged > 0, vision.of("log").length]).toEqual([true, logged]);
  },
  180_000,
);

test.runIf(IS_THOROUGH && process.platform === "linux")(
  "audio: a speech server is asked nothing after the answer, and a line that is voiced at once is written down too",
  async () => {
    let hangs = true;
    const asked: string[] = [];
    let brokenOff = 0;
    const server = createServer(async (request, response) => {
      // It lists no voices.
      if (request.method === "GET") return response.writeHead(404).end();
      response.once("close", () => response.writableFinished || brokenOff++);
      // It is asked which voices it has.
      if (request.method === "GET") {
        response.writeHead(404).end();
        return;
      }
      // What the adapter under test sent.
      const { input, speed } = (await json(request)) as { input: string; speed: number };
      asked.push(input);
      if (asked.length > 1 && hangs) return;
      return response.setHeader("content-type", "audio/wav").end(await spokenWave(input, speed));
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void server.closeAllConnections());
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`; // a server on TCP has a port
    setEnvironment({ ASIDE_VOICE_URL: url, ASIDE_VOICE_MODEL: "kokoro", ASIDE_VOICE_KEY: "speaking" });
    const jobId = await submit("audio", { description_content: SCRIPT, auto_fit: false });
    const outcome = await cancelled(
      jobId,
      () => asked.length,
      () => asked.length > 1,
    );
    expect(outcome).toEqual(NOTHING_LEFT);
    expect(brokenOff).toBe(1);
    hangs = false;
    expect((await service.send("POST", "voice_line", { text: "A girl runs." })).status).toBe(200);
    const lines = "SELECT kind, state, status, is_priced FROM aside.paid_request WHERE job_id IS NULL";
    const spoken = { kind: "voice", state: "spent", status: 200, is_priced: false };
    await expect.poll(() => service.database.query(lines)).toEqual([spoken]);
    // With a price it is counted by its letters; the month ends before a line that would pass its limit.
    setEnvironment({ ASIDE_VOICE_PRICE: "1000000" });
    expect((await service.send("POST", "voice_line", { text: "A girl sits." })).status).toBe(200);
    const priced = "SELECT cost::float8 AS cost FROM aside.paid_request WHERE job_id IS NULL AND is_priced";
    await expect.poll(() => service.database.query(priced)).toEqual([{ cost: "A girl sits.".length }]);
  },
  180_000,
);

onLinux(
  "video: a program that speaks is gone with the job",
  async () => {
    const program = fileURLToPath(new URL("../../fakes/speaking-program.ts", import.meta.url));
    setEnvironment({ ASIDE_VOICE_COMMAND: JSON.stringify([process.execPath, program, "--mode", "hang"]) });
    const jobId = await submit("video", { ad_type: "extended_ad", description_content: SCRIPT });
    const outcome = await cancelled(
      jobId,
      () => children().length,
      () => children().length > 1,
    );
    expect(outcome).toEqual(NOTHING_LEFT);
  },
  180_000,
);

onLinux(
  "a transcription that is never answered is broken off",
  async () => {
    const transcription = new TranscriptionServer(() => "silence");
    onTestFinished(() => transcription[Symbol.asyncDispose]());
    setEnvironment({
      ASIDE_TRANSCRIPTION_URL: `${await transcription.start()}/v1`,
      ASIDE_TRANSCRIPTION_MODEL: "whisper-1",
    });
    const jobId = await submit("text", { ad_type: "standard_ad" });
    const outcome = await cancelled(
      jobId,
      () => transcription.asked.length,
      () => transcription.asked.length > 0,
    );
    expect(outcome).toEqual(NOTHING_LEFT);
    expect((await finished(service, jobId)).error).toBe("cancelled");
  },
  180_000,
);

thoroughTest(
  "a model that takes a request and never answers holds the only place of the service against nobody else",
  async () => {
    const vision = await startDescribingModel([], { log: () => ({ reply: { delayMs: 60_000 } }) });
    setEnvironment({ ASIDE_VISION_URL: vision.url, ASIDE_VISION_MODEL: "eyes-7b" });
    const hung = await submit("text", { ad_type: "standard_ad", custom_instructions: "hang" });
    await eventually(async () => vision.asked.length > 0 || undefined, 100);
    const { key } = await service.app.administration.createKey({ team: "others" });
    const others = {
      ...service,
      send: (method: string, path: string, body?: unknown) => send(service.app, key, method, path, body),
    };
    const film = await upload(others, new Uint8Array(await readFile(sharedMedia("speech/friday.mp4"))));
    const done = await generate(others, "text", film, { description_content: SCRIPT, auto_fit: false });
    expect(done.status).toBe("done");
    expect((await service.send("GET", `get_results?job_id=${hung}`)).body.status).toBe("processing");
    expect((await service.send("POST", `jobs/${hung}/cancel`)).body.error).toBe("cancelled");
  },
  180_000,
);
