import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../temporary-folder.ts";
import { asideHere } from "../run-aside.ts";

test("a timeline names its film where one clip of one track is all that it shows, from its beginning", async () => {
  const folder = await temporaryFolder();
  const [film, timeline] = [join(folder, "film.mp4"), join(folder, "cut.otio")];
  await writeFile(film, "no film");
  const time = (value: number) => ({ OTIO_SCHEMA: "RationalTime.1", rate: 25, value });
  const range = (start: number, duration: number) => ({
    OTIO_SCHEMA: "TimeRange.1",
    start_time: time(start),
    duration: time(duration),
  });
  const clip = (start = 0) => ({
    OTIO_SCHEMA: "Clip.1",
    name: "film",
    source_range: range(start, 250),
    media_reference: { OTIO_SCHEMA: "ExternalReference.1", target_url: film, available_range: range(0, 1000) },
  });
  const marker = { OTIO_SCHEMA: "Marker.2", name: "A rabbit wakes up.", marked_range: range(50, 75) };
  const namesFilm = async (...tracks: readonly (readonly object[])[]) => {
    const children = tracks.map((one) => ({ OTIO_SCHEMA: "Track.1", kind: "Video", children: one }));
    const stack = { OTIO_SCHEMA: "Stack.1", children, markers: [marker] };
    await writeFile(timeline, JSON.stringify({ OTIO_SCHEMA: "Timeline.1", name: "cut", tracks: stack }));
    const { code, stderr } = await asideHere(["check", timeline, "--picture"]);
    expect(code).not.toBe(0);
    return !stderr.includes("--picture needs --media");
  };
  expect(await namesFilm([clip()])).toBe(true);
  expect(await namesFilm([clip()], [])).toBe(true);
  expect(await namesFilm([clip()], [clip()])).toBe(false);
  expect(await namesFilm([], [clip()])).toBe(true);
  expect(await namesFilm([clip(), clip()])).toBe(false);
  expect(await namesFilm([clip(25)])).toBe(false);
});

test("a check has written its whole report when it ends, or ends badly", async () => {
  const folder = await temporaryFolder();
  const cues = join(folder, "cues.vtt");
  await writeFile(cues, "WEBVTT\n\n00:02.000 --> 00:05.000\nA rabbit wakes up.\n");
  const checked = (out: string) => asideHere(["check", cues, "--out", out, "--json"]);
  const out = join(folder, "out");
  const { code, stdout } = await checked(out);
  expect(code).toBe(0);
  expect(JSON.parse(await readFile(join(out, "report.json"), "utf8"))).toEqual(JSON.parse(stdout));
  expect(await readFile(join(out, "report.html"), "utf8")).toContain("A rabbit wakes up.");
  for (const name of ["report.json", "report.html"]) {
    const inTheWay = join(folder, `without-${name}`);
    await mkdir(join(inTheWay, name), { recursive: true });
    expect((await checked(inTheWay)).code).toBe(1);
  }
});
