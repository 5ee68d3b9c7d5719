import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { startDescribingModel } from "../../fakes/describing-model.ts";
import { TranscriptionServer } from "../../fakes/transcription-server.ts";
import { sharedMedia } from "../../shared-media.ts";
import { generate, startServiceHere, upload } from "../real-service.ts";
import type { TestService } from "../service-fixture.ts";

let service: TestService;
beforeAll(async () => {
  service = await startServiceHere();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await service.close();
});

const uploaded = async (name: string) => await upload(service, new Uint8Array(await readFile(sharedMedia(name))));

test("what a transcription server heard is told to the model that describes, and asked for once", async () => {
  const words = "What brings you to the land?".split(" ").map((word, index) => ({
    word,
    start: 0.6 + 0.3 * index,
    end: 0.8 + 0.3 * index,
  }));
  const segments = [{ start: 0.6, end: 2.4, text: "What brings you to the land?" }];
  const transcription = new TranscriptionServer(() => ({ body: { segments, words } }));
  const vision = await startDescribingModel([]);
  onTestFinished(async () => {
    await transcription[Symbol.asyncDispose]();
  });
  vi.stubEnv("ASIDE_TRANSCRIPTION_URL", `${await transcription.start()}/v1`);
  vi.stubEnv("ASIDE_TRANSCRIPTION_MODEL", "whisper-1");
  vi.stubEnv("ASIDE_VISION_URL", vision.url);
  vi.stubEnv("ASIDE_VISION_MODEL", "eyes-7b");
  const mediaId = await uploaded("speech/sintel-excerpt.mp4");
  const first = await generate(service, "text", mediaId, { ad_type: "standard_ad" });
  expect(transcription.faults).toEqual([]);
  expect(JSON.stringify(vision.asked)).toContain("What brings you to the land?");
  expect(first.report.notes).toContainEqual(expect.stringContaining("transcribed by whisper-1"));
  await generate(service, "text", mediaId, { ad_type: "extended_ad" });
  expect(transcription.asked).toHaveLength(1);
  vi.unstubAllEnvs();
}, 180_000);

test("a description may lie over a yawn, which is no speech", async () => {
  // The yawn is heard from 2.3 to 5.15 s.
  const script = "WEBVTT\n\n00:02.800 --> 00:04.600\nHe yawns and stretches.\n";
  const mediaId = await uploaded("described/rabbit/video.mp4");
  const settings = { format: "json", ad_type: "standard_ad", description_content: script };
  const { output } = await generate(service, "text", mediaId, settings);
  const [cue] = JSON.parse(output.content);
  expect(cue.start_time).toBeGreaterThan(2.3);
  expect(cue.start_time).toBeLessThan(5);
}, 180_000);
