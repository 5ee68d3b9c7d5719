import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readCues } from "../../../../src/formats/index.ts";
import { makeMedia } from "../../../made-media.ts";
import { tracksOf } from "../../../service/movie-facts.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { aside } from "../../run-aside.ts";

/** A clip of eight seconds in which, by its captions, somebody speaks most of the time; and a description that is long. */
async function clip() {
  const folder = await temporaryFolder();
  const media = join(folder, "clip.mp4");
  makeMedia(media, [
    { graph: "testsrc2=size=160x90:rate=25:duration=8", codec: "libx264", options: { preset: "ultrafast" } },
    { graph: "sine=frequency=300:sample_rate=48000:duration=8", codec: "aac" },
  ]);
  const script = join(folder, "script.vtt");
  const captions = join(folder, "captions.srt");
  await writeFile(
    script,
    "WEBVTT\n\n00:03.000 --> 00:04.000\nA tall woman in a long red coat opens the heavy door of the lighthouse.\n",
  );
  await writeFile(captions, "1\n00:00:00,000 --> 00:00:04,000\nTalk.\n\n2\n00:00:04,500 --> 00:00:08,000\nMore.\n");
  const out = join(folder, "out");
  const args = ["describe", media, "--out", out, "--data", join(folder, "data"), "--script", script];
  return { out, args: [...args, "--captions", captions] };
}

describe("aside describe --video", () => {
  test("VIDEO-10 VIDEO-11: writes an extended video, its time map and the cues on both clocks", async () => {
    const { out, args } = await clip();
    const { code, stderr, stdout } = await aside([...args, "--video", "--ad-type", "extended_ad"]);
    expect(stderr).not.toContain("(");
    expect(code).toBe(0);
    const names = (await readdir(out)).filter((name) => !name.startsWith(".")).sort();
    expect(names).toEqual(
      [
        ...["cues.edl", "cues.json", "cues.srt", "cues.vtt", "raw.vtt", "report.json", "timeline.otio", "timeline.xml"],
        ...["described.mp4", "described.edl", "described.srt", "described.vtt", "record.txt", "time-map.json"],
      ].sort(),
    );
    expect(stdout).toContain("described.mp4");
    const map = JSON.parse(await readFile(join(out, "time-map.json"), "utf8"));
    expect(map.pauses).toHaveLength(1);
    const [pause] = map.pauses;
    expect(map.video_seconds).toBeCloseTo(map.programme_seconds + pause.seconds, 2);
    expect(map.cues).toMatchObject([
      { programme: [expect.any(Number), expect.closeTo(pause.at, 1)], video: [expect.any(Number), expect.any(Number)] },
    ]);

    const [onProgramme] = readCues(await readFile(join(out, "cues.vtt"), "utf8")).cues;
    const [onVideo] = readCues(await readFile(join(out, "described.vtt"), "utf8")).cues;
    expect(onProgramme?.end).toBeCloseTo(pause.at, 1);
    expect(onVideo?.end).toBeGreaterThan(pause.video_time + 1);
    const tracks = await tracksOf(join(out, "described.mp4"));
    expect(tracks.map(({ kind }) => kind)).toEqual(["picture", "sound", "sound", "text"]);
    expect(tracks[0]?.seconds).toBeCloseTo(map.video_seconds, 2);
  });

  test("FROMURL-09: a standard one keeps the runtime, and has the height asked for", async () => {
    const { out, args } = await clip();
    const { code } = await aside([...args, "--video", "--resolution", "144p", "--no-auto-fit"]);
    expect(code).toBe(0);
    expect(await readdir(out)).not.toContain("time-map.json");
    const report = JSON.parse(await readFile(join(out, "report.json"), "utf8"));
    expect(report.service_report.video).toMatchObject({ picture: "encoded", duration_seconds: 8, pauses: [] });
  });

  test("what does not go together is said before anything is done", async () => {
    for (const [more, words] of [
      [["--video", "--track", "mixed"], "--track belongs to a sound file"],
      [["--resolution", "720p"], "--resolution counts only together with --video"],
      [["--ad-type", "extended_ad"], "--ad-type extended_ad needs --video or --track none"],
      [["--video", "--ad-type", "long"], "--ad-type cannot be"],
    ] as const) {
      const { code, stderr } = await aside(["describe", "x.mp4", ...more]);
      expect(code).toBe(2);
      expect(stderr).toContain(words);
    }
  });
});
