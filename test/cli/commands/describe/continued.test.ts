import { mkdirSync } from "node:fs";
import { mkdir, readdir, readFile, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { DESCRIBE } from "../../../../src/cli/commands/describe/describe.ts";
import { parseTimeline } from "../../../../src/formats/read-document.ts";
import { unawaitedChanges } from "../../../fakes/slow-disk.ts";
import { runsLeftIn } from "../../out-folder/runs-left.ts";
import { asideHere } from "../../run-aside.ts";
import { describing, FILM } from "./describing.ts";

// What a run makes beside its sound, and what of it the same command goes on with after it was cut off.

async function describingAgain() {
  const { server, out, ...rest } = await describing();
  /** How often a result's file with this ending was fetched. */
  const fetched = (ending: string) =>
    server.seen.filter(({ method, path }) => method === "GET" && path.endsWith(ending)).length;
  const timelineOf = async (name: string) => {
    const { timeline } = parseTimeline(await readFile(join(out, name), "utf8"), name);
    if (timeline === null || timeline === undefined) throw new Error(`${name} is no timeline`);
    return timeline;
  };
  return { server, out, ...rest, fetched, timelineOf };
}

const SOUND = { options: [], file: "narration.wav", ending: ".wav" };
const VIDEO = { options: ["--video"], file: "described.mp4", ending: ".mp4" };

test.each([SOUND, VIDEO])(
  "a run that could not put its files in place goes on without asking or fetching again: $file",
  async ({ options, file, ending }) => {
    const { server, out, describe, fetched, timelineOf } = await describingAgain();
    // While the service works, somebody makes a folder of the name of a file.
    const inTheWay = join(out, "cues.vtt");
    const { vtt } = server;
    Object.defineProperty(server, "vtt", {
      get() {
        if (server.accepted === 1 && fetched(ending) === 0) mkdirSync(inTheWay);
        return vtt;
      },
    });
    const failed = await describe(...options);
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('"cues.vtt" is a folder')]);
    await rmdir(inTheWay);
    const { code, stderr } = await describe(...options);
    expect(code, stderr).toBe(0);
    expect([server.accepted, fetched(ending)]).toEqual([1, 1]);
    expect((await stat(join(out, file))).size).toBeGreaterThan(0);
    for (const name of ["timeline.otio", "timeline.xml"]) {
      expect((await timelineOf(name)).markers).toHaveLength(2);
    }
    expect(await runsLeftIn(out)).toEqual([]);
  },
);

test("the timelines play the sound that lies beside them", async () => {
  const { out, describe, timelineOf } = await describingAgain();
  expect((await describe()).code).toBe(0);
  for (const name of ["timeline.otio", "timeline.xml"]) {
    const clips = (await timelineOf(name)).tracks.flatMap((track) => track.clips);
    const places = clips.map(({ source }) => (source.kind === "media" ? source.location : null));
    const sounds = places.filter((place) => place?.endsWith(".wav") === true);
    expect(sounds.map((place) => fileURLToPath(place ?? ""))).toEqual([join(out, "narration.wav")]);
  }
});

test("pauses that are left to a person come with the page to write them on", async () => {
  const { server, out, describe } = await describingAgain();
  server.worksheet = "<html>To write</html>\n";
  const nothing = { speech: [], music: [], silence: [], shots: [], notes: [], stage_seconds: {} };
  const pause = { id: "pause-0001", start: 3, end: 4.5, words: 3, hints: [] };
  server.report = { ...nothing, describer: "script", to_write: [pause] };
  const { code, stderr, stdout } = await describe();
  expect(code, stderr).toBe(0);
  expect(stdout).toContain(`1 pause to write: open ${join(out, "worksheet.html")}`);
  expect(await readFile(join(out, "worksheet.html"), "utf8")).toBe("<html>To write</html>\n");
});

test("nothing is under way in the folder any more once a service has refused", async () => {
  const { out, address } = await describingAgain();
  await mkdir(out);
  const refused = () =>
    asideHere([DESCRIBE.name, FILM, "--out", out, "--server", address], { ASIDE_API_KEY: "another" });
  expect(await unawaitedChanges(out, refused)).toEqual([]);
  expect(await readdir(out)).toEqual([]);
});
