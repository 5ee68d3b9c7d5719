import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { OutFolder } from "../../../../src/cli/out-folder/out-folder.ts";
import { markerComment } from "../../../../src/core/cue.ts";
import type { Timeline } from "../../../../src/core/timeline.ts";
import { parseFcp7Xml, parseOtio, writeFcp7Xml, writeOtio } from "../../../../src/formats/index.ts";
import { HostedServer } from "../../../fakes/hosted-server.ts";
import { silentWav } from "../../../fakes/wav.ts";
import { makeMedia } from "../../../made-media.ts";
import { madeClip, madeMedia, madeTimeline, madeTrack } from "../../../made-timeline.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { thoroughTest } from "../../../thorough-test.ts";
import { runsLeftIn } from "../../out-folder/runs-left.ts";
import { asideHere, startAside } from "../../run-aside.ts";

const MARKERS = [
  { start: 2, end: 4, name: "AD 1 · 2.0 s", comment: markerComment("cue-0001", "A woman sits.") },
  { start: 5, end: 5, name: "Grade", comment: "too warm" },
  { start: 12, end: 14, name: "AD 2 · 2.0 s", comment: markerComment("cue-0002", "She stands.") },
];

let mediaFolder = "";

beforeAll(async () => {
  mediaFolder = await temporaryFolder();
  const graphs = (seconds: number) => [
    { graph: `testsrc2=size=64x48:rate=25:duration=${seconds}`, codec: "libx264" },
    { graph: `sine=duration=${seconds}:sample_rate=48000`, codec: "aac" },
  ];
  makeMedia(join(mediaFolder, "film.mp4"), graphs(24));
  makeMedia(join(mediaFolder, "insert.mp4"), graphs(6));
});

/** A film of 24 s that was described, and the same with two inserts of 3 s: 13 s each with what is around them. */
async function prepared(ending: "otio" | "xml" = "otio") {
  const server = new HostedServer();
  server.wav = silentWav(13);
  server.pollSeconds = 0.05;
  server.uploadStates = [];
  server.jobStates = [];
  // Over known picture, and over new.
  server.vtt = "WEBVTT\n\n00:01.000 --> 00:02.500\nKnown.\n\n00:05.500 --> 00:07.000\nA ship burns.\n";
  const { address, close } = await server.listen();
  onTestFinished(close);
  const folder = await temporaryFolder();
  const media = (name: string, durationSeconds: number) =>
    madeMedia(name, { location: pathToFileURL(join(mediaFolder, name)).href, durationSeconds });
  const [film, insert] = [media("film.mp4", 24), media("insert.mp4", 6)];
  const write = ending === "otio" ? writeOtio : writeFcp7Xml;
  const cut = async (name: string, clips: ReturnType<typeof madeClip>[], markers: Timeline["markers"]) => {
    const path = join(folder, `${name}.${ending}`);
    await writeFile(path, write({ ...madeTimeline([madeTrack("video", clips, { name: "V1" })]), markers }));
    return path;
  };
  const placed = await cut("placed", [madeClip(film, 0, 24)], MARKERS);
  const recut = await cut(
    "recut",
    [
      madeClip(film, 0, 6),
      madeClip(insert, 6, 9),
      madeClip(film, 9, 21, { sourceStart: 6 }),
      madeClip(insert, 21, 24, { sourceStart: 3 }),
      madeClip(film, 24, 30, { sourceStart: 18 }),
    ],
    MARKERS,
  );
  const out = join(folder, `out.${ending}`);
  const args = ["conform", placed, recut, out, "--describe-new", "--server", address];
  const env = { ASIDE_API_KEY: server.key };
  const parse = ending === "otio" ? parseOtio : parseFcp7Xml;
  const result = async () => parse(await readFile(out, "utf8")).timeline;
  return { server, folder, out, args, env, result, run: (...more: string[]) => asideHere([...args, ...more], env) };
}

describe("aside conform --describe-new", () => {
  test("describes what is new alone, and adds it to the rest", async () => {
    const { server, folder, run, result } = await prepared();
    const { code, stderr, stdout } = await run();
    expect(stderr).toContain("New in this cut: 2 stretches, 0:26 in all, about 0.3 credits.");
    expect(stderr).toContain("Describe (2 of 2): done");
    expect(code).toBe(0);
    expect(stdout).toContain("2 descriptions: 1 unchanged, 1 moved, 0 touched, 0 orphaned, 2 new.");
    expect(server.accepted).toBe(2);
    expect(await runsLeftIn(join(folder, "out-narration"))).toEqual([]);
    const free = await OutFolder.open(join(folder, "out-narration"), false);
    await free.close();
    const timeline = await result();
    const markers = timeline?.markers.map(({ start, comment }) => [start, comment.split("\n")[0]] as const) ?? [];
    expect(markers.sort(([a], [b]) => a - b)).toEqual([
      [2, "A woman sits."],
      [5, "too warm"],
      [6.52, "A ship burns."],
      [15, "She stands."],
      [21.52, "A ship burns."],
    ]);
    const voices = timeline?.tracks.at(-1);
    expect(voices?.clips.map(({ start }) => start)).toEqual([6.48, 21.48]);
    const clips = await readdir(join(folder, "out-narration", "clips"));
    expect(clips.sort()).toEqual(voices?.clips.map(({ name }) => name).sort());
    expect(voices?.clips[0]?.source).toHaveProperty("location", expect.stringContaining("out-narration/clips/"));
  });

  test("a refused stretch is told and left out; --json says it all in one line", async () => {
    const { server, run, result } = await prepared("xml");
    server.jobEnds = ["standard_ad_not_enough_gaps"];
    const { code, stdout, stderr } = await run("--json");
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout).new).toMatchObject({
      seconds: 26,
      stretches: [
        { start: 1, end: 14, refusal: { code: "standard_ad_not_enough_gaps" } },
        { start: 16, end: 29 },
      ],
      cues: [{ start: 21.5, end: 23, text: "A ship burns." }],
    });
    expect((await result())?.markers).toHaveLength(4);
  });

  test("what was refused before anything was sent leaves no run behind, and the folder free", async () => {
    const { args, out, folder, run } = await prepared();
    expect((await asideHere(args, { ASIDE_API_KEY: "another" })).code).toBe(1);
    expect(existsSync(out)).toBe(false);
    expect(existsSync(join(folder, "out-narration"))).toBe(false);
    expect((await run()).code).toBe(0);
    expect(await runsLeftIn(join(folder, "out-narration"))).toEqual([]);
  });

  thoroughTest("cancelled between two stretches, the same command goes on and pays for nothing twice", async () => {
    const { server, args, env, run, out, folder } = await prepared();
    const first = startAside(args, { env });
    await first.shows(/Describe \(2 of 2\) \.\.\./);
    first.process.kill("SIGINT");
    expect((await first.ended).code).toBe(130);
    await expect(readFile(out)).rejects.toThrow();
    expect((await run()).code).toBe(0);
    expect(server.accepted).toBe(2);
    expect(await runsLeftIn(join(folder, "out-narration"))).toEqual([]);
  });

  test("--dry-run says what it would take; nothing new, nothing sent; options without it are refused", async () => {
    const { server, folder, args, env, run } = await prepared();
    const dry = await run("--dry-run");
    expect(dry.stderr).toContain("2 stretches, 0:26 in all");
    expect(dry.stdout).toContain("Nothing was written.");
    const [, placed = "", , out = ""] = args;
    const same = await asideHere(["conform", placed, placed, out, ...args.slice(4)], env);
    expect(same.stderr).toContain("Nothing is new in this cut.");
    expect(same.code).toBe(0);
    expect(server.seen).toEqual([]);
    expect((await readdir(folder)).sort()).toEqual(["out.otio", "placed.otio", "recut.otio"]);
    const alone = await asideHere(["conform", placed, placed, out, "--voice", "Kore"], env);
    expect([alone.code, alone.stderr]).toEqual([
      2,
      expect.stringContaining("--voice counts only together with --describe-new"),
    ]);
  });
});
