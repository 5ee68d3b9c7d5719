import { expect, test } from "vitest";
import { leftOutTracks } from "../../../../src/engine/ffmpeg/encode/copied-track.ts";
import { openMedia } from "../../../../src/engine/ffmpeg/open.ts";
import { soundStreams } from "../../../../src/engine/ffmpeg/probe/programme-sound-streams.ts";
import { sharedMedia } from "../../../shared-media.ts";

test("names picture subtitles, which MP4 does not hold", async () => {
  using disc = await openMedia(sharedMedia("captions-no-audio/popeye-p3.mkv"));
  expect(leftOutTracks(disc.context, [])).toEqual([
    "Captions in hdmv_pgs_subtitle (eng) are left out of the video: give them as a WebVTT or SubRip file.",
  ]);
});

test("has nothing to say where every track is in the video", async () => {
  using media = await openMedia(sharedMedia("containers/sintel-5s.mp4"));
  expect(leftOutTracks(media.context, soundStreams(media.context)?.streams ?? [])).toEqual([]);
});
