import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { speechEngine } from "../../../src/engine/local/speech-engine.ts";
import { speechSetup } from "../../../src/engine/local/speech-setup.ts";
import { type StageRules, startDescribingModel } from "../../fakes/describing-model.ts";
import { ced, type HeardToken, parakeet } from "../../fakes/hearing-models.ts";
import { kokoro, type ModelMaker, speakingStore, supertonic } from "../../fakes/speaking-models.ts";
import { makeMedia } from "../../made-media.ts";
import { sharedMedia } from "../../shared-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";
import { generate, startRealService, startServiceHere, upload } from "../real-service.ts";
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
  service = await startServiceHere();
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

thoroughTest(
  "the shots that a job describes are parted where the order says that it was cut, but not beside a script",
  async () => {
    const shotsOf = async (config: object) => (await generate(service, "text", mediaId, config)).report.shots;
    const describing = { cuts: [3.01, 100] };
    const parted = await shotsOf({ describing });
    // What is kept of the media is as it was seen.
    const seen = await shotsOf({ describing, description_content: SCRIPT });
    expect(seen).not.toContain(3.01);
    expect(parted).toEqual([...seen, 3.01].sort((a, b) => a - b));
  },
);

thoroughTest(
  "what is said is written down by an installed model: it stands in the report, and whoever describes is told",
  async () => {
    const store = await speakingStore(await temporaryFolder(), [
      parakeet([
        [" Who", 4],
        [" goes", 3],
        ["?", 1],
      ]),
    ]);
    vi.stubEnv("ASIDE_MODELS", store.folder);
    vi.stubEnv("ASIDE_TRANSCRIPTION_URL", "here");
    const vision = await startDescribingModel([]);
    vi.stubEnv("ASIDE_VISION_URL", vision.url);
    vi.stubEnv("ASIDE_VISION_MODEL", "eyes-7b");
    const other = await startRealService();
    try {
      const media = await upload(other, new Uint8Array(await readFile(sharedMedia("speech/sintel-excerpt.mp4"))));
      const { status, report } = await generate(other, "text", media, {});
      expect(status).toBe("done");
      const said = new Set(report.dialogue.map(({ text }: { text: string }) => text));
      expect(said).toEqual(new Set(["Who goes?"]));
      expect(report.notes).toContainEqual(
        expect.stringMatching(/^What is said was transcribed by Parakeet v3 on this/),
      );
      expect(JSON.stringify(vision.asked)).toContain("Who goes?");
    } finally {
      await other.close();
    }
    expect(speechEngine(speechSetup(store.environment)?.library ?? "").pid).toBeNull();
  },
);

/** A service with models installed on its computer, and a film. */
async function withModels(makers: readonly ModelMaker[], film: string) {
  const store = await speakingStore(await temporaryFolder(), makers);
  vi.stubEnv("ASIDE_MODELS", store.folder);
  vi.stubEnv("ASIDE_TRANSCRIPTION_URL", "here");
  const other = await startRealService();
  onTestFinished(() => other.close());
  return { other, media: await upload(other, new Uint8Array(await readFile(sharedMedia(film)))) };
}

thoroughTest(
  "what is sung is heard by an installed model, and written down by another: it is announced, and closes pauses of a worksheet",
  async () => {
    const words: readonly HeardToken[] = [
      [" Row", 4],
      [" your", 3],
      [" boat.", 4],
    ];
    const sings = ced({ Music: 0.8, Singing: 0.7 });
    const { other, media } = await withModels([sings, parakeet(words)], "no-dialogue/chaplin.mp4");
    vi.stubEnv("ASIDE_TRANSCRIPTION_URL", "off");
    const unwritten = await generate(other, "text", media, { ad_type: "standard_ad" });
    expect(unwritten.report).not.toHaveProperty("dialogue");
    expect(unwritten.report.findings).toContainEqual(
      expect.objectContaining({ rule: "song", message: expect.stringContaining("nobody wrote its words down") }),
    );
    vi.stubEnv("ASIDE_TRANSCRIPTION_URL", "here");
    const { status, report } = await generate(other, "text", media, { ad_type: "standard_ad" });
    expect(status).toBe("done");
    expect(report.speech).toEqual([]);
    expect(report.singing).toEqual([[0, expect.closeTo(9.64, 0)]]);
    expect(report.notes).toContainEqual(
      expect.stringMatching(/^CED mini on this computer listened to \d+ s of music: /),
    );
    expect(report.findings).toContainEqual(
      expect.objectContaining({ rule: "song", message: expect.stringContaining("its words are kept clear"), start: 0 }),
    );
    const [line] = report.dialogue;
    expect(line).toMatchObject({ text: "Row your boat.", start: 0 });
    expect(report.to_write).toMatchObject([{ before: "Row your boat." }]);
    expect(report.to_write[0].start).toBeGreaterThanOrEqual(line.end);
    expect(report.stage_seconds).toHaveProperty("listen");
  },
);

thoroughTest(
  "a hold of extended AD goes where a phrase ends that an installed model wrote down, in the middle of long speech",
  async () => {
    const words: readonly HeardToken[] = [
      [" Many", 40],
      [" people", 40],
      [" use", 40],
      [" the", 16],
      [" keyboard.", 40],
      [" Others", 4],
    ];
    const film = "described/perspective-keyboard/perspective-video.mp4";
    const { other, media } = await withModels([parakeet(words)], film);
    const script = "WEBVTT\n\n00:11.900 --> 00:12.900\nA man lifts his hands.\n";
    const heldAt = async () => {
      const { report } = await generate(other, "text", media, { ad_type: "extended_ad", description_content: script });
      return report.held.pauses[0].at;
    };
    // The word begins after 136 frames of 80 ms, sounds for 0.6 s at the most, and its phrase is over half a second later.
    const end = 136 * 0.08 + 0.6 + 0.5;
    expect(Math.abs((await heldAt()) - end)).toBeLessThan(0.05);
    vi.stubEnv("ASIDE_TRANSCRIPTION_URL", "off");
    expect(Math.abs((await heldAt()) - end)).toBeGreaterThan(0.5);
  },
);

describe("the voice a job is spoken by", () => {
  test("is the program that the environment names, at the length it really speaks", async () => {
    const embedded = await audio({ format: "json" });
    vi.stubEnv("ASIDE_VOICE_COMMAND", JSON.stringify([process.execPath, PROGRAM, "--rate", "0.6"]));
    const configured = await audio({ format: "json" });
    expect(configured).toMatchObject({ status: "done", report: { mix: { cues: [{ id: "cue-0001" }] } } });
    expect(lengthOf(configured)).toBeGreaterThan(1.3 * lengthOf(embedded));
  });

  thoroughTest(
    "is a natural voice that is installed, for every job by one process, which ends with the service",
    async () => {
      const store = await speakingStore(await temporaryFolder(), [supertonic("supertonic-3", ["en"]), kokoro()]);
      const library = speechSetup(store.environment)?.library ?? "";
      vi.stubEnv("ASIDE_MODELS", store.folder);
      const other = await startRealService();
      try {
        const media = await upload(other, new Uint8Array(await readFile(join(folder, "clip.mp4"))));
        const order = { description_content: SCRIPT, format: "json", voice: "Charon" };
        const [first, second] = await Promise.all([
          generate(other, "audio", media, order),
          generate(other, "audio", media, { ...order, description_content: SCRIPT.replace("door", "window") }),
        ]);
        expect([first.status, second.status]).toEqual(["done", "done"]);
        const { pid } = speechEngine(library);
        expect(pid).not.toBeNull();
        const voiced = await other.send("POST", "voice_line", { text: "It rains.", voice: "Charon" });
        expect(voiced.status).toBe(200);
        expect(speechEngine(library).pid).toBe(pid);
        // Languages that none of them speaks are the built-in voice's, and a model that is named refuses them before the job works.
        expect(await generate(other, "audio", media, { ...order, language: "pl-PL" })).toMatchObject({
          status: "done",
        });
        vi.stubEnv("ASIDE_VOICE_NATURAL", "kokoro-en");
        expect(await generate(other, "audio", media, { ...order, language: "pl-PL" })).toMatchObject({
          status: "failed",
          error: "voice_unavailable",
          message: expect.stringContaining("Kokoro English does not speak pl-PL"),
        });
      } finally {
        await other.close();
      }
      expect(speechEngine(library).pid).toBeNull();
    },
  );

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
      error: "voice_unusable",
      message: expect.stringContaining("A window opens."),
    });
    const two = `${SCRIPT.replace("door", "window")}\n00:03.000 --> 00:04.000\nIt rains.\n`;
    expect(await audio({ description_content: two })).toMatchObject({
      message: expect.stringMatching(/2 descriptions.*"A window opens\.", "It rains\."/),
    });
  });

  thoroughTest(
    "is named where it gives no sound, for a line or for all of them, and its other lines are spoken",
    async () => {
      const two = `${SCRIPT}\n00:03.000 --> 00:04.000\nIt rains hard.\n`;
      const speaks = (mode: string) =>
        vi.stubEnv("ASIDE_VOICE_COMMAND", JSON.stringify([process.execPath, PROGRAM, "--mode", mode]));
      speaks("silent:rains");
      const { output, report } = await audio({ description_content: two });
      expect(output.content).not.toContain("It rains hard.");
      expect(report.left_out).toMatchObject([{ text: "It rains hard.", reason: "no-sound" }]);
      speaks("silent");
      expect(await audio({ description_content: two })).toMatchObject({
        status: "failed",
        message: expect.stringMatching(/The speech command gave no sound for “A door opens\.”.*1 other line/),
      });
    },
  );

  thoroughTest("is told of where a line is too short for its words", async () => {
    const script = "WEBVTT\n\n00:01.000 --> 00:04.000\nA red train passes slowly by the harbour.\n";
    vi.stubEnv("ASIDE_VOICE_COMMAND", JSON.stringify([process.execPath, PROGRAM, "--mode", "cut"]));
    const { report } = await audio({ description_content: script });
    expect(report.findings).toMatchObject([
      { rule: "voice-length", severity: "fail", said: "A red train passes slowly by the harbour." },
    ]);
    vi.stubEnv("ASIDE_VOICE_COMMAND", JSON.stringify([process.execPath, PROGRAM]));
    expect((await audio({ description_content: script })).report).not.toHaveProperty("findings");
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
  const withModel = async (rules: StageRules, config: object = {}) => {
    const model = await startDescribingModel([], rules);
    vi.stubEnv("ASIDE_VISION_URL", model.url);
    vi.stubEnv("ASIDE_VISION_MODEL", "eyes-7b");
    const result = await generate(service, "text", mediaId, { format: "json", ad_type: "standard_ad", ...config });
    return { result, model };
  };
  const textsOf = (result: { output: { content: string } }): string[] =>
    JSON.parse(result.output.content).map(({ description }: { description: string }) => description);
  const CHART = "a test chart with moving colour bars runs across";
  const chart: StageRules = {
    log: ({ pictures }) => ({ events: pictures.slice(0, 1).map(({ at }) => ({ at, until: at, what: CHART })) }),
  };

  test("is the model that is configured: what it saw is spoken, in words that fit", async () => {
    const long = "A test chart with moving colour bars runs across.";
    expect(textsOf((await withModel(chart)).result)).toEqual([long]);
    // Speech, by the captions, leaves three seconds: too short for the line, long enough for a shorter one.
    const captions = { content: "WEBVTT\n\n00:03.000 --> 00:06.000\nTalk.\n" };
    const short: StageRules = {
      lines: () => ({ lines: [{ events: [1], text: long }] }),
      wordings: () => ({ wordings: [{ line: 1, text: "Colour bars run." }] }),
    };
    const { result, model } = await withModel({ ...chart, ...short }, { custom_captions: captions });
    expect(textsOf(result)).toEqual(["Colour bars run."]);
    expect(model.of("lines")[0]?.prompt).toContain("Talk.");
  });

  test("that tells nothing of a whole film is a finding: no result without a line looks like any other", async () => {
    const { result } = await withModel({ log: () => ({ place: "sea", people: [], events: [] }) });
    expect(textsOf(result)).toEqual([]);
    expect(result.report.findings).toMatchObject([
      {
        rule: "nothing-told",
        severity: "fail",
        message: expect.stringContaining("the vision model found nothing to tell"),
      },
    ]);
    expect((await withModel(chart)).result.report).not.toHaveProperty("findings");
  });

  thoroughTest(
    "that writes in another language than was ordered is asked again, and reported in place of spoken",
    async () => {
      const { result, model } = await withModel(chart, { language: "fr-FR" });
      expect(model.of("lines")).toHaveLength(2);
      expect(textsOf(result)).toEqual([]);
      const [foreign, nothing] = result.report.findings;
      expect(foreign).toMatchObject({ rule: "other-language", severity: "fail" });
      expect(foreign.message).toMatch(
        /^A line was written in English, not in French \(France\), and is not spoken: “A test chart/,
      );
      expect(nothing).toMatchObject({
        rule: "nothing-told",
        message: expect.stringContaining("is in another language"),
      });
    },
  );

  test("that answers in its thoughts is understood", async () => {
    const log = ({ pictures }: Parameters<NonNullable<StageRules["log"]>>[0]) => {
      const events = pictures.slice(0, 1).map(({ at }) => ({ at, until: at, what: CHART }));
      const content = `[THINK]First a draft: {"place": "", "people": [], "events": []}[/THINK]${JSON.stringify({ events })}`;
      return content;
    };
    expect(textsOf((await withModel({ log })).result)).toHaveLength(1);
  });

  test("ERR-26: a refusal of the model fails the job as content_blocked", async () => {
    const refusal = () => "I'm sorry, but I can't help with that.";
    const { result } = await withModel({ log: refusal });
    expect(result).toMatchObject({ status: "failed", error: "content_blocked" });
  });

  test("a model that cannot be used fails the job with a sentence that says what to check", async () => {
    const refused = { reply: { status: 401, body: { error: { message: "no" } } } };
    expect((await withModel({ log: () => refused })).result).toMatchObject({
      status: "failed",
      error: "model_refused",
      message: expect.stringContaining("Check ASIDE_VISION_KEY"),
    });
  });
});

describe("a job without a model and without a script", () => {
  const left = (config: object = {}, kind: "text" | "audio" = "text") =>
    generate(service, kind, mediaId, { ad_type: "standard_ad", ...config });
  const captions = { content: "WEBVTT\n\n00:00.000 --> 00:02.000\nWho is there?\n\n00:04.500 --> 00:06.000\nMe.\n" };

  test("OPEN-13: leaves its pauses to a person: none is in the text, each with its room, its hints and the dialogue", async () => {
    const { output, report, ...links } = await left({ format: "json", custom_captions: captions });
    expect(JSON.parse(output.content)).toEqual([]);
    expect(report.describer).toBe("text");
    expect(report.to_write).toMatchObject([
      { id: "pause-0001", start: 2.2, end: 4.15, before: "Who is there?", after: "Me." },
    ]);
    expect(report.notes).toContainEqual(expect.stringMatching(/^Without a vision model .*; 1 pause is to be written/));
    expect(links).toHaveProperty("worksheet_signed_url");
  });

  test("offers a worksheet as an attachment by a link, which goes with the job", async () => {
    const job = await left();
    const page = await service.follow(job.worksheet_signed_url);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("content-disposition")).toBe('attachment; filename="worksheet.html"');
    const html = await page.text();
    expect(html.match(/<textarea /g)).toHaveLength(job.report.to_write.length);
    expect(html).toContain('src="data:image/jpeg;base64,/9j/');
    await service.send("DELETE", `jobs/${job.job_id}`);
    expect((await service.follow(job.worksheet_signed_url)).status).toBe(404);
  });

  test("gives as many words as the chosen voice says in the time", async () => {
    const wordsOf = async () => (await left()).report.to_write[0].words;
    const embedded = await wordsOf();
    vi.stubEnv("ASIDE_VOICE_COMMAND", JSON.stringify([process.execPath, PROGRAM, "--rate", "0.5"]));
    const slow = await wordsOf();
    expect(slow).toBeGreaterThan(0);
    expect(slow).toBeLessThan(0.7 * embedded);
  });

  test("mixes nothing for what is not written: the narration is silent", async () => {
    const { report, audio_signed_url: url } = await left({ audio_track_type: "ad_only" }, "audio");
    expect(report.mix).toMatchObject({ cues: [], integrated_lufs: null });
    expect((await service.follow(url)).status).toBe(200);
  });

  test("has no worksheet where a script tells all, however much it leaves silent", async () => {
    const job = await generate(service, "text", mediaId, { description_content: SCRIPT });
    expect(job).not.toHaveProperty("worksheet_signed_url");
    expect(job.report).not.toHaveProperty("to_write");
  });

  test("fails where speech leaves no room for a description", async () => {
    const dense = { content: "WEBVTT\n\n00:00.000 --> 00:02.500\nTalk.\n\n00:03.300 --> 00:06.000\nTalk.\n" };
    expect(await left({ custom_captions: dense })).toMatchObject({ error: "standard_ad_not_enough_gaps" });
  });
});

test("names the lines of a script that have no place, with what each takes, where no gap is left", async () => {
  const words = "A door opens, and a long line of people walks through it into the light of the morning.";
  const script = `WEBVTT\n\n00:01.000 --> 00:02.000\n${words}\n`;
  const failed = async (captions: string) =>
    generate(service, "text", mediaId, {
      description_content: script,
      custom_captions: { content: `WEBVTT\n\n${captions}` },
      ad_type: "standard_ad",
    });
  const without = await failed("00:00.000 --> 00:06.000\nTalk.\n");
  expect(without).toMatchObject({ error: "standard_ad_not_enough_gaps" });
  expect(JSON.stringify(without)).toMatch(
    /there is no gap: 00:00:01\.000 .{2}A door opens, and a long line.* takes \d+\.\d s/,
  );
  const short = await failed("00:00.000 --> 00:02.500\nTalk.\n\n00:04.500 --> 00:06.000\nTalk.\n");
  expect(JSON.stringify(short)).toMatch(/the longest gap lasts \d\.\d s: 00:00:01\.000 .* takes \d+\.\d s/);
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

thoroughTest(
  "a picture of two by two pixels is refused with its size, at the first try; one of eight by eight is described",
  async () => {
    const folder = await temporaryFolder();
    for (const [size, outcome] of [
      ["2x2", { status: "failed", error: "no_video_stream", message: expect.stringContaining("2 × 2 pixels") }],
      ["8x8", { status: "done" }],
    ] as const) {
      const path = join(folder, `${size}.mp4`);
      makeMedia(path, [
        { graph: `testsrc2=size=${size}:rate=25:duration=3`, codec: "libx264" },
        { graph: "sine=duration=3", codec: "aac" },
      ]);
      const mediaId = await upload(service, new Uint8Array(await readFile(path)));
      const config = { ad_type: "extended_ad", description_content: "WEBVTT\n\n00:01.000 --> 00:02.000\nA dog.\n" };
      expect(await generate(service, "video", mediaId, config)).toMatchObject(outcome);
    }
  },
);
