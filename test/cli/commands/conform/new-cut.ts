import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, onTestFinished } from "vitest";
import { CONFORM } from "../../../../src/cli/commands/conform/conform.ts";
import { markerComment } from "../../../../src/core/cue.ts";
import type { Timeline } from "../../../../src/core/timeline.ts";
import { parseFcp7Xml, parseOtio, writeFcp7Xml, writeOtio } from "../../../../src/formats/index.ts";
import { HostedServer } from "../../../fakes/hosted-server.ts";
import { silentWav } from "../../../fakes/wav.ts";
import { makeMedia } from "../../../made-media.ts";
import { madeClip, madeMedia, madeTimeline, madeTrack } from "../../../made-timeline.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { asideHere } from "../../run-aside.ts";

const MARKERS = [
  { start: 2, end: 4, name: "AD 1 · 2.0 s", comment: markerComment("cue-0001", "A woman sits.") },
  { start: 5, end: 5, name: "Grade", comment: "too warm" },
  { start: 12, end: 14, name: "AD 2 · 2.0 s", comment: markerComment("cue-0002", "She stands.") },
];

/**
 * Makes media once for all tests of a file.
 *
 * @returns Prepares a film of 24 s that was described, and the same with two inserts of 3 s: 13 s each with what is around them.
 */
export function newCuts() {
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
  return (ending: "otio" | "xml" = "otio") => prepared(mediaFolder, ending);
}

async function prepared(mediaFolder: string, ending: "otio" | "xml") {
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
  const args = [CONFORM.name, placed, recut, out, "--describe-new", "--server", address];
  const env = { ASIDE_API_KEY: server.key };
  const parse = ending === "otio" ? parseOtio : parseFcp7Xml;
  const result = async () => parse(await readFile(out, "utf8")).timeline;
  return { server, folder, out, args, env, result, run: (...more: string[]) => asideHere([...args, ...more], env) };
}
