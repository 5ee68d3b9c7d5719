import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { DescribeRequest } from "../../../src/service/describe/describer.ts";
import { visionDescriber } from "../../../src/service/describe/vision/vision.ts";
import type { VisionSettings } from "../../../src/service/describe/vision/vision-settings.ts";
import { NOTHING_READ } from "../../../src/service/onscreen-text.ts";
import { type ScriptedAnswer, startVisionServer, type VisionServer } from "../../fakes/vision-server.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xd9]);
let folder: string;
let server: VisionServer | undefined;

beforeEach(async () => {
  folder = await temporaryFolder();
  for (const name of ["a.jpg", "b.jpg", "c.jpg"]) await writeFile(join(folder, name), JPEG);
});

afterEach(async () => {
  await server?.close();
  server = undefined;
});

function requestWith(more: Partial<DescribeRequest> = {}): DescribeRequest {
  return {
    durationSeconds: 60,
    language: "en-US",
    category: "News",
    type: "standard",
    instructions: "Call the ship Argo.",
    glossary: [],
    readsAllOnscreenText: false,
    onscreen: NOTHING_READ,
    shots: [],
    gaps: [{ start: 10, end: 14, sound: "ambience" }],
    transcript: [
      { start: 8, end: 9.8, text: "She sails tonight." },
      { start: 14, end: 16, text: "Surprise!" },
    ],
    keyFrames: [
      { at: 1, file: "a.jpg" },
      { at: 9, file: "b.jpg" },
      { at: 12, file: "c.jpg" },
    ],
    keyFrameFolder: folder,
    ...more,
  };
}

const GOOD = {
  at: 11,
  long: "A woman opens the red door of the ship.",
  medium: "A woman opens the red door.",
  short: "She opens a door.",
  importance: 0.8,
};
const good = { words: JSON.stringify({ descriptions: [GOOD] }) };

async function run(answers: readonly ScriptedAnswer[], more: Partial<DescribeRequest> = {}, timeoutSeconds = 20) {
  server = await startVisionServer(answers);
  const settings: VisionSettings = { baseUrl: server.url, model: "eyes-7b", apiKey: "secret-key", timeoutSeconds };
  const describer = visionDescriber(settings, join(folder, "kept"), false);
  return describer.describe(requestWith(more), new AbortController().signal);
}

/** All words of a received request's messages, pictures as `<jpeg>`. */
function wordsOf(index: number): string {
  const messages = server?.requests[index]?.body.messages ?? [];
  const partsOf = (content: unknown): { text?: string }[] =>
    // Messages of this interface hold words or a list of parts.
    typeof content === "string" ? [{ text: content }] : (content as { text?: string }[]);
  return messages
    .flatMap(({ content }) => partsOf(content))
    .map(({ text }) => text ?? "<jpeg>")
    .join("\n");
}

describe("the vision describer", () => {
  test("takes a good answer: three wordings, the picture they tell of, tokens in the notes", async () => {
    const { descriptions, notes } = await run([good]);
    expect(descriptions).toEqual([
      {
        id: "cue-0001",
        wordings: [GOOD.long, GOOD.medium, GOOD.short],
        picture: { start: 11, end: 16 },
        importance: 0.8,
      },
    ]);
    expect(notes[0]).toContain("1 request, 100 tokens in, 20 out");
  });

  test("GEN-16: sends rules, category, language, instructions, gap, word budget, speech around it and key frames", async () => {
    await run([good]);
    expect(server?.requests[0]?.authorization).toBe("Bearer secret-key");
    expect(server?.requests[0]?.body.model).toBe("eyes-7b");
    expect(server?.requests[0]?.body.response_format).toMatchObject({ type: "json_schema" });
    expect(wordsOf(0)).toMatchInlineSnapshot(`
      "You write audio description: short narration that tells blind people what the picture shows.
      Write in the present tense, active voice and third person.
      Say only what is visible in the pictures. Do not interpret, judge or guess motives, relations or feelings.
      Never write "we see", "the scene shows", "the camera", "in this frame" or anything about film-making.
      Do not repeat what can be heard: no dialogue, no sounds, no music.
      Tell first what matters to follow the story: who does what; then place and time; then looks.
      Do not name a person before the dialogue or the screen has; until then use a plain description, and keep to it.
      Read out on-screen text that matters, introduced by who or what shows it.
      Do not tell again what an earlier description has told.
      Describe nothing that lies after the last picture.
      Silence is better than filler: return an empty list when nothing new is visible.
      This is news. Names, titles and captions on screen come first, then what the footage shows.
      Write in American English (en-US).
      The editor's instructions, which come before all of the above: Call the ship Argo.
      Answer with JSON only, in this shape: {"descriptions": [{"at": 12.5, "long": "...", "medium": "...", "short": "...", "importance": 0.8}]}, or {"descriptions": []}.
      Describe the picture from 5.0 s to 16.0 s. Your words will be spoken in a pause of the dialogue from 10.0 s to 14.0 s.
      Write at most 1 description, each in three wordings: "long" of at most 9 words, "medium" of at most 6, "short" of at most 4.
      Give each its "at": the second, on the same clock, at which what it tells begins to be visible; and its "importance" from 0 to 1.
      Heard before:
        8.0 s She sails tonight.
      Heard after (do not give it away):
        14.0 s Surprise!
      The pictures follow, each with its time.
      Picture at 9.0 s:
      <jpeg>
      Picture at 12.0 s:
      <jpeg>"
    `);
  });

  test("GEN-15: sends nothing about instructions when there are none", async () => {
    await run([good], { instructions: "" });
    expect(wordsOf(0)).not.toContain("instructions");
  });

  test("tells the model what a machine read on screen while its picture lasts", async () => {
    const texts = [
      { start: 11, end: 12, lines: ["Harbour Master", "No entry"] },
      { start: 40, end: 42, lines: ["The end"] },
    ];
    await run([good], { onscreen: { isRead: true, texts, notes: [] } });
    expect(wordsOf(0)).toContain("On screen, as a machine read it:\n  11.0 s Harbour Master / No entry");
    expect(wordsOf(0)).not.toContain("The end");
  });

  const SHOT = {
    start: 0,
    end: 14,
    opening: "start",
    brightness: 0.5,
    contrast: 0.2,
    saturation: 0.3,
    motion: "slow",
    colours: [],
    frozenSeconds: 0,
    titleCard: false,
    keyFrameAt: 4,
  } as const;

  test("GEN-19: a slide is read out whole where all text is asked for, and shortened elsewhere", async () => {
    const lines = Array.from({ length: 12 }, (_, line) => `Point ${line + 1} of the plan for the harbour`);
    const slide = `On a slide: ${lines.join(", ")}.`;
    const told = { ...GOOD, long: slide, medium: slide, short: slide };
    const answer = { words: JSON.stringify({ descriptions: [told] }) };
    const onscreen = { isRead: true, texts: [{ start: 1, end: 13, lines }], notes: [] };
    const more = { type: "extended", shots: [SHOT], onscreen } as const;
    const whole = await run([answer], { ...more, readsAllOnscreenText: true });
    expect(server?.requests).toHaveLength(1);
    expect(whole.descriptions[0]?.wordings).toEqual([slide]);
    await server?.close();
    await run([answer, good], more);
    expect(wordsOf(0)).toContain('"long" of at most 40 words');
    expect(wordsOf(1)).toContain("Answer again.");
  });

  test("GEN-19: asks for all on-screen text word for word in extended AD, and does not in standard AD", async () => {
    const shots = [SHOT];
    await run([good], { readsAllOnscreenText: true, type: "extended", shots });
    expect(wordsOf(0)).toContain("Read out ALL on-screen text, word for word");
    await server?.close();
    await run([good], { readsAllOnscreenText: true });
    expect(wordsOf(0)).not.toContain("Read out ALL");
  });

  test("tells the model what it described before", async () => {
    const gaps = [
      { start: 10, end: 14, sound: "ambience" as const },
      { start: 30, end: 34, sound: "ambience" as const },
    ];
    await run([good], { gaps });
    expect(wordsOf(1)).toContain(`Already described:\n  ${GOOD.long}`);
  });

  test("asks once more when the answer is nonsense, and takes the second", async () => {
    const { descriptions } = await run([{ words: "I would rather not." }, good]);
    expect(descriptions).toHaveLength(1);
    expect(wordsOf(1)).toContain("Your answer held no JSON object. Answer again.");
  });

  const TWO_GAPS = [
    { start: 10, end: 14, sound: "ambience" as const },
    { start: 30, end: 34, sound: "ambience" as const },
  ];

  test("drops a section with a note when the second answer is nonsense too", async () => {
    const { descriptions, notes } = await run([{ words: "{}" }, { words: "{}" }, good], { gaps: TWO_GAPS });
    expect(descriptions).toHaveLength(1);
    expect(server?.requests).toHaveLength(3);
    expect(notes[1]).toContain("no usable answer");
  });

  test("fails rather than to tell nothing when no answer at all can be used", async () => {
    await expect(run([{ words: "{}" }], { gaps: TWO_GAPS })).rejects.toMatchObject({ code: "vision_unusable" });
  });

  test.each(["I'm sorry, but I can't help with that.", "As an AI, I will not describe people.", "I cannot assist."])(
    "ERR-26: takes a refusal in plain words for one: %s",
    async (words) => {
      await expect(run([{ words }])).rejects.toMatchObject({ code: "content_blocked" });
      await server?.close();
      const { descriptions, notes } = await run([{ words }, { words }, good], { gaps: TWO_GAPS });
      expect(descriptions).toHaveLength(1);
      expect(notes).toContain("The model refused to describe the picture at 5.0 s.");
    },
  );

  test("asks for an unusable answer again the next time, and keeps those that were good", async () => {
    const answers = [
      good,
      { words: "{}" },
      { words: "{}" },
      { ...good, words: good.words.replaceAll("door", "hatch") },
    ];
    server = await startVisionServer(answers);
    const settings: VisionSettings = { baseUrl: server.url, model: "m", apiKey: "k", timeoutSeconds: 20 };
    const describer = visionDescriber(settings, join(folder, "kept"), false);
    const more = { gaps: TWO_GAPS };
    expect((await describer.describe(requestWith(more), new AbortController().signal)).descriptions).toHaveLength(1);
    const { descriptions, notes } = await describer.describe(requestWith(more), new AbortController().signal);
    expect(server.requests).toHaveLength(4);
    expect(descriptions.map(({ wordings }) => wordings[0])).toEqual([GOOD.long, GOOD.long.replace("door", "hatch")]);
    expect(notes.join()).not.toContain("no usable answer");
  });

  test.each<[string, string]>([
    ["behind what a model thought aloud", `<think>A {"mast"}? Or [sails]?</think>\n${good.words}`],
    ["as a bare list", JSON.stringify([GOOD])],
    ["as one description alone", JSON.stringify(GOOD)],
    ["in prose with brackets", `Here {as asked} [1]: ${good.words} I hope that {helps}.`],
  ])("reads JSON %s", async (_name, words) => {
    const { descriptions } = await run([{ words }]);
    expect(server?.requests).toHaveLength(1);
    expect(descriptions[0]?.wordings).toEqual([GOOD.long, GOOD.medium, GOOD.short]);
  });

  test("takes the lengths for what they are, whatever the model calls them", async () => {
    const mixedUp = { ...GOOD, long: GOOD.short, short: GOOD.long };
    const { descriptions } = await run([{ words: JSON.stringify({ descriptions: [mixedUp] }) }]);
    expect(server?.requests).toHaveLength(1);
    expect(descriptions[0]?.wordings).toEqual([GOOD.long, GOOD.medium, GOOD.short]);
  });

  test("takes wordings without a word for silence", async () => {
    const silent = { ...GOOD, long: "...", medium: "", short: "-" };
    const { descriptions, notes } = await run([{ words: JSON.stringify({ descriptions: [silent, GOOD] }) }]);
    expect(descriptions).toHaveLength(1);
    expect(notes).toHaveLength(1);
  });

  test("leaves out what the model was told that it had described, and says so", async () => {
    const { descriptions, notes } = await run([good], { gaps: TWO_GAPS });
    expect(descriptions).toHaveLength(1);
    expect(notes[1]).toBe(`Said before, and left out: "${GOOD.long}"`);
  });

  test("shortens to sentences that end, not to abbreviations or half numbers", async () => {
    const long =
      "Mr. and Mrs. Ames wait. Dr. Jones pours them 3.5 litres of the dark red wine that stood in the corner.";
    const wordy = {
      ...GOOD,
      long,
      medium: "Prof. Ames of No. 5 pours 3.5 litres of the dark red wine that stood there.",
      short: long,
    };
    const { descriptions } = await run([{ words: JSON.stringify({ descriptions: [wordy] }) }]);
    expect(descriptions[0]?.wordings).toEqual(["Mr. and Mrs. Ames wait."]);
  });

  test("counts languages without spaces in characters: asks for so many, and asks again for fewer", async () => {
    const long =
      "一个穿着棕色长外套的高个子男人在黄昏时分沿着安静的港口墙壁慢慢地走着，远处有几只白色的海鸥在灰色的水面上盘旋";
    const tooLong = { ...GOOD, long, medium: long, short: long };
    const fits = { ...GOOD, long: "一个男人沿着港口慢慢地走着", medium: "一个男人走着", short: "男人走着" };
    const { descriptions } = await run(
      [{ words: JSON.stringify({ descriptions: [tooLong] }) }, { words: JSON.stringify({ descriptions: [fits] }) }],
      { language: "cmn-CN" },
    );
    expect(wordsOf(0)).toContain('"long" of at most 16 characters, "medium" of at most 10, "short" of at most 7');
    expect(wordsOf(1)).toMatch(/has \d+ characters; at most 16 fit\. Answer again\./);
    expect(descriptions[0]?.wordings).toEqual(["一个男人沿着港口慢慢地走着。", "一个男人走着。", "男人走着。"]);
  });

  test("tells the model the names and terms of the programme", async () => {
    await run([good], { glossary: ["Argo: the red ship", "Kwame Nkosi"] });
    expect(wordsOf(0)).toContain(
      "Names and terms of this programme; write them so:\n  Argo: the red ship\n  Kwame Nkosi\n",
    );
  });

  test("passes on why a server cannot do it, without the key", async () => {
    const gone = { status: 404, body: { error: { message: 'model "eyes-7b" not found, secret-key, try pulling it' } } };
    await expect(run([gone])).rejects.toThrow(
      'status 404 (model "eyes-7b" not found, …, try pulling it). Check ASIDE_VISION_MODEL and ASIDE_VISION_KEY.',
    );
    await server?.close();
    const full = { status: 500, body: { error: { message: "not enough memory" } } };
    await expect(run([full])).rejects.toThrow("status 500 (not enough memory). Look at the server's own log");
  });

  test("asks once more when every wording is over its budget, then shortens to whole sentences or drops", async () => {
    const wordy = "The tall woman in the long grey coat slowly opens the heavy red door of the ship and looks out.";
    const long = { ...GOOD, long: `She waits. ${wordy}`, medium: wordy, short: wordy };
    const { descriptions } = await run([{ words: JSON.stringify({ descriptions: [long] }) }]);
    expect(server?.requests).toHaveLength(2);
    expect(descriptions[0]?.wordings).toEqual(["She waits."]);
    await server?.close();
    await rm(join(folder, "kept"), { recursive: true });
    const hopeless = { ...long, long: wordy };
    const dropped = await run([{ words: JSON.stringify({ descriptions: [hopeless] }) }]);
    expect(dropped.descriptions).toEqual([]);
    expect(dropped.notes[1]).toContain("too long for its gap");
  });

  test("waits for a slow answer, and takes it", async () => {
    const { descriptions } = await run([{ ...good, delayMs: 400 }]);
    expect(descriptions).toHaveLength(1);
    expect(server?.requests).toHaveLength(1);
  });

  test.each<[string, ScriptedAnswer]>([
    ["another shape", { words: JSON.stringify({ scenes: [GOOD.long] }) }],
    ["a wrong type", { words: JSON.stringify({ descriptions: [{ ...GOOD, at: "eleven" }] }) }],
    ["half a wording", { words: JSON.stringify({ descriptions: [{ at: 11, long: GOOD.long, importance: 1 }] }) }],
    ["JSON that is cut off", { words: good.words.slice(0, -10) }],
    ["nothing", { words: "" }],
  ])("asks once more after %s, with what was wrong", async (_name, answer) => {
    const { descriptions, notes } = await run([answer, good]);
    expect(descriptions).toHaveLength(1);
    expect(wordsOf(1)).toMatch(
      /Your (?:JSON is not in the shape asked for|answer held no JSON object).*Answer again\./,
    );
    expect(notes[0]).toContain("2 requests, 200 tokens in, 40 out");
  });

  test("tries again when the server is busy or stumbles, and tells what it cost", async () => {
    const busy = { status: 429, body: { error: { message: "slow down" } } };
    const broken = { status: 500, body: { error: { message: "oops" } } };
    server = await startVisionServer([busy, broken, good]);
    const pricePerMillion = { input: 5, output: 20 };
    const settings = { baseUrl: server.url, model: "m", apiKey: "k", timeoutSeconds: 20, pricePerMillion };
    const { descriptions, notes } = await visionDescriber(settings, join(folder, "kept"), true).describe(
      requestWith(),
      new AbortController().signal,
    );
    expect(descriptions).toHaveLength(1);
    expect(notes[0]).toContain("found on this computer, nothing was configured");
    expect(notes[0]).toContain("cost 0.0009");
  });

  test("category and language change what is asked for", async () => {
    await run([good], { category: "Educational Kids", language: "de-DE" });
    expect(wordsOf(0)).toContain("This is for children.");
    expect(wordsOf(0)).toContain("Write in German (Germany) (de-DE).");
    await server?.close();
    await run([good], { category: "Auto", language: "cmn-CN" });
    expect(wordsOf(0)).not.toContain("This is");
    expect(wordsOf(0)).toContain("(cmn-CN)");
  });

  test("takes film talk out of the words", async () => {
    const talk = { ...GOOD, long: "We see a woman at a door", medium: "The camera shows a woman.", short: "A woman" };
    const { descriptions } = await run([{ words: JSON.stringify({ descriptions: [talk] }) }]);
    expect(descriptions[0]?.wordings).toEqual(["A woman at a door.", "A woman."]);
  });

  test("reads JSON out of a fenced block", async () => {
    const { descriptions } = await run([{ words: `Here you are:\n\`\`\`json\n${good.words}\n\`\`\`` }]);
    expect(descriptions).toHaveLength(1);
  });

  test("goes on without a schema on servers that take none", async () => {
    const refused = { status: 400, body: { error: { message: "response_format json_schema is not supported" } } };
    const { descriptions } = await run([refused, good]);
    expect(descriptions).toHaveLength(1);
    expect(server?.requests[1]?.body.response_format).toBeUndefined();
  });

  test.each<[string, ScriptedAnswer]>([
    ["a refusal", { refusal: "I cannot help with that." }],
    ["a filtered answer", { finish: "content_filter" }],
    ["a policy error", { status: 400, body: { error: { message: "no", code: "content_policy_violation" } } }],
  ])("ERR-26: fails the job with content_blocked on %s", async (_name, answer) => {
    await expect(run([answer])).rejects.toMatchObject({ code: "content_blocked" });
  });

  test("says which host gave no answer in time, and never the key", async () => {
    const failure = run([{ silent: true }], {}, 0.05);
    await expect(failure).rejects.toMatchObject({ code: "vision_unreachable" });
    await expect(failure).rejects.toThrow(/within 0.05 s/);
    await expect(failure).rejects.not.toThrow(/secret-key/);
  });

  test("says that a connection that breaks off could not be used", async () => {
    await expect(run([{ breaks: true }])).rejects.toMatchObject({ code: "vision_unreachable" });
  });

  test("says which model was refused and what to check", async () => {
    const wrongKey = { status: 401, body: { error: { message: "Incorrect API key provided: secret-key" } } };
    const failure = run([wrongKey]);
    await expect(failure).rejects.toThrow(/eyes-7b .* status 401\. Check ASIDE_VISION_MODEL/);
    await expect(failure).rejects.not.toThrow(/secret-key/);
  });

  test("tells how far it is, and what was paid for before it failed", async () => {
    const gone = { status: 404, body: { error: { message: "gone" } } };
    server = await startVisionServer([good, gone]);
    const settings: VisionSettings = { baseUrl: server.url, model: "m", apiKey: "k", timeoutSeconds: 20 };
    const describer = visionDescriber(settings, join(folder, "kept"), false);
    const fractions: number[] = [];
    const running = describer.describe(requestWith({ gaps: TWO_GAPS }), new AbortController().signal, (done) =>
      fractions.push(done),
    );
    await expect(running).rejects.toThrow("kept for the next run: 1 request, 100 tokens in, 20 out.");
    await expect(running).rejects.toMatchObject({ code: "vision_refused" });
    expect(fractions).toEqual([0, 0.5]);
  });

  test("asks no paid question twice: a second attempt of the job uses the answers kept", async () => {
    server = await startVisionServer([good, { words: "never asked for" }]);
    const settings: VisionSettings = { baseUrl: server.url, model: "m", apiKey: "k", timeoutSeconds: 20 };
    const describer = visionDescriber(settings, join(folder, "kept"), false);
    const first = await describer.describe(requestWith(), new AbortController().signal);
    const again = await describer.describe(requestWith(), new AbortController().signal);
    expect(again.descriptions).toEqual(first.descriptions);
    expect(again.notes[0]).toContain(
      "0 requests, 0 tokens in, 0 out. Answers of an earlier run were used again: 1 request, 100 tokens in, 20 out.",
    );
    expect(server.requests).toHaveLength(1);
  });

  test("stops at once when the job is cancelled", async () => {
    server = await startVisionServer([{ silent: true }]);
    const settings: VisionSettings = { baseUrl: server.url, model: "m", apiKey: "k", timeoutSeconds: 60 };
    const stop = new AbortController();
    const running = visionDescriber(settings, join(folder, "kept"), false).describe(requestWith(), stop.signal);
    stop.abort(new Error("cancelled by the user"));
    await expect(running).rejects.toThrow("cancelled by the user");
  });
});
