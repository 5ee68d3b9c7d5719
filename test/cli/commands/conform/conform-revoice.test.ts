import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { frameRate } from "../../../../src/core/frame-rate.ts";
import { parseOtio, writeOtio } from "../../../../src/formats/index.ts";
import { NARRATION_TRACK_NAME } from "../../../../src/host/edit-plan.ts";
import { makeMedia } from "../../../made-media.ts";
import { madeClip, madeMedia, madeTimeline, madeTrack } from "../../../made-timeline.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { aside } from "../../run-aside.ts";
import { samplesOf } from "../../wave-samples.ts";

const SCRIPT = `WEBVTT

one
00:01.000 --> 00:02.500
A door opens.

two
00:03.000 --> 00:04.500
Rain falls.

three
00:07.000 --> 00:08.500
A red car.

four
00:09.500 --> 00:11.000
Night comes.
`;

/** Two shots of one film of twelve seconds, in any order and length, with more tracks and markers. */
function cut(folder: string, pieces: readonly (readonly [from: number, to: number])[], placed = madeTimeline([])) {
  const location = pathToFileURL(join(folder, "film.mp4")).href;
  const film = madeMedia("film.mp4", { location, durationSeconds: 12, rate: frameRate(25) });
  let at = 0;
  const clips = pieces.map(([from, to]) => {
    const start = at;
    at += to - from;
    return madeClip(film, start, at, { sourceStart: from });
  });
  const own = placed.tracks.filter(({ name }) => name === NARRATION_TRACK_NAME);
  const tracks = [madeTrack("video", clips, { name: "V1" }), madeTrack("audio", clips, { name: "A1" }), ...own];
  return writeOtio(madeTimeline(tracks, { markers: placed.markers }));
}

test("described, cut anew, conformed, two descriptions changed, voiced again: two are spoken, the others go along to the sample", async () => {
  const folder = await temporaryFolder();
  const path = (name: string) => join(folder, name);
  const run = async (...args: readonly string[]) => {
    const ended = await aside(args, { env: { XDG_DATA_HOME: path("data") } });
    expect(ended.code, ended.stderr).toBe(0);
    return ended.stdout;
  };
  makeMedia(path("film.mp4"), [
    { graph: "testsrc2=size=320x240:rate=25:duration=12", codec: "libx264" },
    { graph: "anoisesrc=amplitude=0.01:duration=12:sample_rate=48000", codec: "aac" },
  ]);
  await writeFile(path("script.vtt"), SCRIPT);
  await writeFile(path("cut.otio"), cut(folder, [[0, 6], [6, 12]])); // biome-ignore format: one cut
  await run("describe", path("cut.otio"), "--script", path("script.vtt"), "--out", path("out"), "--clips");
  const out = (name: string) => join(folder, "out", name);
  const before = await samplesOf(out("narration.wav"));
  const described = JSON.parse(await readFile(out("report.json"), "utf8")).cues;

  // The second shot comes first, without its first half second.
  const placed = parseOtio(await readFile(out("timeline.otio"), "utf8")).timeline;
  if (placed === null) throw new Error("no timeline");
  await writeFile(path("recut.otio"), cut(folder, [[6.6, 12], [0, 6]], placed)); // biome-ignore format: one cut
  const conformed = JSON.parse(
    await run("conform", out("timeline.otio"), path("recut.otio"), path("conformed.otio"), "--json"),
  );
  const starts = Object.fromEntries(
    conformed.descriptions.map(({ cueId, start }: { cueId: string; start: number }) => [cueId, start]),
  );
  const shifts = described.map(({ id, start }: { id: string; start: number }) => starts[id] - start);
  for (const [index, shift] of [5.4, 5.4, -6.6, -6.6].entries()) expect(shifts[index]).toBeCloseTo(shift, 1);

  const text = await readFile(path("conformed.otio"), "utf8");
  const edited = text.replaceAll("Rain falls.", "It rains.").replaceAll("A red car.", "A blue car.");
  await writeFile(path("conformed.otio"), edited);
  const voiced = JSON.parse(await run("revoice", path("conformed.otio"), "--record", path("out"), "--json"));
  expect(voiced.lines_spoken).toBe(2);
  // What was heard went along with the cut: no description is called too long for a gap of the old one.
  expect(voiced.too_long).toEqual([]);
  const after = await samplesOf(out("narration.wav"));
  for (const { id, start, end } of described.filter((cue: { id: string }) => ["one", "four"].includes(cue.id))) {
    const line = before.part(start, end);
    const at = after.data.indexOf(line) / (after.data.length / after.seconds);
    expect(Math.abs(at - starts[id]), id).toBeLessThan(0.05);
  }
  expect(await run("revoice", path("out"))).toContain("Every description is voiced as it stands.");

  const { timeline } = parseOtio(await readFile(out("timeline.otio"), "utf8"));
  const clips = timeline?.tracks.find(({ name }) => name === NARRATION_TRACK_NAME)?.clips ?? [];
  expect(clips.map(({ name }) => name).sort()).toEqual([
    "aside-four Night comes.wav",
    "aside-one A door opens.wav",
    "aside-three A blue car.wav",
    "aside-two It rains.wav",
  ]);
  const checked = await aside(["check", out("timeline.otio"), "--audio", out("narration.wav"), "--json"]);
  const { findings } = JSON.parse(checked.stdout) as { findings: readonly { rule: string }[] };
  expect(findings.filter(({ rule }) => rule.startsWith("narration-"))).toEqual([]);
}, 120_000);
