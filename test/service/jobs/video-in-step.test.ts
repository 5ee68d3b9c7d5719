import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedBytes, sharedMedia } from "../../shared-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { levelOf, picturesOf, soundOf } from "../movie-facts.ts";
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

test("VIDEO-11: a picture that cannot be spliced is encoded, so that its rate stays even; it and the sound stay in step to a frame at start, middle and end", async () => {
  const mediaId = await upload(service, await sharedBytes(FILM));
  const result = await generate(service, "video", mediaId, {
    description_content: SCRIPT,
    custom_captions: { content: CAPTIONS, format: "vtt" },
  });
  expect(result).toMatchObject({ status: "done", report: { video: { picture: "encoded" } } });
  const pauses: { at: number; video_time: number; seconds: number }[] = result.report.video.pauses;
  expect(pauses.map(({ at }) => Math.round(at * 2) / 2)).toEqual([1, 5, 9.5]);

  const path = await download(service, result.video_signed_url, folder, "described.mp4");
  // The picture: its own rate throughout, and at each time the frame that belongs there; in a pause the one before it.
  const [before, after] = [await picturesOf(sharedMedia(FILM), 97), await picturesOf(path, 97)];
  const held = pauses.reduce((sum, { seconds }) => sum + Math.round(seconds / FRAME), 0);
  expect(after).toHaveLength(before.length + held);
  for (const [index, { at, luma }] of after.entries()) {
    expect(at).toBeCloseTo(index * FRAME, 2);
    const pause = pauses.findLast(({ video_time }) => video_time < at + FRAME / 2);
    const since = pause === undefined ? 0 : Math.max(0, at + FRAME / 2 - pause.video_time - pause.seconds);
    const shown = pause === undefined ? index : Math.round(pause.at / FRAME) - 1 + Math.ceil(since / FRAME);
    const nearest = [shown - 1, shown, shown + 1].map((number) => differenceOf(before[number]?.luma, luma));
    expect([at, Math.min(...nearest)]).toEqual([at, nearest[1]]);
  }

  const [mixed, narration] = [await soundOf(path, 1), await soundOf(path, 2)];
  for (const { video_time, seconds } of pauses) {
    const resumed = video_time + seconds;
    // The sound: the tone is there until it fades, then the narration alone, a breath, and the tone comes back.
    expect(levelOf(mixed, video_time - 0.2, video_time - 0.12)).toBeGreaterThan(-45);
    expect(levelOf(narration, video_time, resumed - 0.3)).toBeGreaterThan(-40);
    expect(Math.abs(toneAfter(mixed, resumed - 0.1) - resumed)).toBeLessThan(FRAME);
  }
}, 180_000);

/** How far two pictures of one size are apart, in all. */
function differenceOf(one: Buffer | undefined, other: Buffer): number {
  if (one === undefined) return Number.POSITIVE_INFINITY;
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += Math.abs((one[at] ?? 0) - (other[at] ?? 0));
  return sum;
}

/** When a tone is heard again after silence at `from`, in seconds, to 2 ms. */
function toneAfter(sound: { samples: Float32Array; sampleRate: number }, from: number): number {
  for (let at = from; at < from + 1; at += 0.002) if (levelOf(sound, at, at + 0.004) > -72) return at;
  return Number.NaN;
}
