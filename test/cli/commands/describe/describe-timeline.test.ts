import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { frameRate } from "../../../../src/core/frame-rate.ts";
import type { MediaSource, Timeline } from "../../../../src/core/timeline.ts";
import { probeMedia } from "../../../../src/engine/ffmpeg/probe/probe.ts";
import { parseFcp7Xml, parseOtio, writeFcp7Xml, writeOtio } from "../../../../src/formats/index.ts";
import { makeMedia } from "../../../made-media.ts";
import { madeClip, madeMedia, madeTimeline, madeTrack } from "../../../made-timeline.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { thoroughTest } from "../../../thorough/thorough-test.ts";
import { asideHere, hostedService } from "../../run-aside.ts";

const RATE = frameRate(25);

/** A cut of five seconds that starts at 01:00:00:00: a film, a gap, the film at double speed, a still. */
function cutIn(folder: string): Timeline {
  const media = (name: string, more: Partial<MediaSource> = {}) =>
    madeMedia(name, {
      location: pathToFileURL(join(folder, name)).href,
      durationSeconds: 6,
      rate: RATE,
      ...more,
    });
  const film = media("film.mp4");
  const still = media("still.png", { isStill: true, audioChannels: 0 });
  return madeTimeline(
    [
      madeTrack(
        "video",
        [
          madeClip(film, 0, 1, { sourceStart: 2, effects: ["Blur"] }),
          madeClip(film, 2, 3, { speed: 2 }),
          madeClip(still, 3, 5),
        ],
        { name: "V1", transitions: [{ name: "Cross Dissolve", start: 2.8, end: 3.2 }] },
      ),
      madeTrack("audio", [madeClip(film, 0, 1, { sourceStart: 2 })], { name: "A1" }),
    ],
    {
      name: "Harbour v7",
      frameSize: { width: 320, height: 240 },
      markers: [{ start: 0.4, end: 0.4, name: "Mine", comment: "keep me", colour: "red" }],
    },
  );
}

/** The folder with the media of the cut, made once. */
let media = "";
beforeAll(async () => {
  media = await temporaryFolder();
  makeMedia(join(media, "film.mp4"), [
    { graph: "testsrc2=size=320x240:rate=25:duration=6", codec: "libx264" },
    { graph: "sine=duration=6:sample_rate=48000", codec: "aac" },
  ]);
  makeMedia(join(media, "still.png"), [
    { graph: "color=gray:size=64x48:rate=1:duration=1,format=pix_fmts=rgb24", codec: "png" },
  ]);
});

/** A folder with the media of the cut, and the scripted hosted server. */
async function prepared() {
  const { server, address, folder, out, env } = await hostedService();
  for (const name of ["film.mp4", "still.png"]) await copyFile(join(media, name), join(folder, name));
  const run = (file: string, ...more: string[]) =>
    asideHere(["describe", file, "--server", address, "--out", out, ...more], env);
  return { server, folder, out, run };
}

const FORMATS = {
  otio: { file: "cut.otio", made: "timeline.otio", write: writeOtio, parse: parseOtio },
  xml: { file: "cut.xml", made: "timeline.xml", write: writeFcp7Xml, parse: parseFcp7Xml },
} as const;

describe.each(Object.entries(FORMATS))("the cut of a timeline, as .%s", (_, { file, made, write, parse }) => {
  test("is rendered, described, and written back with markers and narration, everything else as it was", async () => {
    const { server, folder, out, run } = await prepared();
    const text = write(cutIn(folder)).replace(/("metadata": \{)|(<sequence[^>]*>)/, (head) =>
      head.startsWith("<") ? `${head}\n<labels><label2>Forest</label2></labels>` : `${head}"studio": {"shot": 7.50},`,
    );
    await writeFile(join(folder, file), text);
    const { code, stderr, stdout } = await run(join(folder, file), "--json");
    expect(stderr).toBe("");
    expect(code).toBe(0);
    const report = JSON.parse(stdout);
    expect(report.programme).toEqual({
      name: "Harbour v7",
      duration_seconds: 5,
      frame_rate: "25/1",
      drop_frame: false,
      start_timecode: "01:00:00:00",
    });
    expect(report.cues[0].timecode).toBe("01:00:01:00");
    expect(report.notices).toContain("Transitions were rendered as cuts: Cross Dissolve.");
    // Effects by name are what OTIO carries; our own Final Cut Pro 7 XML has none.
    expect(report.notices.includes("Effects were not rendered: Blur.")).toBe(made === "timeline.otio");
    const [media = new Uint8Array()] = server.stored.values();
    await writeFile(join(folder, "uploaded.mp4"), media);
    expect(await probeMedia(join(folder, "uploaded.mp4"))).toMatchObject({
      durationSeconds: 5,
      picture: { width: 320, height: 240, rate: RATE },
      sound: { channels: 2 },
    });
    expect((await readdir(out)).filter((name) => name.startsWith("timeline"))).toEqual([made]);

    const edited = await readFile(join(out, made), "utf8");
    expect(edited).toMatch(/"studio": ?\{"shot": 7\.50\}|<label2>Forest<\/label2>/);
    const [before, after] = [parse(text).timeline, parse(edited).timeline];
    expect(after?.tracks.slice(0, -1)).toEqual(before?.tracks);
    expect(after?.startFrame).toBe(90_000);
    expect(after?.markers.map(({ start, end, comment }) => [start, end, comment.split("\n")[0]])).toEqual([
      [0.4, 0.4, "keep me"],
      [1, 2.52, "A woman sits at a desk."],
      [4, 5, "She opens a letter."],
    ]);
    expect(after?.tracks.at(-1)).toMatchObject({
      kind: "audio",
      name: "Audio description",
      clips: [{ name: "aside-narration.wav", start: 0, end: 5 }],
    });
    expect(after?.tracks.at(-1)?.clips[0]?.source).toHaveProperty(
      "location",
      expect.stringMatching(/out\/narration\.wav$/),
    );
  });

  thoroughTest("described again, has each marker and the narration once", async () => {
    const { folder, out, run } = await prepared();
    await writeFile(join(folder, file), write(cutIn(folder)));
    expect((await run(join(folder, file))).code).toBe(0);
    const once = parse(await readFile(join(out, made), "utf8")).timeline;
    expect((await run(join(out, made))).code).toBe(0);
    const twice = parse(await readFile(join(out, made), "utf8")).timeline;
    expect(twice?.markers.map(({ start, comment }) => [start, comment])).toEqual(
      once?.markers.map(({ start, comment }) => [start, comment]),
    );
    expect(twice?.tracks.map(({ clips }) => clips.length)).toEqual(once?.tracks.map(({ clips }) => clips.length));
  });
});

test("FCPXML is read, and goes on as Final Cut Pro 7 XML", async () => {
  const { folder, out, run } = await prepared();
  const film = pathToFileURL(join(folder, "film.mp4")).href;
  await writeFile(
    join(folder, "cut.fcpxml"),
    `<fcpxml version="1.9"><resources><format id="f" frameDuration="1/25s" width="320" height="240"/>
<asset id="r" name="film" src="${film}" start="0s" duration="6s" hasVideo="1" hasAudio="1" audioChannels="2" format="f"/></resources>
<sequence format="f" tcStart="3600s"><spine><asset-clip ref="r" name="a" offset="3600s" start="1s" duration="3s"/>
<gap offset="3603s" duration="1s"/><asset-clip ref="r" name="b" offset="3604s" duration="1s"/></spine></sequence></fcpxml>`,
  );
  const { code } = await run(join(folder, "cut.fcpxml"));
  expect(code).toBe(0);
  const { timeline } = parseFcp7Xml(await readFile(join(out, "timeline.xml"), "utf8"));
  expect(timeline?.startFrame).toBe(90_000);
  expect(timeline?.markers).toHaveLength(2);
  expect(timeline?.tracks[0]?.clips.map(({ start, end }) => [start, end])).toEqual([
    [0, 3],
    [4, 5],
  ]);
  expect(timeline?.tracks.at(-1)).toMatchObject({ name: "Audio description" });
});

describe("a timeline that cannot be described", () => {
  test("names the media that are missing, before anything is sent; a file of the same name beside it will do", async () => {
    const { server, folder, run } = await prepared();
    const elsewhere = cutIn("/Volumes/Nowhere");
    await mkdir(join(folder, "moved"));
    await writeFile(join(folder, "moved", "cut.otio"), writeOtio(elsewhere));
    const missing = await run(join(folder, "moved", "cut.otio"));
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain('Media of the timeline are missing: "film.mp4", "still.png"');
    expect(missing.stderr).toContain("(file_not_found)");
    expect(missing.stderr).not.toContain("Nowhere");
    expect(server.bodies("generateAudio")).toEqual([]);
    await writeFile(join(folder, "cut.otio"), writeOtio(elsewhere));
    expect((await run(join(folder, "cut.otio"))).code).toBe(0);
  });

  test.each([
    ["broken.mp4", "cut.otio", "no_video_stream"],
    ["broken.mp4", "cut.xml", "file_unreadable"],
    [null, "cut.otio", "file_unreadable"],
    [null, "cut.xml", "file_unreadable"],
    ["empty", "cut.otio", "sequence_empty"],
  ])("%s in %s ends with %s", async (fault, file, expected) => {
    const { folder, run } = await prepared();
    const cut = cutIn(folder);
    if (fault === "broken.mp4") await writeFile(join(folder, "film.mp4"), "no film");
    const text =
      fault === null
        ? "<nothing/>"
        : (file === "cut.otio" ? writeOtio : writeFcp7Xml)(fault === "empty" ? { ...cut, tracks: [] } : cut);
    await writeFile(join(folder, file), text);
    const { code, stderr } = await run(join(folder, file));
    expect(code).toBe(1);
    expect(stderr).toContain(`(${expected})`);
    if (fault === "broken.mp4") expect(stderr).toContain('"film.mp4"');
  });
});
