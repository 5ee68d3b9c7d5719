import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { answerShape, isRefusal, readAnswer } from "../../../../src/engine/describe/vision/answer.ts";

const SHAPE = answerShape(
  "events",
  z.object({
    events: z.array(z.object({ at: z.number(), what: z.string(), importance: z._default(z.number(), 0.6) })),
  }),
  "events",
);
const good = JSON.stringify({ events: [{ at: 12.5, what: "a door" }] });
const READ = { ok: true, answer: { events: [{ at: 12.5, what: "a door", importance: 0.6 }] } };

describe("reading an answer", () => {
  test.each([
    ["alone", good],
    ["in a fenced block", `Here you are:\n\`\`\`json\n${good}\n\`\`\``],
    ["behind what a model thought aloud", `<think>A {"mast"}? Or [sails]? {"events": []}</think>\n${good}`],
    ["behind thoughts in brackets", `[THINK]First a draft: {"events": []} then more.[/THINK]${good}`],
    ["behind thoughts in marks with a name before", `<seed:think>Perhaps {"events": []}</seed:think>${good}`],
    ["behind thoughts in signs", `◁think▷Draft {"events": []}◁/think▷${good}`],
    [
      "in a channel of its own",
      `<|channel|>analysis<|message|>{"events": []}<|end|><|start|>assistant<|channel|>final<|message|>${good}`,
    ],
    ["behind a draft in prose", `I first thought of {"events": []}, but no. Final answer:\n${good}`],
    ["before an empty object", `${good}\nThat is all: {}`],
    ["behind hundreds of brackets", `${"[a] {b} ".repeat(400)}${good}`],
    ["as a bare list", JSON.stringify([{ at: 12.5, what: "a door" }])],
    ["in prose with brackets", `Here {as asked} [see 1]: ${good} I hope that {helps}.`],
    ["behind JSON of another shape", `{"thought": "a mast"} ${good}`],
    ["with its numbers in words of time", '{"events": [{"at": "12.5 s", "what": "a door", "importance": "0.6"}]}'],
  ])("takes JSON %s", (_name, words) => {
    expect(readAnswer(words, SHAPE)).toEqual(READ);
  });

  test("of several objects the last counts that has any member of the shape, though others have a default", () => {
    const shape = answerShape(
      "look",
      z.object({
        place: z._default(z.string(), ""),
        sure: z._default(z.boolean(), false),
        note: z._default(z.string(), ""),
      }),
    );
    const draft = '{"place": "a bar", "note": "dark"}';
    const of = (last: string) => readAnswer(`${draft} or rather ${last}`, shape);
    expect(of('{"note": "bright"}')).toEqual({ ok: true, answer: { place: "", sure: false, note: "bright" } });
    expect(of('{"sure": true}')).toMatchObject({ answer: { place: "", sure: true } });
    expect(of('{"thought": "bright"}')).toMatchObject({ answer: { place: "a bar", note: "dark" } });
  });

  test("takes an answer of 200,000 characters, and none that is longer", () => {
    expect(readAnswer(good.padEnd(200_000), SHAPE)).toEqual(READ);
    expect(readAnswer(good.padEnd(200_001), SHAPE)).toEqual({ ok: false, fault: "Your answer was far too long." });
  });

  test("looks at the first hundred brackets and at the last", () => {
    const among = (before: number, after: number) =>
      readAnswer(`${"[a] ".repeat(before)}${good}${" [b]".repeat(after)}`, SHAPE).ok;
    expect([among(99, 150), among(100, 150), among(150, 98), among(150, 99)]).toEqual([true, false, true, false]);
  });

  test("takes brackets and quotes inside of texts for what they are", () => {
    const what = 'a sign: "}] open {["';
    expect(readAnswer(`So: ${JSON.stringify({ events: [{ at: 1, what }] })}.`, SHAPE)).toMatchObject({
      answer: { events: [{ what }] },
    });
  });

  test("reads the answer where a server has a model think in its form, but no thoughts beside an answer", () => {
    expect(readAnswer("", SHAPE, good)).toEqual(READ);
    expect(readAnswer("\n", SHAPE, `I see a door. ${good}`)).toEqual(READ);
    expect(readAnswer(good, SHAPE, '{"events": []}')).toEqual(READ);
    expect(readAnswer('{"scenes": []}', SHAPE, good).ok).toBe(false);
  });

  test.each([
    ["thoughts without an end", `<think>A draft: ${good}`, "Your answer held no JSON object."],
    ["thoughts alone", `[THINK]${good}[/THINK]`, "Your answer held no JSON object."],
    ["lists within lists", "[".repeat(50_000) + "]".repeat(50_000), "Your JSON is not in the shape asked for"],
    ["another shape", '{"scenes": []}', "Your JSON is not in the shape asked for (at events)."],
    ["a wrong type", '{"events": [{"at": "soon", "what": "a"}]}', /not in the shape asked for \(at events\.0\.at\)/],
    ["JSON that is cut off", good.slice(0, -3), "Your answer held no JSON object."],
    ["prose", "The door is red.", "Your answer held no JSON object."],
    ["nothing", "", "Your answer held no JSON object."],
  ])("says what is wrong with %s", (_name, words, fault) => {
    const read = readAnswer(words, SHAPE);
    expect(read.ok).toBe(false);
    expect(read.ok ? "" : read.fault).toMatch(fault);
  });

  test("states to servers even those members that it can do without", () => {
    const events = JSON.stringify(SHAPE.schema.schema);
    expect(events).toContain('"required":["at","what","importance"]');
    expect(SHAPE.schema).toMatchObject({ name: "events", strict: true });
  });
});

test.each(["I'm sorry, but I can't help with that.", "As an AI, I will not describe people.", "I cannot assist."])(
  "takes a refusal in plain words for one: %s",
  (words) => {
    expect(isRefusal(words)).toBe(true);
    expect(isRefusal(`<think>${words}</think>The door is red.`)).toBe(false);
  },
);
