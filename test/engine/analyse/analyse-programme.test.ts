import { readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { overlapWithRanges, rangeDuration, subtractRanges, totalDuration } from "../../../src/core/time-range.ts";
import { analyseProgramme } from "../../../src/engine/analyse/analyse-programme.ts";
import { MediaProcessError } from "../../../src/engine/ffmpeg/open.ts";
import { probeMedia } from "../../../src/engine/ffmpeg/probe/probe.ts";
import type { ProgrammeAnalysis } from "../../../src/engine/programme-analysis.ts";
import { hintsFor } from "../../../src/engine/worksheet/find-pauses.ts";
import { type MadeStream, makeMedia } from "../../made-media.ts";
import { sharedCorpora, sharedMedia } from "../../shared-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { IS_THOROUGH, thoroughTest } from "../../thorough/thorough-test.ts";

let folder = "";
beforeAll(async () => {
  folder = await temporaryFolder();
});

/** Files as they were analysed, each once. */
const analysed = new Map<string, Promise<ProgrammeAnalysis>>();

function analyse(path: string): Promise<ProgrammeAnalysis> {
  const analysis = analysed.get(path) ?? analyseAnew(path);
  analysed.set(path, analysis);
  return analysis;
}

async function analyseAnew(path: string): Promise<ProgrammeAnalysis> {
  return await analyseProgramme(path, await probeMedia(path), { folder: join(folder, "frames") });
}

async function analyseMade(name: string, streams: readonly MadeStream[]): Promise<ProgrammeAnalysis> {
  const path = join(folder, name);
  makeMedia(path, streams);
  return await analyse(path);
}

const picture = (graph: string): MadeStream => ({ graph, codec: "libx264", options: { preset: "ultrafast" } });

describe("hearing", () => {
  thoroughTest("finds the twelve placed lines and nothing else", async () => {
    const { heard, durationSeconds } = await analyse(sharedMedia("constructed/placed-speech-silence.mp4"));
    const table = await readFile(sharedMedia("constructed/placed-speech.speech.csv"), "utf8");
    const lines = table
      .trim()
      .split("\n")
      .slice(1)
      .map((row) => row.split(",").map(Number))
      .map(([start = 0, end = 0]) => ({ start, end }));
    // What a description may be laid into: the gaps of 0.75 s and more.
    const gaps = subtractRanges({ start: 0, end: durationSeconds }, heard.speech).filter(
      (gap) => rangeDuration(gap) >= 0.75,
    );
    for (const line of lines) expect(overlapWithRanges(line, gaps)).toBeLessThan(0.05);
    expect(gaps.length).toBeGreaterThanOrEqual(9);
    expect(totalDuration(heard.speech)).toBeLessThan(1.08 * totalDuration(lines));
    expect(heard.music).toEqual([]);
    for (const { confidence } of heard.speech) expect(confidence).toBeGreaterThan(0.8);
  });

  thoroughTest("hears a quiet voice in the centre under fronts that are far louder", async () => {
    const file = (name: string) => sharedMedia(name).replaceAll("\\", "/").replaceAll(":", "\\:");
    const voice = `amovie='${file("constructed/placed-speech-silence.mp4")}',atrim=0:60,aresample=48000,pan=mono|c0=c0,volume=-14dB`;
    const battle = `amovie='${file("no-dialogue/tears-of-steel-battle-clip-medium.webm")}',atrim=0:60,aresample=48000,volume=-9dB`;
    const graph =
      `${voice}[c];${battle},asplit[a][b];[a]channelsplit[l][r];[b]volume=-8dB,channelsplit[sl][sr];` +
      "[l][r][c][sl][sr]join=inputs=5:channel_layout=5.0:map=0.0-FL|1.0-FR|2.0-FC|3.0-BL|4.0-BR";
    const { heard } = await analyseMade("centre.mov", [{ graph, codec: "pcm_s24le" }]);
    const table = await readFile(sharedMedia("constructed/placed-speech.speech.csv"), "utf8");
    const lines = table
      .trim()
      .split("\n")
      .slice(1)
      .map((row) => row.split(",").map(Number))
      .map(([start = 0, end = 0]) => ({ start, end }))
      .filter(({ end }) => end < 60);
    const gaps = subtractRanges({ start: 0, end: 60 }, heard.speech).filter((gap) => rangeDuration(gap) >= 0.75);
    for (const line of lines) expect(overlapWithRanges(line, gaps)).toBeLessThan(0.05);
    // And it is the voice that is heard, not the battle: beyond the lines counts what lies between near ones.
    expect(totalDuration(heard.speech)).toBeLessThan(1.4 * totalDuration(lines));
  });

  thoroughTest("tells music and silence from speech", async () => {
    const { heard, durationSeconds } = await analyse(sharedMedia("constructed/placed-speech-music.mp4"));
    expect(totalDuration(heard.music)).toBeGreaterThan(0.8 * durationSeconds);
    for (const silent of heard.silence) {
      expect(overlapWithRanges(silent, heard.speech)).toBe(0);
      expect(overlapWithRanges(silent, heard.music)).toBe(0);
    }
  });

  thoroughTest("takes a silent sound track for one long silence", async () => {
    const analysis = await analyse(sharedMedia("described/rabbit/silent.mp4"));
    expect(analysis.heard).toEqual({ speech: [], music: [], silence: [{ start: 0, end: 13.7 }] });
  });

  test("takes a file without sound for silent throughout", async () => {
    const analysis = await analyse(sharedMedia("negative/video_without_audio_stream.mp4"));
    expect(analysis.heard.silence).toEqual([{ start: 0, end: analysis.durationSeconds }]);
    expect(analysis.heard.speech).toEqual([]);
  });
});

describe("seeing", () => {
  test("finds cuts to the frame and the way each shot opens", async () => {
    const scenes = ["testsrc2", "mandelbrot", "smptehdbars"].map((name) => `${name}=size=320x180:rate=25`);
    const trimmed = scenes.map((scene, i) => `${scene},trim=duration=2,format=yuv420p,setsar=1[s${i}]`);
    const { shots } = await analyseMade("cuts.mp4", [picture(`${trimmed.join(";")};[s0][s1][s2]concat=n=3`)]);
    expect(shots.map(({ start, end, opening }) => [start, end, opening])).toEqual([
      [0, 2, "start"],
      [2, 4, "cut"],
      [4, 6, "cut"],
    ]);
  });

  test("tells a dissolve and a fade from a cut", async () => {
    const a = "smptehdbars=size=320x180:rate=25,trim=duration=4,format=yuv420p,setsar=1[a]";
    const b = "testsrc=size=320x180:rate=25,trim=duration=4,format=yuv420p,setsar=1[b]";
    const dissolved = await analyseMade("dissolve.mp4", [
      picture(`${a};${b};[a][b]xfade=transition=fade:duration=1:offset=3`),
    ]);
    expect(dissolved.shots.map(({ opening }) => opening)).toEqual(["start", "dissolve"]);
    expect(dissolved.shots[1]?.start).toBeGreaterThan(3.5);
    expect(dissolved.shots[1]?.start).toBeLessThan(4.3);
    const faded = await analyseMade("fade.mp4", [
      picture(`${a};${b};[a]fade=out:st=3:d=1[x];[b]fade=in:st=0:d=1[y];[x][y]concat=n=2`),
    ]);
    expect(faded.shots.at(-1)?.opening).toBe("fade");
    expect(faded.shots.at(-1)?.start).toBeGreaterThan(3.9);
    expect(faded.shots.at(-1)?.start).toBeLessThan(4.4);
  });

  test("does not take a flash for a cut", async () => {
    const flash = "drawbox=color=white:t=fill:enable='between(n,50,51)'";
    const { shots } = await analyseMade("flash.mp4", [picture(`testsrc=size=320x180:rate=25:duration=4,${flash}`)]);
    expect(shots).toHaveLength(1);
  });

  thoroughTest("covers the programme with shots, in order and without holes", async () => {
    const { shots, durationSeconds } = await analyse(sharedMedia("described/chrome-fast/chrome.mp4"));
    expect(shots.length).toBeGreaterThan(5);
    expect(shots[0]?.start).toBe(0);
    expect(shots.at(-1)?.end).toBe(durationSeconds);
    for (const [index, shot] of shots.entries()) expect(shot.start).toBe(index === 0 ? 0 : shots[index - 1]?.end);
  });

  test("measures light, colour, standstill and motion", async () => {
    const { shots } = await analyseMade("colours.mp4", [
      picture("color=c=red:size=320x180:rate=25:duration=3,drawbox=color=white:w=80:t=fill"),
    ]);
    expect(shots).toHaveLength(1);
    expect(shots[0]).toMatchObject({ motion: "still", titleCard: false });
    expect(shots[0]?.colours.map(({ name }) => name)).toEqual(["red", "white"]);
    expect(shots[0]?.colours[0]?.share).toBeCloseTo(0.75, 1);
    expect(shots[0]?.frozenSeconds).toBeCloseTo(3, 0);
    expect(shots[0]?.saturation).toBeGreaterThan(0.5);
    const moving = await analyseMade("moving.mp4", [
      picture("testsrc2=size=640x180:rate=25:duration=3,crop=320:180:x='mod(t*250\\,320)':y=0"),
    ]);
    expect(moving.shots[0]?.motion).toBe("fast");
  });

  test("measures the picture between black bars, above and below or at the sides", async () => {
    const scene = "color=c=green:size=320x180:rate=25:duration=1,drawbox=color=white:w=160:t=fill";
    const [{ shots: bare }, ...barred] = await Promise.all([
      analyseMade("bare.mp4", [picture(scene)]),
      analyseMade("letterbox.mp4", [picture(`${scene},pad=320:240:0:30`)]),
      analyseMade("pillarbox.mp4", [picture(`${scene},pad=640:180:160:0`)]),
    ]);
    for (const { shots } of barred) {
      expect(shots[0]?.colours.map(({ name }) => name)).toEqual(bare[0]?.colours.map(({ name }) => name));
      expect(shots[0]?.brightness).toBeCloseTo(bare[0]?.brightness ?? 0, 1);
      expect(shots[0]?.contrast).toBeCloseTo(bare[0]?.contrast ?? 0, 1);
      expect(shots[0]?.saturation).toBeCloseTo(bare[0]?.saturation ?? 0, 1);
    }
    // Black that lies at one side alone belongs to the picture.
    const { shots } = await analyseMade("shadow.mp4", [picture(`${scene},pad=320:240:0:0`)]);
    expect(shots[0]?.colours.map(({ name }) => name)).toContain("black");
  });

  thoroughTest(
    "tells colour by the most saturated moments: a red and a blue car in a grey street are not black and white",
    async () => {
      const street = "color=c=gray:size=640x360:rate=25:duration=2,drawbox=color=white:w=320:t=fill";
      const cars =
        "drawbox=c=red:x=80:y=300:w=34:h=16:t=fill:enable='gt(t,1)',drawbox=c=blue:x=400:y=300:w=34:h=16:t=fill:enable='gt(t,1)'";
      const grey = await analyseMade("grey.mp4", [picture(street)]);
      const coloured = await analyseMade("cars.mp4", [picture(`${street},${cars}`)]);
      expect(hintsFor({ start: 0, end: 2 }, grey.shots)).toContain("black and white");
      expect(hintsFor({ start: 0, end: 2 }, coloured.shots)).not.toContain("black and white");
      const film = await analyse(sharedMedia("speech/friday.mp4"));
      expect(hintsFor({ start: 0, end: 2 }, film.shots)).toContain("black and white");
    },
  );

  thoroughTest(
    "finds the same cuts between black bars as without them, in a pale black-and-white film",
    async () => {
      const pieces = (
        [
          ["no-dialogue/big-buck-bunny-5min.mp4", 60],
          ["no-dialogue/big-buck-bunny-5min.mp4", 75],
          ["no-dialogue/tears-of-steel-battle-clip-medium.webm", 5.5],
          ["captions-no-audio/popeye-p3.mkv", 30],
          ["speech/sintel-excerpt.mp4", 3],
          ["no-dialogue/chaplin.mp4", 2],
        ] as const
      ).map(
        ([name, from]) => `movie=${sharedMedia(name)}:seek_point=${from},trim=duration=2.5,setpts=PTS-STARTPTS,fps=25`,
      );
      const pale = "hue=s=0,eq=contrast=0.5:brightness=-0.1";
      const cutsOf = async (name: string, bars: string) => {
        const parts = pieces.map(
          (piece, index) => `${piece},${pale},${bars},setsar=1,format=pix_fmts=yuv420p[p${index}]`,
        );
        const joined = `${pieces.map((_, index) => `[p${index}]`).join("")}concat=n=${pieces.length}:v=1`;
        const { shots } = await analyseMade(name, [picture(`${parts.join(";")};${joined}`)]);
        return shots.map(({ start }) => start);
      };
      const bare = await cutsOf("bare-cuts.mp4", "scale=480:360");
      expect(bare.length).toBeGreaterThanOrEqual(6);
      expect(await cutsOf("pillar-cuts.mp4", "scale=480:360,pad=640:360:80:0")).toEqual(bare);
      expect(await cutsOf("window-cuts.mp4", "scale=360:270,pad=640:360:140:45")).toEqual(bare);
    },
    60_000,
  );

  test.each([
    "live-bw-pillarbox",
    ...(IS_THOROUGH
      ? [
          "drawn-bw-same-histogram",
          "one-shot-flashes-and-pan",
          "drawn-bw-dark",
          "drawn-bw-pale",
          "drawn-bw-pillarbox",
          "live-bw-dark-low-contrast",
          "street-bw-grain",
          "street-bw-pale",
        ]
      : []),
  ])("finds every cut of a black-and-white film on its frame, and no other: %s", async (name) => {
    const film = sharedCorpora(`faults/media/${name}.mp4`);
    const { cuts } = JSON.parse(await readFile(`${film}.expected.json`, "utf8")) as { cuts: readonly number[] };
    const { shots } = await analyse(film);
    const found = shots.slice(1).map(({ start }) => Math.round(start * 24));
    expect(found).toEqual(cuts.map((cut) => Math.round(cut * 24)));
  });

  thoroughTest("tells title cards", async () => {
    const sintel = await analyse(sharedMedia("speech/sintel-excerpt.mp4"));
    const titles = sintel.shots.filter(({ titleCard }) => titleCard);
    expect(titles).toHaveLength(1);
    expect(titles[0]?.start).toBeLessThan(10);
    expect(titles[0]?.end).toBeGreaterThan(10);
    const chrome = await analyse(sharedMedia("described/chrome-fast/chrome.mp4"));
    const endCards = chrome.shots.filter(({ titleCard }) => titleCard);
    expect(endCards).toHaveLength(1);
    expect(endCards[0]?.start).toBeLessThan(24);
    expect(endCards[0]?.end).toBeGreaterThan(26);
  });

  test("finds nothing to see in black", async () => {
    const plain = await analyseMade("black.mp4", [picture("color=c=black:size=320x180:rate=25:duration=2")]);
    expect(plain.hasVisiblePicture).toBe(false);
    expect(plain.shots).toHaveLength(1);
  });

  test("sees white letters on black for a whole file", async () => {
    const analysis = await analyse(sharedMedia("negative/black-6s.mp4"));
    expect(analysis.hasVisiblePicture).toBe(true);
    const { shots } = analysis;
    expect(hintsFor({ start: 0, end: 6 }, shots)).not.toContain("black");
  });

  test.each(["containers/sintel-5s.m4a", ...(IS_THOROUGH ? ["negative/mute-60s-audio-only.mp4"] : [])])(
    "has no shots for %s",
    async (name) => {
      const analysis = await analyse(sharedMedia(name));
      expect(analysis).toMatchObject({ hasVisiblePicture: false, shots: [], keyFrames: [] });
    },
  );

  test.each(["containers/cursed-vfr.mp4", "timecode/VideoTrack_25_VFR_1sec.mov", "negative/video.mp4"])(
    "goes by times, not by frame numbers, in %s",
    async (name) => {
      const analysis = await analyse(sharedMedia(name));
      const { durationSeconds } = await probeMedia(sharedMedia(name));
      expect(analysis.durationSeconds).toBe(durationSeconds);
      expect(analysis.shots.at(-1)?.end).toBe(durationSeconds);
    },
  );
});

describe("key frames", () => {
  thoroughTest("writes one JPEG per shot, and more for long shots, each inside its shot", async () => {
    const frames = join(folder, "key-frames");
    const path = sharedMedia("described/chrome-fast/chrome.mp4");
    const { shots, keyFrames, lettering } = await analyseProgramme(path, await probeMedia(path), { folder: frames });
    expect((await readdir(frames)).sort()).toEqual([...keyFrames, ...lettering].map(({ file }) => file).sort());
    for (const shot of shots) {
      const own = keyFrames.filter(({ at }) => at >= shot.start && at < shot.end);
      expect(own.length).toBeGreaterThanOrEqual(1);
      expect(own.map(({ at }) => at)).toContain(shot.keyFrameAt);
    }
    const [first] = keyFrames;
    const jpeg = await readFile(join(frames, first?.file ?? ""));
    expect([...jpeg.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
  });

  test("turns stills as the picture is shown, at most 768 pixels wide", async () => {
    const path = join(folder, "turned.mp4");
    makeMedia(path, [{ ...picture("testsrc2=size=1280x720:rate=25:duration=1"), rotation: 90 }]);
    const frames = join(folder, "turned");
    const { keyFrames } = await analyseProgramme(path, await probeMedia(path), { folder: frames });
    const still = await probeStill(join(frames, keyFrames[0]?.file ?? ""));
    expect(still).toEqual({ width: 720, height: 1280 });
    const wide = join(folder, "wide");
    const bars = join(folder, "wide.mp4");
    makeMedia(bars, [picture("testsrc2=size=1920x1080:rate=25:duration=0.2")]);
    const { keyFrames: wideFrames } = await analyseProgramme(bars, await probeMedia(bars), { folder: wide });
    expect(await probeStill(join(wide, wideFrames[0]?.file ?? ""))).toEqual({ width: 768, height: 432 });
  });
});

describe("trouble", () => {
  thoroughTest("says how far it is, in order", async () => {
    const fractions: number[] = [];
    const path = sharedMedia("described/rabbit/silent.mp4");
    const onProgress = (fraction: number) => fractions.push(fraction);
    await analyseProgramme(path, await probeMedia(path), { folder: join(folder, "progress"), onProgress });
    expect(fractions.length).toBeGreaterThan(5);
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect(fractions.at(-1)).toBe(1);
  });

  test("stops with the signal's own reason", async () => {
    const controller = new AbortController();
    const reason = new Error("stopped by a person");
    const path = sharedMedia("no-dialogue/big-buck-bunny-5min.mp4");
    const onProgress = () => controller.abort(reason);
    const options = { folder: join(folder, "stopped"), signal: controller.signal, onProgress };
    await expect(analyseProgramme(path, await probeMedia(path), options)).rejects.toBe(reason);
  });

  thoroughTest("analyses what is there of a torn-off file", async () => {
    const path = join(folder, "torn.mp4");
    const whole = await readFile(sharedMedia("described/chrome-fast/chrome.mp4"));
    await writeFile(path, whole);
    await truncate(path, Math.floor(whole.length * 0.6));
    const probe = await probeMedia(path);
    const analysis = await analyseProgramme(path, probe, { folder: join(folder, "torn") });
    expect(probe.statedSeconds).toBeCloseTo(30, 1);
    expect(Math.abs((probe.durationSeconds ?? 0) - analysis.durationSeconds)).toBeLessThan(1);
    expect(analysis.durationSeconds).toBeGreaterThan(10);
    expect(analysis.durationSeconds).toBeLessThan(28);
    expect(analysis.shots.at(-1)?.end).toBe(analysis.durationSeconds);
  });

  test("reports a file that cannot be read", async () => {
    const probe = await probeMedia(sharedMedia("containers/sintel-5s.mp4"));
    const broken = analyseProgramme(sharedMedia("negative/broken.mp4"), probe, { folder: join(folder, "broken") });
    await expect(broken).rejects.toBeInstanceOf(MediaProcessError);
  });
});

/** Size of a JPEG picture, from its frame header (ISO/IEC 10918-1, B.2.2). */
async function probeStill(path: string): Promise<{ width: number; height: number }> {
  const jpeg = await readFile(path);
  for (let at = 2; at + 9 < jpeg.length; at += 2 + jpeg.readUInt16BE(at + 2)) {
    if (jpeg[at + 1] === 0xc0) return { height: jpeg.readUInt16BE(at + 5), width: jpeg.readUInt16BE(at + 7) };
  }
  throw new Error("no frame header");
}
