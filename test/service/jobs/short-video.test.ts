import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeMedia } from "../../made-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { levelOf, packetHashes, soundOf, tracksOf } from "../movie-facts.ts";
import { download, generate, startServiceHere, upload } from "../real-service.ts";

const SECONDS = 5;
const SCRIPT = "WEBVTT\n\na\n00:01.000 --> 00:02.000\nA door opens.\n";
/** Somebody speaks but for two seconds at the start. */
const DIALOGUE = "WEBVTT\n\n00:02.500 --> 00:05.000\nTalk.\n";

test("VIDEO-10 VIDEO-12: a standard video is the programme, bit by bit and as long, with its narration between the dialogue", async () => {
  const folder = await temporaryFolder();
  const source = join(folder, "source.mp4");
  makeMedia(source, [
    { graph: `testsrc2=size=64x64:rate=25:duration=${SECONDS}`, codec: "libx264", options: { preset: "ultrafast" } },
    { graph: `aevalsrc=exprs='0.001*sin(2*PI*440*t)':sample_rate=48000:duration=${SECONDS}`, codec: "aac" },
  ]);
  const service = await startServiceHere();
  try {
    const mediaId = await upload(service, new Uint8Array(await readFile(source)));
    const result = await generate(service, "video", mediaId, {
      ad_type: "standard_ad",
      description_content: SCRIPT,
      custom_captions: { content: DIALOGUE, format: "vtt" },
    });
    const path = await download(service, result.video_signed_url, folder, "described.mp4");
    expect(await packetHashes(path)).toEqual(await packetHashes(source));
    const tracks = await tracksOf(path);
    expect(tracks.map(({ kind }) => kind)).toEqual(["picture", "sound", "sound", "sound", "text"]);
    for (const { seconds } of tracks.slice(0, 4)) expect(seconds).toBeCloseTo(SECONDS, 2);
    const [cue, ...others] = result.report.video.cues;
    expect(others).toEqual([]);
    expect(cue.end).toBeLessThanOrEqual(2.5);
    const [mixed, narration] = [await soundOf(path, 1), await soundOf(path, 3)];
    for (const sound of [mixed, narration]) expect(levelOf(sound, cue.start, cue.end)).toBeGreaterThan(-40);
    expect(levelOf(narration, 2.6, SECONDS)).toBeLessThan(-90);
    expect(result.report.video).toMatchObject({ picture: "copied", pauses: [] });
  } finally {
    await service.close();
  }
});
