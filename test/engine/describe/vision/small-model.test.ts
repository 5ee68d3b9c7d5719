import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { DescribeRequest } from "../../../../src/engine/describe/describer.ts";
import {
  boundedSchema,
  closedJson,
  withinRoom,
  withoutLoops,
} from "../../../../src/engine/describe/vision/small-model.ts";
import { visionDescriber } from "../../../../src/engine/describe/vision/vision.ts";
import { HERE, SMALL } from "../../../../src/engine/models/presets.ts";
import {
  linesIn,
  type Shown,
  type StageAsked,
  type StageRules,
  startDescribingModel,
} from "../../../fakes/describing-model.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { filmRequest, keyFramesAt, SMALL_FILM, SMALL_FILM_SHOWS, shot } from "../describe-request.ts";
import { settingsAt } from "./asker-of.ts";

/** What is seen, told by the number of its shot and its picture. */
function byShot({ pictures }: StageAsked, shown: readonly Shown[] = SMALL_FILM_SHOWS) {
  const events = shown.flatMap(({ at, what }) => {
    const index = pictures.findIndex((picture) => Math.abs(picture.at - at) < 0.06);
    const shot = Number(/shot (\d+)/.exec(pictures[index]?.label ?? "")?.[1]);
    const rest = { who: [], kind: "action", importance: 0.8, confidence: 0.9 };
    return index < 0 ? [] : [{ shot, picture: index + 1, what, ...rest }];
  });
  return { place: "", people: [], events };
}

async function described(rules: StageRules = {}, film: Partial<DescribeRequest> = {}, isSmall = true) {
  const model = await startDescribingModel(
    SMALL_FILM_SHOWS,
    isSmall ? { log: (asked) => byShot(asked), ...rules } : rules,
  );
  const request = await filmRequest({ ...SMALL_FILM, ...film });
  const settings = settingsAt(model.url, 6, isSmall ? { preset: HERE } : {});
  const describer = visionDescriber(settings, join(await temporaryFolder(), "kept"), false);
  return { model, request, ...(await describer.describe(request, new AbortController().signal)) };
}

const sentence = (words: string) => `${words[0]?.toUpperCase()}${words.slice(1)}.`;
const SENTENCES = SMALL_FILM_SHOWS.map(({ what }) => sentence(what));

describe("a small model", () => {
  test("tells shots and pictures, and its lines stand where those are", async () => {
    const { descriptions } = await described();
    expect(descriptions.map(({ wordings: [text], moments }) => [text, moments?.[0]?.start])).toEqual(
      SMALL_FILM_SHOWS.map(({ at }, index) => [SENTENCES[index], at]),
    );
  });

  test("has its instructions last, behind the pictures, and an end to each text and list of its answers", async () => {
    const { model } = await described();
    for (const { body, pictures, stage } of model.asked) {
      const [system, user] = body.messages;
      expect(system.content.length).toBeLessThan(100);
      expect(user.content.at(-1).text).toMatch(/Answer with JSON only/);
      expect(pictures.length).toBeLessThanOrEqual(HERE.picturesPerRequest);
      const schema = JSON.stringify(body.response_format.json_schema.schema);
      expect(schema).toMatch(/^\{"type":"object","properties":\{/);
      expect(schema).toContain(`"maxLength":${SMALL.textCharacters}`);
      expect([stage, schema.match(/"type":"string"(?!,"(?:enum|maxLength))/g)]).toEqual([stage, null]);
      expect([stage, schema.match(/"type":"array"/g)?.length]).toEqual([stage, schema.match(/"maxItems":8/g)?.length]);
      expect(body.max_tokens).toBe(HERE.answerTokens);
    }
    expect(model.of("log")[0]?.prompt).toMatch(/Picture 1, shot 1, 1\.0 s:\n<jpeg>/);
  });

  test("what its second look does not confirm is spoken by nobody, and left for a person to write", async () => {
    const doubts: StageRules["verdicts"] = ({ prompt }) => ({
      lines: linesIn(prompt).map(({ line, text }) => {
        return { line, verdict: text === SENTENCES[1] ? "unsure" : "right", why: "too dark", mended: "" };
      }),
    });
    const small = await described({ verdicts: doubts });
    expect(small.descriptions.flatMap(({ wordings }) => wordings)).not.toContain(SENTENCES[1]);
    expect(small.unsure?.map(({ wordings }) => wordings)).toEqual([[SENTENCES[1]]]);
    expect(small.notes).toContain(
      `Left for you to write, because the model is not sure of it (too dark): "${SENTENCES[1]}"`,
    );
    // Of a large one it is spoken, and marked.
    const large = await described({ verdicts: doubts }, {}, false);
    expect(large.unsure).toBeUndefined();
    expect(large.descriptions.find(({ wordings }) => wordings[0] === SENTENCES[1])?.doubt).toBe("too dark");
  });

  test("a line on which it gives no verdict at all counts as one that it is not sure of", async () => {
    const { descriptions, unsure } = await described({ verdicts: () => ({ lines: [] }) });
    expect([descriptions.length, unsure?.length]).toEqual([0, SENTENCES.length]);
  });

  test("a phrase that it repeats without end is cut off, and what came before it is used", async () => {
    const log = (asked: StageAsked) => {
      const { events } = byShot(asked);
      const [first] = events;
      if (first === undefined) return { place: "", people: [], events };
      const whole = JSON.stringify({ place: "", people: [], events: [{ ...first, what: first.what }] });
      return `${whole.slice(0, -2)}, {"shot": ${first.shot}, "picture": 1, "what": "${"it goes on and on ".repeat(90)}`;
    };
    const { descriptions, model } = await described({ log });
    expect(descriptions.map(({ wordings }) => wordings[0])).toEqual(
      expect.arrayContaining([SENTENCES[0], SENTENCES[2], SENTENCES[4]]),
    );
    expect(model.asked.every(({ askedBack }) => askedBack.length === 0)).toBe(true);
  });

  test("an entry that broke off before it told anything is left out, and what came before it is used", async () => {
    const log = (asked: StageAsked) => {
      const [first, ...more] = byShot(asked).events;
      return `{"place": "", "people": [], "events": [${JSON.stringify(first)}, {"shot": ${more.length + 1}`;
    };
    const { descriptions, model } = await described({ log });
    expect(model.of("log").flatMap(({ askedBack }) => askedBack)).toEqual([]);
    expect(descriptions.map(({ wordings }) => wordings[0])).toEqual(
      expect.arrayContaining([SENTENCES[0], SENTENCES[2], SENTENCES[4]]),
    );
  });

  test("everyone who was seen is known to it when it draws up the bible", async () => {
    const people = ["a tall man", "a girl"].map((label) => ({ label, looks: "in blue" }));
    const { model } = await described({ log: (asked) => ({ ...byShot(asked), people }) });
    expect(model.of("bible")[0]?.prompt).toMatch(/a tall man: in blue .*\n {2}a girl: in blue /);
  });

  test("a shot that was not shown is asked about once more, and left out", async () => {
    const log = (asked: StageAsked) => {
      const told = byShot(asked);
      return { ...told, events: told.events.map((event) => ({ ...event, shot: event.shot + 70 })) };
    };
    const { model, descriptions } = await described({ log });
    expect(descriptions).toEqual([]);
    expect(model.of("log")[1]?.askedBack[0]).toMatch(/^There is no shot 71 in these pictures: 1\. Answer/);
  });

  test("of several shots at once any may be named", async () => {
    const shots = Array.from({ length: 20 }, (_, index) => shot(2 * index, 2 * index + 2));
    const { model, descriptions } = await described(
      {},
      {
        shots,
        keyFrames: keyFramesAt(
          SMALL_FILM.keyFrames.map(({ at }) => at),
          shots,
        ),
      },
    );
    expect(model.of("log")[0]?.prompt).toContain("shot 2,");
    expect(model.of("log").flatMap(({ askedBack }) => askedBack)).toEqual([]);
    expect(descriptions.map(({ wordings }) => wordings[0])).toEqual(SENTENCES);
  });

  test("a long film is read, written, checked and read through in parts that it has room for", async () => {
    const { model } = await described({}, { durationSeconds: 40 });
    for (const { prompt } of model.of("verdicts"))
      expect(linesIn(prompt).length).toBeLessThanOrEqual(SMALL.checkedLines);
    for (const { prompt } of model.of("changes")) expect(linesIn(prompt).length).toBeLessThanOrEqual(SMALL.readLines);
  });
});

test("an answer's shape stays whole where it gets an end: all its members, all that is required, all kinds", () => {
  const shape = {
    type: "object",
    properties: {
      kind: { type: "string", enum: ["action", "person", "text"] },
      people: { type: "array", items: { type: "object", properties: { label: { type: "string" } } } },
      line: { type: "number" },
      events: { type: "array", items: { type: "number" } },
    },
    required: ["kind", "people", "line", "events"],
    anyOf: [{ type: "string" }, { type: "null" }],
  };
  const count = { type: "integer", minimum: 0, maximum: 9999 };
  const text = { type: "string", maxLength: SMALL.textCharacters };
  const { schema, ...rest } = boundedSchema({ name: "log", strict: true, schema: shape }, SMALL);
  expect(rest).toEqual({ name: "log", strict: true });
  expect(schema).toEqual({
    ...shape,
    properties: {
      kind: shape.properties.kind,
      people: {
        type: "array",
        items: { type: "object", properties: { label: text } },
        maxItems: SMALL.listEntries,
      },
      line: count,
      events: { type: "array", items: count, maxItems: SMALL.listEntries },
    },
    anyOf: [text, { type: "null" }],
  });
});

describe("the room of a question", () => {
  const room = { pictureTokens: 512, answerTokens: 1500 };
  const heard = Array.from({ length: 900 }, (_, index) => `  ${index}.0 s to ${index}.9 s ANNA: ${"word ".repeat(8)}`);
  const text = ["Write.", "Heard: <<<", ...heard, ">>>", "The log, beat by beat: <<<", "  Event 1", ">>>"].join("\n");

  test("what was said longest ago goes first, and never what is asked about", () => {
    const parts = [{ text }, { jpeg: new Uint8Array(3) }, { text: "Picture 1" }];
    const [first, ...rest] = withinRoom(parts, "Rules.", SMALL, room);
    expect(withinRoom(parts.toReversed(), "Rules.", SMALL, room)).toEqual([first, ...rest].toReversed());
    const kept = first !== undefined && "text" in first ? first.text : "";
    expect(Buffer.byteLength(kept) / 3 + 512 + 1500).toBeLessThan(SMALL.contextTokens);
    expect(kept).toContain("  Event 1");
    expect(kept).toContain("  899.0 s");
    expect(kept).not.toContain("  0.0 s");
    expect(rest).toEqual(parts.slice(1));
  });

  test("the largest block of material gives way, be there others before it", () => {
    const before = ["Write.", "Spoken before: <<<", "  A door opens.", ">>>"];
    const [only] = withinRoom([{ text: [...before, ...text.split("\n").slice(1)].join("\n") }], "Rules.", SMALL, room);
    const kept = only !== undefined && "text" in only ? only.text : "";
    expect(Buffer.byteLength(kept) / 3 + 1500).toBeLessThan(SMALL.contextTokens);
    expect(kept).toContain("  A door opens.");
    expect(kept).toContain("  899.0 s");
    expect(kept).not.toContain("  0.0 s");
  });

  test("words fill all that pictures, the answer and the form of a conversation leave, and not a byte more", () => {
    const left = 3 * (SMALL.contextTokens - 200 - room.answerTokens - 2 * room.pictureTokens);
    const ofBytes = (bytes: number) => {
      const question = "The lines: <<<\n  Line 1: A dog.\n>>>";
      const heard = ["Heard: <<<", "  One.", `  ${"x".repeat(bytes)}`, ">>>"].join("\n");
      return [{ text: question }, { jpeg: new Uint8Array(1) }, { text: heard }, { jpeg: new Uint8Array(1) }];
    };
    const bytesOf = (parts: readonly object[]) =>
      parts.reduce((sum, part) => sum + ("text" in part ? Buffer.byteLength(String(part.text)) : 0), "Rules.".length);
    const full = ofBytes(left - bytesOf(ofBytes(0)));
    expect(bytesOf(full)).toBe(left);
    expect(withinRoom(full, "Rules.", SMALL, room)).toEqual(full);
    const tooFull = ofBytes(left - bytesOf(ofBytes(0)) + 1);
    const [line, , shorter] = withinRoom(tooFull, "Rules.", SMALL, room);
    expect(line).toEqual(tooFull[0]);
    expect(shorter).toEqual({ text: String((tooFull[2] as { text: string }).text).replace("  One.\n", "") });
  });

  test("what fits stays as it is", () => {
    expect(withinRoom([{ text: "Write." }], "Rules.", SMALL, room)).toEqual([{ text: "Write." }]);
  });
});

describe("an answer that broke off", () => {
  test.each([
    ['{"a": [{"b": "one"}, {"b": "tw', { a: [{ b: "one" }] }],
    ['{"a": [{"b": "one"}, {"b":', { a: [{ b: "one" }] }],
    ['Here: {"a": [{"b": "o\\"ne"}', { a: [{ b: 'o"ne' }] }],
    ['{"a": {"b": 1}}', { a: { b: 1 } }],
  ])("%s is closed behind what is whole", (words, whole) => {
    expect(JSON.parse(closedJson(words).at(-1) ?? "")).toEqual(whole);
  });

  test("it keeps what is there, where that makes sense", () => {
    expect(closedJson('{"a": [{"b": "one"}, {"b": "tw').map((one) => JSON.parse(one))).toEqual([
      { a: [{ b: "one" }, { b: "tw" }] },
      { a: [{ b: "one" }] },
    ]);
  });

  test("words without JSON stay as they are", () => {
    expect(closedJson("I cannot.")).toEqual(["I cannot."]);
  });

  test("a phrase in a row is said once, and what is said three times may be meant", () => {
    expect(withoutLoops(`He walks. ${"And on. ".repeat(40)}`)).toBe("He walks. And on. ");
    expect(withoutLoops("No, no, no, said Anna. No, no, no.")).toBe("No, no, no, said Anna. No, no, no.");
  });

  test("loops are looked for in the first 20,000 characters, of which all is kept that is none", () => {
    const words = Array.from({ length: 4500 }, (_, index) => `${index} `);
    const most = words.join("").slice(0, 20_000);
    expect(withoutLoops(most) === most).toBe(true);
    expect(withoutLoops(`${most}a`) === most).toBe(true);
  });

  test("loops are looked for in no time", () => {
    const began = performance.now();
    withoutLoops(
      "abcdefghij klmnop".repeat(3).slice(0, 40) +
        Array.from({ length: 60_000 }, (_, index) => String.fromCharCode(97 + ((index * index) % 23))).join(""),
    );
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
