import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readCues } from "../../../../src/formats/index.ts";
import { json } from "../../../fakes/hosted-server.ts";
import { unawaitedChanges } from "../../../fakes/slow-disk.ts";
import { silentWav } from "../../../fakes/wav.ts";
import { copiesOfResult, WORDS } from "./copied-result.ts";

const TIMELINES = ["timeline.otio", "timeline.xml"];
const CHANGED = { "It rains.": "It snows." };

describe("a result with one narration", () => {
  const edited = copiesOfResult();

  test("keeps each line where the service says nothing of it, tells so, and keeps exact times that a reply rounds", async () => {
    const { out, read, revoice, server } = await edited(CHANGED);
    const before = readCues(await read("cues.vtt")).cues.map(({ start }) => start);
    server.vtt = "WEBVTT\n\n1\n00:00.503 --> 00:01.300\nA woman sits.\n\n2\n00:04.003 --> 00:04.800\nIt snows.\n";
    const { code, stderr, report } = await revoice();
    expect(code, stderr).toBe(0);
    expect(report.notices).toContain("The service did not voice cue-0002.");
    const { cues } = readCues(await readFile(join(out, "cues.vtt"), "utf8"));
    expect(cues.map(({ text }) => text)).toEqual(["A woman sits.", "She reads.", "It snows."]);
    expect(cues.map(({ start }) => start)).toEqual(before);
  });

  test("has its other lines voiced, whichever of them is recorded", async () => {
    const { folder, revoice, server } = await edited(CHANGED);
    const recordings = join(folder, "recordings");
    await mkdir(recordings);
    await writeFile(join(recordings, "cue-0001.wav"), silentWav(0.5));
    server.vtt = server.vtt.replace(/00:00.500[\s\S]*?\n\n/, "");
    const { code, stderr, report } = await revoice("--recordings", recordings);
    expect(code, stderr).toBe(0);
    expect(report.stale.map(({ id }: { id: string }) => id)).toEqual(["cue-0001", "cue-0003"]);
    expect(JSON.stringify(server.bodies("generateAudio"))).toContain("It snows.");
  });

  test("keeps the reply as it came, in its format", async () => {
    const { out, read, revoice } = await edited();
    await rename(join(out, "raw.vtt"), join(out, "raw.srt"));
    await writeFile(join(out, "raw.srt"), "as it came");
    expect((await revoice("--clips", "--force")).code).toBe(0);
    expect(await read("raw.srt")).toBe("as it came");
    await expect(read("raw.vtt")).rejects.toThrow();
  });

  test("has nothing under way in it any more once a service has refused", async () => {
    const { out, revoice, server } = await edited(CHANGED);
    const refusal = json({ error: "invalid_input", message: "no" }, 400);
    server.faults.generateAudio = [refusal, refusal, refusal];
    expect(await unawaitedChanges(out, revoice)).toEqual([]);
  });
});

describe("a result with a clip for each line", () => {
  const edited = copiesOfResult("--clips");

  test.each(["Audio description", "A2"])(
    "plays its own after it was copied, each of them, on a track of the name %s",
    async (track) => {
      const { out, read, revoice, soundsOn } = await edited(CHANGED);
      await writeFile(join(out, "timeline.otio"), (await read("timeline.otio")).replaceAll("Audio description", track));
      const { code, stderr } = await revoice();
      expect(code, stderr).toBe(0);
      for (const name of TIMELINES) {
        const sounds = await soundsOn(name);
        expect(sounds).toHaveLength(WORDS.length);
        for (const sound of sounds) expect(sound).toMatch(/^clips\//);
      }
    },
  );
});
