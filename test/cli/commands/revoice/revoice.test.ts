import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SAMPLE_CLIP } from "../../../../src/cli/sample.ts";
import { EspeakVoice } from "../../../../src/engine/voice/espeak.ts";
import { readCues } from "../../../../src/formats/index.ts";
import { parseOtio } from "../../../../src/formats/otio/read-otio.ts";
import { makeMedia } from "../../../made-media.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { thoroughTest } from "../../../thorough/thorough-test.ts";
import { asideAlone, asideHere } from "../../run-aside.ts";
import { samplesOf } from "../../wave-samples.ts";

const MINUTES = 240_000;

/** A script of four lines, each with room around it. */
const SCRIPT = ["A red door opens.", "Rain falls on a wide field.", "A train leaves.", "It is dark."]
  .map((line, index) => `00:00:${String(1 + 4 * index).padStart(2, "0")} ${line}`)
  .join("\n");

/** A short film, described by a script. */
async function describedByScript(options: readonly string[] = []) {
  const folder = await temporaryFolder();
  const [media, script] = [join(folder, "film.mp4"), join(folder, "script.txt")];
  makeMedia(media, [
    { graph: "testsrc2=size=160x90:rate=25:duration=17", codec: "libx264", options: { preset: "ultrafast" } },
    { graph: "anullsrc=r=48000:cl=stereo,atrim=duration=17", codec: "aac" },
  ]);
  await writeFile(script, SCRIPT);
  return await described(folder, [media, "--script", script, ...options]);
}

/** The sample, described by what was read on its picture. */
async function describedSample() {
  const folder = await temporaryFolder();
  const media = join(folder, "sample.mp4");
  await copyFile(SAMPLE_CLIP, media);
  return await described(folder, [media]);
}

async function described(folder: string, order: readonly string[]) {
  const out = join(folder, "out");
  const env = { XDG_DATA_HOME: join(folder, "data"), ASIDE_VISION_URL: "off" };
  const run = (...args: readonly string[]) => asideAlone(args, env);
  const first = await run("describe", ...order, "--out", out);
  expect(first.code, first.stderr).toBe(0);
  const read = (name: string) => readFile(join(out, name), "utf8");
  const report = JSON.parse(await read("report.json"));
  return { folder, out, run, read, report };
}

thoroughTest(
  "a pause that somebody writes on the timeline is voiced; one that nobody wrote is never spoken, and the worksheet stays",
  async () => {
    const { folder, out, run, read, report } = await describedSample();
    const [pause, ...others] = report.to_write;
    expect(others.length).toBeGreaterThan(0);
    expect(await read("worksheet.html")).toContain(`data-cue="${pause.id}"`);
    // Handed on as a script, the timeline speaks what is spoken, and no pause.
    const handedOn = join(folder, "handed-on.vtt");
    expect((await run("convert", join(out, "timeline.otio"), handedOn)).code).toBe(0);
    const words = readCues(await readFile(handedOn, "utf8")).cues.map(({ text }) => text.replace(/ AD·.*$/, ""));
    expect(words).toEqual(report.cues.map(({ text }: { text: string }) => text));
    const timeline = join(out, "timeline.otio");
    const document = JSON.parse(await read("timeline.otio"));
    const marker = document.tracks.markers.find(({ comment }: { comment: string }) => comment === `AD·${pause.id}`);
    expect(marker.name).toMatch(/^To write: \d+ words?, \d+\.\d s$/);
    marker.comment = "Waves.";
    await writeFile(timeline, JSON.stringify(document));

    const done = await run("revoice", out, "--json");
    expect(done.code, done.stderr).toBe(0);
    expect(JSON.parse(done.stdout).stale).toMatchObject([{ id: pause.id, text: "Waves.", spoken_anew: true }]);
    const after = JSON.parse(await read("report.json"));
    expect(after.cues.map(({ text }: { text: string }) => text).toSorted()).toEqual(
      [...report.cues.map(({ text }: { text: string }) => text), "Waves."].toSorted(),
    );
    expect(after.to_write.map(({ id }: { id: string }) => id)).toEqual(others.map(({ id }: { id: string }) => id));
    expect(await readdir(out)).toContain("worksheet.html");
    const names = parseOtio(await read("timeline.otio")).timeline?.markers.map(({ name }) => name) ?? [];
    expect(names.filter((name) => name.startsWith("To write"))).toHaveLength(others.length);
  },
  MINUTES,
);

describe("a changed marker", () => {
  thoroughTest(
    "is listed, voiced alone, and nothing else changes",
    async () => {
      const { out, run, read, report } = await describedByScript();
      const [, cue] = report.cues;
      const timeline = join(out, "timeline.otio");
      const before = await samplesOf(join(out, "narration.wav"));
      // The editor's words, and a marker of somebody else's.
      const foreign = { OTIO_SCHEMA: "Marker.2", name: "Note", comment: "mine", color: "RED", metadata: { a: 1 } };
      const document = JSON.parse((await read("timeline.otio")).replace(cue.text, "It is bright."));
      const [first] = document.tracks.markers;
      document.tracks.markers.push({ ...foreign, marked_range: first.marked_range });
      await writeFile(timeline, JSON.stringify(document));

      const dry = await run("revoice", out, "--dry-run");
      expect(dry.code, dry.stderr).toBe(0);
      expect(dry.stdout).toContain(`${cue.timecode}  ${cue.id}  Its words changed  It is bright.`);
      expect(await read("timeline.otio")).toBe(JSON.stringify(document));

      const done = await run("revoice", out, "--json");
      expect(done.code, done.stderr).toBe(0);
      const told = JSON.parse(done.stdout);
      expect(told.stale.map(({ id, reasons }: { id: string; reasons: string[] }) => [id, reasons])).toEqual([
        [cue.id, ["words"]],
      ]);
      expect(told.lines_spoken).toBe(1);
      const after = await samplesOf(join(out, "narration.wav"));
      expect(after.seconds).toBe(before.seconds);
      expect(after.part(0, cue.start).equals(before.part(0, cue.start))).toBe(true);
      expect(after.part(cue.end + 0.01, after.seconds).equals(before.part(cue.end + 0.01, before.seconds))).toBe(true);
      expect(after.data.equals(before.data)).toBe(false);

      const markers = parseOtio(await read("timeline.otio")).timeline?.markers ?? [];
      expect(markers.find(({ name }) => name === "Note")).toMatchObject({ comment: "mine", colour: "red" });
      expect(markers.filter(({ comment }) => comment.startsWith("It is bright."))).toHaveLength(1);
      expect(await read("timeline.xml")).toContain("It is bright.");
      expect(await read("cues.vtt")).toContain("It is bright.");

      const again = await run("revoice", out);
      expect(again.stdout.trim()).toBe("Every description is voiced as it stands.");
    },
    MINUTES,
  );
});

describe("clips and recordings", () => {
  const clipsIn = async (out: string) => (await readdir(join(out, "clips")).catch(() => [])).sort();

  thoroughTest(
    "each description has a clip on a frame; a recording takes a voice's place, and is never written to",
    async () => {
      const { folder, out, run, read, report } = await describedByScript(["--clips"]);
      const names = await clipsIn(out);
      expect(names).toHaveLength(report.cues.length);
      const stem = await samplesOf(join(out, "narration.wav"));
      const timeline = parseOtio(await read("timeline.otio")).timeline;
      const clips = timeline?.tracks.find(({ name }) => name === "Audio description")?.clips ?? [];
      expect(clips.map(({ name }) => name).sort()).toEqual(names);
      for (const [index, cue] of report.cues.entries()) {
        const clip = clips[index];
        expect(clip?.name).toContain(cue.id);
        const { data } = await samplesOf(join(out, "clips", clip?.name ?? ""));
        // In step with the whole by the sample, and less than two frames longer than what is heard.
        expect(data.equals(stem.part(clip?.start ?? 0, clip?.end ?? 0))).toBe(true);
        expect((clip?.end ?? 0) - (clip?.start ?? 0) - (cue.end - cue.start)).toBeLessThan(2 / 24 + 1e-6);
      }

      expect((await run("revoice", out, "--stem")).code).toBe(0);
      expect(await clipsIn(out)).toEqual([]);
      expect(await read("timeline.otio")).toContain("aside-narration.wav");
      expect((await run("revoice", out, "--clips")).code).toBe(0);
      expect(await clipsIn(out)).toEqual(names);
      expect(await read("timeline.otio")).not.toContain("aside-narration.wav");
      expect((await samplesOf(join(out, "narration.wav"))).data.equals(stem.data)).toBe(true);

      const [, cue, other] = report.cues;
      const recordings = join(folder, "recordings");
      await mkdir(recordings);
      const path = join(recordings, `${cue.id} take 2.wav`);
      const line = await new EspeakVoice().speak({
        text: "Recorded by hand.",
        language: "en-US",
        voice: "Kore",
        rate: 1,
      });
      await writeFile(path, waveOf(line.samples, line.sampleRate));
      const recorded = await readFile(path);

      const dry = await run("revoice", out, "--recordings", recordings, "--dry-run");
      expect(dry.stdout).toContain("Its recording was added");
      expect((await run("revoice", out, "--recordings", recordings)).code).toBe(0);
      const after = await samplesOf(join(out, "narration.wav"));
      expect(after.part(cue.start, cue.end).equals(stem.part(cue.start, cue.end))).toBe(false);
      expect(after.part(0, cue.start).equals(stem.part(0, cue.start))).toBe(true);
      expect(after.part(other.start, after.seconds).equals(stem.part(other.start, stem.seconds))).toBe(true);

      // Without the folder at hand, another description is voiced: the recording stays as it is heard.
      const document = (await read("timeline.otio")).replace(other.text, "It is grey.");
      await writeFile(join(out, "timeline.otio"), document);
      const voiced = await run("revoice", out, "--json");
      expect(voiced.code, voiced.stderr).toBe(0);
      expect(JSON.parse(voiced.stdout).stale.map(({ id }: { id: string }) => id)).toEqual([other.id]);
      const last = await samplesOf(join(out, "narration.wav"));
      const { cues } = JSON.parse(await read("report.json"));
      const heard = cues.find(({ id }: { id: string }) => id === cue.id);
      expect(last.part(heard.start, heard.end).equals(after.part(heard.start, heard.end))).toBe(true);
      expect((await readFile(path)).equals(recorded)).toBe(true);
    },
    MINUTES,
  );
});

describe("what cannot be done", () => {
  test.each([
    [["revoice"], "name one folder of results"],
    [["revoice", "/nowhere"], "there is no record of a description"],
    [["revoice", ".", "--clips", "--stem"], "choose one of --clips and --stem"],
    [["revoice", ".", "--fit", "louder"], "--fit cannot be"],
  ])("%j is refused with exit code 2", async (args, sentence) => {
    const { code, stderr } = await asideHere(args);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
  });
});

/** Samples as a WAV file of 16 bits, with half a second of silence around them. */
function waveOf(samples: Float32Array, sampleRate: number): Buffer {
  const pad = sampleRate >> 1;
  const data = Buffer.alloc(2 * (samples.length + 2 * pad));
  for (const [i, sample] of samples.entries()) data.writeInt16LE(Math.round(sample * 0x7fff), 2 * (i + pad));
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + data.length, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(sampleRate, 24);
  head.writeUInt32LE(2 * sampleRate, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write("data", 36);
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}
