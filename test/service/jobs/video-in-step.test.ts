import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedBytes, sharedMedia } from "../../shared-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { framesOf, levelOf, soundOf } from "../movie-facts.ts";
import { download, generate, startRealService, upload } from "../real-service.ts";
import type { TestService } from "../service-fixture.ts";

/** HEVC at 30 frames a second, each frame with its number in it, and a steady tone. */
const FILM = "containers/h265-aac.mp4";
const FRAME = 1 / 30;
/** Somebody speaks but for moments at the start, in the middle and at the end. */
const CAPTIONS =
  "WEBVTT\n\n00:00.000 --> 00:01.000\nA.\n\n00:01.020 --> 00:05.000\nB.\n\n00:05.020 --> 00:09.500\nC.\n\n00:09.520 --> 00:10.000\nD.\n";
const SCRIPT =
  "WEBVTT\n\n00:01.000 --> 00:01.100\nA test card with a moving bar.\n\n00:05.000 --> 00:05.100\nThe counter runs on.\n\n00:09.500 --> 00:09.600\nThe counter nears its end.\n";

let folder = "";
let service: TestService;
beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startRealService();
});
afterAll(async () => {
  await service.close();
});

test("VIDEO-11: picture and sound stay in step to a frame at start, middle and end of an extended video", async () => {
  const mediaId = await upload(service, await sharedBytes(FILM));
  const result = await generate(service, "video", mediaId, {
    description_content: SCRIPT,
    custom_captions: { content: CAPTIONS, format: "vtt" },
  });
  expect(result).toMatchObject({ status: "done", report: { video: { picture: "copied" } } });
  const pauses: { at: number; video_time: number; seconds: number }[] = result.report.video.pauses;
  expect(pauses.map(({ at }) => Math.round(at * 2) / 2)).toEqual([1, 5, 9.5]);

  const path = await download(service, result.video_signed_url, folder, "described.mp4");
  const [before, after] = [await framesOf(sharedMedia(FILM)), await framesOf(path)];
  expect(after.map(({ hash }) => hash)).toEqual(before.map(({ hash }) => hash));
  expect(new Set(after.map(({ hash }) => hash)).size).toBe(300);

  const [mixed, narration] = [await soundOf(path, 1), await soundOf(path, 2)];
  for (const { at, video_time, seconds } of pauses) {
    const resumed = video_time + seconds;
    // The picture: the frame before the pause is held until the next one comes.
    const next = before.findIndex((frame) => frame.at > at - FRAME / 2);
    expect(after[next - 1]?.at).toBeCloseTo(video_time - FRAME, 2);
    expect(after[next]?.at).toBeCloseTo(resumed, 2);
    // The sound: the tone is there until it fades, then the narration alone, a breath, and the tone comes back.
    expect(levelOf(mixed, video_time - 0.2, video_time - 0.12)).toBeGreaterThan(-45);
    expect(levelOf(narration, video_time, resumed - 0.3)).toBeGreaterThan(-40);
    expect(Math.abs(toneAfter(mixed, resumed - 0.1) - resumed)).toBeLessThan(FRAME);
  }
}, 180_000);

/** When a tone is heard again after silence at `from`, in seconds, to 2 ms. */
function toneAfter(sound: { samples: Float32Array; sampleRate: number }, from: number): number {
  for (let at = from; at < from + 1; at += 0.002) if (levelOf(sound, at, at + 0.004) > -72) return at;
  return Number.NaN;
}
