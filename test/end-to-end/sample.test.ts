import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { SAMPLE_TRUTH, sampleScript } from "../../src/cli/sample.ts";
import { overlapWithRanges, type TimeRange } from "../../src/core/time-range.ts";
import { parseFcp7Xml, parseOtio, parseWebVtt } from "../../src/formats/index.ts";
import { installStandIn } from "../engine/local/installed-eyes.ts";
import { readSoundFile } from "../engine/mix/sound-files.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { thoroughTest } from "../thorough/thorough-test.ts";

const START = fileURLToPath(new URL("../../src/cli/start.ts", import.meta.url));

thoroughTest(
  "the sample is described by a model that is installed on this computer, with nothing set",
  async () => {
    const { folder } = await installStandIn();
    const home = await temporaryFolder();
    const env = {
      ...{ PATH: process.env["PATH"], TMPDIR: tmpdir(), HOME: home, XDG_DATA_HOME: join(home, "data") },
      ASIDE_MODELS: folder,
    };
    const { stdout } = await promisify(execFile)(process.execPath, [START], { cwd: home, env });
    expect(stdout).toContain("Written by the vision model qwen3-vl-4b on this computer");
    expect(stdout).not.toContain("No vision model was found");
  },
  120_000,
);

describe("the sample clip, described by the start command over the embedded service", () => {
  let home: string;
  let out: string;
  let printed: string;
  let cues: readonly (TimeRange & { readonly text: string })[];

  beforeAll(async () => {
    home = await temporaryFolder();
    out = join(home, "out");
    const env = {
      ...{ PATH: process.env["PATH"], TMPDIR: tmpdir(), HOME: home, XDG_DATA_HOME: join(home, "data") },
      ASIDE_VISION_URL: "off",
    };
    printed = (await promisify(execFile)(process.execPath, [START], { cwd: home, env })).stdout;
    cues = JSON.parse(await readFile(join(out, "report.json"), "utf8")).cues;
  }, 300_000);

  test("writes every file and says so", async () => {
    const files = (await readdir(out)).filter((name) => !name.startsWith("."));
    expect(files.sort()).toEqual(
      [
        ...["cues.edl", "cues.json", "cues.srt", "cues.vtt", "narration.wav", "raw.vtt", "record.txt", "report.json"],
        ...["timeline.otio", "timeline.xml"],
      ].sort(),
    );
    for (const name of files) expect(printed).toContain(join("out", name));
    expect(cues.length).toBeGreaterThanOrEqual(4);
    expect(printed).toContain(cues[0]?.text);
  });

  test("speaks the sample's own script where no model is found, says so, and how to get one", async () => {
    const { cues: script, issues } = parseWebVtt(await sampleScript());
    expect(issues).toEqual([]);
    expect(cues.map(({ text }) => text)).toEqual(script.map(({ text }) => text));
    expect(printed).toContain("No vision model was found. The words are the sample's own script");
    expect(printed).toContain("aside models list");
    expect(printed).toContain("No findings.");
  });

  test("AUDIO-03: every cue lies outside the sample's known speech, and none over another", () => {
    expect(cues.map((cue) => overlapWithRanges(cue, SAMPLE_TRUTH.speech))).toEqual(cues.map(() => 0));
    for (const [index, cue] of cues.entries()) {
      expect(cue.start).toBeGreaterThanOrEqual(index === 0 ? 0 : (cues[index - 1]?.end ?? Number.NaN));
      expect(cue.end).toBeLessThanOrEqual(SAMPLE_TRUTH.durationSeconds);
    }
  });

  test("both timelines hold as many markers as there are cues, at their frames", async () => {
    const frame = 1 / 24;
    for (const { timeline, issues } of [
      parseOtio(await readFile(join(out, "timeline.otio"), "utf8")),
      parseFcp7Xml(await readFile(join(out, "timeline.xml"), "utf8")),
    ]) {
      expect(issues).toEqual([]);
      expect(timeline?.markers.length).toBe(cues.length);
      for (const [index, cue] of cues.entries()) {
        expect(Math.abs((timeline?.markers[index]?.start ?? Number.NaN) - cue.start)).toBeLessThanOrEqual(
          frame / 2 + 1e-9,
        );
      }
      expect(timeline?.tracks.at(-1)).toMatchObject({ kind: "audio", name: "Audio description" });
    }
  });

  test("the narration is as long as the programme, sounds in every cue and is silent outside of them", async () => {
    const { layout, planes } = await readSoundFile(join(out, "narration.wav"));
    const { sampleRate } = layout.format;
    const [left = new Float32Array()] = planes;
    expect(left.length).toBe(SAMPLE_TRUTH.durationSeconds * sampleRate);
    const peakOf = (start: number, end: number) =>
      left
        .subarray(Math.round(start * sampleRate), Math.max(0, Math.round(end * sampleRate)))
        .reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
    // Times of cues are given in whole milliseconds.
    const rounding = 0.0005;
    let from = 0;
    for (const cue of [...cues, { start: SAMPLE_TRUTH.durationSeconds, end: SAMPLE_TRUTH.durationSeconds }]) {
      // Nothing but the dither of 24 bits.
      expect(peakOf(from + rounding, cue.start - rounding)).toBeLessThan(2 ** -21);
      if (cue.end > cue.start) expect(peakOf(cue.start, cue.end)).toBeGreaterThan(0.05);
      from = cue.end;
    }
  });

  test("the reply's text is kept as it came, and reads as the same cues", async () => {
    const { cues: raw, issues } = parseWebVtt(await readFile(join(out, "raw.vtt"), "utf8"));
    expect(issues).toEqual([]);
    expect(raw.map(({ text }) => text)).toEqual(cues.map(({ text }) => text));
  });
});
