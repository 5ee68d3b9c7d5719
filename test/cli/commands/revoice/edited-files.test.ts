import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { frameRate } from "../../../../src/core/frame-rate.ts";
import { writeOtio } from "../../../../src/formats/otio/write-otio.ts";
import { HostedServer, json } from "../../../fakes/hosted-server.ts";
import { silentWav } from "../../../fakes/wav.ts";
import { makeMedia } from "../../../made-media.ts";
import { madeClip, madeMedia, madeTimeline, madeTrack } from "../../../made-timeline.ts";
import { sharedMedia } from "../../../shared-media.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { aside } from "../../run-aside.ts";

/** Times that lie on no frame. */
const CUES = ["A woman sits at a desk.", "She opens a letter.", "Rain falls."].map(
  (text, index) => [`00:0${1 + index}.013 --> 00:0${1 + index}.929`, text] as const,
);
const VTT = `WEBVTT\n\n${CUES.map((cue) => cue.join("\n")).join("\n\n")}\n`;

/** A result of the scripted hosted server in a folder, and the command for it. */
async function described(media = sharedMedia("containers/sintel-5s.mp4")) {
  const server = new HostedServer();
  server.wav = silentWav(5);
  server.vtt = VTT;
  server.pollSeconds = 0.1;
  const { address, close } = await server.listen();
  onTestFinished(close);
  const folder = await temporaryFolder();
  const out = join(folder, "out");
  const env = { ASIDE_API_KEY: server.key, XDG_DATA_HOME: join(folder, "data") };
  const run = (...args: readonly string[]) => aside([...args, "--server", address], { env });
  const first = await run("describe", media, "--out", out);
  expect(first.code, first.stderr).toBe(0);
  const read = (name: string) => readFile(join(out, name), "utf8");
  const edit = async (name: string, from: string, to: string) => {
    const text = await read(name);
    expect(text).toContain(from);
    await writeFile(join(out, name), text.replaceAll(from, to));
  };
  return { server, out, run, read, edit };
}

describe("the file that an editor worked in", () => {
  test.each(["cues.vtt", "cues.srt", "cues.edl", "cues.json", "timeline.otio", "timeline.xml"])(
    "%s counts, and one changed word makes one line stale",
    async (name) => {
      const { server, out, run, read, edit } = await described();
      await edit(name, "She opens a letter.", "She reads.");
      server.vtt = VTT.replace("She opens a letter.", "She reads.");
      const done = await run("revoice", out, "--json");
      expect(done.code, done.stderr).toBe(0);
      const { stale } = JSON.parse(done.stdout);
      expect(stale.map(({ text, reasons }: { text: string; reasons: string[] }) => [text, reasons])).toEqual([
        ["She reads.", ["words"]],
      ]);
      for (const file of ["cues.vtt", "cues.edl", "timeline.otio", "timeline.xml"]) {
        expect(await read(file)).toContain("She reads.");
        expect(await read(file)).not.toContain("She opens a letter.");
      }
      // The exact times stay, whatever the file rounds to.
      expect(await read("cues.vtt")).toContain("00:00:01.013 --> 00:00:01.929");
      expect(await readdir(out)).not.toContain("earlier");
      const again = await run("revoice", out);
      expect(again.stdout.trim()).toBe("Every description is voiced as it stands.");
    },
  );

  test("a line that was moved by one frame in a list of frames is moved, and the others are not", async () => {
    const { out, run, read } = await described();
    const edl = await read("cues.edl");
    await writeFile(join(out, "cues.edl"), edl.replaceAll("00:00:02:00", "00:00:02:01"));
    const dry = await run("revoice", out, "--dry-run", "--json");
    const { stale } = JSON.parse(dry.stdout);
    expect(stale.map(({ text }: { text: string }) => text)).toEqual(["She opens a letter."]);
  });

  test("several changed files are refused by name, with how to choose; the others are kept aside", async () => {
    const { server, out, run, read, edit } = await described();
    await edit("cues.srt", "Rain falls.", "It rains.");
    await edit("timeline.otio", "Rain falls.", "It pours.");
    const refused = await run("revoice", out);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('"timeline.otio" and "cues.srt" were changed since they were written');
    expect(refused.stderr).toContain(`aside.mjs revoice ${join(out, "timeline.otio")}`);
    expect(refused.stderr).toContain(`aside.mjs revoice ${out} --cues ${join(out, "cues.srt")}`);

    server.vtt = VTT.replace("Rain falls.", "It rains.");
    const done = await run("revoice", out, "--cues", join(out, "cues.srt"));
    expect(done.code, done.stderr).toBe(0);
    const [kept = ""] = await readdir(join(out, "earlier"));
    expect(done.stdout).toContain(`"timeline.otio" in "out" was worked on since: kept in "earlier/${kept}".`);
    expect(await readdir(join(out, "earlier", kept))).toEqual(["timeline.otio"]);
    expect(await readFile(join(out, "earlier", kept, "timeline.otio"), "utf8")).toContain("It pours.");
    expect(await read("timeline.otio")).toContain("It rains.");
    expect((await run("revoice", out)).stdout.trim()).toBe("Every description is voiced as it stands.");
  });

  test("another voice alone speaks the same words anew", async () => {
    const { server, out, run, read } = await described();
    const before = await read("cues.vtt");
    const done = await run("revoice", out, "--voice", "Kore", "--json");
    expect(done.code, done.stderr).toBe(0);
    expect(JSON.parse(done.stdout).stale.map(({ reasons }: { reasons: string[] }) => reasons)).toEqual(
      CUES.map(() => ["voice"]),
    );
    expect(JSON.stringify(server.bodies("generateAudio").at(-1))).toContain('"Kore"');
    expect(await read("cues.vtt")).toBe(before);
  });
});

test("a changed word does not render and send a cut again, unless the service has it no more", async () => {
  const folder = await temporaryFolder();
  makeMedia(join(folder, "film.mp4"), [
    { graph: "testsrc2=size=320x240:rate=25:duration=6", codec: "libx264" },
    { graph: "sine=duration=6:sample_rate=48000", codec: "aac" },
  ]);
  const film = madeMedia("film.mp4", {
    location: pathToFileURL(join(folder, "film.mp4")).href,
    durationSeconds: 6,
    rate: frameRate(25),
  });
  const clips = [madeClip(film, 0, 2, { sourceStart: 3 }), madeClip(film, 2, 5)];
  const cut = madeTimeline([madeTrack("video", clips), madeTrack("audio", clips)], { name: "Cut" });
  await writeFile(join(folder, "cut.otio"), writeOtio(cut));
  const { server, out, run, edit } = await described(join(folder, "cut.otio"));
  expect(server.stored.size).toBe(1);

  await edit("timeline.otio", "Rain falls.", "It rains.");
  server.vtt = VTT.replace("Rain falls.", "It rains.");
  const first = await run("revoice", out);
  expect(first.code, first.stderr).toBe(0);
  expect(server.stored.size).toBe(1);

  await edit("timeline.otio", "It rains.", "It pours.");
  server.vtt = VTT.replace("Rain falls.", "It pours.");
  server.faults.generateAudio = [json({ error: "not_found", message: "no such media" }, 404)];
  const second = await run("revoice", out);
  expect(second.code, second.stderr).toBe(0);
  expect(server.stored.size).toBe(2);
});
