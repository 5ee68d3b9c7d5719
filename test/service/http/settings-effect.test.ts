import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SAMPLE_CLIP, SAMPLE_TRUTH } from "../../../src/cli/sample.ts";
import { readCues } from "../../../src/formats/index.ts";
import { readSoundFile } from "../../engine/mix/sound-files.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { generate, startServiceHere, upload } from "../real-service.ts";
import type { Reply, TestService } from "../service-fixture.ts";

/** A script of one line for each of these times, in seconds. */
const scriptAt = (...times: number[]) =>
  times.map((time, index) => `00:00:${String(time).padStart(2, "0")} The door ${index + 1}.`).join("\n");

interface Described {
  readonly id: string;
  readonly start_time: number;
  readonly end_time: number;
  readonly description: string;
}

let folder = "";
let service: TestService;
let mediaId = "";

beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startServiceHere();
  mediaId = await upload(service, new Uint8Array(await readFile(SAMPLE_CLIP)));
  // One job looks at the film and reads it, which takes longest; the others find that done.
  await run("text", { read_all_onscreen_text: true });
}, 240_000);
afterAll(async () => {
  await service.close();
});

/** What the settings compared here are where a text's order does not say them. */
const DEFAULTS = {
  ad_type: "extended_ad",
  read_all_onscreen_text: false,
  auto_fit: true,
  allow_descriptions_over_music: true,
  standard_ad_min_cue_length: 0.75,
};

/** What was ordered is done once: jobs of the same settings are the same job. */
const results = new Map<string, Promise<Reply["body"]>>();

function run(kind: "text" | "audio", config: object): Promise<Reply["body"]> {
  const settings = kind === "text" ? { ...DEFAULTS, ...config } : config;
  const order = JSON.stringify([kind, Object.entries(settings).sort(([one], [other]) => (one < other ? -1 : 1))]);
  const result = results.get(order) ?? runAnew(kind, settings);
  results.set(order, result);
  return result;
}

async function runAnew(kind: "text" | "audio", config: object): Promise<Reply["body"]> {
  const done = await generate(service, kind, mediaId, config);
  expect(done).toMatchObject({ status: "done" });
  return done;
}

async function cuesOf(config: object): Promise<Described[]> {
  return JSON.parse((await run("text", { format: "json", ...config })).output.content);
}

async function soundOf(config: object) {
  const { audio_signed_url: url } = await run("audio", config);
  const path = join(folder, "sound.wav");
  await writeFile(path, Buffer.from(await (await service.follow(url)).arrayBuffer()));
  return readSoundFile(path);
}

describe("settings that count only with others", () => {
  const standard = { ad_type: "standard_ad" };
  const extended = { ad_type: "extended_ad" };

  test.each([
    ["GEN-18: read_all_onscreen_text without effect on Standard AD", standard, "read_all_onscreen_text", false, true],
    ["GEN-21: auto_fit without effect on Extended AD", extended, "auto_fit", true, false],
    ["GEN-25: music without effect on Extended AD", extended, "allow_descriptions_over_music", true, false],
    ["GEN-31: shortest gap without effect on Extended AD", extended, "standard_ad_min_cue_length", 0.75, 5],
    [
      "GEN-31: shortest gap without effect unfitted",
      { ...standard, auto_fit: false },
      "standard_ad_min_cue_length",
      0.75,
      5,
    ],
  ])("%s", async (_title, base, name, one, other) => {
    const first = await cuesOf({ ...base, [name]: one });
    expect(first.length).toBeGreaterThan(0);
    expect(await cuesOf({ ...base, [name]: other })).toEqual(first);
  });
});

test("GEN-19: with read_all_onscreen_text what was read on screen is in the descriptions", async () => {
  const cues = await cuesOf({ ad_type: "extended_ad", read_all_onscreen_text: true });
  const text = cues.map(({ description }) => description).join("\n");
  expect(text).toContain("MEET ME");
  expect(text).toContain("THE END");
});

test("GEN-32: gaps shorter than the shortest allowed stay empty", async () => {
  const gaps = SAMPLE_TRUTH.speech
    .slice(1)
    .map(({ start }, index) => ({ start: SAMPLE_TRUTH.speech[index]?.end ?? 0, end: start }));
  const [gap] = gaps.filter(({ start, end }) => end - start > 1.4 && end - start < 1.6);
  if (gap === undefined) throw new Error("the sample has no gap of the length in question");
  const settings = { ad_type: "standard_ad", description_content: `00:00:${gap.start.toFixed(3)} A door.` };
  const inGap = (cues: readonly Described[]) =>
    cues.filter((cue) => cue.start_time < gap.end && cue.end_time > gap.start);
  expect(inGap(await cuesOf({ ...settings, standard_ad_min_cue_length: 1 }))).toHaveLength(1);
  expect(inGap(await cuesOf({ ...settings, standard_ad_min_cue_length: 2 }))).toEqual([]);
});

test("GEN-50: with description_content nothing is generated: the cues are the given ones", async () => {
  const { output, report } = await run("text", {
    format: "json",
    ad_type: "extended_ad",
    description_content: scriptAt(1, 20),
  });
  expect(report.describer).toBe("script");
  const cues: Described[] = JSON.parse(output.content);
  expect(cues.map(({ description }) => description)).toEqual(["The door 1.", "The door 2."]);
});

test("GEN-05: the format shapes the text alone: the same cues, the same sound", async () => {
  const results = [];
  for (const format of ["vtt", "srt"]) {
    const done = await run("audio", { format });
    const sound = Buffer.from(await (await service.follow(done.audio_signed_url)).arrayBuffer());
    results.push({
      cues: readCues(done.output.content, { format: format === "vtt" ? "vtt" : "srt" }).cues,
      sound,
      content: done.output.content,
    });
  }
  const [vtt, srt] = results;
  expect(vtt?.content).not.toBe(srt?.content);
  const plain = (result: typeof vtt) => result?.cues.map(({ start, end, text }) => ({ start, end, text }));
  expect(plain(vtt)).toEqual(plain(srt));
  expect(vtt?.sound.equals(srt?.sound ?? Buffer.alloc(0))).toBe(true);
});

test("AUDIO-03: the narration lies in the gaps of the dialogue, and the runtime stays", async () => {
  const { planes, layout, length } = await soundOf({ audio_track_type: "ad_only" });
  const rate = layout.format.sampleRate;
  expect(length / rate).toBeCloseTo(SAMPLE_TRUTH.durationSeconds, 1);
  const loudest = (from: number, to: number) =>
    Math.max(
      ...planes.map((plane) =>
        plane
          .subarray(Math.round(from * rate), Math.round(to * rate))
          .reduce((peak, value) => Math.max(peak, Math.abs(value)), 0),
      ),
    );
  expect(loudest(0, SAMPLE_TRUTH.durationSeconds)).toBeGreaterThan(0.05);
  for (const { start, end } of SAMPLE_TRUTH.speech) expect(loudest(start, end)).toBe(0);
});

test("OPEN-34: cues of Extended AD are on the source's clock", async () => {
  const cues = await cuesOf({ ad_type: "extended_ad", description_content: scriptAt(1, 10, 20, 30, 39) });
  expect(cues).toHaveLength(5);
  for (const { start_time, end_time } of cues) {
    expect(start_time).toBeGreaterThanOrEqual(0);
    expect(end_time).toBeLessThanOrEqual(SAMPLE_TRUTH.durationSeconds);
    expect(end_time).toBeGreaterThan(start_time);
  }
});
