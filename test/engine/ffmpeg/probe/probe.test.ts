import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import {
  AV_DISPOSITION_ATTACHED_PIC,
  AV_DISPOSITION_COMMENT,
  AV_DISPOSITION_DEFAULT,
  AV_DISPOSITION_DESCRIPTIONS,
  AV_DISPOSITION_VISUAL_IMPAIRED,
} from "node-av/constants";
import { beforeAll, describe, expect, test } from "vitest";
import { frameRate } from "../../../../src/core/frame-rate.ts";
import { MediaProcessError } from "../../../../src/engine/ffmpeg/open.ts";
import { type MediaProbe, namesOtherSound } from "../../../../src/engine/ffmpeg/probe/media-streams.ts";
import { probeMedia } from "../../../../src/engine/ffmpeg/probe/probe.ts";
import { makeMedia } from "../../../made-media.ts";
import { sharedMedia } from "../../../shared-media.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

let folder = "";
beforeAll(async () => {
  folder = await temporaryFolder();
});

async function failure(path: string): Promise<MediaProcessError> {
  const error = await probeMedia(path).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof MediaProcessError)) throw new Error(`expected a MediaProcessError, got ${error}`);
  return error;
}

describe("lengths and rates", () => {
  test.each([
    ["containers/sintel-5s.mp4", 5, frameRate(24)],
    ["containers/sintel-5s.m4v", 5, frameRate(24)],
    ["containers/sintel-5s.webm", 5, frameRate(24)],
    ["containers/sintel-5s.ogv", 5, frameRate(24)],
    ["containers/prores-422-proxy.mov", 1, frameRate(25)],
    ["containers/h265-aac.mp4", 10, frameRate(30)],
    ["timecode/VideoTrack_29_97_Start-00-00-00-00.mp4", 10.01, frameRate(30000, 1001)],
    ["timecode/smpte-2997-burnin.mp4", 10.04, frameRate(25)],
    ["described/chrome-fast/chrome.mp4", 29.997, frameRate(30000, 1001)],
    ["no-dialogue/big-buck-bunny-5min.mp4", 299.992, frameRate(24)],
    ["no-dialogue/one-by-one-person-detection.mp4", 139.4, frameRate(10)],
    ["no-dialogue/tears-of-steel-battle-clip-medium.webm", 70.458, frameRate(24)],
    ["captions-no-audio/popeye-p3.mkv", 60, frameRate(24)],
    ["negative/video.mp4", 5.393, frameRate(8797, 1000)],
  ])("states length and exact rate of the picture of %s", async (name, seconds, rate) => {
    const probe = await probeMedia(sharedMedia(name));
    expect(probe.durationSeconds).toBeCloseTo(seconds, 2);
    expect(probe.picture?.rate).toEqual(rate);
    expect(probe.picture?.isVariableRate).toBe(false);
  });

  test("flags a variable rate, and gives the standard one next to its average, or the one that frames are left out of", async () => {
    const cursed = await probeMedia(sharedMedia("containers/cursed-vfr.mp4"));
    expect(cursed.picture).toMatchObject({ isVariableRate: true, rate: frameRate(24) });
    expect(cursed.durationSeconds).toBeCloseTo(8.7255, 3);
    const nominal = await probeMedia(sharedMedia("timecode/VideoTrack_25_VFR_1sec.mov"));
    expect(nominal.picture).toMatchObject({ isVariableRate: true, rate: frameRate(25), width: 3840, height: 2160 });
  });

  test.each([
    [
      "a still screen, 2 pictures a second and now and then a burst of 120",
      "floor(N/12)*600+if(lt(mod(N,12),8),mod(N,12)*60,472+mod(N,12))",
      24,
    ],
    ["a telephone, 30 a second with every tenth left out", "(N+floor(N/9))*4", 30],
  ])("takes no ticks of a header for a rate: %s", async (_, ticks, rate) => {
    for (const ending of ["mp4", "mkv"]) {
      const path = join(folder, `variable-${rate}.${ending}`);
      const graph = `testsrc2=size=64x64:rate=30:duration=8,settb=1/120,setpts='${ticks}'`;
      makeMedia(path, [{ graph, codec: "libx264", options: { bf: "0" } }]);
      expect((await probeMedia(path)).picture).toMatchObject({ isVariableRate: true, rate: frameRate(rate) });
    }
  });

  test("lets neither captions nor longer sound lengthen the programme", async () => {
    const captions = await probeMedia(sharedMedia("speech/nasa_13013.mp4"));
    expect(captions.durationSeconds).toBeCloseTo(13.013, 3);
    const sound = await probeMedia(sharedMedia("speech/sintel-excerpt.mp4"));
    expect(sound.durationSeconds).toBeCloseTo(16.033, 3);
    expect(sound.sound?.durationSeconds).toBeCloseTo(16.115, 3);
    const matroska = await probeMedia(sharedMedia("captions-no-audio/popeye-p3.mkv"));
    expect(matroska.durationSeconds).toBe(60);
  });

  test("measures a length that the header does not state", async () => {
    const path = join(folder, "unstated.webm");
    const graph = "testsrc2=size=160x90:rate=25:duration=30";
    makeMedia(path, [{ graph, codec: "libvpx", options: { deadline: "realtime", "cpu-used": "8" } }], { live: "1" });
    const probe = await probeMedia(path);
    expect(probe.durationSeconds).toBeCloseTo(30, 2);
    expect(probe.picture?.rate).toEqual(frameRate(25));
  });
});

describe("choice of streams", () => {
  test("takes the usual picture and sound of several", async () => {
    const { picture, sound } = await probeMedia(sharedMedia("speech/nasa_13013.mp4"));
    expect(picture).toMatchObject({ index: 3, width: 480, height: 270, rate: frameRate(30000, 1001) });
    expect(sound).toMatchObject({ index: 4, sampleRate: 16000, channels: 2, language: "eng" });
  });

  test.each([
    ["a description marked as default", "mp4", { disposition: AV_DISPOSITION_DEFAULT | AV_DISPOSITION_DESCRIPTIONS }],
    ["a mix for those who cannot see", "mkv", { disposition: AV_DISPOSITION_DEFAULT | AV_DISPOSITION_VISUAL_IMPAIRED }],
    ["a commentary", "mkv", { disposition: AV_DISPOSITION_DEFAULT | AV_DISPOSITION_COMMENT }],
    ["music and effects alone", "mkv", { metadata: { title: "Music & Effects" } }],
    [
      "a commentary by its title",
      "mkv",
      { disposition: AV_DISPOSITION_DEFAULT, metadata: { title: "Director's commentary" } },
    ],
    ["a description in German", "mkv", { metadata: { title: "Deutsch (Hörfilmfassung)" } }],
    ["a description in French", "mkv", { metadata: { title: "Français (audiovision)" } }],
    ["a described mix by its letters", "mkv", { metadata: { title: "English AD" } }],
    ["a commentary in Japanese", "mkv", { metadata: { title: "監督コメンタリー" } }],
    ["music by its title", "mkv", { metadata: { title: "Music" } }],
    ["a description by its title", "mp4", { metadata: { handler_name: "English Audio Description" } }],
  ] as const)("does not take %s for the programme's sound, where there is another", async (_, ending, marks) => {
    const path = join(folder, `sounds.${ending}`);
    const picture = { graph: "testsrc2=size=64x64:rate=25:duration=1", codec: "libx264" };
    const other = { graph: "sine=duration=1", codec: "ac3", ...marks };
    const own = { graph: "sine=frequency=300:duration=1", codec: "ac3", metadata: { language: "eng" } };
    makeMedia(path, [picture, other, own]);
    const chosen = await probeMedia(path);
    expect(chosen.sound).toMatchObject({ index: 2, language: "eng" });
    expect(chosen.soundChoice).toMatch(
      /^Of 2 sound tracks, track 2 \(eng\) was taken for the film's own; left out: track 1/,
    );
    makeMedia(path, [picture, other]);
    expect(await probeMedia(path)).toMatchObject({ sound: { index: 1 }, soundChoice: null });
  });

  test.each(["Dialogue, Music & Effects", "Madrid", "Stereo"])(
    "takes a sound for the programme's own that is named %s",
    (title) => {
      expect(namesOtherSound(title)).toBe(false);
    },
  );

  test.each([
    ["goes on behind the picture", 3, 0, 3],
    ["begins late and ends behind the picture", 2, 1.5, 3.5],
    ["is longer by a coder's last frames", 2.1, 0, 2],
    ["ends before the picture", 1, 0, 2],
  ])("the programme lasts as long as its picture, or as sound that %s", async (_, seconds, startSeconds, whole) => {
    const path = join(folder, "lasting.mkv");
    const picture = { graph: "testsrc2=size=64x64:rate=25:duration=2", codec: "libx264" };
    makeMedia(path, [picture, { graph: `sine=duration=${seconds}`, codec: "ac3", startSeconds }]);
    expect(Math.abs(((await probeMedia(path)).durationSeconds ?? 0) - whole)).toBeLessThan(0.09);
  });

  test("names channels as FFmpeg does", async () => {
    const { sound } = await probeMedia(sharedMedia("described/rabbit/video.mp4"));
    expect(sound).toMatchObject({ channels: 6, layout: "5.1", sampleRate: 48000, codec: "aac" });
  });

  test.each([
    "containers/sintel-5s.m4a",
    "containers/sintel-5s.flac",
    "containers/sintel-5s.ogg",
    "negative/video_without_video_stream.mp4",
    "negative/jazz-performance-audio-only.mp4",
    "negative/mute-60s-audio-only.mp4",
  ])("finds no picture in %s", async (name) => {
    const probe = await probeMedia(sharedMedia(name));
    expect(probe.picture).toBeNull();
    expect(probe.sound).not.toBeNull();
    expect(probe.durationSeconds).toBe(probe.sound?.durationSeconds);
  });

  test("does not take cover art for a picture", async () => {
    const path = join(folder, "cover.mp4");
    makeMedia(path, [
      { graph: "sine=duration=1", codec: "aac" },
      {
        graph: "testsrc2=size=64x64:rate=1:duration=1,format=pix_fmts=yuvj420p",
        codec: "mjpeg",
        disposition: AV_DISPOSITION_ATTACHED_PIC,
      },
    ]);
    const probe = await probeMedia(path);
    expect(probe.picture).toBeNull();
    expect(probe.sound?.codec).toBe("aac");
  });

  test("gives a picture without sound", async () => {
    const probe = await probeMedia(sharedMedia("negative/video_without_audio_stream.mp4"));
    expect(probe.sound).toBeNull();
    expect(probe.picture).toMatchObject({ width: 640, height: 480, startSeconds: 0 });
  });
});

describe("shape and start", () => {
  const bars = "testsrc2=size=320x240:rate=25:duration=1";

  test("reports the size as shown, after rotation and pixel aspect", async () => {
    const turned = join(folder, "turned.mp4");
    makeMedia(turned, [{ graph: bars, codec: "libx264", rotation: 90 }]);
    expect((await probeMedia(turned)).picture).toMatchObject({ width: 240, height: 320 });
    const wide = join(folder, "wide.mp4");
    makeMedia(wide, [{ graph: `${bars},setsar=4/3`, codec: "libx264" }]);
    expect((await probeMedia(wide)).picture).toMatchObject({ width: 427, height: 240 });
  });

  test("counts from the first picture or sound of a file whose clock starts elsewhere", async () => {
    const path = join(folder, "late.ts");
    makeMedia(path, [
      { graph: bars, codec: "libx264", startSeconds: 100.5 },
      { graph: "sine=duration=1", codec: "aac", startSeconds: 100 },
    ]);
    const probe = await probeMedia(path);
    expect(probe.originSeconds).toBeGreaterThan(99);
    expect(probe.sound?.startSeconds).toBe(0);
    expect(probe.picture?.startSeconds).toBeCloseTo(0.5, 1);
    expect(probe.durationSeconds).toBeCloseTo(1.5, 1);
  });

  test.each([
    ["01:00:00:00", "25"],
    ["00:59:49;00", "30000/1001"],
  ])("states the start timecode %s of a picture with a timecode track", async (timecode, rate) => {
    const path = join(folder, `timecode-${rate.replace("/", "-")}.mov`);
    const metadata = { timecode };
    makeMedia(path, [{ graph: `testsrc2=size=320x240:rate=${rate}:duration=1`, codec: "libx264", metadata }]);
    expect((await probeMedia(path)).startTimecode).toBe(timecode);
  });

  test.each([
    ["TimecodeTrack_23_976_Start-00-58-40-00.mov", "00:58:40:00", 1452.24],
    ["TimecodeTrack_29_97d_Start_00-00-00-00.mov", "00:59:49;00", 1364.03],
  ])("reads the timecode of %s, which has no picture", async (name, startTimecode, seconds) => {
    const probe: MediaProbe = await probeMedia(sharedMedia(`timecode/${name}`));
    expect(probe).toMatchObject({ picture: null, sound: null, startTimecode });
    expect(probe.durationSeconds).toBeCloseTo(seconds, 1);
  });
});

describe("refusals", () => {
  test.each(["broken.mp4", "empty.flv", "WrongFile.mp4", "nostreams.mp4"])("cannot read %s", async (name) => {
    const error = await failure(sharedMedia(`negative/${name}`));
    expect(error.code).toBe("media_unreadable");
    expect(error.message).toContain(`"${name}"`);
    expect(`${error.message} ${error.lines.join(" ")}`).not.toContain("/media/");
  });

  test("keeps what FFmpeg said for the log", async () => {
    expect((await failure(sharedMedia("negative/broken.mp4"))).lines).toContain("moov atom not found");
  });

  test("does not follow a playlist disguised as MP4 to another file", async () => {
    const target = sharedMedia("containers/sintel-5s.mp4");
    const playlists = {
      "hls.mp4": `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:5\n#EXTINF:5.0,\n${target}\n#EXT-X-ENDLIST\n`,
      "concat.mp4": `ffconcat version 1.0\nfile '${target}'\n`,
      "session.mp4": `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nm=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n`,
    };
    for (const [name, content] of Object.entries(playlists)) {
      const path = join(folder, name);
      await writeFile(path, content);
      expect((await failure(path)).code).toBe("media_unreadable");
    }
  });

  test.each([
    "https://example.com/a.mp4",
    "concat:a.mp4|b.mp4",
    "data:video/mp4;base64,AAAA",
    "file:a.mp4",
    "rtmp://x/y",
  ])("refuses %s, which names a protocol", async (path) => {
    expect((await failure(path)).code).toBe("media_path_refused");
  });

  test("says that a file is missing, and that a folder is none", async () => {
    expect((await failure(resolve(folder, "missing.mp4"))).message).toContain('"missing.mp4"');
    expect((await failure(folder)).code).toBe("media_unreadable");
  });
});
