import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type ScriptedAnswer, startVisionServer, type VisionServer } from "../../fakes/vision-server.ts";
import { makeMedia } from "../../made-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { generate, startRealService, upload } from "../real-service.ts";
import type { TestService } from "../service-fixture.ts";

const PROGRAM = fileURLToPath(new URL("../../fakes/speaking-program.ts", import.meta.url));
const SCRIPT = "WEBVTT\n\n00:01.000 --> 00:02.000\nA door opens.\n";

let folder = "";
let service: TestService;
let mediaId = "";
beforeAll(async () => {
  folder = await temporaryFolder();
  const path = join(folder, "clip.mp4");
  makeMedia(path, [
    { graph: "testsrc2=size=160x90:rate=25:duration=6", codec: "libx264", options: { preset: "ultrafast" } },
    { graph: "anullsrc=r=48000:cl=stereo,atrim=duration=6", codec: "aac" },
  ]);
  service = await startRealService();
  mediaId = await upload(service, new Uint8Array(await readFile(path)));
  vi.stubEnv("ASIDE_VISION_URL", "off");
  // One job analyses the clip; the others find it analysed.
  await generate(service, "text", mediaId, { description_content: SCRIPT });
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.stubEnv("ASIDE_VISION_URL", "off");
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await service.close();
});

const audio = (config: object = {}) => generate(service, "audio", mediaId, { description_content: SCRIPT, ...config });
const lengthOf = (result: { output: { content: string } }) => {
  const [cue] = JSON.parse(result.output.content);
  return cue.end_time - cue.start_time;
};

describe("the voice a job is spoken by", () => {
  test("is the program that the environment names, at the length it really speaks", async () => {
    const embedded = await audio({ format: "json" });
    vi.stubEnv("ASIDE_VOICE_COMMAND", JSON.stringify([process.execPath, PROGRAM, "--rate", "0.6"]));
    const configured = await audio({ format: "json" });
    expect(configured).toMatchObject({ status: "done", report: { mix: { cues: [{ id: "cue-0001" }] } } });
    expect(lengthOf(configured)).toBeGreaterThan(1.3 * lengthOf(embedded));
  });

  test("is a person's recordings, of which one wording suffices", async () => {
    const recordings = await mkdtemp(join(folder, "recordings-"));
    const { spokenWave } = await import("../../fakes/spoken-wave.ts");
    await writeFile(join(recordings, "a door opens.wav"), await spokenWave("A door opens.", 1));
    vi.stubEnv("ASIDE_VOICE_RECORDINGS", recordings);
    expect(await audio()).toMatchObject({
      status: "done",
      output: { content: expect.stringContaining("A door opens.") },
    });
    const missing = await audio({ description_content: SCRIPT.replace("door", "window") });
    expect(missing).toMatchObject({
      status: "failed",
      error: "internal_error",
      message: expect.stringContaining("A window opens."),
    });
    const two = `${SCRIPT.replace("door", "window")}\n00:03.000 --> 00:04.000\nIt rains.\n`;
    expect(await audio({ description_content: two })).toMatchObject({
      message: expect.stringMatching(/2 descriptions.*"A window opens\.", "It rains\."/),
    });
  });

  test("GEN-12 ERR-28: which does not speak the language fails the job", async () => {
    vi.stubEnv("ASIDE_VOICE_COMMAND", JSON.stringify([process.execPath, PROGRAM]));
    vi.stubEnv("ASIDE_VOICE_LANGUAGES", "de");
    expect(await audio()).toMatchObject({ status: "failed", error: "voice_unavailable" });
    expect(await generate(service, "text", mediaId, { description_content: SCRIPT })).toMatchObject({
      status: "done",
      report: { notes: expect.arrayContaining([expect.stringContaining("Speaking times are estimated")]) },
    });
  });

  test.each([
    [{ ASIDE_VOICE_COMMAND: "espeak" }, "The voice is not fully configured"],
    [{ ASIDE_VOICE_RECORDINGS: "/nowhere" }, "ASIDE_VOICE_RECORDINGS"],
    [{ ASIDE_LEXICON: "/nowhere" }, "ASIDE_LEXICON"],
    [{ ASIDE_LOUDNESS: "loud" }, "broadcast, nearfield, streaming"],
  ])("says what is wrong with %o", async (environment, words) => {
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    expect(await audio()).toMatchObject({ status: "failed", message: expect.stringContaining(words) });
  });

  test("has the loudness and the pronunciations that the environment names", async () => {
    const usual = await audio();
    vi.stubEnv("ASIDE_LOUDNESS", "streaming");
    const lexicon = join(folder, "lexicon.txt");
    await writeFile(lexicon, "door = big old creaking door\nnonsense\n");
    vi.stubEnv("ASIDE_LEXICON", lexicon);
    const louder = await audio({ format: "json" });
    const [a, b] = [usual.report.mix.cues[0].narration_lufs, louder.report.mix.cues[0].narration_lufs];
    expect(b - a).toBeCloseTo(7, 0);
    expect(lengthOf(louder)).toBeGreaterThan(1.5);
    expect(JSON.parse(louder.output.content)[0].description).toBe("A door opens.");
    expect(louder.report.notes).toContainEqual(expect.stringContaining('The lexicon, line 2: "nonsense"'));
    for (const { report } of [usual, louder]) expect(report.mix.true_peak_dbtp).toBeLessThanOrEqual(-2);
  });
});

describe("the describer of a job", () => {
  let server: VisionServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });
  const withModel = async (answers: readonly ScriptedAnswer[], config: object = {}) => {
    server = await startVisionServer(answers);
    vi.stubEnv("ASIDE_VISION_URL", server.url);
    vi.stubEnv("ASIDE_VISION_MODEL", "eyes-7b");
    return generate(service, "text", mediaId, { format: "json", ad_type: "standard_ad", ...config });
  };
  const answer = (long: string) => ({
    words: JSON.stringify({
      descriptions: [{ at: 1, long, medium: "A chart with moving bars runs.", short: "Bars move.", importance: 1 }],
    }),
  });
  const textsOf = (result: { output: { content: string } }): string[] =>
    JSON.parse(result.output.content).map(({ description }: { description: string }) => description);

  test("is the model that is configured, and the longest of its wordings that fits is spoken", async () => {
    const long = "A test chart with moving colour bars runs across.";
    expect(textsOf(await withModel([answer(long)]))).toEqual([long]);
    // Speech, by the captions, leaves two seconds: too short for the long wording, long enough for another.
    const captions = { content: "WEBVTT\n\n00:00.000 --> 00:01.500\nTalk.\n\n00:03.700 --> 00:06.000\nTalk.\n" };
    const tight = textsOf(await withModel([answer(long)], { custom_captions: captions }));
    expect(tight).toHaveLength(1);
    expect(tight[0]).not.toBe(long);
    expect(JSON.stringify(server?.requests)).toContain("Talk.");
  });

  test("ERR-26: a refusal of the model fails the job as content_blocked", async () => {
    expect(await withModel([{ refusal: "No." }])).toMatchObject({ status: "failed", error: "content_blocked" });
  });

  test("a model that cannot be used fails the job with a sentence that says what to check", async () => {
    expect(await withModel([{ status: 401, body: { error: { message: "no" } } }])).toMatchObject({
      status: "failed",
      error: "internal_error",
      message: expect.stringContaining("Check ASIDE_VISION_MODEL"),
    });
  });

  test("is the sketch without one, in words of the language asked for", async () => {
    const texts = async (language: string) =>
      textsOf(await generate(service, "text", mediaId, { format: "json", language, ad_type: "standard_ad" }));
    const [english, german] = [await texts("en-US"), await texts("de-DE")];
    expect(english.length).toBeGreaterThan(0);
    expect(german).not.toEqual(english);
  });
});

test("OPEN-34: an extended text says where the programme is to be held, and when each line is heard then", async () => {
  const script = "WEBVTT\n\n00:02.000 --> 00:03.000\nA door opens, and a long line of people walks through it.\n";
  const captions = { content: "WEBVTT\n\n00:00.000 --> 00:02.000\nTalk.\n\n00:03.000 --> 00:06.000\nTalk.\n" };
  const config = { description_content: script, custom_captions: captions, format: "json" };
  const { report, output } = await generate(service, "text", mediaId, { ...config, ad_type: "extended_ad" });
  const [pause] = report.held.pauses;
  expect(report.held.pauses).toHaveLength(1);
  expect(pause.at).toBeGreaterThanOrEqual(2.1);
  expect(pause.at).toBeLessThanOrEqual(2.8);
  expect(report.held.duration_seconds).toBeCloseTo(6 + pause.seconds, 1);
  const [heard] = report.held.cues;
  const [cue] = JSON.parse(output.content);
  expect(heard.id).toBe(cue.id);
  expect(heard.end - heard.start).toBeGreaterThan(2);
  const standard = await generate(service, "text", mediaId, { ...config, ad_type: "standard_ad", auto_fit: false });
  expect(standard.report.held).toBeUndefined();
});
