import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { waveHeader, waveTrailer } from "../../../src/formats/wave/write-wave.ts";
import { noise, RATE } from "../../engine/mix/tones.ts";
import { sharedMedia } from "../../shared-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";
import { asideHere } from "../run-aside.ts";

/** Exit code of a check, and the rules of what it found but for notes. */
async function check(...args: readonly string[]) {
  const { code, stdout } = await asideHere(["check", ...args, "--json"]);
  const { findings } = JSON.parse(stdout) as { findings: readonly { rule: string; severity: string }[] };
  const rules = findings.filter(({ severity }) => severity !== "note").map(({ rule }) => rule);
  return { code, rules: [...new Set(rules)] };
}

describe("the exit code of a check", () => {
  const checked = async (words: string, times: string) => {
    const folder = await temporaryFolder();
    const [cues, captions] = [join(folder, "cues.vtt"), join(folder, "captions.vtt")];
    await writeFile(cues, `WEBVTT\n\na\n${times}\n${words}\n`);
    await writeFile(captions, "WEBVTT\n\n00:20.000 --> 00:22.500\nSome words.\n");
    const { code, stdout } = await asideHere(["check", cues, "--captions", captions, "--json"]);
    const { verdict } = JSON.parse(stdout) as { verdict: string };
    return [verdict, code];
  };

  test("is 0 without a finding and with warnings alone, and 3 where a limit is broken", async () => {
    const free = "00:02.000 --> 00:05.000";
    expect(await checked("A rabbit wakes up.", free)).toEqual(["pass", 0]);
    expect(await checked("We see a rabbit wake up.", free)).toEqual(["warn", 0]);
    expect(await checked("A rabbit wakes up.", "00:20.000 --> 00:23.000")).toEqual(["fail", 3]);
  });
});

describe("aside check", () => {
  thoroughTest(
    "holds the cues against the film that is named: on its timecode they are read, of another film refused",
    async () => {
      const folder = await temporaryFolder();
      const cues = join(folder, "cues.srt");
      const film = ["--media", sharedMedia("constructed/placed-speech-silence.mp4")];
      await writeFile(cues, "1\n10:00:02,000 --> 10:00:05,000\nA rabbit wakes up.\n");
      const { stdout } = await asideHere(["check", cues, ...film, "--json"]);
      expect(JSON.parse(stdout)).toMatchObject({ verdict: expect.any(String), cues: [{ start: 2 }] });
      await writeFile(cues, "1\n10:37:02,000 --> 10:37:05,000\nA rabbit wakes up.\n");
      const refused = await asideHere(["check", cues, ...film]);
      expect(refused.code).toBe(3);
      expect(refused.stderr).toContain("none of its 1 times lies inside the film");
    },
  );

  thoroughTest(
    "passes the good example of WCAG's working group without a finding, and fails the bad one",
    async () => {
      const mix = (name: string) => sharedMedia(`audio/speech-over-music/${name}-contrast.mp3`);
      expect(await check("--mix", mix("good"))).toEqual({ code: 0, rules: [] });
      expect(await check("--mix", mix("bad"))).toEqual({ code: 3, rules: expect.arrayContaining(["level"]) });
    },
    60_000,
  );

  test("passes a narration in its place, and fails one that is shifted or lacks a line", async () => {
    const folder = await temporaryFolder();
    const file = (name: string) => join(folder, name);
    await writeFile(
      file("cues.vtt"),
      "WEBVTT\n\na\n00:02.000 --> 00:04.500\nA rabbit wakes up.\n\nb\n00:08.000 --> 00:10.500\nHe walks out.\n",
    );
    await writeFile(file("captions.vtt"), "WEBVTT\n\n00:05.000 --> 00:07.500\nSome words.\n");
    const against = async (name: string, starts: readonly number[]) => {
      await writeStem(file(name), starts);
      return await check(file("cues.vtt"), "--captions", file("captions.vtt"), "--audio", file(name));
    };
    expect(await against("good.wav", [2, 8])).toEqual({ code: 0, rules: [] });
    expect(await against("late.wav", [4, 9.5])).toEqual({
      code: 3,
      rules: expect.arrayContaining(["narration-shift", "speech-overlap"]),
    });
    expect(await against("lacking.wav", [2])).toEqual({ code: 3, rules: ["narration-missing"] });
  }, 60_000);

  thoroughTest(
    "with --picture, finds a title that the film does not show, and not the one that it shows",
    async () => {
      const folder = await temporaryFolder();
      const [cues, captions] = [join(folder, "titles.vtt"), join(folder, "captions.vtt")];
      const cue = (id: string, title: string) => `${id}\n00:04.000 --> 00:07.000\nOn screen: ${title}.\n`;
      await writeFile(cues, `WEBVTT\n\n${cue("right", "Keyboard compatability")}\n${cue("wrong", "Colour Contrast")}`);
      // Nobody has to listen for this.
      await writeFile(captions, "WEBVTT\n\n00:01.000 --> 00:03.000\nSome words.\n");
      const film = sharedMedia("described/perspective-keyboard/perspective-video.mp4");
      const options = ["--captions", captions, "--picture", "--json", "--out", join(folder, "report")];
      const { stdout } = await asideHere(["check", cues, "--media", film, ...options]);
      const { findings } = JSON.parse(stdout) as { findings: readonly { rule: string; cueIds: readonly string[] }[] };
      const against = findings.filter(({ rule }) => rule === "picture-contradicts");
      expect(against.map(({ cueIds }) => cueIds)).toEqual([["wrong"]]);
      // Both lie from 4 to 7 s.
      const page = await readFile(join(folder, "report", "report.html"), "utf8");
      expect(page.match(/<img [^>]*>/gu)).toEqual(
        Array.from({ length: 2 }, () =>
          expect.stringMatching(/src="pictures\/at-000005500\.jpg" alt="Picture at 00:00:05/u),
        ),
      );
      const picture = await readFile(join(folder, "report", "pictures", "at-000005500.jpg"));
      expect([...picture.subarray(0, 3), ...picture.subarray(-2)]).toEqual([0xff, 0xd8, 0xff, 0xff, 0xd9]); // a whole JPEG file
    },
    60_000,
  );
});

/** A narration of 12 s with 2.5 s of noise at each start. */
async function writeStem(path: string, starts: readonly number[]): Promise<void> {
  const samples = new Float32Array(12 * RATE);
  for (const start of starts) samples.set(noise(2.5, -20), start * RATE);
  const contents = {
    format: { encoding: "float", bits: 32, channels: 1, channelMask: 0, sampleRate: RATE },
    sampleCount: samples.length,
  } as const;
  await writeFile(path, [waveHeader(contents), new Uint8Array(samples.buffer), waveTrailer(contents)]);
}
