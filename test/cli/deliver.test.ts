import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseTtml, parseWebVtt, readCues } from "../../src/formats/index.ts";
import { waveHeader } from "../../src/formats/wave/write-wave.ts";
import { readSoundFile } from "../service/mix/sound-files.ts";
import { aside, temporaryFolder } from "./run-aside.ts";

describe("aside deliver", () => {
  test("writes every text, the sound with a time reference and the same samples, and a manifest with hashes", async () => {
    const folder = await temporaryFolder();
    const [cues, sound, out] = [join(folder, "cues.vtt"), join(folder, "voice.wav"), join(folder, "out")];
    await writeFile(
      cues,
      "WEBVTT\n\na\n00:01.000 --> 00:02.000\nA woman sits.\n\nb\n00:04.000 --> 00:06.000\nShe stands & waits.\n",
    );
    const samples = Int16Array.from({ length: 4_800 }, (_, index) => index * 6);
    const format = { encoding: "integer", bits: 16, channels: 1, channelMask: 0, sampleRate: 48_000 } as const;
    await writeFile(sound, [waveHeader({ format, sampleCount: samples.length }), new Uint8Array(samples.buffer)]);
    const { code, stdout } = await aside([
      "deliver",
      cues,
      "--out",
      out,
      "--audio",
      sound,
      "--voice",
      "Achernar",
      "--json",
    ]);
    expect(code).toBe(0);
    const manifest = JSON.parse(stdout);
    expect(manifest).toMatchObject({ descriptions: 2, voice: { kind: "synthetic", name: "Achernar" } });
    const names = (await readdir(out)).sort();
    expect(names).toEqual([...manifest.files.map((file: { name: string }) => file.name), "manifest.json"].sort());
    for (const { name, sha256 } of manifest.files) {
      expect(
        createHash("sha256")
          .update(await readFile(join(out, name)))
          .digest("hex"),
      ).toBe(sha256);
    }
    const text = (name: string) => readFile(join(out, name), "utf8");
    expect(await text("descriptions.vtt")).toContain("Kind: descriptions");
    expect(parseWebVtt(await text("descriptions.vtt")).cues).toHaveLength(2);
    expect(parseTtml(await text("descriptions.dapt.xml")).cues).toHaveLength(2);
    for (const ending of ["srt", "edl", "csv"]) {
      expect(readCues(await text(`descriptions.${ending}`), { filename: `x.${ending}` }).cues).toHaveLength(2);
    }
    expect(await text("script.html")).toContain("She stands &amp; waits.");
    const delivered = await readSoundFile(join(out, "narration.wav"));
    expect(delivered.layout.timeReferenceSamples).toBe(0);
    expect(delivered.planes).toEqual((await readSoundFile(sound)).planes);
  });

  test("does not write into a folder that holds files", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "cues.vtt"), "WEBVTT\n\n00:01.000 --> 00:02.000\nA woman sits.\n");
    expect((await aside(["deliver", join(folder, "cues.vtt"), "--out", folder])).code).toBe(2);
  });
});
