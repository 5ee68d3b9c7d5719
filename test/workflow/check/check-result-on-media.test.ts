import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Cue } from "../../../src/core/cue.ts";
import type { SoundMeasure } from "../../../src/core/measures.ts";
import { measureSound } from "../../../src/engine/measure/measure-sound.ts";
import { waveHeader, waveTrailer } from "../../../src/formats/wave/write-wave.ts";
import { checkResult } from "../../../src/workflow/check/check-result.ts";
import { noise, RATE } from "../../engine/mix/tones.ts";
import { sharedMedia } from "../../shared-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";

const SIGNAL = new AbortController().signal;
const DURATION = 120;

/** Descriptions in the long pauses of the clip, whose edges are known. */
const CUES: Cue[] = [
  { id: "a", start: 50, end: 52.9, text: "A rabbit wakes up in his burrow." },
  { id: "b", start: 55, end: 58.2, text: "He walks out and stretches in the sun." },
  { id: "c", start: 63, end: 66.2, text: "A butterfly lands on a large red flower." },
  { id: "d", start: 73, end: 76.5, text: "Birds fly over the meadow and the trees." },
  { id: "e", start: 90, end: 93, text: "He scratches his belly and yawns." },
];

interface Stem {
  readonly shift?: number;
  readonly level?: number;
  readonly without?: string;
  readonly length?: number;
}

/** A narration with noise where each cue is spoken. */
async function stem({ shift = 0, level = -20, without, length = DURATION }: Stem = {}): Promise<SoundMeasure> {
  const samples = new Float32Array(Math.round(length * RATE));
  for (const cue of CUES) {
    if (cue.id === without) continue;
    samples.set(noise(cue.end - cue.start, level), Math.round((cue.start + shift) * RATE));
  }
  const contents = {
    format: { encoding: "float", bits: 32, channels: 1, channelMask: 0, sampleRate: RATE },
    sampleCount: samples.length,
  } as const;
  const path = join(await temporaryFolder(), "stem.wav");
  await writeFile(path, [waveHeader(contents), new Uint8Array(samples.buffer), waveTrailer(contents)]);
  return measureSound({ path, listens: false }, SIGNAL);
}

let programme: SoundMeasure;
beforeAll(async () => {
  programme = await measureSound({ path: sharedMedia("constructed/placed-speech-silence.mp4"), listens: true }, SIGNAL);
});

/** Rules of what was found, but for notes, each once. */
async function rulesOf(planted: Stem, cues: readonly Cue[] = CUES): Promise<string[]> {
  const { findings } = checkResult({ cues, type: "standard", programme, narration: await stem(planted) });
  return [...new Set(findings.filter(({ severity }) => severity !== "note").map(({ rule }) => rule))];
}

thoroughTest(
  "a person's descriptions of a film without words only warn where it yawns, or plays",
  async () => {
    const speechRules = async (video: string, cues: readonly Cue[]) => {
      const film = await measureSound({ path: sharedMedia(video), listens: true }, SIGNAL);
      const { findings } = checkResult({ cues, type: "standard", programme: film });
      const rules = ["speech-overlap", "clearance", "gap-short"];
      return findings.filter(({ rule }) => rules.includes(rule)).map(({ rule, severity }) => [rule, severity]);
    };
    const said = { id: "a", start: 0, text: "A giant fat rabbit climbs out of a hole." };
    const warned = [["speech-overlap", "warn"]];
    expect(await speechRules("described/rabbit/video.mp4", [{ ...said, end: 5 }])).toEqual(warned);
    expect(await speechRules("described/chrome-fast/chrome.mp4", [{ ...said, end: 4 }])).toEqual(warned);
  },
  30_000,
);

describe("a check of what is heard", () => {
  test("finds nothing on a good result", async () => {
    expect(await rulesOf({})).toEqual([]);
  });

  test.each<[string, Stem, string[]]>([
    ["a narration three seconds late", { shift: 3 }, ["narration-shift"]],
    ["a narration that begins over speech", { shift: -1 }, ["speech-overlap", "narration-shift"]],
    ["a narration that is far too quiet", { level: -70 }, ["narration-missing"]],
    ["a narration that is too loud", { level: -3 }, ["true-peak"]],
    ["a line that was left out", { without: "c" }, ["narration-missing"]],
    ["a file that is cut off", { length: 100 }, ["narration-length"]],
  ])("finds %s", async (_, planted, rules) => {
    expect(await rulesOf(planted)).toEqual(expect.arrayContaining(rules));
  });

  test.each<[string, Partial<Cue>, string]>([
    ["a phrase", { text: "We see a rabbit in his burrow." }, "phrase"],
    ["the same words again", { text: "He walks out and stretches in the sun." }, "repeated"],
    [
      "too many words for the time",
      { text: "A rabbit and a bird and a fox and a cat and a dog and a hen wake up." },
      "pace",
    ],
    ["a cue over another", { end: 56 }, "cue-overlap"],
  ])("finds %s", async (_, change, rule) => {
    const cues = CUES.map((cue) => (cue.id === "a" ? { ...cue, ...change } : cue));
    const { findings } = checkResult({ cues, type: "standard", programme });
    expect(findings.map((finding) => finding.rule)).toContain(rule);
  });

  test("finds a name before it is given, and not after", () => {
    const names = [{ name: "Rabbit", from: 60 }];
    const found = checkResult({ cues: CUES, type: "standard", programme, names }).findings;
    expect(found.filter(({ rule }) => rule === "name-early").map(({ cueIds }) => cueIds)).toEqual([["a"]]);
  });

  test("says how much of the pauses is used", async () => {
    const { coverage, findings } = checkResult({ cues: CUES, type: "standard", programme });
    expect(coverage).toBeGreaterThan(0.1);
    expect(coverage).toBeLessThan(0.4);
    expect(findings.filter(({ severity }) => severity === "fail")).toEqual([]);
  });
});

describe("a voice over music, in one file", () => {
  test.each([
    ["good", "pass"],
    ["bad", "fail"],
  ])("the %s example of WCAG's working group does %s", async (name, verdict) => {
    const path = sharedMedia(`audio/speech-over-music/${name}-contrast.mp3`);
    const mix = await measureSound({ path, listens: true }, SIGNAL);
    const { findings } = checkResult({ cues: [], type: "standard", mix });
    expect(findings.some(({ rule, severity }) => rule === "level" && severity === "fail")).toBe(verdict === "fail");
    if (verdict === "pass") expect(findings).toEqual([]);
  });
});
