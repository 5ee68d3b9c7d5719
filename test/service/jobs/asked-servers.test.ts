import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { startDescribingModel } from "../../fakes/describing-model.ts";
import { spokenWave } from "../../fakes/spoken-wave.ts";
import { TranscriptionServer } from "../../fakes/transcription-server.ts";
import { sharedMedia } from "../../shared-media.ts";
import { generate, startRealService, upload } from "../real-service.ts";
import type { TestService } from "../service-fixture.ts";

let service: TestService;
beforeAll(async () => {
  service = await startRealService();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await service.close();
});

/** A speech server for the length of a test. */
async function startSpeechServer() {
  const asked: { key: string | undefined; input: string }[] = [];
  const server = createServer(async (request, response) => {
    // It is asked which voices it has.
    if (request.method === "GET") {
      response.writeHead(404).end();
      return;
    }
    // What the adapter under test sent.
    const { input, speed } = (await json(request)) as { input: string; speed: number };
    asked.push({ key: request.headers.authorization, input });
    response.setHeader("content-type", "audio/wav").end(await spokenWave(input, speed));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }; // a server on TCP has a port
}

test("a job whose process has no network is described, transcribed and spoken by servers, each with its own key", async () => {
  const transcription = new TranscriptionServer(() => ({
    body: {
      segments: [{ start: 0.6, end: 2.4, text: "What brings you here?" }],
      words: [{ word: "What", start: 0.6, end: 2.4 }],
    },
  }));
  onTestFinished(() => transcription[Symbol.asyncDispose]());
  const vision = await startDescribingModel([{ at: 6, what: "snow falls on the mountains" }]);
  const speech = await startSpeechServer();
  const environment = {
    ASIDE_TRANSCRIPTION_URL: `${await transcription.start()}/v1`,
    ASIDE_TRANSCRIPTION_MODEL: "whisper-1",
    ASIDE_TRANSCRIPTION_KEY: "hearing",
    ASIDE_VISION_URL: vision.url,
    ASIDE_VISION_MODEL: "eyes-7b",
    ASIDE_VISION_KEY: "seeing",
    ASIDE_VOICE_URL: speech.url,
    ASIDE_VOICE_MODEL: "kokoro",
    ASIDE_VOICE_KEY: "speaking",
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const mediaId = await upload(service, new Uint8Array(await readFile(sharedMedia("speech/sintel-excerpt.mp4"))));
  const result = await generate(service, "audio", mediaId);
  expect(result).toMatchObject({ status: "done", report: { describer: "vision" } });
  expect(transcription.faults).toEqual([]);
  expect(new Set(transcription.asked.map(({ authorization }) => authorization))).toEqual(new Set(["Bearer hearing"]));
  expect(new Set(vision.asked.map(({ headers }) => headers.authorization))).toEqual(new Set(["Bearer seeing"]));
  expect(new Set(speech.asked.map(({ key }) => key))).toEqual(new Set(["Bearer speaking"]));
}, 180_000);
