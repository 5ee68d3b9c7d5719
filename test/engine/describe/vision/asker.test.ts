import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { answerShape } from "../../../../src/engine/describe/vision/answer.ts";
import type { StageQuestion } from "../../../../src/engine/describe/vision/asker.ts";
import { inParallel } from "../../../../src/engine/describe/vision/in-parallel.ts";
import { presetAt } from "../../../../src/engine/models/presets.ts";
import { type StageAnswer, type StageRules, startDescribingModel } from "../../../fakes/describing-model.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { filmRequest, SMALL_FILM } from "../describe-request.ts";
import { askerOf, settingsAt } from "./asker-of.ts";

const SHAPE = answerShape("changes", z.object({ changes: z.array(z.string()) }), "changes");
const QUESTION = { system: "You read.", parts: [{ text: "The lines." }], shape: SHAPE };
type Answer = z.output<typeof SHAPE.parser>;

/** A model with these answers, and what asks it; every asker keeps its answers in the same folder. */
async function asking(changes: NonNullable<StageRules["changes"]>) {
  const model = await startDescribingModel([], { changes });
  const request = await filmRequest(SMALL_FILM);
  const keptFolder = join(await temporaryFolder(), "kept");
  return { model, request, keptFolder, asker: () => askerOf(model, request, { keptFolder }) };
}

const good = { changes: ["a"] };

describe("asking", () => {
  test("no question is paid for twice: what was answered is kept for later runs, and counted as theirs", async () => {
    const { model, asker } = await asking(({ askedBack }) => (askedBack.length === 0 ? "{}" : good));
    const first = await asker();
    expect(await first.ask(QUESTION)).toEqual({ kind: "answer", answer: good });
    expect(first.spent).toMatchObject({ now: { requests: 2, inputTokens: 18_000, outputTokens: 40 }, cost: null });
    const later = await asker();
    expect(await later.ask(QUESTION)).toEqual({ kind: "answer", answer: good });
    expect(later.spent).toMatchObject({
      now: { requests: 0, inputTokens: 0, outputTokens: 0 },
      before: { requests: 2, inputTokens: 18_000, outputTokens: 40 },
    });
    expect(() => later.requireAnswers()).not.toThrow();
    expect(model.asked).toHaveLength(2);
  });

  test("what a probe found of the model is kept too, as long as as many pictures are planned", async () => {
    const model = await startDescribingModel([], {}, { prompt_tokens: 3, completion_tokens: 1 });
    const request = await filmRequest(SMALL_FILM);
    const keptFolder = join(await temporaryFolder(), "kept");
    const run = async (words: string, pictures: number) => {
      const asker = await askerOf(model, request, { keptFolder, pictures });
      await asker.prepare();
      await asker.ask({ ...QUESTION, parts: [{ text: words }, { jpeg: Buffer.from("a") }] });
    };
    await run("The lines.", 6);
    expect(model.probes()).toBe(1);
    await run("Other lines.", 6);
    expect(model.probes()).toBe(1);
    await run("More lines.", 4);
    expect(model.probes()).toBe(2);
  });

  test("whatever a question depends on makes it another: instructions, words, pictures, model", async () => {
    const { model, request, keptFolder, asker } = await asking(() => good);
    const one = await asker();
    const questions: StageQuestion<Answer>[] = [
      QUESTION,
      { ...QUESTION, system: "You write." },
      { ...QUESTION, parts: [{ text: "Other lines." }] },
      { ...QUESTION, parts: [{ text: "The lines." }, { jpeg: Buffer.from("a") }] },
      { ...QUESTION, parts: [{ text: "The lines." }, { jpeg: Buffer.from("b") }] },
    ];
    for (const question of questions) await one.ask(question);
    expect(model.asked).toHaveLength(questions.length);
    const settings = settingsAt(model.url, 6, { model: "eyes-70b" });
    await (await askerOf(model, request, { keptFolder, settings })).ask(QUESTION);
    expect(model.asked).toHaveLength(questions.length + 1);
  });

  test("asks back once, in the conversation, with what was wrong", async () => {
    const { model, asker } = await asking(({ askedBack }) => (askedBack.length === 0 ? "The door is red." : good));
    await (await asker()).ask(QUESTION);
    const [, second] = model.asked;
    expect(second?.body.messages.map(({ role }: { role: string }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "user",
    ]);
    expect(second?.askedBack).toEqual(["Your answer held no JSON object. Answer again, whole, in the same shape."]);
  });

  test("a model that thinks and gives no answer is told of as one", async () => {
    const thinking = { reply: { body: { choices: [{ message: { content: "", reasoning_content: "Hm, a door." } }] } } };
    const { asker } = await asking(() => thinking);
    const one = await asker();
    expect(await one.ask(QUESTION)).toEqual({ kind: "nonsense" });
    expect(() => one.requireAnswers()).toThrow(/gave what it thought and no answer\. Switch its thinking off/);
  });

  test("what stays nonsense is no answer, and is asked for again the next time", async () => {
    const { model, keptFolder, asker } = await asking(() => "{}");
    const one = await asker();
    expect(await one.ask(QUESTION)).toEqual({ kind: "nonsense" });
    expect(model.asked).toHaveLength(2);
    expect(await readdir(keptFolder).catch(() => [])).toEqual([]);
    expect(() => one.requireAnswers()).toThrow(expect.objectContaining({ code: "vision_unusable" }));
    await (await asker()).ask(QUESTION);
    expect(model.asked).toHaveLength(4);
  });

  test("after three answers in a row that cannot be used, whatever they are about, nothing is asked any more", async () => {
    const prose = "The man with key secret-key walks away. ".repeat(20);
    const { model, asker } = await asking(() => prose);
    const one = await asker();
    await one.ask(QUESTION);
    const next = one.ask({ ...QUESTION, system: "You write." });
    await expect(next).rejects.toMatchObject({ code: "vision_unusable", jobCode: "model_unusable" });
    await expect(next).rejects.toThrow(/eyes-7b at .* begins “The man with key … walks.*ASIDE_VISION_MODEL/);
    const message = await next.catch((error: Error) => error.message);
    expect(String(message).length).toBeLessThan(500);
    await expect(one.ask({ ...QUESTION, system: "You check." })).rejects.toMatchObject({ code: "vision_unusable" });
    expect(model.asked).toHaveLength(3);
  });

  test("an answer that can be used begins the count anew", async () => {
    const { model, asker } = await asking(({ index, askedBack }) =>
      index % 2 === 0 || askedBack.length > 1 ? "{}" : good,
    );
    const one = await asker();
    for (let time = 0; time < 6; time++) await one.ask({ ...QUESTION, system: `You read ${time}.` });
    expect(model.asked).toHaveLength(9);
  });

  test("what is under way as a model is given up is not waited for", async () => {
    const { model, request } = await asking(({ system }) =>
      system.includes("slow") ? { reply: { delayMs: 60_000, body: {} } } : "{}",
    );
    const one = await askerOf(model, request, { settings: settingsAt(model.url, 6, { parallel: 2 }) });
    const slow = one.ask({ ...QUESTION, system: "You are slow." });
    slow.catch(() => {});
    await one.ask(QUESTION);
    await expect(one.ask({ ...QUESTION, system: "You write." })).rejects.toMatchObject({ code: "vision_unusable" });
    await expect(slow).rejects.toMatchObject({ code: "vision_unusable" });
    expect(model.asked).toHaveLength(4);
  });

  test("a film is asked about half as often again as was estimated, and no more", async () => {
    const { model, asker } = await asking(() => good);
    const one = await asker();
    one.expect({ requests: 3 });
    for (let time = 0; time < 5; time++) await one.ask({ ...QUESTION, system: `You read ${time}.` });
    await expect(one.ask(QUESTION)).rejects.toMatchObject({ code: "vision_unusable" });
    expect(model.asked).toHaveLength(5);
  });

  test.each([
    ["deep", `{"changes":${"[".repeat(2_000_000)}${"]".repeat(2_000_000)}}`],
    ["deep and open", `{"changes":${"[".repeat(2_000_000)}`],
    ["long", `{"changes":["${"a ".repeat(2_500_000)}"]}`],
  ])("an answer that is %s is none, costs little to see, and is not sent back whole", async (_name, words) => {
    const { model, asker } = await asking(() => words);
    const started = performance.now();
    expect(await (await asker()).ask(QUESTION)).toEqual({ kind: "nonsense" });
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(JSON.stringify(model.asked[1]?.body).length).toBeLessThan(60_000);
  });

  test("an answer with a fault counts where none without came", async () => {
    const { asker } = await asking(({ askedBack }) => ({ changes: [askedBack.length === 0 ? "first" : "second"] }));
    const one = await asker();
    const faultOf = () => "It is too long.";
    expect(await one.ask({ ...QUESTION, faultOf })).toEqual({ kind: "answer", answer: { changes: ["second"] } });
    const bestOf = (a: Answer, b: Answer) => ({ changes: [...a.changes, ...b.changes] });
    const both = { ...QUESTION, system: "You write.", faultOf, bestOf };
    expect(await one.ask(both)).toMatchObject({ answer: { changes: ["first", "second"] } });
    // Once the second is good, nothing of the first is needed.
    const mended = {
      ...both,
      system: "You mend.",
      faultOf: ({ changes }: Answer) => (changes[0] === "first" ? "No." : null),
    };
    expect(await one.ask(mended)).toMatchObject({ answer: { changes: ["second"] } });
  });

  test("an answer with a fault stands where the second is none", async () => {
    const { asker } = await asking(({ askedBack }) => (askedBack.length === 0 ? good : "I cannot assist."));
    expect(await (await asker()).ask({ ...QUESTION, faultOf: () => "No." })).toEqual({ kind: "answer", answer: good });
  });

  test.each([
    ["in plain words", "I'm sorry, but I can't help with that."],
    [
      "by a filter",
      { reply: { body: { choices: [{ message: { content: null }, finish_reason: "content_filter" }] } } },
    ],
    ["by a policy", { reply: { status: 400, body: { error: { message: "no", code: "content_policy_violation" } } } }],
  ])(
    "ERR-26: a refusal %s is one question's; where there is no other answer, it is the job's",
    async (_name, words) => {
      const { asker } = await asking(({ system }) => (system === "You read." ? words : good));
      const one = await asker();
      expect(await one.ask(QUESTION)).toEqual({ kind: "refusal" });
      expect(() => one.requireAnswers()).toThrow(expect.objectContaining({ code: "content_blocked" }));
      await one.ask({ ...QUESTION, system: "You write." });
      expect(() => one.requireAnswers()).not.toThrow();
    },
  );

  test("never sends more pictures at once than help a model, or than its server takes", async () => {
    const { model, request } = await asking(() => good);
    expect((await askerOf(model, request, { pictures: 4 })).mostPictures).toBe(4);
    expect((await askerOf(model, request, { pictures: 99 })).mostPictures).toBe(16);
  });

  test("a ceiling of cost stops before it is passed, says so, and keeps what was answered", async () => {
    const { model, request, keptFolder } = await asking(() => good);
    const settings = settingsAt(model.url, 6, { pricePerMillion: { input: 1, output: 1 } });
    const asker = await askerOf(model, { ...request, maximumCost: 0.01 }, { keptFolder, settings });
    await asker.ask(QUESTION);
    const next = asker.ask({ ...QUESTION, system: "You write." });
    await expect(next).rejects.toMatchObject({ code: "vision_ceiling" });
    await expect(next).rejects.toThrow("1 request, 9000 tokens in, 20 out");
    expect(model.asked).toHaveLength(1);
    expect(asker.spent.cost).toBeCloseTo(0.00902, 6);
    await expect(asker.ask(QUESTION)).resolves.toMatchObject({ kind: "answer" });
    await expect(askerOf(model, { ...request, maximumCost: 1 })).rejects.toThrow("ASIDE_VISION_PRICE");
  });
});

describe("what may be spent", () => {
  const prices = { input: 1, output: 0 };

  /** Asks with room below the ceiling for so many tokens of a question. */
  async function askedBelow(tokens: number, question: Partial<StageQuestion<Answer>>, first: StageAnswer = good) {
    const rules: StageRules = { changes: ({ askedBack }) => (askedBack.length === 0 ? first : good) };
    const model = await startDescribingModel([], rules, { prompt_tokens: 1, completion_tokens: 1 });
    const request = { ...(await filmRequest(SMALL_FILM)), maximumCost: tokens / 1e6 };
    const asker = await askerOf(model, request, { settings: settingsAt(model.url, 6, { pricePerMillion: prices }) });
    return { model, asker, asked: asker.ask({ ...QUESTION, ...question }) };
  }

  const ofWords = (...lengths: readonly number[]) => ({
    system: "",
    parts: lengths.map((length) => ({ text: "x".repeat(length) })),
  });
  const ofPictures = (count: number) => ({
    system: "",
    parts: Array.from({ length: count }, (_, index) => ({ jpeg: Buffer.from([index]) })),
  });

  test("counts all words of a question, and every picture, before it is sent", async () => {
    expect(await (await askedBelow(500, ofWords(1000, 1000))).asked).toMatchObject({ kind: "answer" });
    for (const lengths of [
      [1000, 1004],
      [1004, 1000],
      [1000, 1000, 4],
    ]) {
      const { asked, model } = await askedBelow(500, ofWords(...lengths));
      await expect(asked).rejects.toMatchObject({ code: "vision_ceiling" });
      expect(model.asked).toEqual([]);
    }
    const { tokensPerPicture } = presetAt("http://127.0.0.1:9/v1");
    expect(await (await askedBelow(3 * tokensPerPicture, ofPictures(3))).asked).toMatchObject({ kind: "answer" });
    await expect((await askedBelow(3 * tokensPerPicture, ofPictures(4))).asked).rejects.toMatchObject({
      code: "vision_ceiling",
    });
  });

  test("counts what is said back too", async () => {
    const { asked, model } = await askedBelow(600, ofWords(1000), "The door is red. ".repeat(100));
    await expect(asked).rejects.toMatchObject({ code: "vision_ceiling" });
    expect(model.asked).toHaveLength(1);
  });

  test.each([
    ["came", good],
    ["was refused", { reply: { status: 400, body: { error: { message: "no", code: "content_policy_violation" } } } }],
  ])("the room that was kept for an answer is free again once it %s", async (_name, first) => {
    const { asked, asker } = await askedBelow(400, ofWords(1200), first);
    await asked;
    for (const times of [1, 2, 3]) {
      const more = { ...QUESTION, ...ofWords(1200 + times) };
      expect((await asker.ask(more)).kind).toBe(first === good ? "answer" : "refusal");
    }
  });
});

describe("in parallel", () => {
  const later = () => new Promise((resolve) => setTimeout(resolve, 5));

  test("gives results in order, at most so many under way", async () => {
    let under = 0;
    let most = 0;
    const results = await inParallel([5, 1, 3, 2, 4], 2, async (item, index) => {
      most = Math.max(most, ++under);
      await later();
      under--;
      return [item, index];
    });
    expect(results).toEqual([5, 1, 3, 2, 4].map((item, index) => [item, index]));
    expect(most).toBe(2);
  });

  test("the first error ends it once what is under way has ended; nothing more is begun", async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    const running = inParallel([1, 2, 3, 4], 2, async (item) => {
      begun.push(item);
      if (item === 1) throw new Error("first");
      await later();
      ended.push(item);
      throw new Error("second");
    });
    await expect(running).rejects.toThrow("first");
    expect(begun).toEqual([1, 2]);
    expect(ended).toEqual([2]);
  });
});
