import { expect, onTestFinished, test } from "vitest";
import { shorterWordings } from "../../../src/service/describe/vision/shorten.ts";
import { VisionError } from "../../../src/service/describe/vision/vision-error.ts";
import { type ScriptedAnswer, startVisionServer } from "../../fakes/vision-server.ts";

const LINES = [
  { id: "cue-0003", text: "A tall woman in a red coat slowly opens the old wooden door.", words: 7 },
  { id: "cue-0009", text: "He runs across the wet street.", words: 3 },
];
const answerOf = (...descriptions: object[]) => ({ words: JSON.stringify({ descriptions }) });
const wording = (at: number, long: string, medium: string, short: string) => ({
  at,
  long,
  medium,
  short,
  importance: 1,
});

async function asked(answers: readonly ScriptedAnswer[], lines = LINES) {
  const server = await startVisionServer(answers);
  onTestFinished(() => server.close());
  const environment = { ASIDE_VISION_URL: server.url, ASIDE_VISION_MODEL: "m", ASIDE_VISION_KEY: "k-secret" };
  const { signal } = new AbortController();
  return { server, wordings: () => shorterWordings(lines, "en-US", { environment, signal }) };
}

test("a line gets three lengths, and the model no more than the lines and the words that fit", async () => {
  const { server, wordings } = await asked([
    answerOf(
      wording(1, "A woman in red opens the door.", "A woman opens the door.", "She opens it."),
      wording(2, "he runs off", "He runs across the wet street again and again.", ""),
    ),
  ]);
  expect(await wordings()).toEqual(
    new Map([
      ["cue-0003", ["A woman in red opens the door.", "A woman opens the door.", "She opens it."]],
      // What is no shorter is left out, and a sentence is made one.
      ["cue-0009", ["He runs off."]],
    ]),
  );
  const sent = JSON.stringify(server.requests.map(({ body }) => body.messages));
  expect(sent).toContain("1. (at most 7 words) A tall woman");
  expect(sent).not.toContain("k-secret");
});

test("answers that cannot be used, and lines that were not asked about, give no wording", async () => {
  const { wordings } = await asked([answerOf(wording(7, "A.", "B.", "C."))]);
  expect(await wordings()).toEqual(new Map());
  const prose = await asked([{ words: "I would rather not." }]);
  expect(await prose.wordings()).toEqual(new Map());
});

test("many lines are asked about in pieces", async () => {
  const lines = Array.from({ length: 25 }, (_, index) => ({ id: `c${index}`, text: "One two three four.", words: 2 }));
  const { server, wordings } = await asked([answerOf(wording(1, "One two.", "One two.", "One."))], lines);
  expect([...((await wordings()) ?? new Map()).keys()]).toEqual(["c0", "c20"]);
  expect(server.requests).toHaveLength(2);
});

test("without a model there is none, and a fault of one is told", async () => {
  const { signal } = new AbortController();
  const none = { signal, findModels: async () => [] };
  expect(await shorterWordings(LINES, "en-US", { environment: {}, ...none })).toBeNull();
  expect(await shorterWordings(LINES, "en-US", { environment: { ASIDE_VISION_URL: "off" }, ...none })).toBeNull();
  const { wordings } = await asked([{ status: 401, body: { error: { message: "no" } } }]);
  await expect(wordings()).rejects.toBeInstanceOf(VisionError);
});
